// Expressions: names to slots, operators and functions to nodes, with a type for each.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/nearest_name.h"
#include "core/try.h"
#include "rules/compiler.h"
#include "rules/type_names.h"

namespace dimwise::rules {
namespace {

constexpr size_t kMaxNodes = 20000;
constexpr int kMaxFunctionDepth = 32;

}  // namespace

struct Compiler::Guard {
  Guard(Compiler* compiler, const Expr& condition, bool negated) : compiler_(compiler), before_(compiler->given_.size()) {
    compiler->Givens(condition, negated, &compiler->given_);
  }
  ~Guard() { compiler_->given_.resize(before_); }
  Compiler* compiler_;
  size_t before_;
};

void Compiler::Givens(const Expr& c, bool negated, std::vector<std::string>* names) const {
  if (c.kind == ExprKind::kUnary && c.text == "not") return Givens(*c.children[0], !negated, names);
  if (c.kind == ExprKind::kBinary && c.text == (negated ? "or" : "and")) {
    Givens(*c.children[0], negated, names);
    Givens(*c.children[1], negated, names);
  }
  if (!negated && c.kind == ExprKind::kCall && c.text == "given" && c.children.size() == 1 && c.children[0]->kind == ExprKind::kName) {
    names->push_back(c.children[0]->text);
  }
}

NodeId Compiler::Add(Node node) {
  code_.nodes.push_back(node);
  code_.written.push_back(current_);
  return static_cast<NodeId>(code_.nodes.size() - 1);
}

NodeId Compiler::AddBuiltin(Builtin builtin, ExprType type, const std::vector<NodeId>& args) {
  Node n;
  n.op = Op::kBuiltin;
  n.type = type;
  n.immediate = static_cast<int64_t>(builtin);
  n.first_arg = static_cast<uint32_t>(code_.args.size());
  n.arg_count = static_cast<uint16_t>(args.size());
  code_.args.insert(code_.args.end(), args.begin(), args.end());
  return Add(n);
}

SlotId Compiler::NewSlot(std::string name, ExprType type, NodeId code) {
  Slot s;
  s.name = std::move(name);
  s.type = type;
  s.code = code;
  code_.slots.push_back(std::move(s));
  return static_cast<SlotId>(code_.slots.size() - 1);
}

Unexpected Compiler::Fail(Position at, Code code, std::string message, std::string help) const {
  return Unexpected(mistake_(at, code, std::move(message), std::move(help)));
}

Unexpected Compiler::UnknownName(const Expr& e, std::string_view what, const std::vector<std::string>& candidates) const {
  std::vector<std::string_view> views(candidates.begin(), candidates.end());
  const std::string_view near = NearestName(e.text, views);
  return Fail(e.at, Code::kRuleName, fmt::format("there is no {} '{}' here", what, e.text),
              near.empty() ? "" : fmt::format("did you mean '{}'?", near));
}

Status Compiler::CheckSize(Position at) {
  if (code_.nodes.size() <= kMaxNodes && code_.slots.size() <= kMaxNodes) return {};
  return Fail(at, Code::kRuleLimit, fmt::format("the rule has more than {} pieces once its functions are written out", kMaxNodes));
}

Result<NodeId> Compiler::ExpressionOf(const Expr& e, ExprType type) {
  DIMWISE_TRY(Typed typed, Expression(e));
  if (typed.type != type && !Convert(&typed, type)) {
    return Fail(e.at, Code::kRuleType, fmt::format("this is {}, where {} is needed", NameOf(typed.type), NameOf(type)));
  }
  return typed.node;
}

bool Compiler::Convert(Typed* a, ExprType to) {
  if (a->type == to) return true;
  if (to == ExprType::kTensor && a->type == ExprType::kInts) {
    *a = {AddBuiltin(Builtin::kVector, to, {a->node}), to};
  } else if (to == ExprType::kTensor && a->type == ExprType::kInt) {
    *a = {AddBuiltin(Builtin::kScalar, to, {a->node}), to};
  } else if (a->type == ExprType::kLists && code_.nodes[a->node].op == Op::kList && code_.nodes[a->node].arg_count == 0) {
    code_.nodes[a->node].type = to;  // [] is a list of anything
    a->type = to;
    return ElementOf(to).has_value();
  } else {
    return false;
  }
  return true;
}

Result<Compiler::Typed> Compiler::Expression(const Expr& e) {
  DIMWISE_CHECK(CheckSize(e.at));
  const Expr* outer = std::exchange(current_, &e);
  Result<Typed> typed = ExpressionByKind(e);
  current_ = outer;
  return typed;
}

Result<Compiler::Typed> Compiler::ExpressionByKind(const Expr& e) {
  Node n;
  switch (e.kind) {
    case ExprKind::kInteger:
      n.immediate = e.integer;
      return Typed{Add(n), n.type};
    case ExprKind::kBoolean:
      n.type = ExprType::kBool;
      n.immediate = e.integer;
      return Typed{Add(n), n.type};
    case ExprKind::kReal:
      n.type = ExprType::kFloat;
      n.immediate = static_cast<int64_t>(code_.reals.size());
      code_.reals.push_back(e.real);
      return Typed{Add(n), n.type};
    case ExprKind::kString:
      n.type = ExprType::kString;
      n.immediate = static_cast<int64_t>(code_.strings.size());
      code_.strings.push_back(e.text);
      return Typed{Add(n), n.type};
    case ExprKind::kName:
      return NameUse(e);
    case ExprKind::kCall:
      return Call(e);
    case ExprKind::kList:
      return ListExpression(e);
    case ExprKind::kSpread:
      return Fail(e.at, Code::kRuleSyntax, "'...' stands only inside a list");
    case ExprKind::kIndex:
      return Index(e);
    case ExprKind::kSlice:
      return Slice(e);
    case ExprKind::kUnary:
      return Unary(e);
    case ExprKind::kBinary:
      return Binary(e);
    case ExprKind::kIf:
      return If(e);
    case ExprKind::kFor:
      return For(e);
    case ExprKind::kFold:
      return Fold(e);
  }
  return Fail(e.at, Code::kRuleSyntax, "this is no expression");
}

Result<Compiler::Typed> Compiler::NameUse(const Expr& e) {
  Node n;
  if (e.text == "version") {
    n.op = Op::kVersion;
    return Typed{Add(n), ExprType::kInt};
  }
  const auto it = names_.find(e.text);
  if (it == names_.end()) {
    if (const std::optional<ElementType> type = TypeNamed(e.text)) {
      n.type = ExprType::kType;
      n.immediate = static_cast<int64_t>(*type);
      return Typed{Add(n), n.type};
    }
    std::vector<std::string> candidates;
    for (const auto& [name, meaning] : names_) candidates.push_back(name);
    return UnknownName(e, "name", candidates);
  }
  const Name& name = it->second;
  const auto guarded = [&](const std::string& owner) { return std::ranges::find(given_, owner) != given_.end(); };
  if (name.absent_with != kNone) {
    const std::string& owner = code_.signatures.empty() ? e.text : code_.signatures[0].operands[name.absent_with].name;
    if (!guarded(owner)) {
      return Fail(e.at, Code::kRuleName, fmt::format("'{}' has no value where the operand {} is absent", e.text, owner),
                  fmt::format("ask first: if given({}) then ... else ...", owner));
    }
  }
  if (name.attribute != kNone && !guarded(e.text)) {
    return Fail(e.at, Code::kRuleName, fmt::format("the attribute '{}' may be absent", e.text),
                fmt::format("give it a default, or ask first: if given({}) then ... else ...", e.text));
  }
  switch (name.kind) {
    case NameKind::kSlot:
      n.op = Op::kSlot;
      n.a = name.index;
      n.type = name.type;
      return Typed{Add(n), n.type};
    case NameKind::kOperand:
      n.op = Op::kContents;
      n.a = name.index;
      n.type = name.type;
      return Typed{Add(n), n.type};
    case NameKind::kTypeVariable: {
      const SlotId each = code_.type_variables[name.index].each_slot;
      n.op = Op::kSlot;
      if (each != kNone) {
        n.a = each;
        n.type = ExprType::kTypes;
        return Typed{Add(n), n.type};
      }
      n.op = Op::kOperandType;
      n.a = kNone;
      n.b = name.index;
      n.type = ExprType::kType;
      return Typed{Add(n), n.type};
    }
    case NameKind::kStorageVariable:
      return Fail(e.at, Code::kRuleName, fmt::format("'{}' is a storage; nothing is computed with it", e.text));
    case NameKind::kResult:
      return Fail(e.at, Code::kRuleName, fmt::format("'{}' is a result; its contents are not known here", e.text));
  }
  return Fail(e.at, Code::kRuleName, "this name has no meaning");
}

Result<Compiler::Typed> Compiler::ListExpression(const Expr& e) {
  std::vector<NodeId> args;
  std::optional<ExprType> element;
  for (const ExprPtr& child : e.children) {
    const bool spread = child->kind == ExprKind::kSpread;
    const Expr& inner = spread ? *child->children[0] : *child;
    DIMWISE_TRY(Typed typed, Expression(inner));
    std::optional<ExprType> type = spread ? ElementOf(typed.type) : std::optional(typed.type);
    if (!type) return Fail(inner.at, Code::kRuleType, fmt::format("'...' splices a list, and this is {}", NameOf(typed.type)));
    if (element && *element != *type) {
      return Fail(inner.at, Code::kRuleType, fmt::format("a list has elements of one type: {} and {} do not go together", NameOf(*element), NameOf(*type)));
    }
    element = type;
    code_.nodes[typed.node].spread = false;
    if (spread) {  // a node of its own, since the inner one may be shared
      Node copy = code_.nodes[typed.node];
      copy.spread = true;
      typed.node = Add(copy);
    }
    args.push_back(typed.node);
  }
  const std::optional<ExprType> list = element ? ListOf(*element) : ExprType::kLists;
  if (!list) return Fail(e.at, Code::kRuleType, fmt::format("there are no lists of {}", NameOf(*element)));
  Node n;
  n.op = Op::kList;
  n.type = *list;
  n.first_arg = static_cast<uint32_t>(code_.args.size());
  n.arg_count = static_cast<uint16_t>(args.size());
  code_.args.insert(code_.args.end(), args.begin(), args.end());
  return Typed{Add(n), n.type};
}

Result<Compiler::Typed> Compiler::Index(const Expr& e) {
  DIMWISE_TRY(Typed list, Expression(*e.children[0]));
  const std::optional<ExprType> element = ElementOf(list.type);
  if (!element) return Fail(e.children[0]->at, Code::kRuleType, fmt::format("this is {}, which has no elements", NameOf(list.type)));
  DIMWISE_TRY(NodeId index, ExpressionOf(*e.children[1], ExprType::kInt));
  Node n;
  n.op = Op::kIndex;
  n.type = *element;
  n.a = list.node;
  n.b = index;
  return Typed{Add(n), n.type};
}

Result<Compiler::Typed> Compiler::Slice(const Expr& e) {
  DIMWISE_TRY(NodeId list, ExpressionOf(*e.children[0], ExprType::kInts));
  Node n;
  n.op = Op::kSliceList;
  n.type = ExprType::kInts;
  n.a = list;
  if (e.children[1] != nullptr) {
    DIMWISE_TRY(n.b, ExpressionOf(*e.children[1], ExprType::kInt));
  }
  if (e.children[2] != nullptr) {
    DIMWISE_TRY(n.c, ExpressionOf(*e.children[2], ExprType::kInt));
  }
  return Typed{Add(n), n.type};
}

Result<Compiler::Typed> Compiler::Unary(const Expr& e) {
  DIMWISE_TRY(Typed a, Expression(*e.children[0]));
  Node n;
  n.a = a.node;
  n.type = a.type;
  if (a.type == ExprType::kTensor) {
    return Typed{AddBuiltin(e.text == "-" ? Builtin::kNegateTensor : Builtin::kNotTensor, a.type, {a.node}), a.type};
  }
  const ExprType needed = e.text == "-" ? ExprType::kInt : ExprType::kBool;
  if (a.type != needed) return Fail(e.at, Code::kRuleType, fmt::format("'{}' takes {}, not {}", e.text, NameOf(needed), NameOf(a.type)));
  n.op = e.text == "-" ? Op::kNegate : Op::kNot;
  return Typed{Add(n), n.type};
}

Result<Compiler::Typed> Compiler::TensorBinary(const Expr& e, Typed a, Typed b) {
  static const std::map<std::string, Builtin, std::less<>> kOperators = {
      {"+", Builtin::kAddTensor},   {"-", Builtin::kSubtractTensor}, {"*", Builtin::kMultiplyTensor}, {"%", Builtin::kModTensor},
      {"==", Builtin::kEqualTensor}, {"<", Builtin::kLessTensor},     {"<=", Builtin::kAtMostTensor},  {"and", Builtin::kAndTensor},
      {"or", Builtin::kOrTensor}};
  if (!Convert(&a, ExprType::kTensor) || !Convert(&b, ExprType::kTensor)) {
    return Fail(e.at, Code::kRuleType, fmt::format("'{}' does not take {} and {}", e.text, NameOf(a.type), NameOf(b.type)));
  }
  std::string text = e.text;
  if (text == ">" || text == ">=") {
    std::swap(a, b);
    text = text == ">" ? "<" : "<=";
  }
  if (text == "!=") {
    const NodeId equal = AddBuiltin(Builtin::kEqualTensor, ExprType::kTensor, {a.node, b.node});
    return Typed{AddBuiltin(Builtin::kNotTensor, ExprType::kTensor, {equal}), ExprType::kTensor};
  }
  const auto it = kOperators.find(text);
  if (it == kOperators.end()) return Fail(e.at, Code::kRuleType, fmt::format("'{}' does not take contents", e.text));
  return Typed{AddBuiltin(it->second, ExprType::kTensor, {a.node, b.node}), ExprType::kTensor};
}

Result<Compiler::Typed> Compiler::Membership(const Expr& e) {
  DIMWISE_TRY(Typed a, Expression(*e.children[0]));
  Node n;
  n.type = ExprType::kBool;
  n.a = a.node;
  if (a.type == ExprType::kType && e.children[1]->kind == ExprKind::kName) {
    const std::optional<ElementTypeSet> set = TypeSetNamed(e.children[1]->text);
    if (!set) return UnknownName(*e.children[1], "class of element types", TypeSetNames());
    n.op = Op::kTypeIn;
    n.immediate = static_cast<int64_t>(set->bits());
    return Typed{Add(n), n.type};
  }
  const std::optional<ExprType> list = ListOf(a.type);
  if (!list || (*list != ExprType::kInts && *list != ExprType::kStrings && *list != ExprType::kTypes)) {
    return Fail(e.at, Code::kRuleType, fmt::format("'in' does not look for {}", NameOf(a.type)));
  }
  DIMWISE_TRY(n.b, ExpressionOf(*e.children[1], *list));
  n.op = Op::kIn;
  return Typed{Add(n), n.type};
}

Result<Compiler::Typed> Compiler::Binary(const Expr& e) {
  if (e.text == "in") return Membership(e);
  DIMWISE_TRY(Typed a, Expression(*e.children[0]));
  // The right side of `given(B) and`, `given(B) implies`, `not given(B) or` may use B.
  const Guard guard(this, *e.children[0], e.text == "or");
  if (e.text != "and" && e.text != "or" && e.text != "implies") given_.resize(guard.before_);
  DIMWISE_TRY(Typed b, Expression(*e.children[1]));
  if (a.type == ExprType::kTensor || b.type == ExprType::kTensor) return TensorBinary(e, a, b);

  Node n;
  n.a = a.node;
  n.b = b.node;
  if (e.text == "and" || e.text == "or" || e.text == "implies") {
    if (a.type != ExprType::kBool || b.type != ExprType::kBool) {
      return Fail(e.at, Code::kRuleType, fmt::format("'{}' takes two conditions, not {} and {}", e.text, NameOf(a.type), NameOf(b.type)));
    }
    n.type = ExprType::kBool;
    if (e.text == "implies") {
      Node negation;
      negation.op = Op::kNot;
      negation.type = ExprType::kBool;
      negation.a = a.node;
      n.a = Add(negation);
    }
    n.op = e.text == "and" ? Op::kAnd : Op::kOr;
    return Typed{Add(n), n.type};
  }
  if (e.text == "==" || e.text == "!=") {
    if (a.type != b.type && !Convert(&b, a.type) && !Convert(&a, b.type)) {
      return Fail(e.at, Code::kRuleType, fmt::format("{} and {} cannot be compared", NameOf(a.type), NameOf(b.type)));
    }
    if (a.type == ExprType::kLists || a.type == ExprType::kFloats || a.type == ExprType::kBools || a.type == ExprType::kTensors) {
      return Fail(e.at, Code::kRuleType, fmt::format("{} cannot be compared", NameOf(a.type)));
    }
    n.a = a.node;
    n.b = b.node;
    n.type = ExprType::kBool;
    n.op = e.text == "==" ? Op::kEqual : Op::kNotEqual;
    return Typed{Add(n), n.type};
  }
  if (a.type != ExprType::kInt || b.type != ExprType::kInt) {
    return Fail(e.at, Code::kRuleType, fmt::format("'{}' takes two integers, not {} and {}", e.text, NameOf(a.type), NameOf(b.type)));
  }
  if (e.text == "<" || e.text == "<=" || e.text == ">" || e.text == ">=") {
    n.type = ExprType::kBool;
    n.op = e.text == "<" || e.text == ">" ? Op::kLess : Op::kAtMost;
    if (e.text[0] == '>') std::swap(n.a, n.b);
    return Typed{Add(n), n.type};
  }
  n.op = e.text == "+" ? Op::kAdd : e.text == "-" ? Op::kSubtract : e.text == "*" ? Op::kMultiply : e.text == "//" ? Op::kFloorDivide : Op::kMod;
  return Typed{Add(n), n.type};
}

Result<Compiler::Typed> Compiler::If(const Expr& e) {
  DIMWISE_TRY(NodeId condition, ExpressionOf(*e.children[0], ExprType::kBool));
  const auto branch = [&](size_t i, bool negated) -> Result<Typed> {
    const Guard guard(this, *e.children[0], negated);
    return Expression(*e.children[i]);
  };
  DIMWISE_TRY(Typed yes, branch(1, false));
  DIMWISE_TRY(Typed no, branch(2, true));
  if (yes.type != no.type && !Convert(&no, yes.type) && !Convert(&yes, no.type)) {
    return Fail(e.at, Code::kRuleType, fmt::format("'then' is {} and 'else' is {}: both must be of one type", NameOf(yes.type), NameOf(no.type)));
  }
  Node n;
  n.op = Op::kIf;
  n.type = yes.type;
  n.a = condition;
  n.b = yes.node;
  n.c = no.node;
  return Typed{Add(n), n.type};
}

Result<Compiler::Typed> Compiler::For(const Expr& e) {
  // The list: zip(a, b, ...), enumerate(a), or one list.
  const Expr& over = *e.children[1];
  std::vector<Typed> lists;
  Loop loop;
  const bool zip = over.kind == ExprKind::kCall && over.text == "zip";
  loop.enumerate = over.kind == ExprKind::kCall && over.text == "enumerate";
  if (zip || loop.enumerate) {
    for (const ExprPtr& child : over.children) {
      DIMWISE_TRY(Typed list, Expression(*child));
      lists.push_back(list);
    }
  } else {
    DIMWISE_TRY(Typed list, Expression(over));
    lists.push_back(list);
  }
  if (lists.size() > kMaxZipped) return Fail(over.at, Code::kRuleLimit, fmt::format("'for' goes over at most {} lists at once", kMaxZipped));
  if (lists.empty() || (loop.enumerate && lists.size() != 1)) return Fail(over.at, Code::kRuleType, "a list to go over is missing");
  std::vector<ExprType> types;
  for (const Typed& list : lists) {
    const std::optional<ExprType> element = ElementOf(list.type);
    if (!element || *element == ExprType::kTensor) return Fail(over.at, Code::kRuleType, fmt::format("'for' goes over lists, and this is {}", NameOf(list.type)));
    types.push_back(*element);
  }
  if (loop.enumerate) types.push_back(ExprType::kInt);
  if (types.size() != e.names.size()) {
    return Fail(e.at, Code::kRuleType, fmt::format("'for' has {} names for {} lists", e.names.size(), types.size()));
  }
  loop.first_inner = static_cast<SlotId>(code_.slots.size());
  std::map<std::string, Name, std::less<>> outer = names_;
  for (size_t i = 0; i < e.names.size(); ++i) {
    const SlotId slot = NewSlot(e.names[i], types[i]);
    loop.variables.push_back(slot);
    names_[e.names[i]] = Name{NameKind::kSlot, slot, types[i], kNone, kNone};
  }
  Node n;
  n.op = Op::kFor;
  DIMWISE_TRY(Typed body, Expression(*e.children[0]));
  n.a = body.node;
  if (e.children[2] != nullptr) {
    DIMWISE_TRY(n.b, ExpressionOf(*e.children[2], ExprType::kBool));
  }
  names_ = std::move(outer);
  loop.last_inner = static_cast<SlotId>(code_.slots.size());
  const std::optional<ExprType> list = ListOf(body.type);
  if (!list || *list == ExprType::kTensors) return Fail(e.children[0]->at, Code::kRuleType, fmt::format("there are no lists of {}", NameOf(body.type)));
  n.type = *list;
  n.immediate = static_cast<int64_t>(code_.loops.size());
  code_.loops.push_back(std::move(loop));
  n.first_arg = static_cast<uint32_t>(code_.args.size());
  n.arg_count = static_cast<uint16_t>(lists.size());
  for (const Typed& t : lists) code_.args.push_back(t.node);
  return Typed{Add(n), n.type};
}

Result<Compiler::Typed> Compiler::Fold(const Expr& e) {
  DIMWISE_TRY(Typed list, Expression(*e.children[0]));
  DIMWISE_TRY(Typed init, Expression(*e.children[1]));
  const std::optional<ExprType> element = ElementOf(list.type);
  if (!element || *element == ExprType::kTensor) return Fail(e.children[0]->at, Code::kRuleType, fmt::format("'fold' goes over a list, and this is {}", NameOf(list.type)));
  if (e.names.size() != 2) return Fail(e.at, Code::kRuleType, "'fold' has one name for the element and one for the state");
  Loop loop;
  loop.first_inner = static_cast<SlotId>(code_.slots.size());
  std::map<std::string, Name, std::less<>> outer = names_;
  loop.variables.push_back(NewSlot(e.names[1], *element));
  loop.accumulator = NewSlot(e.names[0], init.type);
  names_[e.names[1]] = Name{NameKind::kSlot, loop.variables[0], *element, kNone, kNone};
  names_[e.names[0]] = Name{NameKind::kSlot, loop.accumulator, init.type, kNone, kNone};
  Node n;
  n.op = Op::kFold;
  n.type = init.type;
  n.a = list.node;
  n.b = init.node;
  DIMWISE_TRY(n.c, ExpressionOf(*e.children[2], init.type));
  names_ = std::move(outer);
  loop.last_inner = static_cast<SlotId>(code_.slots.size());
  n.immediate = static_cast<int64_t>(code_.loops.size());
  code_.loops.push_back(std::move(loop));
  return Typed{Add(n), n.type};
}

// given(B), rank(X), shape(X), type(X), count(X), alike(X): what is asked of an argument, not of its contents.
Result<Compiler::Typed> Compiler::SpecialCall(const Expr& e, bool* handled) {
  *handled = false;
  if (e.children.size() != 1 || e.children[0]->kind != ExprKind::kName) return Typed{};
  const auto it = names_.find(e.children[0]->text);
  if (it == names_.end()) {
    if (e.text != "given") return Typed{};
    std::vector<std::string> candidates;
    for (const auto& [name, meaning] : names_) {
      if (meaning.kind != NameKind::kSlot || meaning.attribute != kNone) candidates.push_back(name);
    }
    return UnknownName(*e.children[0], "operand, result or attribute", candidates);
  }
  const Name& name = it->second;
  Node n;
  n.a = name.index;
  *handled = true;
  if (e.text == "given") {
    n.type = ExprType::kBool;
    if (name.kind == NameKind::kOperand) {
      n.op = Op::kGiven;
    } else if (name.kind == NameKind::kResult) {
      n.op = Op::kGivenResult;
    } else if (name.kind == NameKind::kSlot && code_.slots[name.index].attribute != kNone) {
      n.op = Op::kGivenAttr;
      n.a = code_.slots[name.index].attribute;
    } else {
      return Fail(e.children[0]->at, Code::kRuleName, fmt::format("'{}' is no operand, result or attribute, and is always given", e.children[0]->text));
    }
    return Typed{Add(n), n.type};
  }
  if (name.kind == NameKind::kOperand) {
    if (e.text == "rank") {
      n.op = Op::kOperandRank;
    } else if (e.text == "count") {
      n.op = Op::kOperandCount;
    } else if (e.text == "alike") {
      n.op = Op::kOperandAlike;
      n.type = ExprType::kBool;
    } else if (e.text == "shape") {
      n.op = Op::kOperandShape;
      n.type = ExprType::kInts;
    } else if (e.text == "type") {
      n.op = Op::kOperandType;
      n.type = ExprType::kType;
    } else {
      *handled = false;
      return Typed{};
    }
    return Typed{Add(n), n.type};
  }
  if (name.kind == NameKind::kResult && e.text == "count") {
    n.op = Op::kResultCount;
    return Typed{Add(n), n.type};
  }
  *handled = false;
  return Typed{};
}

Result<Compiler::Typed> Compiler::Call(const Expr& e) {
  bool handled = false;
  DIMWISE_TRY(Typed special, SpecialCall(e, &handled));
  if (handled) return special;
  if (const Function* function = functions_.Find(e.text)) return FunctionCall(e, *function);

  std::vector<Typed> args;
  for (const ExprPtr& child : e.children) {
    DIMWISE_TRY(Typed arg, Expression(*child));
    args.push_back(arg);
  }
  bool known = false;
  std::vector<std::string> candidates;
  // First what fits as it is, then what fits after converting integers and lists to contents.
  for (const bool convert : {false, true}) {
    for (const BuiltinInfo& b : Builtins()) {
      candidates.emplace_back(b.name);
      if (b.name != e.text) continue;
      known = true;
      if (args.size() < b.parameters.size() || (args.size() > b.parameters.size() && !b.repeats)) continue;
      const auto parameter = [&](size_t i) { return b.parameters[std::min(i, b.parameters.size() - 1)]; };
      bool fits = true;
      for (size_t i = 0; i < args.size() && fits; ++i) {
        const bool empty_list = args[i].type == ExprType::kLists && code_.nodes[args[i].node].op == Op::kList && code_.nodes[args[i].node].arg_count == 0;
        const bool to_contents = parameter(i) == ExprType::kTensor && (args[i].type == ExprType::kInt || args[i].type == ExprType::kInts);
        fits = args[i].type == parameter(i) || (convert && (to_contents || empty_list));
      }
      if (!fits) continue;
      std::vector<NodeId> nodes;
      for (size_t i = 0; i < args.size(); ++i) {
        Convert(&args[i], parameter(i));
        nodes.push_back(args[i].node);
      }
      return Typed{AddBuiltin(b.builtin, b.result, nodes), b.result};
    }
  }
  if (!known) {
    for (std::string& name : functions_.Names()) candidates.push_back(std::move(name));
    return UnknownName(e, "function", candidates);
  }
  std::string given;
  for (const Typed& a : args) given += (given.empty() ? "" : ", ") + std::string(NameOf(a.type));
  std::string takes;
  for (const BuiltinInfo& b : Builtins()) {
    if (b.name != e.text) continue;
    takes += takes.empty() ? "it takes (" : ", or (";
    for (size_t i = 0; i < b.parameters.size(); ++i) takes += (i > 0 ? ", " : "") + std::string(NameOf(b.parameters[i]));
    takes += b.repeats ? ", ...)" : ")";
  }
  return Fail(e.at, Code::kRuleType, fmt::format("'{}' does not take ({})", e.text, given), takes);
}

// Written out here: each parameter a slot that is filled when first read.
Result<Compiler::Typed> Compiler::FunctionCall(const Expr& e, const Function& f) {
  if (e.children.size() != f.parameters.size()) {
    return Fail(e.at, Code::kRuleType, fmt::format("'{}' takes {} arguments; {} are given", f.name, f.parameters.size(), e.children.size()));
  }
  if (function_depth_ >= kMaxFunctionDepth) return Fail(e.at, Code::kRuleLimit, "functions call each other more than 32 deep");
  std::map<std::string, Name, std::less<>> inner;
  for (size_t i = 0; i < f.parameters.size(); ++i) {
    const std::optional<ExprType> type = ParseExprType(f.parameters[i].type);
    if (!type) return Fail(f.at, Code::kRuleType, fmt::format("there is no type '{}'", f.parameters[i].type));
    DIMWISE_TRY(NodeId arg, ExpressionOf(*e.children[i], *type));
    // A name that is passed on as it is needs no slot of its own.
    const Node& node = code_.nodes[arg];
    const SlotId slot = node.op == Op::kSlot && node.type == *type ? node.a : NewSlot(f.parameters[i].name, *type, arg);
    inner[f.parameters[i].name] = Name{NameKind::kSlot, slot, *type, kNone, kNone};
  }
  std::swap(names_, inner);
  std::vector<std::string> given;
  std::swap(given_, given);
  ++function_depth_;
  const std::optional<ExprType> result = ParseExprType(f.result);
  Result<NodeId> body = result ? ExpressionOf(*f.body, *result) : Result<NodeId>(Fail(f.at, Code::kRuleType, fmt::format("there is no type '{}'", f.result)));
  --function_depth_;
  std::swap(given_, given);
  std::swap(names_, inner);
  if (!body) return std::move(body).TakeError();
  return Typed{*body, *result};
}

}  // namespace dimwise::rules
