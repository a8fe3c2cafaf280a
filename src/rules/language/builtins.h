// The built-in functions of the rule language, with the types of their parameters and results.
#ifndef DIMWISE_RULES_LANGUAGE_BUILTINS_H_
#define DIMWISE_RULES_LANGUAGE_BUILTINS_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rules/language/types.h"

namespace dimwise::rules {

enum class Builtin : uint8_t {
  kLen,
  kSum,
  kProduct,
  kMin,
  kMax,
  kMinOf,
  kMaxOf,
  kAbs,
  kCeilDivide,
  kTruncDivide,
  kBroadcastSize,
  kBroadcastLists,
  kBroadcastAll,
  kPermute,
  kReverse,
  kRemove,
  kInsert,
  kUpdate,
  kRange,
  kOnes,
  kZeros,
  kRepeat,
  kIndexOf,
  kCountOf,
  kIsPermutation,
  kDistinct,
  kAll,
  kAny,
  kUnknown,
  kUnknownAtLeast,
  kBounded,
  kKnownInt,
  kKnownInts,
  kSelect,
  kBit,
  kResolveMinusOne,
  kPromote,
  kFloorScale,
  kFloorDivideReal,
  kRound,
  kBitsOf,
  // Contents.
  kVector,
  kScalar,
  kCast,
  kGather,
  kConcat,
  kSliceTensor,
  kTranspose,
  kReshape,
  kExpand,
  kTile,
  kFill,
  kEvery,
  kReduceSum,
  kReduceProduct,
  kReduceMin,
  kReduceMax,
  kWhere,
  // Contents that only the evaluator computes (contents_machine.cc).
  kAcos,
  kAcosh,
  kAsin,
  kAsinh,
  kAtan,
  kAtanh,
  kCos,
  kCosh,
  kErf,
  kExp,
  kLog,
  kSigmoid,
  kSin,
  kSinh,
  kSoftplus,
  kTan,
  kTanh,
  kTopElements,
  kTopIndices,
  // Operators on contents.
  kNegateTensor,
  kAbsTensor,
  kNotTensor,
  kMinTensor,
  kMaxTensor,
  kAddTensor,
  kSubtractTensor,
  kMultiplyTensor,
  kDivideTensor,
  kModTensor,
  kEqualTensor,
  kLessTensor,
  kAtMostTensor,
  kAndTensor,
  kOrTensor,
  kFloorTensor,
  kCeilTensor,
  kRoundTensor,
  kSqrtTensor,
  kPowerTensor,
  kListOf,
  kRealVector,
  kRealScalar,
  kTensorType,
  kTensorShape,
  kIsConstant,
  kIsCertain,
  kSumTensors,
  kMinTensors,
  kMaxTensors,
  kSplitTensor,
  kStack,
  kUnstack,
  kSomeSizes,
};

struct BuiltinInfo {
  std::string_view name;
  Builtin builtin;
  ExprType result;
  std::vector<ExprType> parameters;
  bool repeats = false;  // whether the last parameter may be repeated
  std::string_view doc;
};

// Returns all built-in functions. A name may occur several times with different parameters.
std::span<const BuiltinInfo> Builtins();

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_BUILTINS_H_
