// A RegionTable holds the state of each region of a graph: its scope of facts, whether it runs, the order of
// its nodes, and the conditions that hold wherever it runs.
#ifndef DIMWISE_INFER_ENGINE_STATE_REGION_TABLE_H_
#define DIMWISE_INFER_ENGINE_STATE_REGION_TABLE_H_

#include <tsl/robin_map.h>

#include <vector>

#include "dimwise/analysis.h"
#include "dimwise/graph.h"

namespace dimwise {

// Whether a region runs whenever the node that carries it does.
enum class RegionRuns : uint8_t { kMaybe, kAlways, kNever };

struct RegionState {
  ScopeId scope = ScopeId::kRoot;
  bool entered = false;       // it has a scope of its own
  bool in_every_call = true;  // runs whenever the program does, which may be a function
  bool never_runs = false;    // part of a branch that is never taken
  uint32_t constants_set_up = 0;
  std::vector<NodeId> order;  // empty until the nodes are ordered
};

class RegionTable {
 public:
  RegionTable(const Graph& graph, Facts& facts) : graph_(graph), facts_(facts) {}

  void Resize(size_t regions) { regions_.resize(regions); }
  size_t size() const { return regions_.size(); }
  RegionState& operator[](RegionId r) { return regions_[Index(r)]; }
  const RegionState& operator[](RegionId r) const { return regions_[Index(r)]; }

  // Returns the scope of a region; creates it inside the scope of the parent on first use.
  ScopeId Enter(RegionId region);
  // What a call of Assume changed.
  struct Change {
    bool is_new = false;     // the conditions are other ones than before
    bool retracted = false;  // conditions that held before were removed
  };
  // Replaces the conditions that hold wherever a region runs.
  Change Assume(RegionId region, std::vector<Clause> clauses);
  bool IsAssumed(RegionId region, const Clause& clause) const;

 private:
  struct Assumed {
    std::vector<Clause> clauses;
    std::vector<ConstraintId> constraints;
  };
  const Graph& graph_;
  Facts& facts_;
  std::vector<RegionState> regions_;
  tsl::robin_map<uint32_t, Assumed> assumed_;  // by region
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_STATE_REGION_TABLE_H_
