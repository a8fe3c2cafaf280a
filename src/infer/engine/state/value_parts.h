// Visits the sizes of a value and the expressions in its contents.
#ifndef DIMWISE_INFER_ENGINE_STATE_VALUE_PARTS_H_
#define DIMWISE_INFER_ENGINE_STATE_VALUE_PARTS_H_

#include <algorithm>

#include "infer/engine/state/value_store.h"

namespace dimwise {

// Returns whether a predicate holds for one of the sizes or element expressions of a value.
template <typename Holds>
bool AnyPart(const ValueState& value, const Holds& holds) {
  const Type& type = value.type;
  if (type.is_tensor() && !type.shape.is_none() && !type.shape.is_constant() &&
      std::ranges::any_of(type.shape.dims(), holds))
    return true;
  const Value& held = value.contents;
  const bool is_boolean = held.kind() == ValueKind::kBooleans;
  if (!is_boolean && held.kind() != ValueKind::kIntegers && held.kind() != ValueKind::kFloats) return false;
  for (int64_t i = 0; i < held.size(); ++i) {
    if (held.kind() == ValueKind::kIntegers ? holds(held.Integer(i))
                                            : !is_boolean && holds(held.FloatingPoint(i).numerator))
      return true;
    if (!is_boolean) continue;
    const Boolean truth = held.Bool(i);
    if (holds(truth.value)) return true;
    if (truth.predicate == nullptr) continue;
    for (const Clause& clause : truth.predicate->clauses) {
      for (const Literal& l : clause) {
        if (holds(l.value)) return true;
      }
    }
  }
  return false;
}

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_STATE_VALUE_PARTS_H_
