// Contents of operands and results that shapes may depend on.
//
// Contents are read and written only if they are small (at most ValueTable::kMaxElements). Reads are
// recorded, so that a driver may compute the contents that were read. An element is a Float; its denominator
// is 1 for integers and Booleans. An unknown element has neither a numerator nor a special value.
#ifndef DIMWISE_BENCH_FUNCTIONS_CONTENTS_H_
#define DIMWISE_BENCH_FUNCTIONS_CONTENTS_H_

#include <optional>
#include <span>
#include <string_view>

#include "infer/operators/operands.h"

namespace dimwise {

using ElementList = internal::SmallList<Float, 16>;

inline Float IntegerElement(Dim value) { return {.numerator = value, .denominator = 1, .special = {}}; }
inline bool IsKnown(const Float& element) {
  return !element.numerator.is_none() || element.special.has_value();
}

// Returns the number of elements of a shape of constants, if it is within the limit.
std::optional<int64_t> SmallCount(Shape shape);
// Returns whether a tensor of this type may have contents worth reading.
bool MayHaveContents(Shape shape, ElementType type);

// Returns the contents of an input if MayHaveContents; none otherwise.
Value SmallContents(InferenceContext* c, int input);
Float ElementOf(Value contents, int64_t i);
// Sets the contents of an output whose shape and element type are set. Unknown elements become new unknown
// integers. If all elements are unknown, nothing is set.
void SetContents(InferenceContext* c, int output, std::span<const Float> elements);
// Gives the output the elements of the input in the same order.
void StoreContents(InferenceContext* c, int input, int output);

// A list of integers that parameterizes an operator: an attribute if the definition has one of that name, an
// operand otherwise.
struct IntegerList {
  bool given = false;
  int64_t length = -1;  // -1: unknown
  bool known = false;   // whether the elements are available; some may still be none
  DimList elements;
};
Status ReadIntegers(InferenceContext* c, int input, std::string_view name, IntegerList* list);
// Returns text such as "[0, N, ?]".
std::string ToText(const InferenceContext* c, const IntegerList& list);

}  // namespace dimwise

#endif  // DIMWISE_BENCH_FUNCTIONS_CONTENTS_H_
