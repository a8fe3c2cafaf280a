// Compiles declarations: arguments, attributes, names and statements of an operator.
#include "rules/compile/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "dimwise/result_macros.h"
#include "rules/language/type_names.h"

namespace dimwise::rules {
namespace {

ExprType TypeOfAttribute(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kInt:
      return ExprType::kInt;
    case AttributeKind::kInts:
    case AttributeKind::kShape:
      return ExprType::kInts;
    case AttributeKind::kFloat:
      return ExprType::kFloat;
    case AttributeKind::kFloats:
      return ExprType::kFloats;
    case AttributeKind::kBool:
      return ExprType::kBool;
    case AttributeKind::kString:
      return ExprType::kString;
    case AttributeKind::kStrings:
      return ExprType::kStrings;
    case AttributeKind::kType:
      return ExprType::kType;
    case AttributeKind::kTypes:
      return ExprType::kTypes;
    case AttributeKind::kShapes:
      return ExprType::kLists;
    case AttributeKind::kTensor:
    case AttributeKind::kAny:
      return ExprType::kTensor;
  }
  return ExprType::kInt;
}

// Returns the type of an operand's name in expressions: an integer for a scalar, a list for a vector, else
// the contents.
ExprType ContentsType(const Argument& a) {
  if (a.arity == Arity::kOneOrMore || a.arity == Arity::kAnyNumber) return ExprType::kTensors;
  if (a.pattern.kind != PatternKind::kTensor || !a.pattern.has_shape || a.pattern.unknown_shape)
    return ExprType::kTensor;
  if (a.pattern.shape.empty()) return ExprType::kInt;
  return a.pattern.shape.size() == 1 && a.pattern.shape[0].kind != ItemKind::kList ? ExprType::kInts
                                                                                   : ExprType::kTensor;
}

AttrValue ConstantOf(const Expr& e) {
  switch (e.kind) {
    case ExprKind::kInteger:
      return AttrValue(e.integer);
    case ExprKind::kReal:
      return AttrValue(e.real);
    case ExprKind::kString:
      return AttrValue(e.text);
    case ExprKind::kUnary:
      if (e.text == "-" && e.children[0]->kind == ExprKind::kInteger)
        return AttrValue(-e.children[0]->integer);
      return AttrValue();
    case ExprKind::kName:
      if (const std::optional<ElementType> t = TypeNamed(e.text)) return AttrValue(*t);
      return AttrValue();
    default:
      return AttrValue();
  }
}

}  // namespace

Result<RuleCode> Compiler::Compile(const Operator& declared, const Operator* base) {
  code_ = {};
  names_.clear();
  given_.clear();
  statements_.clear();
  part_ = declared.part;
  in_property_ = false;
  value_nodes_.clear();
  let_nodes_.clear();
  operand_of_shape_.clear();
  const Operator& op = base == nullptr ? declared : *base;
  for (const Statement& s : op.statements) statements_.push_back(&s);
  if (base != nullptr) {
    for (const Statement& s : declared.statements) statements_.push_back(&s);
  }
  if (op.signatures.empty())
    return Fail(declared.at, Code::kRuleSyntax, "an operator has operands and results");
  DIMWISE_RETURN_IF_ERROR(CheckSameArguments(op));
  DIMWISE_RETURN_IF_ERROR(DeclareArguments(op));
  DIMWISE_RETURN_IF_ERROR(DeclareAttributes(op));
  DIMWISE_RETURN_IF_ERROR(DeclarePatternNames(op));
  DIMWISE_RETURN_IF_ERROR(CompileLets());
  DIMWISE_RETURN_IF_ERROR(CompileAttributes(op));
  DIMWISE_RETURN_IF_ERROR(CompileStatements());
  DIMWISE_RETURN_IF_ERROR(CompileRegions(op));
  std::vector<CompiledSignature> signatures;
  for (const Signature& s : op.signatures) {
    DIMWISE_ASSIGN_OR_RETURN(CompiledSignature compiled, CompileSignature(s));
    signatures.push_back(std::move(compiled));
  }
  code_.signatures = std::move(signatures);
  for (const CompiledAttribute& a : code_.attributes)
    code_.limits_attributes |= !a.allowed.empty() || a.minimum || a.maximum;
  for (NodeId value : code_.result_values) code_.has_values |= value != kNone;
  for (const Argument& a : op.signatures[0].operands)
    code_.has_variadic |= a.arity == Arity::kOneOrMore || a.arity == Arity::kAnyNumber;
  FindContentsThatCount(op.signatures[0].operands.size());
  static std::atomic<uint32_t> next_id = 0;
  code_.id = next_id++;
  return std::move(code_);
}

