// Arithmetic on floats that a machine rounds, such as a scale 800/min(H, W). Their form is a float step
// (core/dims/float_step.h) instead of a fraction: the denominator is 0.
#include <cmath>

#include "core/dims/float_step.h"
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {
namespace {

bool HasSteps(ElementType format) { return format == ElementType::kF32 || format == ElementType::kF64; }

Float FloatOfReal(Dim d) {
  if (d.is_none()) return {};
  if (d.is_constant()) return Float::Of(RealOfBits(d.constant()));
  return {.numerator = d, .denominator = 0, .special = {}};
}

std::optional<FloatStep> BinaryStep(Builtin builtin, bool is_f32) {
  switch (builtin) {
    case Builtin::kAddTensor:
      return is_f32 ? FloatStep::kAddF32 : FloatStep::kAddF64;
    case Builtin::kMultiplyTensor:
      return is_f32 ? FloatStep::kMultiplyF32 : FloatStep::kMultiplyF64;
    case Builtin::kDivideTensor:
      return is_f32 ? FloatStep::kDivideF32 : FloatStep::kDivideF64;
    case Builtin::kMinTensor:
      return FloatStep::kMin;
    case Builtin::kMaxTensor:
      return FloatStep::kMax;
    default:
      return std::nullopt;
  }
}

}  // namespace

// Returns the result of a step. A trace does not contain steps.
Dim Evaluator::StepResult(FloatStep step, Dim a, Dim b) {
  if (host_ == nullptr) return Dim();
  LeaveOpen();
  return MakeFloatStep(host_->analysis().dims(), step, a, b);
}

// Returns the representation of a real number of a format, or none. A fraction is rounded once.
Dim Evaluator::RealOf(ElementType format, const Float& f) {
  if (!HasSteps(format) || f.is_unknown()) return Dim();
  if (const std::optional<double> number = f.constant()) {
    return std::isfinite(*number) && !std::signbit(*number) ? Dim(BitsOfReal(*number)) : Dim();
  }
  if (f.denominator == 0) return f.numerator;
  const bool is_f32 = format == ElementType::kF32;
  const Dim whole = StepResult(is_f32 ? FloatStep::kToF32 : FloatStep::kToF64, f.numerator);
  if (f.denominator == 1) return whole;
  return StepResult(is_f32 ? FloatStep::kDivideF32 : FloatStep::kDivideF64, whole,
                    Dim(BitsOfReal(static_cast<double>(f.denominator))));
}

Float Evaluator::BinaryByStep(Builtin builtin, ElementType format, const Float& a, const Float& b) {
  const std::optional<FloatStep> step = BinaryStep(builtin, format == ElementType::kF32);
  if (!step || a.is_unknown() || b.is_unknown()) return {};
  return FloatOfReal(StepResult(*step, RealOf(format, a), RealOf(format, b)));
}

Float Evaluator::UnaryByStep(Builtin builtin, ElementType format, const Float& f) {
  const auto integer = [&](FloatStep step) -> Float {
    return {.numerator = StepResult(step, RealOf(format, f)), .denominator = 1, .special = {}};
  };
  switch (builtin) {
    case Builtin::kAbsTensor:
      return f;  // it is >= 0
    case Builtin::kFloorTensor:
      return integer(FloatStep::kFloor);
    case Builtin::kCeilTensor:
      return integer(FloatStep::kCeil);
    case Builtin::kRoundTensor:
      return integer(FloatStep::kNearest);
    default:
      return {};
  }
}

Float Evaluator::CastByStep(ElementType from, ElementType to, const Float& f) {
  if (!HasSteps(from) || !HasSteps(to) || f.is_unknown()) return {};
  if (from == to) return f;
  const Dim real = RealOf(from, f);
  return FloatOfReal(to == ElementType::kF64 ? real : StepResult(FloatStep::kRoundToF32, real));
}

// Returns floor(size*scale), multiplied in the format.
Dim Evaluator::FloorOfProduct(ElementType format, Dim size, double scale) {
  const Float product = BinaryByStep(Builtin::kMultiplyTensor, format,
                                     {.numerator = size, .denominator = 1, .special = {}}, Float::Of(scale));
  if (product.is_unknown() || product.denominator != 0) return Dim();
  return StepResult(FloatStep::kFloor, product.numerator);
}

// Returns d with the facts low <= d <= high, if it is a float step. Bounds that contain float steps are left
// out, since they decide nothing.
Dim Evaluator::Bounded(Dim d, Dim low, Dim high) {
  if (!d.is_expression() || host_ == nullptr || probing_) return d;
  DimTable& t = host_->analysis().dims();
  const auto is_step = [&](Dim symbol) { return IsFloatStep(t, symbol); };
  if (!is_step(d)) return d;
  Condition bounds;
  if (!low.is_none() && std::ranges::none_of(t.SymbolsOf(low), is_step))
    bounds.clauses.push_back({AtLeast(t, d, low)});
  if (!high.is_none() && std::ranges::none_of(t.SymbolsOf(high), is_step))
    bounds.clauses.push_back({AtMost(t, d, high)});
  if (!bounds.clauses.empty()) host_->Ensure(bounds);
  return d;
}

}  // namespace dimwise::rules
