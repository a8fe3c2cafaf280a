#include "rules/language/types.h"

#include <iterator>

namespace dimwise::rules {
namespace {

constexpr std::string_view kNames[] = {"int",    "bool",    "float", "string", "type",   "ints",   "bools",
                                       "floats", "strings", "types", "lists",  "tensor", "tensors"};

constexpr struct {
  ExprType list, element;
} kLists[] = {{ExprType::kInts, ExprType::kInt},      {ExprType::kBools, ExprType::kBool},
              {ExprType::kFloats, ExprType::kFloat},  {ExprType::kStrings, ExprType::kString},
              {ExprType::kTypes, ExprType::kType},    {ExprType::kLists, ExprType::kInts},
              {ExprType::kTensors, ExprType::kTensor}};

}  // namespace

std::string_view NameOf(ExprType type) { return kNames[static_cast<size_t>(type)]; }

std::optional<ExprType> ParseExprType(std::string_view name) {
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (kNames[i] == name) return static_cast<ExprType>(i);
  }
  return std::nullopt;
}

std::optional<ExprType> ElementOf(ExprType list) {
  for (const auto& row : kLists) {
    if (row.list == list) return row.element;
  }
  return std::nullopt;
}

std::optional<ExprType> ListOf(ExprType element) {
  for (const auto& row : kLists) {
    if (row.element == element) return row.list;
  }
  return std::nullopt;
}

}  // namespace dimwise::rules
