#include "infer/rule_function.h"

#include <array>

#include "rules/evaluator.h"

namespace dimwise {
namespace {

class ContextSite : public rules::Site {
 public:
  explicit ContextSite(InferenceContext* context) : context_(context) {}

  Analysis& analysis() override { return context_->analysis(); }

  Dim Fresh(uint32_t role, int64_t min, int64_t max) override {
    const NodeDescription& node = context_->node();
    if (node.owner != 0) return analysis().dims().Fresh(SymbolKey{node.path, node.owner, role}, min, max, context_->Origin());
    for (const auto& [known, dim] : fresh_) {
      if (known == role) return dim;
    }
    const Dim d = context_->UnknownDim(min, max);
    fresh_.push_back({role, d});
    return d;
  }

  Shape FreshShape(uint32_t role, int min_rank, int max_rank) override {
    const NodeDescription& node = context_->node();
    if (node.owner != 0) return analysis().shapes().Unknown(SymbolKey{node.path, node.owner, role | 0x80000000u}, min_rank, max_rank);
    return context_->UnknownShape(min_rank, max_rank);
  }

  Truth Ask(const Literal& literal, Trust trust) override { return context_->facts().Holds(literal, context_->scope(), trust); }
  Truth Ask(const Clause& clause, Trust trust) override { return context_->facts().Holds(clause, context_->scope(), trust); }

  Status Require(const Condition& condition, rules::Words words, Code code) override {
    return context_->Require(condition, Message(words), code);
  }
  void Ensure(const Condition& condition) override { context_->Ensure(condition); }

 private:
  InferenceContext* context_;
  std::vector<std::pair<uint32_t, Dim>> fresh_;
};

// Buffers that are kept from one application to the next.
struct Scratch {
  rules::Evaluator evaluator;
  rules::Outcome outcome;
  rules::BoundAttributes attributes;
  std::vector<rules::Operand> operands;
};

}  // namespace

Status ApplyRule(const rules::Rule& rule, InferenceContext* context) {
  thread_local Scratch scratch;
  if (Status s = rules::Bind(*rule.code, context->attrs(), rule.name, rule.HasOnnxNumbers(), &scratch.attributes); !s) return s;
  scratch.operands.clear();
  for (int i = 0; i < context->num_inputs(); ++i) {
    rules::Operand o;
    o.given = context->has_input(i);
    if (o.given) {
      o.type = context->full_input_type(i);
      o.value = context->input_tensor(i);
    }
    scratch.operands.push_back(o);
  }
  rules::Application application;
  application.op = rule.name;
  application.operands = scratch.operands;
  application.attributes = &scratch.attributes;
  application.version = rule.VersionFor(context->node().version);
  application.result_count = context->num_outputs();
  ContextSite site(context);
  if (Status s = scratch.evaluator.Run(*rule.code, application, &site, &scratch.outcome); !s) return s;
  for (int i = 0; i < context->num_outputs(); ++i) {
    const auto k = static_cast<size_t>(i);
    const Type& type = scratch.outcome.results[k];
    if (type.kind != TypeKind::kUnknown) context->set_full_output_type(i, type);
    if (!scratch.outcome.contents[k].is_none()) context->set_output_value(i, scratch.outcome.contents[k]);
  }
  return {};
}

ShapeFn ShapeFunctionOf(const rules::Rule& rule) {
  return [&rule](InferenceContext* context) { return ApplyRule(rule, context); };
}

OpDef DefinitionOf(const rules::Rule& rule) {
  OpDef def;
  def.set = rule.set;
  def.name = rule.name;
  def.doc = rule.declared->doc;
  def.since = rule.since;
  if (rule.until != 0) def.until = rule.until;
  const rules::Operator& shape = rule.base == nullptr ? *rule.declared : *rule.base;
  const auto argument = [](const rules::Argument& a) {
    ArgDef arg;
    arg.name = a.name;
    arg.any_type = true;
    arg.optional = a.arity == rules::Arity::kOptional;
    arg.variadic = a.arity == rules::Arity::kOneOrMore || a.arity == rules::Arity::kAnyNumber;
    arg.min_count = a.arity == rules::Arity::kAnyNumber ? 0 : 1;
    arg.homogeneous = !arg.variadic;
    return arg;
  };
  for (const rules::Argument& a : shape.signatures[0].operands) def.inputs.push_back(argument(a));
  for (const rules::Argument& a : shape.signatures[0].results) def.outputs.push_back(argument(a));
  static constexpr std::string_view kKinds[] = {"int", "list(int)", "float", "list(float)", "bool", "string", "list(string)", "type", "list(type)", "shape", "tensor", "graph"};
  for (const rules::Attribute& a : shape.attributes) {
    AttrDef attr;
    attr.name = a.name;
    attr.kind = kKinds[static_cast<size_t>(a.kind)];
    attr.required = !a.optional && a.otherwise == nullptr;
    attr.or_single = a.kind == rules::AttributeKind::kInts;
    def.attrs.push_back(std::move(attr));
  }
  return def;
}

}  // namespace dimwise
