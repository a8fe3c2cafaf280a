// LiveNodes finds the dead nodes of a program: their results reach no output of their region. A runtime may
// skip a dead node, so its facts hold only in a scope of its own.
#ifndef DIMWISE_INFER_ENGINE_STATE_LIVE_NODES_H_
#define DIMWISE_INFER_ENGINE_STATE_LIVE_NODES_H_

#include <tsl/robin_map.h>

#include <vector>

#include "dimwise/facts.h"
#include "dimwise/graph.h"
#include "infer/engine/state/schedule.h"

namespace dimwise {

class LiveNodes {
 public:
  explicit LiveNodes(const Graph& graph) : graph_(graph) {}

  void Resize(size_t nodes) { dead_.resize(nodes, false); }
  bool IsLive(NodeId n) const { return !dead_[Index(n)]; }
  // Finds the dead nodes of a region. A region without outputs is a fragment: all of its nodes are live.
  void Find(RegionId region, std::span<const NodeId> order, const Schedule& schedule);
  void CopyFrom(const LiveNodes& other) { dead_ = other.dead_; }

  // Returns the scope of a dead node, or `outer` if the node has none yet.
  ScopeId ScopeOf(NodeId n, ScopeId outer) const {
    const auto own = scopes_.find(Index(n));
    return own != scopes_.end() ? own->second : outer;
  }
  // Creates the scope of a dead node on first use.
  void Enter(NodeId n, ScopeId outer, Facts& facts) {
    const auto [own, is_new] = scopes_.try_emplace(Index(n));
    if (is_new) own.value() = facts.NewScope(outer);
  }

 private:
  bool MayHaveDeadNodes(RegionId region, std::span<const NodeId> order) const;

  const Graph& graph_;
  std::vector<bool> dead_;
  std::vector<bool> needed_;                  // by value: whether it reaches an output
  tsl::robin_map<uint32_t, ScopeId> scopes_;  // of dead nodes
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_STATE_LIVE_NODES_H_
