#include "infer/engine/state/schedule.h"

#include <algorithm>
#include <functional>

namespace dimwise {

void Schedule::Resize(size_t nodes) {
  const size_t before = nodes_.size();
  nodes_.resize(nodes);
  for (size_t i = before; i < nodes; ++i) nodes_[i].position = next_position_++;
}

void Schedule::SetOrder(std::span<const NodeId> order) {
  for (uint32_t i = 0; i < order.size(); ++i) nodes_[Index(order[i])].position = i;
  next_position_ = std::max(next_position_, static_cast<uint32_t>(order.size()));
}

void Schedule::CopyOrder(const Schedule& other) {
  for (size_t i = 0; i < nodes_.size(); ++i) nodes_[i].position = other.nodes_[i].position;
  next_position_ = other.next_position_;
}

void Schedule::List(NodeId n) {
  nodes_[Index(n)].listed = true;
  with_stamps_.push_back(n);
}

std::span<const NodeId> Schedule::NodesWithStamps() {
  std::ranges::sort(with_stamps_, {}, [&](NodeId n) { return position(n); });
  return with_stamps_;
}

void Schedule::DropUnstamped(const Graph& graph) {
  std::erase_if(with_stamps_, [&](NodeId n) {
    NodeState& state = nodes_[Index(n)];
    state.listed = state.stamp != kNoStamp && graph.Has(n);
    return !state.listed;
  });
}

void Schedule::Enqueue(NodeId n) {
  NodeState& state = nodes_[Index(n)];
  if (state.queued) return;
  state.queued = true;
  worklist_.emplace_back(state.position, n);
  std::ranges::push_heap(worklist_, std::greater<>());
}

NodeId Schedule::Take() {
  std::ranges::pop_heap(worklist_, std::greater<>());
  const NodeId n = worklist_.back().second;
  worklist_.pop_back();
  nodes_[Index(n)].queued = false;
  return n;
}

}  // namespace dimwise
