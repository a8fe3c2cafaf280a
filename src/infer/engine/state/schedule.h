// A Schedule holds the order of nodes, the worklist, and when each node last read facts.
//
// A node is in one of these states: unvisited; visited; queued (on the worklist). A visited node has a
// QueryStamp if its evaluation queried facts. QueryStamps (query_stamps.h) compares the stamp with the facts
// to find stale nodes.
#ifndef DIMWISE_INFER_ENGINE_STATE_SCHEDULE_H_
#define DIMWISE_INFER_ENGINE_STATE_SCHEDULE_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dimwise/graph.h"
#include "dimwise/large_vector.h"

namespace dimwise {

// Identifies a version of the facts and how they were queried (core/facts/query_tracking.h).
using QueryStamp = uint64_t;
inline constexpr QueryStamp kNoStamp = 0;  // no fact was queried

class Schedule {
 public:
  // New nodes get positions after all existing nodes.
  void Resize(size_t nodes);
  size_t size() const { return nodes_.size(); }

  // ---- Order ----
  uint32_t position(NodeId n) const { return nodes_[Index(n)].position; }
  // Gives the nodes the positions 0, 1, ...
  void SetOrder(std::span<const NodeId> order);
  // Copies all positions. REQUIRES: both schedules have the same number of nodes.
  void CopyOrder(const Schedule& other);

  // ---- State of a node ----
  bool visited(NodeId n) const { return Index(n) < nodes_.size() && nodes_[Index(n)].visited; }
  void set_visited(NodeId n, bool visited) { nodes_[Index(n)].visited = visited; }
  // Grows with each change of a result of the node.
  uint32_t version(NodeId n) const { return Index(n) < nodes_.size() ? nodes_[Index(n)].version : 0; }
  void IncrementVersion(NodeId n) { ++nodes_[Index(n)].version; }
  QueryStamp stamp(NodeId n) const { return nodes_[Index(n)].stamp; }
  // Sets the stamp of the last evaluation. With `is_listed`, a node that has a stamp is added to
  // NodesWithStamps.
  void SetStamp(NodeId n, QueryStamp stamp, bool is_listed) {
    NodeState& state = nodes_[Index(n)];
    state.stamp = stamp;
    if (stamp != kNoStamp && is_listed && !state.listed) List(n);
  }
  // Returns the listed nodes in program order.
  std::span<const NodeId> NodesWithStamps();
  // Removes nodes without a stamp, and removed nodes, from the list.
  void DropUnstamped(const Graph& graph);

  // ---- Worklist ----
  // Marks a node as queued without adding it to the worklist: it is visited in program order.
  void Hold(NodeId n) { nodes_[Index(n)].queued = true; }
  void Release(NodeId n) { nodes_[Index(n)].queued = false; }
  void Enqueue(NodeId n);
  bool empty() const { return worklist_.empty(); }
  // Returns, or takes, the first node in program order. REQUIRES: !empty().
  NodeId first() const { return worklist_.front().second; }
  NodeId Take();
  using Worklist = std::vector<std::pair<uint32_t, NodeId>>;  // a heap by position
  // Exchanges the worklist, so that a region can be evaluated without the nodes outside.
  void Swap(Worklist* worklist) { worklist_.swap(*worklist); }

 private:
  struct NodeState {
    QueryStamp stamp = kNoStamp;
    uint32_t position = 0;
    uint32_t version : 29 = 0;
    uint32_t visited : 1 = false;
    uint32_t queued : 1 = false;
    uint32_t listed : 1 = false;  // in with_stamps_
  };
  static_assert(sizeof(NodeState) == 16, "a graph of a million nodes has a million of these");

  void List(NodeId n);

  LargeVector<NodeState> nodes_;
  uint32_t next_position_ = 0;
  Worklist worklist_;
  std::vector<NodeId> with_stamps_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_STATE_SCHEDULE_H_
