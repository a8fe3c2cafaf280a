// Evaluates conditions: yes, no, or a condition that is left open.
#include <fmt/format.h>

#include <algorithm>

#include "core/dims/condition_logic.h"
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {

Evaluator::Bool Evaluator::FromLiteral(Truth truth, const Literal& literal) {
  if (truth != Truth::kMaybe) return {truth, -1};
  conditions_.push_back(Condition{{{literal}}});
  return {Truth::kMaybe, static_cast<int>(conditions_.size() - 1)};
}

Evaluator::Bool Evaluator::Compare(Op op, Dim a, Dim b) {
  if (a.is_none() || b.is_none()) return {};
  const auto yes = [](bool v) { return Bool{v ? Truth::kYes : Truth::kNo, -1}; };
  if (a.is_constant() && b.is_constant()) {
    switch (op) {
      case Op::kEqual:
        return yes(a == b);
      case Op::kNotEqual:
        return yes(a != b);
      case Op::kLess:
        return yes(a.constant() < b.constant());
      default:
        return yes(a.constant() <= b.constant());
    }
  }
  if (a == b) return yes(op == Op::kEqual || op == Op::kAtMost);
  if (host_ == nullptr) return {};
  DimTable& t = host_->analysis().dims();
  const Literal l = op == Op::kEqual      ? Equal(t, a, b)
                    : op == Op::kNotEqual ? NotEqual(t, a, b)
                    : op == Op::kLess     ? LessThan(t, a, b)
                                          : AtMost(t, a, b);
  return FromLiteral(QueryToDecide(l), l);
}

Truth Evaluator::CompareAsGiven(Op op, Dim a, Dim b) {
  return AsGiven([&] { return Compare(op, a, b); }).truth;
}

Truth Evaluator::QueryOthers(const Literal& literal) {
  const Truth truth = host_->Query(literal, FactFilter::kEverything);
  return truth == Truth::kNo && choice_ == Choice::kIfYes ? Truth::kMaybe : RestOn(literal, truth);
}

Truth Evaluator::RestOn(const Literal& literal, Truth truth) {
  if (truth == Truth::kMaybe) return truth;
  const Literal decided = truth == Truth::kYes ? literal : Not(host_->analysis().dims(), literal);
  return LeaveGuard({decided}) ? truth : Truth::kMaybe;
}

Truth Evaluator::QueryOthers(const Clause& clause) {
  return host_->Query(clause, FactFilter::kEverything) == Truth::kYes && LeaveGuard(clause) ? Truth::kYes
                                                                                            : Truth::kMaybe;
}

Truth Evaluator::DecideAsGiven(NodeId condition) {
  const Bool result = AsGiven([&] { return Boolean(condition); });
  if (result.truth != Truth::kMaybe || result.condition < 0 || probing_ || host_ == nullptr)
    return result.truth;
  const Condition& left = conditions_[static_cast<size_t>(result.condition)];
  if (left.clauses.size() != 1 || left.clauses[0].size() != 1) return Truth::kMaybe;
  const Literal literal = left.clauses[0][0];
  return RestOn(literal, host_->Query(literal, FactFilter::kWithoutAssumed));
}

bool Evaluator::LeaveGuard(const Clause& clause) {
  const Condition decided{{clause}};
  const auto words = [&]() -> std::string {
    return fmt::format("the shape depends on {}, which other nodes require too",
                       ToString(host_->analysis().dims(), decided));
  };
  return host_->Require(decided, words, Code::kSharedGuard).has_value();
}

Evaluator::Bool Evaluator::And(Bool a, Bool b) {
  if (a.truth == Truth::kNo || b.truth == Truth::kNo) return {Truth::kNo, -1};
  if (a.truth == Truth::kYes) return b;
  if (b.truth == Truth::kYes) return a;
  // If one of them cannot be expressed, the conjunction cannot either. Using only the other one would be
  // wrong when negated.
  if (a.condition < 0 || b.condition < 0) return {};
  Condition both = conditions_[static_cast<size_t>(a.condition)];
  const std::vector<Clause>& more = conditions_[static_cast<size_t>(b.condition)].clauses;
  both.clauses.insert(both.clauses.end(), more.begin(), more.end());
  if (both.clauses.size() > kMaxClauses) return {Truth::kMaybe, -1};
  conditions_.push_back(std::move(both));
  return {Truth::kMaybe, static_cast<int>(conditions_.size() - 1)};
}

Evaluator::Bool Evaluator::Or(Bool a, Bool b) {
  if (a.truth == Truth::kYes || b.truth == Truth::kYes) return {Truth::kYes, -1};
  if (a.truth == Truth::kNo) return b;
  if (b.truth == Truth::kNo) return a;
  if (a.condition < 0 || b.condition < 0) return {Truth::kMaybe, -1};
  std::optional<Condition> either =
      EitherOf(conditions_[static_cast<size_t>(a.condition)], conditions_[static_cast<size_t>(b.condition)]);
  if (!either) return {Truth::kMaybe, -1};
  // The disjunction may be known to hold although neither part is.
  if (either->clauses.size() == 1 && host_ != nullptr && QueryToDecide(either->clauses[0]) == Truth::kYes)
    return {Truth::kYes, -1};
  conditions_.push_back(std::move(*either));
  return {Truth::kMaybe, static_cast<int>(conditions_.size() - 1)};
}

Evaluator::Bool Evaluator::Negation(Bool a) {
  if (a.truth != Truth::kMaybe) return {a.truth == Truth::kYes ? Truth::kNo : Truth::kYes, -1};
  if (a.condition < 0 || host_ == nullptr) return {};
  std::optional<Condition> negated =
      NotOf(host_->analysis().dims(), conditions_[static_cast<size_t>(a.condition)]);
  if (!negated) return {};
  conditions_.push_back(std::move(*negated));
  return {Truth::kMaybe, static_cast<int>(conditions_.size() - 1)};
}

Evaluator::Bool Evaluator::Boolean(NodeId id) {
  const Node& n = code_->nodes[id];
  if (!Step()) return {};
  const auto yes = [](bool v) { return Bool{v ? Truth::kYes : Truth::kNo, -1}; };
  switch (n.op) {
    case Op::kConstant:
      return yes(n.immediate != 0);
    case Op::kSlot:
      return ReadSlot(n.a).boolean;
    case Op::kGiven:
      return yes(operand_ranges_[n.a].second > 0);
    case Op::kOperandsEqual: {
      const auto [first, count] = operand_ranges_[n.a];
      const Container* container = count == 0 ? nullptr : application_->operands[first].type.container;
      if (container == nullptr) return {};
      return yes(container->elements.size() == 1 && container->each.empty());
    }
    case Op::kGivenAttr:
      return yes(application_->attributes != nullptr && application_->attributes->values[n.a] != nullptr);
    case Op::kGivenResult:
      return yes(n.a < static_cast<uint32_t>(application_->result_count));
    case Op::kTypeIn: {
      const ElementType t = TypeOf(n.a);
      if (t == ElementType::kUnknown) return {};
      return yes(ElementTypeSet::FromBits(static_cast<uint64_t>(n.immediate)).Contains(t));
    }
    case Op::kNot:
      return Negation(Boolean(n.a));
    case Op::kAnd: {
      const Bool a = Boolean(n.a);
      if (a.truth == Truth::kNo) return a;
      return And(a, a.truth == Truth::kYes ? Boolean(n.b) : Branch([&] { return Boolean(n.b); }));
    }
    case Op::kOr: {
      const Bool a = Boolean(n.a);
      if (a.truth == Truth::kYes) return a;
      return Or(a, a.truth == Truth::kNo ? Boolean(n.b) : Branch([&] { return Boolean(n.b); }));
    }
    case Op::kEqual:
    case Op::kNotEqual: {
      const bool equal = n.op == Op::kEqual;
      const auto same = [&](Truth t) {
        return t == Truth::kMaybe ? Bool{} : yes((t == Truth::kYes) == equal);
      };
      switch (code_->nodes[n.a].type) {
        case ExprType::kInt: {
          const Dim a = Int(n.a);
          return Compare(n.op, a, Int(n.b));
        }
        case ExprType::kString:
          return same(Same(String(n.a), String(n.b)));
        case ExprType::kFloat:
          return same(Same(Real(n.a), Real(n.b)));
        case ExprType::kType:
          return same(Same(TypeOf(n.a), TypeOf(n.b)));
        case ExprType::kBool: {
          const Bool a = Boolean(n.a), b = Boolean(n.b);
          if (a.truth == Truth::kMaybe || b.truth == Truth::kMaybe) return {};
          return yes((a.truth == b.truth) == equal);
        }
        case ExprType::kInts: {
          const List a = Ints(n.a), b = Ints(n.b);
          if (!a.known() || !b.known()) return {};
          if (a.count != b.count) return yes(!equal);
          Bool all = yes(true);
          for (int i = 0; i < a.count && all.truth != Truth::kNo; ++i)
            all = And(all, Compare(Op::kEqual, a.data[i], b.data[i]));
          return equal ? all : Negation(all);
        }
        case ExprType::kStrings:
          return same(Same(Strings(n.a), Strings(n.b)));
        case ExprType::kTypes:
          return same(Same(TypesOf(n.a), TypesOf(n.b)));
        default:
          return {};
      }
    }
    case Op::kLess:
    case Op::kAtMost: {
      const Dim a = Int(n.a);
      return Compare(n.op, a, Int(n.b));
    }
    case Op::kIn:
      switch (code_->nodes[n.a].type) {
        case ExprType::kString: {
          const std::string_view s = String(n.a);
          const Node& list = code_->nodes[n.b];
          const std::span<const NodeId> texts = Args(list);
          if (list.op != Op::kList ||
              std::ranges::any_of(texts, [&](NodeId t) { return code_->nodes[t].spread; }))
            return {IsIn(s, Strings(n.b)), -1};
          Truth any = Truth::kNo;  // inlined: no list is needed
          for (NodeId t : texts) any = std::max(any, Same(s, String(t)));
          return {any, -1};
        }
        case ExprType::kType:
          return {IsIn(TypeOf(n.a), TypesOf(n.b)), -1};
        default: {
          const Dim a = Int(n.a);
          const List list = Ints(n.b);
          if (!list.known()) return {};
          Bool any = yes(false);
          for (int i = 0; i < list.count && any.truth != Truth::kYes; ++i)
            any = Or(any, Compare(Op::kEqual, a, list.data[i]));
          return any;
        }
      }
    case Op::kIf: {
      const Bool c = Decide(n.a);
      if (c.truth == Truth::kYes) return Boolean(n.b);
      if (c.truth == Truth::kNo) return Boolean(n.c);
      LeaveOpen();
      const Bool a = Branch([&] { return Boolean(n.b); }), b = Branch([&] { return Boolean(n.c); });
      if (a.truth == b.truth && a.truth != Truth::kMaybe) return a;
      return And(Or(Negation(c), a), Or(c, b));
    }
    case Op::kIndex: {
      const std::vector<Bool> list = Booleans(n.a);
      const Dim i = Pinned(Int(n.b));
      return i.is_constant() && i.constant() >= 0 && i.constant() < static_cast<int64_t>(list.size())
                 ? list[static_cast<size_t>(i.constant())]
                 : Bool{};
    }
    case Op::kFold:
      Fold(n);
      return slots_[code_->loops[static_cast<size_t>(n.immediate)].accumulator].boolean;
    case Op::kBuiltin:
      return BoolBuiltin(n);
    default:
      return {};
  }
}

Evaluator::Bool Evaluator::BoolBuiltin(const Node& n) {
  const std::span<const NodeId> args = Args(n);
  const auto yes = [](bool v) { return Bool{v ? Truth::kYes : Truth::kNo, -1}; };
  switch (static_cast<Builtin>(n.immediate)) {
    case Builtin::kIsPermutation: {
      const List list = Ints(args[0]);
      const Dim count = Pinned(Int(args[1]));
      if (!list.known() || !count.is_constant()) return {};
      if (list.count != count.constant()) return yes(false);
      Dim* seen = NewMarks(list.count);
      for (Dim element : list.view()) {
        const Dim d = Pinned(element);
        if (!d.is_constant()) return {};
        if (d.constant() < 0 || d.constant() >= list.count || seen[d.constant()] == kMarked)
          return yes(false);
        seen[d.constant()] = kMarked;
      }
      return yes(true);
    }
    case Builtin::kDistinct: {
      const List list = Ints(args[0]);
      if (!list.known()) return {};
      Bool all = yes(true);
      for (int i = 0; i < list.count; ++i) {
        for (int k = i + 1; k < list.count && all.truth != Truth::kNo; ++k)
          all = And(all, Compare(Op::kNotEqual, list.data[i], list.data[k]));
      }
      return all;
    }
    case Builtin::kAll:
    case Builtin::kAny: {
      const bool all = static_cast<Builtin>(n.immediate) == Builtin::kAll;
      Bool r = yes(all);
      const auto join = [&](Bool b) { r = all ? And(r, b) : Or(r, b); };
      if (const Node& list = code_->nodes[args[0]]; list.op == Op::kFor) {  // no list is needed
        if (!ForEach(list, [&] { join(Boolean(list.a)); })) join({});  // some elements are unknown: maybe
      } else {
        for (const Bool& b : Booleans(args[0])) join(b);
      }
      return r;
    }
    case Builtin::kIsConstant: {
      const Dim d = Int(args[0]);
      return yes(d.is_expression() && host_ != nullptr ? host_->IsNumber(d) : d.is_constant());
    }
    case Builtin::kIsCertain: {
      const Bool answer = Branch([&] { return Decide(args[0], Choice::kIfYes); });
      if (answer.truth != Truth::kMaybe || answer.condition < 0 || probing_ || host_ == nullptr)
        return yes(answer.truth == Truth::kYes);
      // Guards of other nodes may show that a size is not negative.
      const Condition& open = conditions_[static_cast<size_t>(answer.condition)];
      if (!host_->analysis().facts().has_checked() || open.clauses.size() != 1 || open.clauses[0].size() != 1)
        return yes(false);
      const Literal literal = open.clauses[0][0];
      const bool is_so = literal.relation == Relation::kAtLeast &&
                         host_->Query(literal, FactFilter::kWithoutAssumed) == Truth::kYes;
      return yes(is_so && RestOn(literal, Truth::kYes) == Truth::kYes);
    }
    case Builtin::kKnownInt:
    case Builtin::kKnownInts: {
      bool known = false;
      if (static_cast<Builtin>(n.immediate) == Builtin::kKnownInt) {
        known = !Int(args[0]).is_none();
      } else {
        const List list = Ints(args[0]);
        known = list.known() && std::ranges::none_of(list.view(), [](Dim d) { return d.is_none(); });
      }
      if (!known) LeaveOpen();  // it may hold for constants
      return yes(known);
    }
    case Builtin::kBit: {
      const Dim mask = Pinned(Int(args[0])), bit = Pinned(Int(args[1]));
      if (!mask.is_constant() || !bit.is_constant()) return {};
      return yes(bit.constant() >= 0 && bit.constant() < 63 &&
                 ((mask.constant() >> bit.constant()) & 1) != 0);
    }
    default:
      return {};
  }
}

}  // namespace dimwise::rules