// Finds the operands whose contents affect more than the contents of results. `value` statements, and `let`
// statements used only by them, do not count.
void Compiler::FindContentsThatCount(size_t operand_count) {
  code_.reads_contents.resize(operand_count);
  std::vector<bool> counts(code_.nodes.size(), true);
  const auto mark = [&](NodeId first, NodeId last, bool count) {
    for (NodeId i = first; i < last; ++i) counts[i] = count;
  };
  for (const auto& [first, last] : value_nodes_) mark(first, last, false);
  for (const NodesOfLet& let : let_nodes_) mark(let.first, let.last, false);
  std::vector<SlotId> read;
  const auto look = [&](NodeId first, NodeId last) {
    for (NodeId i = first; i < last; ++i) {
      const Node& node = code_.nodes[i];
      if (!counts[i]) continue;
      if (node.op == Op::kSlot) read.push_back(node.a);
      if (node.op == Op::kContents) code_.reads_contents[node.a] = code_.any_reads_contents = true;
    }
  };
  look(0, static_cast<NodeId>(code_.nodes.size()));
  while (!read.empty()) {
    const SlotId slot = read.back();
    read.pop_back();
    const auto let = std::ranges::find(let_nodes_, slot, &NodesOfLet::slot);
    if (let == let_nodes_.end()) continue;
    const NodesOfLet found = *let;
    let_nodes_.erase(let);
    mark(found.first, found.last, true);
    look(found.first, found.last);
  }
}

Status Compiler::Check(const Function& f) {
  code_ = {};
  names_.clear();
  for (const Parameter& p : f.parameters) {
    const std::optional<ExprType> type = ParseExprType(p.type);
    if (!type)
      return Fail(f.at, Code::kRuleType, fmt::format("there is no type '{}'", p.type),
                  "types are int, bool, float, string, type, ints, floats, strings, types, lists, tensor");
    if (!names_.emplace(p.name, Name{NameKind::kSlot, NewSlot(p.name, *type), *type, kNone, kNone}).second) {
      return Fail(f.at, Code::kRuleDuplicate, fmt::format("the parameter '{}' is declared twice", p.name));
    }
  }
  const std::optional<ExprType> result = ParseExprType(f.result);
  if (!result) return Fail(f.at, Code::kRuleType, fmt::format("there is no type '{}'", f.result));
  DIMWISE_ASSIGN_OR_RETURN(const NodeId body, ExpressionOf(*f.body, *result));
  (void)body;
  if (!f.message.empty() && *result != ExprType::kBool)
    return Fail(f.at, Code::kRuleType, "only a function that returns bool has a message");
  for (const Parameter& p : f.parameters) argument_names_[p.name] = p.name;
  DIMWISE_RETURN_IF_ERROR(CompileMessage(f.message));
  return {};
}

// Requires that all alternatives have the same operands and results, in the same order.
Status Compiler::CheckSameArguments(const Operator& op) {
  const Signature& first = op.signatures[0];
  for (const Signature& s : op.signatures) {
    const auto same = [](const Argument& a, const Argument& b) {
      return a.name == b.name && a.arity == b.arity;
    };
    if (!std::ranges::equal(first.operands, s.operands, same) ||
        !std::ranges::equal(first.results, s.results, same)) {
      return Fail(s.at, Code::kRuleName,
                  "an alternative has the same operands and results as the first, in the same order",
                  "only their patterns may differ");
    }
  }
  return {};
}

