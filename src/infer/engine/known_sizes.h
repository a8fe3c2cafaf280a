// The sizes of a value, and its contents that are computed as sizes are.
#ifndef DIMWISE_INFER_ENGINE_KNOWN_SIZES_H_
#define DIMWISE_INFER_ENGINE_KNOWN_SIZES_H_

#include <algorithm>

#include "infer/engine/visit_memory.h"

namespace dimwise {

// Whether `holds` of one of the sizes and contents that are known of a value.
template <typename Holds>
bool AnyPart(const Known& known, const Holds& holds) {
  const Type& type = known.type;
  if (type.is_tensor() && !type.shape.is_none() && !type.shape.is_constant() &&
      std::ranges::any_of(type.shape.dims(), holds))
    return true;
  const Value& held = known.contents;
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

#endif  // DIMWISE_INFER_ENGINE_KNOWN_SIZES_H_
