// A ValueStore holds what is known of each value of a graph: its type and its contents.
#ifndef DIMWISE_INFER_ENGINE_STATE_VALUE_STORE_H_
#define DIMWISE_INFER_ENGINE_STATE_VALUE_STORE_H_

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include "dimwise/graph.h"
#include "dimwise/large_vector.h"

namespace dimwise {

struct ValueState {
  Type type;
  Value contents;
  bool operator==(const ValueState&) const = default;
};

class ValueStore {
 public:
  void Resize(size_t values) { values_.resize(values); }
  size_t size() const { return values_.size(); }
  bool Has(ValueId v) const { return Index(v) < values_.size(); }
  // REQUIRES: Has(v).
  ValueState& operator[](ValueId v) { return values_[Index(v)]; }
  const ValueState& operator[](ValueId v) const { return values_[Index(v)]; }

 private:
  LargeVector<ValueState> values_;
};

// Types of values from other sources than the node that computes them: the caller, or the nodes that use the
// value. They hold in addition to the type that the node computes.
class Refinements {
 public:
  bool empty() const { return types_.empty(); }
  bool Has(ValueId v) const { return types_.contains(Index(v)); }
  // Returns null if there is no refinement.
  const Type* Find(ValueId v) const {
    const auto it = types_.find(Index(v));
    return it == types_.end() ? nullptr : &it->second;
  }
  // Returns whether the refinement was inferred only from users of the value.
  bool ComesFromUse(ValueId v) const { return from_use_.contains(Index(v)); }
  void Set(ValueId v, const Type& type) { types_[Index(v)] = type; }
  void SetFromUse(ValueId v, const Type& type) {
    if (!Has(v)) from_use_.insert(Index(v));
    Set(v, type);
  }

 private:
  tsl::robin_map<uint32_t, Type> types_;  // by value
  tsl::robin_set<uint32_t> from_use_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_STATE_VALUE_STORE_H_