Status Compiler::DeclareArguments(const Operator& op) {
  const Signature& first = op.signatures[0];
  CompiledSignature names_only;
  for (uint32_t i = 0; i < first.operands.size(); ++i) {
    const Argument& a = first.operands[i];
    ExprType type = ContentsType(a);
    for (const Signature& s : op.signatures) {
      if (ContentsType(s.operands[i]) != type) type = ExprType::kTensor;
    }
    const bool optional = a.arity == Arity::kOptional;
    if (!names_.emplace(a.name, Name{NameKind::kOperand, i, type, optional ? i : kNone, kNone}).second) {
      return Fail(a.at, Code::kRuleDuplicate, fmt::format("the operand '{}' is declared twice", a.name));
    }
    const std::vector<ShapeItem>& shape = a.pattern.shape;
    if (shape.size() == 1 && shape[0].kind == ItemKind::kList && shape[0].expr != nullptr &&
        shape[0].expr->kind == ExprKind::kName) {
      operand_of_shape_.emplace(shape[0].expr->text, a.name);
    }
    names_only.operands.push_back({a.name, a.arity, kNone, {}});
  }
  for (uint32_t i = 0; i < first.results.size(); ++i) {
    const Argument& a = first.results[i];
    if (!names_.emplace(a.name, Name{NameKind::kResult, i, ExprType::kTensor, kNone, kNone}).second) {
      return Fail(a.at, Code::kRuleDuplicate, fmt::format("the name '{}' is declared twice", a.name));
    }
    names_only.results.push_back({a.name, a.arity, kNone, {}});
  }
  code_.result_values.assign(first.results.size(), kNone);
  code_.signatures.push_back(std::move(names_only));  // for messages, until the patterns are compiled
  return {};
}

Status Compiler::DeclareAttributes(const Operator& op) {
  for (const Attribute& a : op.attributes) {
    CompiledAttribute c;
    c.name = a.name;
    c.kind = a.kind;
    c.optional = a.optional;
    const auto index = static_cast<uint32_t>(code_.attributes.size());
    c.slot = NewSlot(a.name, TypeOfAttribute(a.kind));
    code_.slots[c.slot].attribute = index;
    const Name name{NameKind::kSlot, c.slot, TypeOfAttribute(a.kind), kNone,
                    a.optional && a.otherwise == nullptr ? index : kNone};
    if (!names_.emplace(a.name, name).second)
      return Fail(a.at, Code::kRuleDuplicate, fmt::format("the name '{}' is declared twice", a.name));
    for (const ExprPtr& e : a.allowed) {
      c.allowed.push_back(ConstantOf(*e));
      if (c.allowed.back().kind() == AttrKind::kNothing)
        return Fail(e->at, Code::kRuleType, "the allowed values of an attribute are a list of constants");
    }
    for (const auto& [bound, out] :
         {std::pair(a.minimum.get(), &c.minimum), std::pair(a.maximum.get(), &c.maximum)}) {
      if (bound == nullptr) continue;
      const AttrValue v = ConstantOf(*bound);
      if (v.kind() != AttrKind::kInt)
        return Fail(bound->at, Code::kRuleType, "the range of an attribute has constant integers");
      *out = *v.get_if<int64_t>();
    }
    code_.attributes.push_back(std::move(c));
  }
  return {};
}

Status Compiler::CompileAttributes(const Operator& op) {
  for (size_t i = 0; i < op.attributes.size(); ++i) {
    const Attribute& a = op.attributes[i];
    if (a.otherwise == nullptr) continue;
    DIMWISE_ASSIGN_OR_RETURN(code_.attributes[i].otherwise,
                             ExpressionOf(*a.otherwise, TypeOfAttribute(a.kind)));
  }
  return {};
}

namespace {

// Adds the statement to the order after all others whose names its expression uses.
void AddAfterUsed(const Statement* let, std::map<std::string, const Statement*, std::less<>>& open,
                  std::vector<const Statement*>& order) {
  open.erase(let->name);  // also ends the search where definitions use each other
  std::vector<const Expr*> parts = {let->expr.get()};
  while (!parts.empty()) {
    const Expr& e = *parts.back();
    parts.pop_back();
    const auto used = e.kind == ExprKind::kName ? open.find(e.text) : open.end();
    if (used != open.end()) AddAfterUsed(used->second, open, order);
    for (const ExprPtr& child : e.children) {
      if (child != nullptr) parts.push_back(child.get());
    }
  }
  order.push_back(let);
}

}  // namespace

