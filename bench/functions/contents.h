// Contents of operands and results, as far as shapes may depend on them.
//
// Contents are asked for, and answered, only where they are small (at most ValueTable::kMaxElements): asking
// is recorded, and a driver may go and compute what was asked for. An element is a Float here, whose
// denominator is 1 for integers and booleans; one that is not known has neither numerator nor special.
#ifndef DIMWISE_BENCH_FUNCTIONS_CONTENTS_H_
#define DIMWISE_BENCH_FUNCTIONS_CONTENTS_H_

#include <optional>
#include <span>
#include <string_view>

#include "infer/operators/functions/operands.h"

namespace dimwise {

using ElementList = internal::SmallList<Float, 16>;

inline Float IntegerElement(Dim value) { return {.numerator = value, .denominator = 1, .special = {}}; }
inline bool IsKnown(const Float& element) {
  return !element.numerator.is_none() || element.special.has_value();
}

// The number of elements of a shape of numbers, if they are few enough for contents.
std::optional<int64_t> SmallCount(Shape shape);
// Whether contents of such a tensor are worth asking for.
bool MayHaveContents(Shape shape, ElementType type);

// The contents of an input where MayHaveContents; none otherwise.
Value SmallContents(InferenceContext* c, int input);
Float ElementOf(Value contents, int64_t i);
// Fills in the contents of an output, whose shape and element type are set. Elements that are not known
// become unknown integers of their own; where none is known, nothing is said.
void SetContents(InferenceContext* c, int output, std::span<const Float> elements);
// The output has the elements of the input, in their order.
void KeepContents(InferenceContext* c, int input, int output);

// A list of integers that tells an operator what to do: an attribute where the definition has one of that
// name, an operand otherwise.
struct IntegerList {
  bool given = false;
  int64_t length = -1;  // -1: not known
  bool known = false;   // whether there are elements; some may be none all the same
  DimList elements;
};
Status ReadIntegers(InferenceContext* c, int input, std::string_view name, IntegerList* list);
// "[0, N, ?]".
std::string ToText(const InferenceContext* c, const IntegerList& list);

}  // namespace dimwise

#endif  // DIMWISE_BENCH_FUNCTIONS_CONTENTS_H_
