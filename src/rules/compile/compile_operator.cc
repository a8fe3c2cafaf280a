// Compiles operators: arithmetic, comparisons, `and`, `or`, `in`, and `if`. The condition of `if` determines
// which names are given inside its branches.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "dimwise/result_macros.h"
#include "rules/compile/compiler.h"
#include "rules/language/type_names.h"

namespace dimwise::rules {

struct Compiler::ScopedGiven {
  ScopedGiven(Compiler* compiler, const Expr& condition, bool negated)
      : compiler_(compiler), before_(compiler->given_.size()) {
    compiler->Givens(condition, negated, &compiler->given_);
  }
  ~ScopedGiven() { compiler_->given_.resize(before_); }
  Compiler* compiler_;
  size_t before_;
};

void Compiler::Givens(const Expr& c, bool negated, std::vector<std::string>* names) const {
  if (c.kind == ExprKind::kUnary && c.text == "not") return Givens(*c.children[0], !negated, names);
  if (c.kind == ExprKind::kBinary && c.text == (negated ? "or" : "and")) {
    Givens(*c.children[0], negated, names);
    Givens(*c.children[1], negated, names);
  }
  if (c.kind == ExprKind::kBinary && negated && c.text == "implies") {
    Givens(*c.children[0], false, names);
    Givens(*c.children[1], true, names);
  }
  if (!negated && c.kind == ExprKind::kCall && c.text == "given" && c.children.size() == 1 &&
      c.children[0]->kind == ExprKind::kName) {
    names->push_back(c.children[0]->text);
  }
}

Result<Compiler::Typed> Compiler::Unary(const Expr& e) {
  DIMWISE_ASSIGN_OR_RETURN(Typed a, Expression(*e.children[0]));
  Node n;
  n.a = a.node;
  n.type = a.type;
  if (a.type == ExprType::kTensor) {
    return Typed{AddBuiltin(e.text == "-" ? Builtin::kNegateTensor : Builtin::kNotTensor, a.type, {a.node}),
                 a.type};
  }
  const ExprType needed = e.text == "-" ? ExprType::kInt : ExprType::kBool;
  if (a.type != needed)
    return Fail(e.at, Code::kRuleType,
                fmt::format("'{}' takes {}, not {}", e.text, NameOf(needed), NameOf(a.type)));
  n.op = e.text == "-" ? Op::kNegate : Op::kNot;
  return Typed{Add(n), n.type};
}

Result<Compiler::Typed> Compiler::TensorBinary(const Expr& e, Typed a, Typed b) {
  static const std::map<std::string, Builtin, std::less<>> kOperators = {
      {"+", Builtin::kAddTensor},     {"-", Builtin::kSubtractTensor}, {"*", Builtin::kMultiplyTensor},
      {"%", Builtin::kModTensor},     {"==", Builtin::kEqualTensor},   {"<", Builtin::kLessTensor},
      {"<=", Builtin::kAtMostTensor}, {"and", Builtin::kAndTensor},    {"or", Builtin::kOrTensor}};
  if (!Convert(&a, ExprType::kTensor) || !Convert(&b, ExprType::kTensor)) {
    return Fail(e.at, Code::kRuleType,
                fmt::format("'{}' does not take {} and {}", e.text, NameOf(a.type), NameOf(b.type)));
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
  if (it == kOperators.end())
    return Fail(e.at, Code::kRuleType, fmt::format("'{}' does not take contents", e.text));
  return Typed{AddBuiltin(it->second, ExprType::kTensor, {a.node, b.node}), ExprType::kTensor};
}

Result<Compiler::Typed> Compiler::Membership(const Expr& e) {
  DIMWISE_ASSIGN_OR_RETURN(Typed a, Expression(*e.children[0]));
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
  DIMWISE_ASSIGN_OR_RETURN(n.b, ExpressionOf(*e.children[1], *list));
  n.op = Op::kIn;
  return Typed{Add(n), n.type};
}

Result<Compiler::Typed> Compiler::Binary(const Expr& e) {
  if (e.text == "in") return Membership(e);
  if (e.text == "??") return Otherwise(e);
  DIMWISE_ASSIGN_OR_RETURN(Typed a, Expression(*e.children[0]));
  // The right side of `given(B) and`, `given(B) implies`, `not given(B) or` may use B.
  const ScopedGiven scoped_given(this, *e.children[0], e.text == "or");
  if (e.text != "and" && e.text != "or" && e.text != "implies") given_.resize(scoped_given.before_);
  DIMWISE_ASSIGN_OR_RETURN(Typed b, Expression(*e.children[1]));
  if (a.type == ExprType::kTensor || b.type == ExprType::kTensor) return TensorBinary(e, a, b);

  Node n;
  n.a = a.node;
  n.b = b.node;
  if (e.text == "and" || e.text == "or" || e.text == "implies") {
    if (a.type != ExprType::kBool || b.type != ExprType::kBool) {
      return Fail(
          e.at, Code::kRuleType,
          fmt::format("'{}' takes two conditions, not {} and {}", e.text, NameOf(a.type), NameOf(b.type)));
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
      return Fail(e.at, Code::kRuleType,
                  fmt::format("{} and {} cannot be compared", NameOf(a.type), NameOf(b.type)));
    }
    if (a.type == ExprType::kLists || a.type == ExprType::kFloats || a.type == ExprType::kBools ||
        a.type == ExprType::kTensors) {
      return Fail(e.at, Code::kRuleType, fmt::format("{} cannot be compared", NameOf(a.type)));
    }
    n.a = a.node;
    n.b = b.node;
    n.type = ExprType::kBool;
    n.op = e.text == "==" ? Op::kEqual : Op::kNotEqual;
    return Typed{Add(n), n.type};
  }
  if (a.type != ExprType::kInt || b.type != ExprType::kInt) {
    return Fail(
        e.at, Code::kRuleType,
        fmt::format("'{}' takes two integers, not {} and {}", e.text, NameOf(a.type), NameOf(b.type)));
  }
  if (e.text == "<" || e.text == "<=" || e.text == ">" || e.text == ">=") {
    n.type = ExprType::kBool;
    n.op = e.text == "<" || e.text == ">" ? Op::kLess : Op::kAtMost;
    if (e.text[0] == '>') std::swap(n.a, n.b);
    return Typed{Add(n), n.type};
  }
  n.op = e.text == "+"    ? Op::kAdd
         : e.text == "-"  ? Op::kSubtract
         : e.text == "*"  ? Op::kMultiply
         : e.text == "//" ? Op::kFloorDivide
                          : Op::kMod;
  return Typed{Add(n), n.type};
}

Result<Compiler::Typed> Compiler::If(const Expr& e) {
  DIMWISE_ASSIGN_OR_RETURN(NodeId condition, ExpressionOf(*e.children[0], ExprType::kBool));
  const auto branch = [&](size_t i, bool negated) -> Result<Typed> {
    const ScopedGiven scoped_given(this, *e.children[0], negated);
    return Expression(*e.children[i]);
  };
  DIMWISE_ASSIGN_OR_RETURN(Typed yes, branch(1, false));
  DIMWISE_ASSIGN_OR_RETURN(Typed no, branch(2, true));
  return Choose(e, condition, yes, no);
}

// Compiles a ?? b: a if all optional operands and attributes in it are given, else b.
Result<Compiler::Typed> Compiler::Otherwise(const Expr& e) {
  std::vector<std::string> owners;
  const size_t before = given_.size();
  std::vector<std::string>* const outer = std::exchange(untested_, &owners);
  const bool outer_mode = std::exchange(in_otherwise_, true);
  Result<Typed> left = Expression(*e.children[0]);
  untested_ = outer;
  in_otherwise_ = outer_mode;
  given_.resize(before);
  if (!left) return left;
  if (owners.empty()) {
    return Fail(e.at, Code::kRuleName, "nothing to the left of `??` may be absent",
                "it names an optional operand or attribute, or what an optional operand binds");
  }
  DIMWISE_ASSIGN_OR_RETURN(Typed right, Expression(*e.children[1]));
  std::ranges::sort(owners);
  owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
  return Choose(e, AllGiven(owners), *left, right);
}

NodeId Compiler::AllGiven(const std::vector<std::string>& names) {
  NodeId all = kNone;
  for (const std::string& owner : names) {
    const Name& name = names_.find(owner)->second;
    Node given;
    given.op = name.kind == NameKind::kOperand ? Op::kGiven : Op::kGivenAttr;
    given.type = ExprType::kBool;
    given.a = name.kind == NameKind::kOperand ? name.index : name.attribute;
    const NodeId node = Add(given);
    if (all == kNone) {
      all = node;
      continue;
    }
    Node both;
    both.op = Op::kAnd;
    both.type = ExprType::kBool;
    both.a = all;
    both.b = node;
    all = Add(both);
  }
  return all;
}

Result<Compiler::Typed> Compiler::Choose(const Expr& e, NodeId condition, Typed yes, Typed no) {
  if (yes.type != no.type && !Convert(&no, yes.type) && !Convert(&yes, no.type)) {
    return Fail(e.at, Code::kRuleType,
                fmt::format("'then' is {} and 'else' is {}: both must be of one type", NameOf(yes.type),
                            NameOf(no.type)));
  }
  Node n;
  n.op = Op::kIf;
  n.type = yes.type;
  n.a = condition;
  n.b = yes.node;
  n.c = no.node;
  return Typed{Add(n), n.type};
}

}  // namespace dimwise::rules
