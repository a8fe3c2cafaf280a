// Arithmetic on sizes. Two constants take a path without the table of expressions. Other operands use the
// algebra of Dim, and conditions on them become requirements.
#include "dimwise/inference_context.h"
#include "infer/context/certain_size.h"
#include "infer/error.h"

namespace dimwise {
namespace {

Unexpected NoOperand() { return Error(Code::kBadHandle, "arithmetic on a missing size"); }

Unexpected Overflow(Dim a, char operation, Dim b) {
  return Error(Code::kOverflow, "the size {} {} {} does not fit into a 64-bit integer", a.constant(),
               operation, b.constant());
}

bool Numbers(Dim a, Dim b) { return a.is_constant() && b.is_constant(); }

// Returns whether a >= b in every run, from the bounds of the symbols. It uses no facts, so the answer stays
// valid when facts are retracted.
bool CertainlyAtLeast(DimTable& dims, Dim a, Dim b) {
  if (Numbers(a, b)) return a.constant() >= b.constant();
  return IsCertainlySize(dims, dims.Subtract(a, b));
}

}  // namespace

// Returns the result as a size: with a guard if it may be negative, or an error if it is always negative.
Result<DimensionHandle> InferenceContext::AsSize(DimensionHandle result, Message message) {
  if (result.is_none()) return Error(Code::kOverflow, "{}", message.Text());
  if (IsCertainlySize(dims(), result)) return result;
  DIMWISE_RETURN_IF_ERROR(Require(dimwise::AtLeast(dims(), result, 0), message, Code::kNegativeSize));
  return result;
}

Result<DimensionHandle> InferenceContext::Divide(DimensionHandle a, DimensionOrConstant b,
                                                 bool evenly_divisible) {
  if (a.is_none() || b.is_none()) return NoOperand();
  if (b.is_constant() && b.constant() <= 0) {
    return Error(Code::kOutOfRange, "{} is divided by {}; the divisor must be positive", DebugString(a),
                 b.constant());
  }
  const auto not_even = [&] {
    return fmt::format("size {} must be a multiple of {}", DebugString(a), DebugString(b));
  };
  if (Numbers(a, b)) {
    if (a.constant() < 0) return Error(Code::kNegativeSize, "a size cannot be {}", a.constant());
    if (evenly_divisible && a.constant() % b.constant() != 0)
      return Error(Code::kRequirement, "{}", not_even());
    return a.constant() / b.constant();
  }
  const Savepoint before = Save();
  const auto not_positive = [&] {
    return fmt::format("{} is divided by {}, which must be positive", DebugString(a), DebugString(b));
  };
  DIMWISE_RETURN_IF_ERROR(Require(dimwise::AtLeast(dims(), b, 1), not_positive, Code::kOutOfRange));
  if (evenly_divisible) {
    if (const std::optional<DimensionHandle> exact = dims().DivideExactly(a, b)) return *exact;
    if (Status status = Require(dimwise::Equal(dims(), dims().Mod(a, b), 0), not_even); !status) {
      GoBack(before);
      return std::move(status).TakeError();
    }
  }
  return dims().FloorDivide(a, b);
}

Result<DimensionHandle> InferenceContext::Add(DimensionHandle a, DimensionOrConstant b) {
  if (a.is_none() || b.is_none()) return NoOperand();
  if (int64_t result; Numbers(a, b) && __builtin_add_overflow(a.constant(), b.constant(), &result))
    return Overflow(a, '+', b);
  return AsSize(dims().Add(a, b), [&] {
    return fmt::format("the size {} + {} would be negative", DebugString(a), DebugString(b));
  });
}

Result<DimensionHandle> InferenceContext::Subtract(DimensionHandle a, DimensionOrConstant b) {
  if (a.is_none() || b.is_none()) return NoOperand();
  if (int64_t result; Numbers(a, b) && __builtin_sub_overflow(a.constant(), b.constant(), &result))
    return Overflow(a, '-', b);
  return AsSize(dims().Subtract(a, b), [&] {
    return fmt::format("the size {} - {} would be negative", DebugString(a), DebugString(b));
  });
}

Result<DimensionHandle> InferenceContext::Multiply(DimensionHandle a, DimensionOrConstant b) {
  if (a.is_none() || b.is_none()) return NoOperand();
  if (int64_t result; Numbers(a, b) && __builtin_mul_overflow(a.constant(), b.constant(), &result))
    return Overflow(a, '*', b);
  return AsSize(dims().Multiply(a, b), [&] {
    return fmt::format("the size {} * {} would be negative", DebugString(a), DebugString(b));
  });
}

Result<DimensionHandle> InferenceContext::Min(DimensionHandle a, DimensionOrConstant b) {
  if (a.is_none() || b.is_none()) return NoOperand();
  const DimensionHandle result = CertainlyAtLeast(dims(), b, a)   ? a
                                 : CertainlyAtLeast(dims(), a, b) ? b
                                                                  : dims().Min(a, b);
  return AsSize(result, [&] {
    return fmt::format("the size min({}, {}) would be negative", DebugString(a), DebugString(b));
  });
}

Result<DimensionHandle> InferenceContext::Max(DimensionHandle a, DimensionOrConstant b) {
  if (a.is_none() || b.is_none()) return NoOperand();
  const DimensionHandle result = CertainlyAtLeast(dims(), a, b)   ? a
                                 : CertainlyAtLeast(dims(), b, a) ? b
                                                                  : dims().Max(a, b);
  return AsSize(result, [&] {
    return fmt::format("the size max({}, {}) would be negative", DebugString(a), DebugString(b));
  });
}

}  // namespace dimwise
