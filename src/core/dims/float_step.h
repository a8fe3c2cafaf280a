// A float step is one operation on numbers that machines compute in floating point, with its exact rounding:
// f32_mul(a, b) is the product of two numbers of f32, rounded to the nearest number of f32 (ties to even).
//
// Some sizes depend on such numbers, such as floor(H*scale) where the scale is 800/min(H, W) in f32. A step
// is a symbol with the definition Operation::kFloat, so equal steps are one symbol.
//
// A Dim is an integer, so a real number is represented by the bits of the double that equals it. All numbers
// are >= 0 (a step with an operand that may be negative is not created), so the order of these integers is
// the order of the numbers, and intervals of Dims are intervals of numbers. The last step of a size gives an
// ordinary integer: floor, ceil or round.
#ifndef DIMWISE_CORE_DIMS_FLOAT_STEP_H_
#define DIMWISE_CORE_DIMS_FLOAT_STEP_H_

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/function_ref.h"
#include "core/dims/interval.h"
#include "dimwise/dim.h"

namespace dimwise {

// The tag of a definition.
enum class FloatStep : uint8_t {
  // From an integer to a real number.
  kToF32,
  kToF64,
  // From real numbers to a real number.
  kRoundToF32,
  kAddF32,
  kAddF64,
  kMultiplyF32,
  kMultiplyF64,
  kDivideF32,
  kDivideF64,
  kMin,
  kMax,
  // From a real number to an integer.
  kFloor,
  kCeil,
  kNearest,  // halves to even
};
inline constexpr size_t kFloatStepCount = 14;

// The name of a step in texts, its number of operands, and whether operands and result are real numbers.
struct FloatStepForm {
  std::string_view name;
  uint8_t arity;
  bool takes_reals, gives_real;
};
const FloatStepForm& FormOf(FloatStep step);
inline FloatStep StepOf(const Definition& definition) { return static_cast<FloatStep>(definition.tag); }

inline int64_t BitsOfReal(double x) { return std::bit_cast<int64_t>(x); }
inline double RealOfBits(int64_t bits) { return std::bit_cast<double>(bits); }

// Returns the result of a step. Returns nullopt if it is no number (0*inf), or an integer that does not fit
// 64 bits. An operand that the step does not have is ignored.
std::optional<int64_t> RunFloatStep(FloatStep step, int64_t a, int64_t b);

// Returns an interval that contains the result of a definition by a step. `bounds_of` returns the interval of
// an operand, or of a difference of integers in it.
Interval BoundsOfFloat(DimTable& table, const Definition& definition, FunctionRef<Interval(Dim)> bounds_of);

// Returns the result of a step: a constant or a symbol. Returns none if an operand may be negative, or if the
// result is no number or would contain more than kMaxFloatSteps steps. `b` is none for a step with one
// operand.
Dim MakeFloatStep(DimTable& table, FloatStep step, Dim a, Dim b = Dim());

// Returns whether d is a symbol that a float step defines. Unlike other symbols with a definition, it does
// not represent an expression beyond the limits of the normal form.
bool IsFloatStep(const DimTable& table, Dim d);
// Returns whether d is such a symbol that represents a real number.
bool IsReal(const DimTable& table, Dim d);

// Returns the text of a step, such as "f32_div(800, f32(N))". Steps in it are printed in the same way.
std::string FloatStepText(DimTable& table, const Definition& definition);
// Returns the text of a symbol or constant that represents a real number.
std::string RealText(DimTable& table, Dim d);

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_FLOAT_STEP_H_
