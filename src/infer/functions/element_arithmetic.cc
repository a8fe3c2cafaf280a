#include "infer/functions/element_arithmetic.h"

#include <cmath>
#include <limits>

#include "infer/functions/sizes.h"

namespace dimwise {
namespace {

bool IsNonNegative(InferenceContext* c, Dim d) { return c->AtLeast(d, 0) == Truth::kYes; }

// Comparisons are 0 or 1, or an expression that is. Contents choose (Where) and thereby decide shapes, so
// assumptions have no say.
Dim IsAtLeast(InferenceContext* c, Dim a, Dim b) {
  const Truth truth = c->facts().AtLeast(a, b, c->scope(), Trust::kWithoutAssumed);
  if (truth != Truth::kMaybe) return truth == Truth::kYes ? 1 : 0;
  // min(max(a - b + 1, 0), 1)
  DimTable& dims = c->dims();
  return Smaller(dims, Larger(dims, dims.Add(dims.Subtract(a, b), 1), 0), 1);
}

Dim AreEqual(InferenceContext* c, Dim a, Dim b) {
  const Truth truth = c->facts().Equal(a, b, c->scope(), Trust::kWithoutAssumed);
  if (truth != Truth::kMaybe) return truth == Truth::kYes ? 1 : 0;
  // max(1 - |a - b|, 0)
  DimTable& dims = c->dims();
  return Larger(dims, dims.Subtract(1, Larger(dims, dims.Subtract(a, b), dims.Subtract(b, a))), 0);
}

Dim Divide(InferenceContext* c, Dim a, Dim b) {
  if (b == Dim(0)) return Dim();
  if (a.is_constant() && b.is_constant()) {
    if (a == Dim(std::numeric_limits<int64_t>::min()) && b == Dim(-1)) return Dim();
    return a.constant() / b.constant();
  }
  // Integers are cut towards zero, which is the floor where both have one sign.
  if (IsNonNegative(c, a) && IsNonNegative(c, b)) return c->dims().FloorDivide(a, b);
  if (const std::optional<Dim> exact = b.is_constant() ? c->dims().DivideExactly(a, b) : std::nullopt)
    return *exact;
  return Dim();
}

Dim TruncatedMod(InferenceContext* c, Dim a, Dim b) {
  if (b == Dim(0)) return Dim();
  if (a.is_constant() && b.is_constant()) return b == Dim(-1) ? 0 : a.constant() % b.constant();
  return IsNonNegative(c, a) && IsNonNegative(c, b) ? c->dims().Mod(a, b) : Dim();
}

Float CombineIntegers(InferenceContext* c, BinaryOp op, Dim a, Dim b) {
  DimTable& dims = c->dims();
  switch (op) {
    case BinaryOp::kAdd:
      return IntegerElement(dims.Add(a, b));
    case BinaryOp::kSubtract:
      return IntegerElement(dims.Subtract(a, b));
    case BinaryOp::kMultiply:
    case BinaryOp::kAnd:
      return IntegerElement(dims.Multiply(a, b));
    case BinaryOp::kDivide:
      return IntegerElement(Divide(c, a, b));
    case BinaryOp::kFloorMod:
      return b == Dim(0) ? Float() : IntegerElement(dims.Mod(a, b));
    case BinaryOp::kTruncatedMod:
      return IntegerElement(TruncatedMod(c, a, b));
    case BinaryOp::kMin:
      return IntegerElement(Smaller(dims, a, b));
    case BinaryOp::kMax:
    case BinaryOp::kOr:
      return IntegerElement(Larger(dims, a, b));
    case BinaryOp::kEqual:
      return IntegerElement(AreEqual(c, a, b));
    case BinaryOp::kXor:
      return IntegerElement(dims.Subtract(1, AreEqual(c, a, b)));
    case BinaryOp::kLessOrEqual:
      return IntegerElement(IsAtLeast(c, b, a));
    case BinaryOp::kLess:
      return IntegerElement(dims.Subtract(1, IsAtLeast(c, a, b)));
  }
  return {};
}

template <typename T>
Float CombineNumbers(BinaryOp op, T a, T b) {
  switch (op) {
    case BinaryOp::kAdd:
      return Float::Of(static_cast<double>(a + b));
    case BinaryOp::kSubtract:
      return Float::Of(static_cast<double>(a - b));
    case BinaryOp::kMultiply:
      return Float::Of(static_cast<double>(a * b));
    case BinaryOp::kDivide:
      return Float::Of(static_cast<double>(a / b));
    case BinaryOp::kMin:
      return Float::Of(static_cast<double>(std::fmin(a, b)));
    case BinaryOp::kMax:
      return Float::Of(static_cast<double>(std::fmax(a, b)));
    case BinaryOp::kEqual:
      return IntegerElement(a == b ? 1 : 0);
    case BinaryOp::kLess:
      return IntegerElement(a < b ? 1 : 0);
    case BinaryOp::kLessOrEqual:
      return IntegerElement(a <= b ? 1 : 0);
    default:
      return {};
  }
}

bool IsPowerOfTwo(int64_t v) { return v > 0 && (v & (v - 1)) == 0; }

// A symbolic float with a number, or with another integer.
Float CombineSymbolic(InferenceContext* c, BinaryOp op, const Float& a, const Float& b) {
  if (a.special || b.special) return {};
  DimTable& dims = c->dims();
  if (a.denominator == 1 && b.denominator == 1 && op != BinaryOp::kDivide && op != BinaryOp::kMultiply) {
    return op <= BinaryOp::kMax && op != BinaryOp::kFloorMod && op != BinaryOp::kTruncatedMod
               ? CombineIntegers(c, op, a.numerator, b.numerator)
               : Float();
  }
  const auto scaled = [&](const Float& x, int64_t times, int64_t over) -> Float {
    if (!IsPowerOfTwo(times) || !IsPowerOfTwo(over) || over > (int64_t{1} << 30) ||
        x.denominator > (int64_t{1} << 30))
      return {};
    return {
        .numerator = dims.Multiply(x.numerator, times), .denominator = x.denominator * over, .special = {}};
  };
  if (op == BinaryOp::kMultiply && b.numerator.is_constant())
    return scaled(a, b.numerator.constant(), b.denominator);
  if (op == BinaryOp::kMultiply && a.numerator.is_constant())
    return scaled(b, a.numerator.constant(), a.denominator);
  if (op == BinaryOp::kDivide && b.numerator.is_constant())
    return scaled(a, b.denominator, b.numerator.constant());
  return {};
}

// f * 2^k in lowest terms, so that an integer has the denominator 1 where that shows.
Float Reduce(InferenceContext* c, Float f) {
  while (f.denominator > 1) {
    const std::optional<Dim> half = c->dims().DivideExactly(f.numerator, 2);
    if (!half) break;
    f.numerator = *half;
    f.denominator /= 2;
  }
  return f;
}

}  // namespace

Float Combine(InferenceContext* c, BinaryOp op, ElementType type, const Float& a, const Float& b) {
  if (!IsKnown(a) || !IsKnown(b)) return {};
  if (!IsFloat(type)) return CombineIntegers(c, op, a.numerator, b.numerator);
  if (type != ElementType::kF32 && type != ElementType::kF64) return {};
  const std::optional<double> x = a.constant(), y = b.constant();
  if (x && y) {
    return type == ElementType::kF64 ? CombineNumbers(op, *x, *y)
                                     : CombineNumbers(op, static_cast<float>(*x), static_cast<float>(*y));
  }
  const Float combined = CombineSymbolic(c, op, a, b);
  return combined.numerator.is_none() ? combined : Reduce(c, combined);
}

Float Apply(InferenceContext* c, UnaryOp op, ElementType type, const Float& a) {
  if (!IsKnown(a) || op == UnaryOp::kIdentity) return a;
  DimTable& dims = c->dims();
  if (a.special) return {};
  switch (op) {
    case UnaryOp::kNegate:
      return {.numerator = dims.Negate(a.numerator), .denominator = a.denominator, .special = {}};
    case UnaryOp::kAbs:
      if (IsNonNegative(c, a.numerator)) return a;
      return {.numerator = dims.Max(a.numerator, dims.Negate(a.numerator)),
              .denominator = a.denominator,
              .special = {}};
    case UnaryOp::kFloor:
      return IsFloat(type) ? IntegerElement(dims.FloorDivide(a.numerator, a.denominator)) : a;
    case UnaryOp::kCeil:
      return IsFloat(type) ? IntegerElement(dims.CeilDivide(a.numerator, a.denominator)) : a;
    case UnaryOp::kNot:
      return IntegerElement(dims.Subtract(1, a.numerator));
    case UnaryOp::kIdentity:
      break;
  }
  return a;
}

Float Convert(InferenceContext* c, ElementType from, ElementType to, const Float& a) {
  if (!IsKnown(a)) return {};
  if (IsBool(to)) {
    if (IsBool(from)) return a;
    if (a.special) return IntegerElement(*a.special != 0 ? 1 : 0);
    return IntegerElement(c->dims().Subtract(1, AreEqual(c, a.numerator, 0)));
  }
  if (IsFloat(to)) {
    // Past 2^53 the double in between would round once more.
    constexpr int64_t kExact = int64_t{1} << 53;
    const bool is_large =
        a.numerator.is_constant() && (a.numerator.constant() > kExact || a.numerator.constant() < -kExact);
    if (is_large) return {};
    if (const std::optional<double> number = a.constant()) {
      if (to == ElementType::kF64) return Float::Of(*number);
      return to == ElementType::kF32 ? Float::Of(static_cast<double>(static_cast<float>(*number))) : Float();
    }
    return to == ElementType::kF32 || to == ElementType::kF64 ? a : Float();
  }
  if (!IsInteger(to) || a.special) return {};
  if (a.denominator != 1) {
    if (IsNonNegative(c, a.numerator))
      return IntegerElement(c->dims().FloorDivide(a.numerator, a.denominator));
    if (a.numerator.is_constant()) return IntegerElement(a.numerator.constant() / a.denominator);
    return {};
  }
  // A number that does not fit is left out by SetContents; a size fits where sizes are counted at all.
  if (a.numerator.is_constant() || BitWidth(to) >= 32) return a;
  return {};
}

}  // namespace dimwise
