// Converts the signature of a rule to an OpDef: operands, results and attributes.
#include <algorithm>

#include "infer/operators/rule_function.h"

namespace dimwise {

OpDef DefinitionOf(const rules::Rule& rule) {
  OpDef def;
  def.set = rule.set;
  def.name = rule.name;
  def.doc = rule.declared->doc;
  def.since = rule.since;
  if (rule.until != 0) def.until = rule.until;
  const rules::Operator& shape = rule.base == nullptr ? *rule.declared : *rule.base;
  const auto argument = [&](const rules::Argument& a) {
    ArgDef arg;
    arg.name = a.name;
    arg.optional = a.arity == rules::Arity::kOptional;
    const bool several = a.arity == rules::Arity::kOneOrMore || a.arity == rules::Arity::kAnyNumber;
    const auto is_list = [&](const rules::Attribute& attribute) {
      return attribute.name == a.count && attribute.kind == rules::AttributeKind::kTypes;
    };
    const bool by_types = std::ranges::any_of(shape.attributes, is_list);
    (by_types ? arg.type_list_attr : arg.number_attr) = a.count;
    arg.any_type = !by_types;
    arg.variadic = several && a.count.empty();
    arg.min_count = a.arity == rules::Arity::kAnyNumber ? 0 : 1;
    arg.homogeneous = !several || by_types;
    return arg;
  };
  for (const rules::Argument& a : shape.signatures[0].operands) def.inputs.push_back(argument(a));
  for (const rules::Argument& a : shape.signatures[0].results) def.outputs.push_back(argument(a));
  static constexpr std::string_view kKinds[] = {
      "int",  "list(int)",  "float", "list(float)", "bool",   "string", "list(string)",
      "type", "list(type)", "shape", "list(shape)", "tensor", "graph"};
  const auto add_attributes = [&](const rules::Operator& part) {
    for (const rules::Attribute& a : part.attributes) {
      if (FindAttr(def, a.name) != nullptr) continue;
      AttrDef attr;
      attr.name = a.name;
      attr.kind = kKinds[static_cast<size_t>(a.kind)];
      attr.required = !a.optional && a.otherwise == nullptr;
      attr.or_single = a.kind == rules::AttributeKind::kInts;
      const auto is_counted = [&](const ArgDef& arg) { return arg.number_attr == a.name; };
      if (std::ranges::any_of(def.inputs, is_counted) || std::ranges::any_of(def.outputs, is_counted))
        attr.minimum = 0;
      def.attrs.push_back(std::move(attr));
    }
    for (const rules::Region& r : part.regions) {
      AttrDef attr;
      attr.name = r.name;
      attr.kind = "graph";
      attr.required = false;  // without the region, the names that it binds are unknown
      def.attrs.push_back(std::move(attr));
    }
  };
  add_attributes(shape);
  for (const rules::RulePart& part : rule.more) {
    add_attributes(part.base == nullptr ? *part.declared : *part.base);
    if (def.doc.empty()) def.doc = part.declared->doc;
  }
  def.properties = rule.code->properties;
  if (!def.properties.mirrored.empty()) def.properties.mirrored.insert(0, rule.set + ".");
  return def;
}

}  // namespace dimwise
