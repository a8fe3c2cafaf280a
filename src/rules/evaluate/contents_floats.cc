// Arithmetic on the elements of contents that are floats.
//
// A float is a fraction with a format. For constants, the result is computed and rounded as a machine does. A
// symbolic fraction is exact while its denominator is a power of two and its factors are small; sizes below
// 2^24 are exact in f32. A machine rounds other quotients (N/3) once. For sizes below 2^24 this does not
// change the floor or the ceiling. If the facts show that a division is exact, the quotient is an integer.
// Other results are float steps (contents_float_steps.cc).
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/dims/float_step.h"
#include "core/types/float_format.h"
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {
namespace {

constexpr int64_t kMaxFactor = 1024;  // of a symbol in a float
constexpr int64_t kMaxDenominator = int64_t{1} << 30;

bool IsPowerOfTwo(int64_t v) { return v > 0 && (v & (v - 1)) == 0; }
bool IsExact(const Float& f) { return !f.is_unknown() && !f.special && IsPowerOfTwo(f.denominator); }
bool IsBetween(int64_t v, int64_t low, int64_t high) { return v >= low && v <= high; }
Float Integer(Dim d) { return {.numerator = d, .denominator = 1, .special = {}}; }

bool IsWide(ElementType format) { return format == ElementType::kF64 || format == ElementType::kF32; }

// Returns a number in a format. For narrow formats, only numbers that are exact and far inside their range
// are accepted.
Float InFormat(ElementType element, double v) {
  const std::optional<FloatFormat> format = FloatFormatOf(element);
  if (!format) return {};
  if (IsWide(element)) return Float::Of(RoundTo(*format, v));
  const bool well_inside = v == 0 || (std::isfinite(v) && std::ilogb(v) >= -13 && std::ilogb(v) < 15);
  return well_inside && RoundTo(*format, v) == v ? Float::Of(v) : Float();
}

double HalvesToEven(double v) {
  const double down = std::floor(v), over = v - down;
  return over < 0.5 || (over == 0.5 && std::fmod(down, 2) == 0) ? down : down + 1;
}

// Square root: the only such function that all machines round correctly.
Float Root(ElementType format, double v) {
  if (format == ElementType::kF32) return Float::Of(static_cast<double>(std::sqrt(static_cast<float>(v))));
  return format == ElementType::kF64 ? Float::Of(std::sqrt(v)) : InFormat(format, std::sqrt(v));
}

// Returns x to the power y if the result is exact, so that all machines agree: a whole number or a root.
Float Power(ElementType format, double x, double y) {
  if (y == 0.5) return Root(format, x);
  const double r = std::pow(x, y);
  if (y < 0 || y != std::trunc(y) || x != std::trunc(x) || std::fabs(r) >= 16777216.0) return {};
  return InFormat(format, r);
}

template <typename T>
std::optional<double> Compute(Builtin builtin, T x, T y) {
  switch (builtin) {
    case Builtin::kAddTensor:
      return static_cast<double>(x + y);
    case Builtin::kSubtractTensor:
      return static_cast<double>(x - y);
    case Builtin::kMultiplyTensor:
      return static_cast<double>(x * y);
    case Builtin::kDivideTensor:
      return static_cast<double>(x / y);
    case Builtin::kMinTensor:
      return std::isnan(x) || std::isnan(y) ? NAN : static_cast<double>(std::fmin(x, y));
    case Builtin::kMaxTensor:
      return std::isnan(x) || std::isnan(y) ? NAN : static_cast<double>(std::fmax(x, y));
    default:
      return std::nullopt;
  }
}

// Returns p with p*p == d, of either sign. Returns none if there is none or it has more than three terms.
Dim SquareRoot(DimTable& t, Dim d) {
  std::vector<Dim> roots;  // of the terms that are squares
  for (size_t i = 0; i < t.TermCount(d); ++i) {
    const Term term = t.GetTerm(d, i);
    const auto number = static_cast<int64_t>(
        std::lround(std::sqrt(std::max<double>(0, static_cast<double>(term.coefficient)))));
    bool is_square =
        term.factors.size() % 2 == 0 && number < kMaxFactor && number * number == term.coefficient;
    Dim root = number;
    for (size_t k = 0; is_square && k < term.factors.size(); k += 2) {
      is_square = term.factors[k] == term.factors[k + 1];
      root = t.Multiply(root, term.factors[k]);
    }
    if (is_square) roots.push_back(root);
  }
  for (unsigned signs = 0; !roots.empty() && roots.size() <= 3 && signs < 1u << (roots.size() - 1); ++signs) {
    Dim sum = roots[0];
    for (size_t k = 1; k < roots.size(); ++k)
      sum = (signs >> (k - 1) & 1u) != 0 ? t.Subtract(sum, roots[k]) : t.Add(sum, roots[k]);
    if (t.Multiply(sum, sum) == d) return sum;
  }
  return Dim();
}

}  // namespace

// Computes with a symbolic fraction and a constant, or two symbolic fractions.
Float Evaluator::SymbolicFloat(Builtin builtin, const Float& a, const Float& b) {
  if (host_ == nullptr || !IsExact(a) || !IsExact(b)) return {};
  DimTable& t = host_->analysis().dims();
  const auto scaled = [&](const Float& x, int64_t times, int64_t over) -> Float {
    if (!IsBetween(times, -kMaxFactor, kMaxFactor) || over <= 0 || over > kMaxDenominator ||
        x.denominator > kMaxDenominator / over)
      return {};
    Float f{.numerator = t.Multiply(x.numerator, times), .denominator = x.denominator * over, .special = {}};
    if (!IsPowerOfTwo(f.denominator)) {
      if (const std::optional<Dim> exact = t.DivideExactly(f.numerator, f.denominator))
        return Integer(*exact);
      if (Compare(Op::kEqual, t.Mod(f.numerator, f.denominator), Dim(0)).truth == Truth::kYes)
        return Integer(t.FloorDivide(f.numerator, f.denominator));
    }
    while (f.denominator % 2 == 0) {  // in lowest terms, so that integers are recognized
      const std::optional<Dim> half = t.DivideExactly(f.numerator, 2);
      if (!half) break;
      f.numerator = *half;
      f.denominator /= 2;
    }
    return f;
  };
  switch (builtin) {
    case Builtin::kAddTensor:
    case Builtin::kSubtractTensor:
    case Builtin::kMinTensor:
    case Builtin::kMaxTensor: {
      const int64_t common = std::max(a.denominator, b.denominator);
      if (common > kMaxFactor) return {};
      const Dim x = t.Multiply(a.numerator, common / a.denominator),
                y = t.Multiply(b.numerator, common / b.denominator);
      return scaled(Integer(ElementInt(builtin, x, y)), 1, common);
    }
    case Builtin::kMultiplyTensor:
      if (b.numerator.is_constant()) return scaled(a, b.numerator.constant(), b.denominator);
      if (a.numerator.is_constant()) return scaled(b, a.numerator.constant(), a.denominator);
      return {};
    case Builtin::kDivideTensor:
      if (!b.numerator.is_constant()) {  // N*M divided by M
        if (Compare(Op::kAtMost, Dim(1), b.numerator).truth != Truth::kYes) {
          // Division by 0 has no quotient; elsewhere the quotient is N.
          const bool is_ratio = t.DivideExactly(a.numerator, b.numerator) &&
                                Compare(Op::kAtMost, Dim(0), b.numerator).truth == Truth::kYes;
          return is_ratio
                     ? scaled(Integer(t.FloorDivide(a.numerator, b.numerator)), b.denominator, a.denominator)
                     : Float();
        }
        std::optional<Dim> ratio = t.DivideExactly(a.numerator, b.numerator);
        if (!ratio) {
          const Dim floor = t.FloorDivide(a.numerator, b.numerator);
          if (Compare(Op::kEqual, a.numerator, t.Multiply(floor, b.numerator)).truth == Truth::kYes)
            ratio = floor;
        }
        return ratio ? scaled(Integer(*ratio), b.denominator, a.denominator) : Float();
      }
      if (b.numerator.constant() < 0) {  // machines round symmetrically around 0
        return b.numerator.constant() < -kMaxDenominator ? Float()
                                                         : scaled(a, -b.denominator, -b.numerator.constant());
      }
      return scaled(a, b.denominator, b.numerator.constant());
    default:
      return {};
  }
}

Float Evaluator::ElementFloat(Builtin builtin, ElementType format, const Float& a, const Float& b) {
  const std::optional<double> x = a.constant(), y = b.constant();
  if (x && y) {
    if (builtin == Builtin::kPowerTensor) return Power(format, *x, *y);
    const std::optional<double> r = format == ElementType::kF32
                                        ? Compute(builtin, static_cast<float>(*x), static_cast<float>(*y))
                                        : Compute(builtin, *x, *y);
    return r ? InFormat(format, *r) : Float();
  }
  if (!IsWide(format)) return {};
  if (builtin == Builtin::kPowerTensor && y == 0.5) return UnaryFloat(Builtin::kSqrtTensor, format, a);
  if (builtin == Builtin::kDivideTensor && !x && !y && IsExact(a) && IsExact(b) && host_ != nullptr) {
    // H divided by 2*H is a constant, rounded once like 1/2.
    const std::optional<Dim> times = host_->analysis().dims().DivideExactly(b.numerator, a.numerator);
    if (times && times->is_constant() && IsBetween(times->constant(), 2, kMaxFactor) &&
        Compare(Op::kAtMost, Dim(1), a.numerator).truth == Truth::kYes)
      return ElementFloat(builtin, format, {.numerator = 1, .denominator = a.denominator, .special = {}},
                          {.numerator = *times, .denominator = b.denominator, .special = {}});
  }
  const Float exact = SymbolicFloat(builtin, a, b);
  return exact.is_unknown() ? BinaryByStep(builtin, format, a, b) : exact;
}

Dim Evaluator::CompareFloats(Builtin builtin, const Float& a, const Float& b) {
  const std::optional<double> x = a.constant(), y = b.constant();
  if (x && y)
    return Dim(builtin == Builtin::kEqualTensor  ? *x == *y
               : builtin == Builtin::kLessTensor ? *x < *y
                                                 : *x <= *y);
  if (!IsExact(a) || !IsExact(b)) return Dim();
  const int64_t common = std::max(a.denominator, b.denominator);
  return ElementInt(builtin, Arithmetic(Op::kMultiply, a.numerator, Dim(common / a.denominator)),
                    Arithmetic(Op::kMultiply, b.numerator, Dim(common / b.denominator)));
}

Float Evaluator::UnaryFloat(Builtin builtin, ElementType format, const Float& f) {
  if (const std::optional<double> v = f.constant()) {
    switch (builtin) {
      case Builtin::kNegateTensor:
        return Float::Of(-*v);
      case Builtin::kAbsTensor:
        return Float::Of(std::fabs(*v));
      case Builtin::kFloorTensor:
        return Float::Of(std::floor(*v));
      case Builtin::kRoundTensor:
        return Float::Of(HalvesToEven(*v));
      case Builtin::kSqrtTensor:
        return Root(format, *v);
      default:
        return Float::Of(std::ceil(*v));
    }
  }
  if (f.is_unknown() || f.special || host_ == nullptr) return {};
  if (f.denominator == 0) return UnaryByStep(builtin, format, f);
  DimTable& t = host_->analysis().dims();
  Float r = f;
  switch (builtin) {
    case Builtin::kNegateTensor:
      r.numerator = t.Negate(f.numerator);
      return r;
    case Builtin::kAbsTensor:
      r.numerator = ElementInt(Builtin::kMaxTensor, f.numerator, t.Negate(f.numerator));
      return r;
    case Builtin::kFloorTensor:
      return Integer(t.FloorDivide(f.numerator, f.denominator));
    case Builtin::kRoundTensor:
      return f.denominator == 1 ? f : UnaryByStep(builtin, format, f);
    case Builtin::kSqrtTensor: {  // of a square: the rounded root is exact
      const Dim root = f.denominator == 1 ? SquareRoot(t, f.numerator) : Dim();
      for (const Dim either : {root, t.Negate(root)})
        if (Compare(Op::kAtMost, Dim(0), either).truth == Truth::kYes) return Integer(either);
      return {};
    }
    default:
      return Integer(t.CeilDivide(f.numerator, f.denominator));
  }
}

Float Evaluator::FloatOf(ElementType to, Dim d) {
  if (!d.is_constant()) {
    LeaveOpenIfNumber(d);
    return IsWide(to) ? Integer(d) : Float();
  }
  // Machines convert an int64_t to either type with one rounding.
  if (to == ElementType::kF32) return Float::Of(static_cast<double>(static_cast<float>(d.constant())));
  if (to == ElementType::kF64) return Float::Of(static_cast<double>(d.constant()));
  return IsBetween(d.constant(), -256, 256) ? Float::Of(static_cast<double>(d.constant())) : Float();
}

Dim Evaluator::IntegerOf(ElementType to, const Float& f) {
  if (to == ElementType::kBool) {
    if (const std::optional<double> v = f.constant()) return Dim(*v != 0);
    if (f.is_unknown() || f.denominator == 0) return Dim();
    return Branch([&] { return Arithmetic(Op::kSubtract, Dim(1), OneIfEqual(f.numerator, Dim(0))); });
  }
  if (const std::optional<double> v = f.constant()) {  // rounds towards 0
    return std::isfinite(*v) && std::fabs(*v) < 9e18 ? Within(to, Dim(static_cast<int64_t>(std::trunc(*v))))
                                                     : Dim();
  }
  if (f.is_unknown() || f.special || host_ == nullptr) return Dim();
  if (f.denominator == 0) return Within(to, StepResult(FloatStep::kFloor, f.numerator));
  if (f.denominator == 1) return Within(to, f.numerator);
  if (Compare(Op::kAtMost, Dim(0), f.numerator).truth != Truth::kYes) return Dim();
  return Within(to, host_->analysis().dims().FloorDivide(f.numerator, f.denominator));
}

Evaluator::Contents Evaluator::CastTo(const Contents& c, ElementType to) {
  if (!c.known || to == ElementType::kUnknown) return {};
  std::vector<Dim> ints;
  std::vector<Float> floats;
  for (size_t i = 0; i < c.size(); ++i) {
    if (IsFloat(to)) {
      if (!c.is_float) {
        floats.push_back(FloatOf(to, c.integers[i]));
      } else if (const std::optional<double> v = c.floats[i].constant()) {
        floats.push_back(InFormat(to, *v));
      } else {
        floats.push_back(IsWide(to) && IsExact(c.floats[i]) ? c.floats[i]
                                                            : CastByStep(c.element, to, c.floats[i]));
      }
    } else if (c.is_float) {
      ints.push_back(IntegerOf(to, c.floats[i]));
    } else if (to == ElementType::kBool && c.element != ElementType::kBool) {
      ints.push_back(c.integers[i].is_none() ? Dim() : IntegerOf(to, Integer(c.integers[i])));
    } else {
      ints.push_back(Within(to, c.integers[i]));
    }
  }
  return IsFloat(to) ? MakeFloats(to, c.dims, std::move(floats)) : MakeInts(to, c.dims, std::move(ints));
}

}  // namespace dimwise::rules
