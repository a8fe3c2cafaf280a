// Arithmetic on single elements of contents, in the format of their element type.
//
// Integers are exact. A float stays exact while the result is: numbers in their own format; N*2^k and sums of
// such integers in f32 and f64, where sizes are taken to stay below 2^24 and 2^53. All else is not known.
#ifndef DIMWISE_INFER_FUNCTIONS_ELEMENT_ARITHMETIC_H_
#define DIMWISE_INFER_FUNCTIONS_ELEMENT_ARITHMETIC_H_

#include "infer/functions/contents.h"

namespace dimwise {

enum class BinaryOp : uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kFloorMod,
  kTruncatedMod,
  kMin,
  kMax,
  kEqual,
  kLess,
  kLessOrEqual,
  kAnd,
  kOr,
  kXor,
};
enum class UnaryOp : uint8_t { kIdentity, kNegate, kAbs, kFloor, kCeil, kNot };

// `type` is that of the operands. What is not known gives what is not known.
Float Combine(InferenceContext* c, BinaryOp op, ElementType type, const Float& a, const Float& b);
Float Apply(InferenceContext* c, UnaryOp op, ElementType type, const Float& a);
// The element in another type; a float is cut towards zero.
Float Convert(InferenceContext* c, ElementType from, ElementType to, const Float& a);

}  // namespace dimwise

#endif  // DIMWISE_INFER_FUNCTIONS_ELEMENT_ARITHMETIC_H_
