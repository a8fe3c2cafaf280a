// The types of expressions in rules.
#ifndef DIMWISE_RULES_LANGUAGE_TYPES_H_
#define DIMWISE_RULES_LANGUAGE_TYPES_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace dimwise::rules {

enum class ExprType : uint8_t {
  kInt,    // an integer: constant, symbolic or unknown
  kBool,   // yes, no or maybe
  kFloat,  // a number from an attribute or from contents
  kString,
  kType,  // an element type
  kInts,  // lists of the types above
  kBools,
  kFloats,
  kStrings,
  kTypes,
  kLists,    // a list of lists of integers
  kTensor,   // the contents of a tensor, of any rank
  kTensors,  // the contents of each tensor of a variadic operand
};

std::string_view NameOf(ExprType type);
std::optional<ExprType> ParseExprType(std::string_view name);

// Returns the element type of a list type, or nothing for other types.
std::optional<ExprType> ElementOf(ExprType list);
std::optional<ExprType> ListOf(ExprType element);

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_TYPES_H_
