// The functions that the language has by itself, with the types of what they take and give.
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
  kSomeSizes,
};

struct BuiltinInfo {
  std::string_view name;
  Builtin builtin;
  ExprType result;
  std::vector<ExprType> parameters;
  bool repeats = false;  // the last parameter may come any number of times
  std::string_view doc;
};

// All of them; a name may stand more than once, with other parameters.
std::span<const BuiltinInfo> Builtins();

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_BUILTINS_H_
