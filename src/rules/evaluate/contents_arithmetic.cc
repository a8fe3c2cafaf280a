// Arithmetic on the elements of contents, for constants and symbols.
//
// Integers are Dims. A comparison is 0, 1, or an expression with these values: max(1 - |a - b|, 0) for a ==
// b. Comparisons do not use assumed facts, because contents can select (Where) and thereby determine shapes.
#include <limits>
#include <optional>

#include "core/base/wide.h"
#include "core/dims/dim_select.h"
#include "rules/evaluate/contents_indices.h"
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {
namespace {

constexpr int64_t kMaxPower = 4;  // of a symbol

bool IsComparison(Builtin b) {
  return b == Builtin::kEqualTensor || b == Builtin::kLessTensor || b == Builtin::kAtMostTensor;
}

}  // namespace

// Returns d, or unknown if it may not fit the integer type: machines wrap around. A size is taken to fit 32
// bits.
Dim Evaluator::Within(ElementType element, Dim d) {
  if (d.is_none() || !IsInteger(element)) return d;
  const int bits = BitWidth(element);
  if (!d.is_constant()) {
    if (bits < 64) LeaveOpenIfNumber(d);
    if (bits < 32) return Dim();
    return IsUnsigned(element) && Compare(Op::kAtMost, Dim(0), d).truth != Truth::kYes ? Dim() : d;
  }
  if (IsUnsigned(element) && d.constant() < 0) return Dim();
  if (bits >= 64) return d;
  const int64_t high = (int64_t{1} << (IsUnsigned(element) ? bits : bits - 1)) - 1;
  const int64_t low = IsUnsigned(element) ? 0 : -high - 1;
  return d.constant() < low || d.constant() > high ? Dim() : d;
}

Dim Evaluator::OneIfAtMost(Dim a, Dim b) {
  const Truth truth = CompareAsGiven(Op::kAtMost, a, b);
  if (truth != Truth::kMaybe) return truth == Truth::kYes ? 1 : 0;
  if (a.is_none() || b.is_none() || host_ == nullptr) return Dim();
  DimTable& t = host_->analysis().dims();
  return OneIfNotNegative(t, t.Subtract(b, a));
}

Dim Evaluator::OneIfEqual(Dim a, Dim b) {
  const Truth truth = CompareAsGiven(Op::kEqual, a, b);
  if (truth != Truth::kMaybe) return truth == Truth::kYes ? 1 : 0;
  if (a.is_none() || b.is_none() || host_ == nullptr) return Dim();
  DimTable& t = host_->analysis().dims();
  const auto one_if_not_positive = [&](Dim apart) { return t.Max(t.Subtract(1, apart), 0); };
  if (CompareAsGiven(Op::kAtMost, b, a) == Truth::kYes) return one_if_not_positive(t.Subtract(a, b));
  if (CompareAsGiven(Op::kAtMost, a, b) == Truth::kYes) return one_if_not_positive(t.Subtract(b, a));
  return OneIfZero(t, t.Subtract(a, b));
}

Dim Evaluator::ElementInt(Builtin builtin, Dim a, Dim b) {
  switch (builtin) {
    case Builtin::kAddTensor:
      return Arithmetic(Op::kAdd, a, b);
    case Builtin::kSubtractTensor:
      return Arithmetic(Op::kSubtract, a, b);
    case Builtin::kMultiplyTensor:
      return Arithmetic(Op::kMultiply, a, b);
    case Builtin::kModTensor:
      return b == Dim(0) ? Dim() : Arithmetic(Op::kMod, a, b);
    case Builtin::kDivideTensor: {  // rounds towards 0
      if (a.is_none() || b.is_none() || b == Dim(0)) return Dim();
      if (a.is_constant() && b.is_constant()) {
        const Wide r = Wide{a.constant()} / b.constant();
        return FitsInt64(r) ? Dim(static_cast<int64_t>(r)) : Dim();
      }
      // Equals floor division if neither operand is negative, or if the division is exact.
      const Bool plain = And(Compare(Op::kAtMost, Dim(0), a), Compare(Op::kAtMost, Dim(0), b));
      if (plain.truth == Truth::kYes) return Arithmetic(Op::kFloorDivide, a, b);
      if (!b.is_constant() || host_ == nullptr) return Dim();
      DimTable& t = host_->analysis().dims();
      if (const std::optional<Dim> exact = t.DivideExactly(a, b)) return *exact;
      if (b.constant() < 0) return Dim();
      return t.Min(t.CeilDivide(a, b), t.Max(t.FloorDivide(a, b), 0));
    }
    case Builtin::kMinTensor:
    case Builtin::kMaxTensor: {
      if (a.is_none() || b.is_none()) return Dim();
      const bool min = builtin == Builtin::kMinTensor;
      const Truth t = Compare(Op::kAtMost, a, b).truth;
      if (t != Truth::kMaybe) return (t == Truth::kYes) == min ? a : b;
      if (Compare(Op::kAtMost, b, a).truth == Truth::kYes) return min ? b : a;
      if (host_ == nullptr) return Dim();
      return min ? host_->analysis().dims().Min(a, b) : host_->analysis().dims().Max(a, b);
    }
    case Builtin::kPowerTensor: {
      if (a.is_none() || !b.is_constant() || b.constant() < 0 ||
          (b.constant() > kMaxPower && !a.is_constant()))
        return Dim();
      if (b.constant() > 63 && a != Dim(0) && a != Dim(1)) return Dim();
      Dim r = 1;
      for (int64_t i = 0; i < std::min<int64_t>(b.constant(), 63) && !r.is_none(); ++i)
        r = Arithmetic(Op::kMultiply, r, a);
      return r;
    }
    case Builtin::kEqualTensor:
      return OneIfEqual(a, b);
    case Builtin::kAtMostTensor:
      return OneIfAtMost(a, b);
    case Builtin::kLessTensor: {
      const Dim at_least = OneIfAtMost(b, a);
      return at_least.is_none() ? at_least : Arithmetic(Op::kSubtract, Dim(1), at_least);
    }
    case Builtin::kAndTensor:
      if (a == Dim(0) || b == Dim(0)) return 0;
      return a == Dim(1) ? b : b == Dim(1) || a == b ? a : Arithmetic(Op::kMultiply, a, b);
    case Builtin::kOrTensor:
      if (a == Dim(1) || b == Dim(1)) return 1;
      return a == Dim(0) ? b : b == Dim(0) || a == b ? a : ElementInt(Builtin::kMaxTensor, a, b);
    default:
      return Dim();
  }
}

Evaluator::Contents Evaluator::Unary(Builtin builtin, const Contents& a) {
  if (!a.known) return {};
  if (a.is_float) {
    if (builtin == Builtin::kNotTensor) return {};
    std::vector<Float> floats;
    for (const Float& f : a.floats) floats.push_back(UnaryFloat(builtin, a.element, f));
    return MakeFloats(a.element, a.dims, std::move(floats));
  }
  std::vector<Dim> ints;
  for (Dim d : a.integers) {
    ints.push_back(Branch([&]() -> Dim {
      switch (builtin) {
        case Builtin::kNotTensor:
          return Arithmetic(Op::kSubtract, Dim(1), d);
        case Builtin::kNegateTensor:
          return Within(a.element, Arithmetic(Op::kSubtract, Dim(0), d));
        case Builtin::kAbsTensor:
          if (Compare(Op::kAtMost, Dim(0), d).truth == Truth::kYes) return d;
          return Within(a.element, ElementInt(Builtin::kMaxTensor, d, Arithmetic(Op::kSubtract, Dim(0), d)));
        default:
          return d;  // an integer is its own floor and ceiling
      }
    }));
  }
  return MakeInts(a.element, a.dims, std::move(ints));
}

Evaluator::Contents Evaluator::Elementwise(Builtin builtin, const Contents& a, const Contents& b) {
  if (!a.known || !b.known || a.is_float != b.is_float) return {};
  const std::optional<std::vector<int64_t>> dims = BroadcastIndices(a.dims, b.dims);
  if (!dims) return {};
  const bool compares = IsComparison(builtin);
  std::vector<Dim> ints;
  std::vector<Float> floats;
  ForEachElement(*dims, [&](std::span<const int64_t> index) {
    const size_t i = PlaceOf(a.dims, index), k = PlaceOf(b.dims, index);
    if (!a.is_float) {
      // An element that overflows is unknown, not an error of the operator.
      const Dim r = Branch([&] { return ElementInt(builtin, a.integers[i], b.integers[k]); });
      ints.push_back(compares ? r : Branch([&] { return Within(a.element, r); }));
    } else if (compares) {
      ints.push_back(Branch([&] { return CompareFloats(builtin, a.floats[i], b.floats[k]); }));
    } else {
      floats.push_back(Branch([&] { return ElementFloat(builtin, a.element, a.floats[i], b.floats[k]); }));
    }
  });
  if (a.is_float && !compares) return MakeFloats(a.element, *dims, std::move(floats));
  return MakeInts(compares ? ElementType::kBool : a.element, *dims, std::move(ints));
}

// Returns an unknown integer between a and b, one of the two.
Dim Evaluator::OneOf(Dim a, Dim b) {
  const Dim lo = Branch([&] { return ElementInt(Builtin::kMinTensor, a, b); });
  const Dim hi = Branch([&] { return ElementInt(Builtin::kMaxTensor, a, b); });
  return lo.is_none() || hi.is_none() ? Dim() : UnknownBetween(lo, hi, INT64_MIN);
}

// Returns a if `which` is 1, else b. If `which` is undecided, guards of other nodes may decide it.
Dim Evaluator::Chosen(Dim which, Dim a, Dim b) {
  DimTable& dims = host_->analysis().dims();
  const Dim chosen = Select(dims, which, a, b);
  if (probing_ || !chosen.is_expression() || dims.GetDefinition(chosen) == nullptr) return chosen;
  const Literal first = Equal(dims, which, 1);
  const Truth truth = RestOn(first, host_->Query(first, FactFilter::kWithoutAssumed));
  return truth == Truth::kMaybe ? chosen : truth == Truth::kYes ? a : b;
}

// Returns elements of a where c is 1, else elements of b.
Evaluator::Contents Evaluator::Choose(const Contents& c, const Contents& a, const Contents& b) {
  if (!c.known || c.is_float || !a.known || !b.known || a.is_float != b.is_float) return {};
  std::optional<std::vector<int64_t>> dims = BroadcastIndices(a.dims, b.dims);
  if (dims) dims = BroadcastIndices(*dims, c.dims);
  if (!dims) return {};
  std::vector<Dim> ints;
  std::vector<Float> floats;
  ForEachElement(*dims, [&](std::span<const int64_t> index) {
    const Dim which = c.integers[PlaceOf(c.dims, index)];
    const size_t i = PlaceOf(a.dims, index), k = PlaceOf(b.dims, index);
    if (a.is_float) {
      floats.push_back(which == Dim(1) || a.floats[i] == b.floats[k] ? a.floats[i]
                       : which == Dim(0)                             ? b.floats[k]
                                                                     : Float());
      return;
    }
    const Dim x = a.integers[i], y = b.integers[k];
    if (which == Dim(1) || x == y) {
      ints.push_back(x);
    } else if (which == Dim(0) || x.is_none() || y.is_none() || host_ == nullptr) {
      ints.push_back(which == Dim(0) ? y : Dim());
    } else if (which.is_none()) {
      ints.push_back(OneOf(x, y));
    } else {
      ints.push_back(Chosen(which, x, y));
    }
  });
  return a.is_float ? MakeFloats(a.element, *dims, std::move(floats))
                    : MakeInts(a.element, *dims, std::move(ints));
}

Evaluator::Contents Evaluator::Reduce(Builtin builtin, const Contents& a, List axes, List sizes) {
  const std::optional<std::vector<int64_t>> over = ConstantsOf(axes), dims = ConstantsOf(sizes);
  if (!a.known || !over || !dims) return {};
  if (a.size() == 0 && (builtin == Builtin::kReduceMin || builtin == Builtin::kReduceMax)) return {};
  std::vector<int64_t> kept(a.dims.begin(), a.dims.end());
  for (int64_t axis : *over) {
    if (axis < 0 || axis >= static_cast<int64_t>(kept.size())) return {};
    kept[static_cast<size_t>(axis)] = 1;
  }
  const int64_t count = CountOf(kept);
  if (count != CountOf(*dims) || count > ContentsLimit::current()) return {};
  const Builtin step = builtin == Builtin::kReduceProduct ? Builtin::kMultiplyTensor
                       : builtin == Builtin::kReduceSum   ? Builtin::kAddTensor
                       : builtin == Builtin::kReduceMin   ? Builtin::kMinTensor
                                                          : Builtin::kMaxTensor;
  const Dim neutral = builtin == Builtin::kReduceProduct ? 1 : 0;
  std::vector<Dim> ints(a.is_float ? 0 : static_cast<size_t>(count), neutral);
  std::vector<Float> floats(a.is_float ? static_cast<size_t>(count) : 0,
                            Float{.numerator = neutral, .denominator = 1, .special = {}});
  std::vector<bool> begun(static_cast<size_t>(count), false);
  size_t i = 0;
  ForEachElement(a.dims, [&](std::span<const int64_t> index) {
    const size_t at = PlaceOf(kept, index);
    if (!begun[at]) {
      if (a.is_float) floats[at] = a.floats[i];
      if (!a.is_float) ints[at] = a.integers[i];
    } else if (!a.is_float) {
      ints[at] = Branch([&] { return Within(a.element, ElementInt(step, ints[at], a.integers[i])); });
    } else {
      // Machines add in different orders, so only sums of whole numbers are certain.
      const auto whole = [](const Float& f) { return !f.is_unknown() && !f.special && f.denominator == 1; };
      const bool alike = step == Builtin::kMinTensor || step == Builtin::kMaxTensor ||
                         (whole(floats[at]) && whole(a.floats[i]));
      floats[at] =
          alike ? Branch([&] { return ElementFloat(step, a.element, floats[at], a.floats[i]); }) : Float();
    }
    begun[at] = true;
    ++i;
  });
  return a.is_float ? MakeFloats(a.element, *dims, std::move(floats))
                    : MakeInts(a.element, *dims, std::move(ints));
}

}  // namespace dimwise::rules
