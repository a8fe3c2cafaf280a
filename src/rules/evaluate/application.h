// The input and the output of one evaluation of a rule.
#ifndef DIMWISE_RULES_EVALUATE_APPLICATION_H_
#define DIMWISE_RULES_EVALUATE_APPLICATION_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dimwise/attr_value.h"
#include "dimwise/type.h"
#include "dimwise/value.h"
#include "rules/compile/code.h"

namespace dimwise::rules {

// An operand of a rule.
struct Operand {
  Type type;
  Value value;
  bool given = true;
};

// The attributes of a node, by the index of the compiled attribute; null if absent.
struct BoundAttributes {
  std::vector<const AttrValue*> values;
  std::vector<std::vector<Dim>> lists;  // lists of ints as Dims, by attribute
  std::vector<ElementType> types;       // element types, by attribute
};

// Looks up a node's attributes for a rule. A missing required attribute, or one of the wrong kind, is an
// error. *out contains views into `attrs`; its memory is reused. With `onnx_numbers`, an element type may be
// ONNX's number.
Status Bind(const RuleCode& code, const AttrMap& attrs, std::string_view op, bool onnx_numbers,
            BoundAttributes* out);

struct Application {
  std::string_view op;                // for messages
  std::span<const Operand> operands;  // flat, with variadic operands expanded
  const BoundAttributes* attributes = nullptr;
  int version = 1;
  int result_count = 1;
  std::span<const Type>
      known_results;  // may be fewer than the results; they refine ranks and element types of operands
  std::span<const Type> result_types{};  // for properties
  bool want_contents = true;
  bool quiet = false;        // errors have no message
  bool after_error = false;  // requirements are ignored, and sizes that they leave open are unknown
  bool only_ranks = false;   // sizes are not queried; only the ranks of results are computed
};

struct Outcome {
  std::vector<Type> results;
  std::vector<Value> contents;
  // Operand types that the rule refined: a rank by the patterns, an element type or a storage by a variable.
  // An unknown Type if not refined.
  std::vector<Type> refined;
  // Whether some requirement cannot be decided even if every size is known.
  bool undecided = false;
};

// Returns whether a result is small enough for contents and its sizes are known.
bool MayHaveContents(const Type& type);

// Returns the role of an unknown size of an operand whose rank was inferred.
constexpr uint32_t OperandRole(size_t operand, int axis) {
  return 0x40000000u | (static_cast<uint32_t>(operand) << 10) | static_cast<uint32_t>(axis);
}

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_EVALUATE_APPLICATION_H_