// Compiles the types of variables and the definitions. A definition may use a later one.
Status Compiler::CompileLets() {
  std::map<std::string, const Statement*, std::less<>> open;
  for (const Statement* s : statements_) {
    if (s->kind == StatementKind::kTypes) DIMWISE_RETURN_IF_ERROR(CompileTypes(*s));
    if (s->kind != StatementKind::kLet) continue;
    if (names_.contains(s->name) || !open.emplace(s->name, s).second)
      return Fail(s->at, Code::kRuleDuplicate, fmt::format("the name '{}' is declared twice", s->name));
  }
  std::vector<const Statement*> order;
  for (const Statement* s : statements_) {
    if (s->kind == StatementKind::kLet && open.contains(s->name)) AddAfterUsed(s, open, order);
  }
  for (const Statement* statement : order) {
    const Statement& s = *statement;
    const auto first = static_cast<NodeId>(code_.nodes.size());
    DIMWISE_ASSIGN_OR_RETURN(Typed value, Expression(*s.expr));
    const SlotId slot = NewSlot(s.name, value.type, value.node);
    let_nodes_.push_back({slot, first, static_cast<NodeId>(code_.nodes.size())});
    names_[s.name] = Name{NameKind::kSlot, slot, value.type, kNone, kNone};
  }
  return {};
}

Status Compiler::CompileStatements() {
  for (const Statement* statement : statements_) {
    const Statement& s = *statement;
    const bool is_requirement = s.kind == StatementKind::kRequire || s.kind == StatementKind::kAssume;
    if (is_requirement || s.kind == StatementKind::kEnsure) DIMWISE_RETURN_IF_ERROR(CompileRequire(s));
    if (s.kind == StatementKind::kValue) DIMWISE_RETURN_IF_ERROR(CompileValue(s));
    if (s.kind == StatementKind::kProperty) DIMWISE_RETURN_IF_ERROR(CompileProperty(s));
  }
  return {};
}

Status Compiler::CompileValue(const Statement& s) {
  const auto it = names_.find(s.name);
  if (it == names_.end() || it->second.kind != NameKind::kResult) {
    return Fail(s.at, Code::kRuleName, fmt::format("'{}' is no result of this operator", s.name));
  }
  const uint32_t result = it->second.index;  // a copy: compiling an expression may move the names
  const auto first = static_cast<NodeId>(code_.nodes.size());
  const Arity arity = code_.signatures[0].results[result].arity;
  const bool variadic = arity == Arity::kOneOrMore || arity == Arity::kAnyNumber;
  DIMWISE_ASSIGN_OR_RETURN(code_.result_values[result],
                           ExpressionOf(*s.expr, variadic ? ExprType::kTensors : ExprType::kTensor));
  value_nodes_.push_back({first, static_cast<NodeId>(code_.nodes.size())});
  return {};
}

Status Compiler::CompileTypes(const Statement& s) {
  const auto it = names_.find(s.name);
  if (it != names_.end() && it->second.kind == NameKind::kStorageVariable)
    return CompileStorages(s, it->second.index);
  if (it == names_.end() || it->second.kind != NameKind::kTypeVariable) {
    return Fail(s.at, Code::kRuleName,
                fmt::format("'{}' is no element type variable of this operator", s.name));
  }
  uint64_t bits = 0;
  for (const std::string& word : s.words) {
    const std::optional<ElementTypeSet> set = TypeSetNamed(word);
    if (!set) {
      Expr e;
      e.at = s.at;
      e.text = word;
      return UnknownName(e, "element type or class", TypeSetNames());
    }
    bits |= set->bits();
  }
  code_.type_variables[it->second.index].allowed = bits;
  return {};
}

}  // namespace dimwise::rules
