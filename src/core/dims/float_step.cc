#include "core/dims/float_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/dims/bounds.h"
#include "core/dims/limits.h"

namespace dimwise {
namespace {

constexpr std::array<FloatStepForm, kFloatStepCount> kForms = {{
    {"f32", 1, false, true},
    {"f64", 1, false, true},
    {"f32", 1, true, true},
    {"f32_add", 2, true, true},
    {"f64_add", 2, true, true},
    {"f32_mul", 2, true, true},
    {"f64_mul", 2, true, true},
    {"f32_div", 2, true, true},
    {"f64_div", 2, true, true},
    {"min", 2, true, true},
    {"max", 2, true, true},
    {"floor", 1, true, false},
    {"ceil", 1, true, false},
    {"round", 1, true, false},
}};

double InF32(double x) { return static_cast<double>(static_cast<float>(x)); }

// Returns the result for real operands, before a conversion to an integer. The double result of one operation
// on numbers of f32 has more than twice their precision, so rounding it again gives the f32 result.
double RealResult(FloatStep step, double a, double b) {
  switch (step) {
    case FloatStep::kRoundToF32:
      return InF32(a);
    case FloatStep::kAddF32:
      return InF32(a + b);
    case FloatStep::kAddF64:
      return a + b;
    case FloatStep::kMultiplyF32:
      return InF32(a * b);
    case FloatStep::kMultiplyF64:
      return a * b;
    case FloatStep::kDivideF32:
      return InF32(a / b);
    case FloatStep::kDivideF64:
      return a / b;
    case FloatStep::kMin:
      return std::min(a, b);
    case FloatStep::kMax:
      return std::max(a, b);
    case FloatStep::kFloor:
      return std::floor(a);
    case FloatStep::kCeil:
      return std::ceil(a);
    case FloatStep::kNearest: {
      const double down = std::floor(a), over = a - down;
      return over > 0.5 || (over == 0.5 && std::fmod(down, 2) != 0) ? down + 1 : down;
    }
    case FloatStep::kToF32:
    case FloatStep::kToF64:
      break;
  }
  return a;
}

double FromInteger(FloatStep step, int64_t n) {
  return step == FloatStep::kToF32 ? static_cast<double>(static_cast<float>(n)) : static_cast<double>(n);
}

constexpr double kTwoTo63 = 9223372036854775808.0;

// The ends of an interval of real numbers. An end that represents no number is 0 or infinite.
struct RealRange {
  double lo = 0, hi = INFINITY;
};

RealRange RealsIn(Interval bits) {
  const Wide infinite = BitsOfReal(INFINITY);
  const auto real = [&](Wide end) {
    return RealOfBits(static_cast<int64_t>(std::clamp<Wide>(end, 0, infinite)));
  };
  return {real(bits.lo), real(bits.hi)};
}

// Returns the bounds of a step that takes reals. Each step is monotone in each operand. Where an end has no
// number (0*inf), the end of the other factor decides.
RealRange RangeOf(FloatStep step, RealRange a, RealRange b) {
  if (step == FloatStep::kDivideF32 || step == FloatStep::kDivideF64) std::swap(b.lo, b.hi);
  const double lo = RealResult(step, a.lo, b.lo), hi = RealResult(step, a.hi, b.hi);
  return {std::isnan(lo) ? 0 : lo, std::isnan(hi) ? INFINITY : hi};
}

// Returns an interval that contains all results for operands in these intervals.
Interval BoundsOfStep(FloatStep step, Interval a, Interval b) {
  if (a.empty() || b.empty()) return {};
  const FloatStepForm& form = FormOf(step);
  if (!form.takes_reals) {
    const auto real = [&](Wide end) {
      return Wide{BitsOfReal(FromInteger(step, static_cast<int64_t>(std::clamp<Wide>(end, 0, INT64_MAX))))};
    };
    return {real(a.lo), real(a.hi)};
  }
  const RealRange range = RangeOf(step, RealsIn(a), RealsIn(b));
  if (form.gives_real) return {BitsOfReal(range.lo), BitsOfReal(range.hi)};
  // An upper bound of this size follows from the range of 64-bit integers only.
  constexpr double kVeryLarge = kTwoTo63 / 1024;
  const double lo = std::min(range.lo, kVeryLarge);
  return {static_cast<Wide>(lo), range.hi < kVeryLarge ? static_cast<Wide>(range.hi) : Interval::kInfinity};
}

// Returns an upper bound of size*ratio, where the ratio is the quotient of a number by a size that is at
// least as large: H*min(800/min(H, W), 1333/max(H, W)) is at most 1333. Three roundings in f32 add less than
// 2^-22 of the number, unless it is tiny.
double LargestProduct(DimTable& table, Dim size, Dim ratio, FunctionRef<Interval(Dim)> bounds_of) {
  if (!IsReal(table, size) || !IsReal(table, ratio)) return INFINITY;
  const Definition &whole = *table.GetDefinition(size), &part = *table.GetDefinition(ratio);
  if (FormOf(StepOf(whole)).takes_reals) return INFINITY;
  const Dim a = part.operands[0], b = part.operands.back();
  constexpr double kRounding = 1 + 1.0 / (1 << 22), kTiny = 1e-18;
  const auto product = [&](Dim d) { return LargestProduct(table, size, d, bounds_of); };
  switch (StepOf(part)) {
    case FloatStep::kMin:
      return std::min(product(a), product(b));
    case FloatStep::kMax:
      return std::max(product(a), product(b));
    case FloatStep::kMultiplyF32:
    case FloatStep::kMultiplyF64: {  // a scale 1/N may be multiplied by the wanted size
      const auto times = [](double x, double y) {
        return std::isinf(x) || std::isinf(y) || x * y < kTiny ? INFINITY : x * y * kRounding;
      };
      return std::min(times(product(a), RealsIn(bounds_of(b)).hi),
                      times(product(b), RealsIn(bounds_of(a)).hi));
    }
    case FloatStep::kDivideF32:
    case FloatStep::kDivideF64: {
      if (!IsReal(table, b) || FormOf(StepOf(*table.GetDefinition(b))).takes_reals) return INFINITY;
      const Dim divisor = table.GetDefinition(b)->operands[0];
      const double dividend = RealsIn(bounds_of(a)).hi;
      if (dividend < kTiny || bounds_of(table.Subtract(divisor, whole.operands[0])).lo < 0) return INFINITY;
      return dividend * kRounding;
    }
    default:
      return INFINITY;
  }
}

size_t StepsIn(const DimTable& table, Dim d) {
  if (!IsReal(table, d)) return 0;
  size_t steps = 1;
  for (const Dim operand : table.GetDefinition(d)->operands) steps += StepsIn(table, operand);
  return steps;
}

}  // namespace

const FloatStepForm& FormOf(FloatStep step) { return kForms[static_cast<size_t>(step)]; }

std::optional<int64_t> RunFloatStep(FloatStep step, int64_t a, int64_t b) {
  const FloatStepForm& form = FormOf(step);
  if (!form.takes_reals) return a < 0 ? std::nullopt : std::optional(BitsOfReal(FromInteger(step, a)));
  const double result = RealResult(step, RealOfBits(a), RealOfBits(b));
  if (form.gives_real) return std::isnan(result) ? std::nullopt : std::optional(BitsOfReal(result));
  return result < kTwoTo63 ? std::optional(static_cast<int64_t>(result)) : std::nullopt;
}

Interval BoundsOfFloat(DimTable& table, const Definition& definition, FunctionRef<Interval(Dim)> bounds_of) {
  const FloatStep step = StepOf(definition);
  const std::span<const Dim> x = definition.operands;
  Interval bounds = BoundsOfStep(step, bounds_of(x[0]), x.size() > 1 ? bounds_of(x[1]) : Interval());
  if (step != FloatStep::kMultiplyF32 && step != FloatStep::kMultiplyF64) return bounds;
  const double most =
      std::min(LargestProduct(table, x[0], x[1], bounds_of), LargestProduct(table, x[1], x[0], bounds_of));
  bounds.hi = std::min<Wide>(bounds.hi, BitsOfReal(most));
  return bounds;
}

Dim MakeFloatStep(DimTable& table, FloatStep step, Dim a, Dim b) {
  const FloatStepForm& form = FormOf(step);
  Dim operands[] = {a, b};
  const std::span<Dim> given(operands, form.arity);
  size_t steps = 1;
  for (const Dim d : given) {
    if (d.is_none() || IntrinsicBounds(table, d).lo < 0) return Dim();
    steps += StepsIn(table, d);
  }
  if (steps > kMaxFloatSteps) return Dim();
  const auto is_constant = [](Dim d) { return d.is_constant(); };
  if (std::ranges::all_of(given, is_constant)) {
    const std::optional<int64_t> result =
        RunFloatStep(step, a.constant(), form.arity == 2 ? b.constant() : 0);
    return result ? Dim(*result) : Dim();
  }
  const bool is_quotient = step == FloatStep::kDivideF32 || step == FloatStep::kDivideF64;
  if (form.arity == 2 && !is_quotient)
    std::ranges::sort(given, {}, &Dim::bits);  // the others are commutative
  return table.Defined({Operation::kFloat, static_cast<uint32_t>(step), given});
}

bool IsFloatStep(const DimTable& table, Dim d) {
  if (!d.is_expression() || table.Kind(d) != DimKind::kSymbol) return false;
  const Definition* definition = table.GetDefinition(d);
  return definition != nullptr && definition->operation == Operation::kFloat;
}

bool IsReal(const DimTable& table, Dim d) {
  return IsFloatStep(table, d) && FormOf(StepOf(*table.GetDefinition(d))).gives_real;
}

std::string FloatStepText(DimTable& table, const Definition& definition) {
  const FloatStepForm& form = FormOf(StepOf(definition));
  std::string text;
  for (const Dim operand : definition.operands) {
    text += text.empty() ? "" : ", ";
    text += form.takes_reals ? RealText(table, operand) : table.ToString(operand);
  }
  return fmt::format("{}({})", form.name, text);
}

std::string RealText(DimTable& table, Dim d) {
  return d.is_constant() ? fmt::format("{}", RealOfBits(d.constant())) : table.ToString(d);
}

}  // namespace dimwise
