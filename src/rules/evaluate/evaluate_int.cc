// Evaluates integers: constants directly, symbols through the tables of the host.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/wide.h"
#include "core/dims/dim_select.h"
#include "dimwise/small_list.h"
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {

// Converts a result computed from constants. A result that does not fit 64 bits is an error, even if
// intermediates were wider. In contents it is an unknown element, because machines wrap around.
Dim Evaluator::Narrowed(Wide r) {
  if (FitsInt64(r) && !Dim(static_cast<int64_t>(r)).is_none()) return Dim(static_cast<int64_t>(r));
  if ((host_ == nullptr || !probing_) && !making_contents_)
    (void)Fail(Code::kOverflow,
               [&] { return fmt::format("a size of {} does not fit 64 bits", application_->op); });
  return Dim();
}

Dim Evaluator::Arithmetic(Op op, Dim a, Dim b) {
  if (a.is_none() || b.is_none()) return Dim();
  if ((op == Op::kFloorDivide || op == Op::kMod) && b == Dim(0)) {
    if (!probing_)
      (void)Fail(Code::kRequirement,
                 [&] { return fmt::format("the rule of {} divides {} by 0", application_->op, Print(a)); });
    return Dim();
  }
  if (a.is_constant() && b.is_constant()) {
    int64_t narrow = 0;
    if ((op == Op::kAdd && !__builtin_add_overflow(a.constant(), b.constant(), &narrow)) ||
        (op == Op::kSubtract && !__builtin_sub_overflow(a.constant(), b.constant(), &narrow)) ||
        (op == Op::kMultiply && !__builtin_mul_overflow(a.constant(), b.constant(), &narrow))) {
      if (const Dim d(narrow); !d.is_none()) return d;
    }
    if ((op == Op::kFloorDivide || op == Op::kMod) && b.constant() > 0) {  // cannot overflow
      const int64_t rest = a.constant() % b.constant(), up = rest < 0 ? b.constant() : 0;
      return op == Op::kMod ? Dim(rest + up) : Dim(a.constant() / b.constant() - (rest < 0 ? 1 : 0));
    }
    const Wide x = a.constant(), y = b.constant();
    const Wide r = op == Op::kAdd           ? x + y
                   : op == Op::kSubtract    ? x - y
                   : op == Op::kMultiply    ? x * y
                   : op == Op::kFloorDivide ? FloorDiv(x, y)
                                            : x - y * FloorDiv(x, y);
    return Narrowed(r);
  }
  if (host_ == nullptr) return Dim();
  DimTable& t = host_->analysis().dims();
  switch (op) {
    case Op::kAdd:
      return t.Add(a, b);
    case Op::kSubtract:
      return t.Subtract(a, b);
    case Op::kMultiply:
      return t.Multiply(a, b);
    case Op::kFloorDivide:
      return t.FloorDivide(a, b);
    default:
      return t.Mod(a, b);
  }
}

Dim Evaluator::ComputeInt(const Node& n) {
  if (!Step()) return Dim();
  switch (n.op) {
    case Op::kSlot:
      return ReadSlot(n.a).integer;
    case Op::kContents: {
      const auto [first, count] = operand_ranges_[n.a];
      const Value v = count == 0 ? Value() : application_->operands[first].value;
      return v.is_none() || v.size() != 1 ? Dim() : v.Integer(0);
    }
    case Op::kOperandRank: {
      const auto [first, count] = operand_ranges_[n.a];
      if (count == 0) return Dim();
      const Type& refined = outcome_->refined[first];
      const Shape shape =
          refined.kind == TypeKind::kUnknown ? application_->operands[first].type.shape : refined.shape;
      return shape.is_none() || !shape.has_rank() ? Dim() : Dim(shape.rank());
    }
    case Op::kResultRank: {
      const Shape shape = ResultShape(n.a);
      return shape.is_none() || !shape.has_rank() ? Dim() : Dim(shape.rank());
    }
    case Op::kOperandCount:
      return Dim(operand_ranges_[n.a].second);
    case Op::kResultCount: {
      const auto others = static_cast<int64_t>(code_->signatures[0].results.size()) - 1;
      return Dim(std::max<int64_t>(0, application_->result_count - others));
    }
    case Op::kVersion:
      return Dim(application_->version);
    case Op::kIndex: {
      const List list = Ints(n.a);
      const Dim i = Pinned(Int(n.b));
      if (!list.known() || !i.is_constant()) return Dim();
      const int64_t k = i.constant() < 0 ? i.constant() + list.count : i.constant();
      if (k < 0 || k >= list.count) {
        if (!probing_)
          (void)Fail(Code::kOutOfRange, [&] {
            return fmt::format("{} uses index {} of {} sizes", application_->op, i.constant(), list.count);
          });
        return Dim();
      }
      return list.data[k];
    }
    case Op::kNegate:
      return Arithmetic(Op::kSubtract, Dim(0), Int(n.a));
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kFloorDivide:
    case Op::kMod: {
      const Dim a = Int(n.a);
      return Arithmetic(n.op, a, Int(n.b));
    }
    case Op::kIf:
      return OneWayOrBoth(
          n, [&](NodeId way) { return Int(way); }, [&](Bool c, Dim a, Dim b) { return JoinInts(c, a, b); });
    case Op::kFold:
      Fold(n);
      return slots_[code_->loops[static_cast<size_t>(n.immediate)].accumulator].integer;
    case Op::kBuiltin:
      return IntBuiltin(n);
    default:
      return Dim();
  }
}

Dim Evaluator::CountIn(NodeId id) {
  const auto length = [](const auto& list) {
    return IsUnknown(list) ? Dim() : Dim(static_cast<int64_t>(list.size()));
  };
  switch (code_->nodes[id].type) {
    case ExprType::kInts: {
      const List list = Ints(id);
      return list.known() ? Dim(list.count) : Dim();
    }
    case ExprType::kLists:
      return length(Lists(id));
    case ExprType::kStrings:
      return length(Strings(id));
    case ExprType::kTypes:
      return length(TypesOf(id));
    default:
      return length(Reals(id));
  }
}

Dim Evaluator::Total(List list) {
  if (!list.known()) return Dim();
  if (std::ranges::all_of(list.view(), &Dim::is_constant)) {
    Wide total = 0;
    for (Dim d : list.view()) total += d.constant();
    return Narrowed(total);
  }
  Dim total = 0;
  for (Dim d : list.view()) total = Arithmetic(Op::kAdd, total, d);
  return total;
}

Dim Evaluator::Product(List list) {
  if (!list.known()) return Dim();
  // 0 times anything is 0, even if other factors are unknown.
  if (std::ranges::find(list.view(), Dim(0)) != list.view().end()) return 0;
  Dim product = 1;
  for (Dim d : list.view()) product = Arithmetic(Op::kMultiply, product, d);
  return product;
}

Dim Evaluator::MinOrMax(Dim a, Dim b, bool min) {
  if (a.is_none() || b.is_none()) return Dim();
  if (a.is_constant() && b.is_constant())
    return Dim(min ? std::min(a.constant(), b.constant()) : std::max(a.constant(), b.constant()));
  if (host_ == nullptr) return Dim();
  DimTable& t = host_->analysis().dims();
  // If the facts decide the comparison, the result stays simple.
  const Truth ge = Query(AtLeast(t, a, b));
  if (ge == Truth::kYes) return min ? b : a;
  if (ge == Truth::kNo || Query(AtLeast(t, b, a)) == Truth::kYes) return min ? a : b;
  return min ? t.Min(a, b) : t.Max(a, b);
}

Dim Evaluator::CeilDivide(Dim a, Dim b) {
  if (a.is_constant() && b.is_constant() && b != Dim(0))
    return Narrowed(-FloorDiv(-Wide{a.constant()}, b.constant()));
  if (b.is_constant() && b.constant() > 0)
    return Arithmetic(Op::kFloorDivide, Arithmetic(Op::kAdd, a, Dim(b.constant() - 1)), b);
  return Arithmetic(Op::kSubtract, Dim(0),
                    Arithmetic(Op::kFloorDivide, Arithmetic(Op::kSubtract, Dim(0), a), b));
}

// Multiplies in f32, as machines do, and rounds down.
Dim Evaluator::FloorScale(Dim d, double scale) {
  if (d.is_constant()) {
    const float r = std::floor(static_cast<float>(d.constant()) * static_cast<float>(scale));
    return std::isfinite(r) && std::fabs(r) < 9e18f ? Dim(static_cast<int64_t>(r)) : Dim();
  }
  // Exact for scales that are small powers of two or integers.
  const Float f = Float::Of(scale);
  if (!f.numerator.is_constant() || f.denominator > (1 << 20) || f.numerator.constant() >= (1 << 20))
    return FloorOfProduct(ElementType::kF32, d, static_cast<double>(static_cast<float>(scale)));
  return Arithmetic(Op::kFloorDivide, Arithmetic(Op::kMultiply, d, f.numerator), Dim(f.denominator));
}

Dim Evaluator::IntBuiltin(const Node& n) {
  const std::span<const NodeId> args = Args(n);
  const auto builtin = static_cast<Builtin>(n.immediate);
  switch (builtin) {
    case Builtin::kLen:
      return CountIn(args[0]);
    case Builtin::kSum:
      return Total(Ints(args[0]));
    case Builtin::kProduct:
      return Product(Ints(args[0]));
    case Builtin::kMin:
    case Builtin::kMax: {
      Dim r = Int(args[0]);
      for (size_t i = 1; i < args.size(); ++i) r = MinOrMax(r, Int(args[i]), builtin == Builtin::kMin);
      return r;
    }
    case Builtin::kMinOf:
    case Builtin::kMaxOf: {
      const List list = Ints(args[0]);
      if (!list.known() || list.count == 0) return Dim();
      Dim r = list.data[0];
      for (Dim d : list.view()) r = MinOrMax(r, d, builtin == Builtin::kMinOf);
      return r;
    }
    case Builtin::kAbs: {
      const Dim a = Int(args[0]);
      if (a.is_constant()) return Narrowed(a.constant() < 0 ? -Wide{a.constant()} : a.constant());
      return MinOrMax(a, Arithmetic(Op::kSubtract, Dim(0), a), /*min=*/false);
    }
    case Builtin::kCeilDivide: {
      const Dim a = Int(args[0]);
      return CeilDivide(a, Int(args[1]));
    }
    case Builtin::kTruncDivide: {
      const Dim a = Int(args[0]);
      return ElementInt(Builtin::kDivideTensor, a, Int(args[1]));
    }
    case Builtin::kBroadcastSize: {
      internal::SmallList<Dim, 16> sizes;
      for (NodeId arg : args) sizes.push_back(Int(arg));
      return BroadcastSizes(sizes);
    }
    case Builtin::kIndexOf:
    case Builtin::kCountOf: {
      const List list = Ints(args[0]);
      const Dim wanted = Int(args[1]);
      if (!list.known()) return Dim();
      int64_t found = 0;
      for (int i = 0; i < list.count; ++i) {
        const Truth t = Compare(Op::kEqual, list.data[i], wanted).truth;
        if (t == Truth::kMaybe) return Dim();
        if (t == Truth::kYes && builtin == Builtin::kIndexOf) return Dim(i);
        found += t == Truth::kYes;
      }
      return builtin == Builtin::kIndexOf ? Dim(-1) : Dim(found);
    }
    case Builtin::kUnknown:
    case Builtin::kUnknownAtLeast: {
      const Dim lo = Pinned(Int(args[0])), hi = args.size() > 1 ? Pinned(Int(args[1])) : Dim();
      return UnknownBetween(lo, hi, 0);
    }
    case Builtin::kBounded: {
      const Dim d = Int(args[0]), low = Int(args[1]);
      return Bounded(d, low, Int(args[2]));
    }
    case Builtin::kSelect: {
      const Bool c = Decide(args[0]);
      if (c.truth == Truth::kYes) return Int(args[1]);
      if (c.truth == Truth::kNo) return Int(args[2]);
      LeaveOpen();
      return Branch([&] {
        const Dim a = Int(args[1]);
        return JoinInts(c, a, Int(args[2]));
      });
    }
    case Builtin::kBitsOf: {
      const ElementType t = TypeOf(args[0]);
      return t == ElementType::kUnknown ? Dim() : Dim(BitWidth(t));
    }
    case Builtin::kFloorScale: {
      const Dim d = Pinned(Int(args[0]));
      return FloorScale(d, Real(args[1]));
    }
    case Builtin::kFloorDivideReal: {
      const double r = std::floor(Real(args[0]) / Real(args[1]));
      return std::isfinite(r) && std::fabs(r) < 9e18 ? Dim(static_cast<int64_t>(r)) : Dim();
    }
    case Builtin::kRound: {
      const double r = std::nearbyint(Real(args[0]));
      return std::isfinite(r) && std::fabs(r) < 9e18 ? Dim(static_cast<int64_t>(r)) : Dim();
    }
    default:
      return Dim();
  }
}

// Returns an unknown integer in lo .. hi. It is at least `least` if `lo` is no constant.
Dim Evaluator::UnknownBetween(Dim lo, Dim hi, int64_t least) {
  if (lo.is_constant() && lo == hi) return lo;
  if (host_ == nullptr) return Dim();
  const Dim d = host_->Fresh(0x28000000u + unknowns_++, lo.is_constant() ? lo.constant() : least,
                             hi.is_constant() ? hi.constant() : INT64_MAX);
  own_.push_back(d);
  DimTable& t = host_->analysis().dims();
  Condition bounds;
  if (lo.is_expression()) bounds.clauses.push_back({AtLeast(t, d, lo)});
  if (hi.is_expression()) bounds.clauses.push_back({AtMost(t, d, hi)});
  if (!bounds.clauses.empty() && !probing_) host_->Ensure(bounds);
  return d;
}

Dim Evaluator::Indicator(const Condition& condition) {
  DimTable& t = host_->analysis().dims();
  Dim all = 1;
  for (const Clause& clause : condition.clauses) {
    Dim any = 0;
    for (const Literal& l : clause) {
      const Dim x = l.value;
      const Dim nonzero = t.Min(1, t.Max(x, t.Negate(x)));
      const Dim one = l.relation == Relation::kNotEqual ? nonzero
                      : l.relation == Relation::kEqual  ? t.Subtract(1, nonzero)
                                                        : OneIfNotNegative(t, x);
      any = t.Max(any, one);
    }
    all = t.Multiply(all, any);
  }
  return all;
}

// Returns a or b: the common value, or a symbol defined as the choice between them.
Dim Evaluator::JoinInts(Bool condition, Dim a, Dim b) {
  if (a == b) return a;
  if (a.is_none() || b.is_none() || condition.condition < 0 || host_ == nullptr) return Dim();
  return Select(host_->analysis().dims(), Indicator(conditions_[static_cast<size_t>(condition.condition)]), a,
                b);
}

std::string Evaluator::Print(Dim d) {
  if (d.is_none()) return "?";
  if (d.is_constant()) return std::to_string(d.constant());
  return host_ == nullptr ? "?" : host_->analysis().dims().ToString(d);
}

std::string Evaluator::Text(NodeId id) {
  switch (code_->nodes[id].type) {
    case ExprType::kInt:
      return Print(Int(id));
    case ExprType::kString: {
      constexpr size_t kMaxShown = 200;
      const std::string_view text = String(id);
      if (IsUnknown(text)) return "?";
      return text.size() <= kMaxShown ? std::string(text) : fmt::format("{}...", text.substr(0, kMaxShown));
    }
    case ExprType::kType:
      return std::string(ToString(TypeOf(id)));
    case ExprType::kFloat: {
      const double real = Real(id);
      return IsUnknown(real) ? "?" : fmt::format("{}", real);
    }
    case ExprType::kBool: {
      const Truth t = Boolean(id).truth;
      return t == Truth::kYes ? "true" : t == Truth::kNo ? "false" : "maybe";
    }
    case ExprType::kInts: {
      const List list = Ints(id);
      if (!list.known()) return "[*]";
      std::string text = "[";
      constexpr int kMaxShown = 32;
      for (int i = 0; i < std::min(list.count, kMaxShown); ++i)
        text += (i > 0 ? ", " : "") + Print(list.data[i]);
      return text + (list.count > kMaxShown ? fmt::format(", ... ({} in all)]", list.count) : "]");
    }
    default:
      return "...";
  }
}

}  // namespace dimwise::rules
