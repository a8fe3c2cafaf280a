// Distinguishes nodes with the same name, or without a name, in control edges of the text form.
#ifndef DIMWISE_GRAPH_NODE_NUMBERS_H_
#define DIMWISE_GRAPH_NODE_NUMBERS_H_

#include <tsl/robin_map.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "dimwise/graph.h"
#include "graph/graph_walk.h"

namespace dimwise {

// Numbers for nodes that control edges refer to and whose names are ambiguous.
class NodeNumbers {
 public:
  explicit NodeNumbers(const Graph& graph) : graph_(graph), numbers_(graph.node_count(), 0) {
    for (uint32_t i = 0; i < graph.node_count(); ++i) {
      if (!graph.Has(NodeId{i})) continue;
      ++uses_of_name_[graph.name(NodeId{i})];
      for (const NodeId before : graph.control_inputs(NodeId{i})) {
        if (graph.Has(before)) named_.push_back(Index(before));
      }
    }
    if (named_.empty()) return;
    std::ranges::sort(named_);
    Walk(graph, *this);
  }
  // 0: the name alone is unambiguous
  uint32_t operator[](NodeId node) const { return numbers_[Index(node)]; }

  void Enter(RegionId) {}
  void Leave(RegionId) {}
  void End(NodeId) {}
  void Begin(NodeId node) {
    const std::string_view name = graph_.name(node);
    if (!std::ranges::binary_search(named_, Index(node))) return;
    // The first node of a name is number 1 and is written without it.
    if (name.empty()) numbers_[Index(node)] = ++last_[name];
    if (!name.empty() && uses_of_name_[name] > 1) numbers_[Index(node)] = 1 + ++last_[name];
  }

 private:
  const Graph& graph_;
  std::vector<uint32_t> numbers_;
  std::vector<uint32_t> named_;
  tsl::robin_map<std::string_view, uint32_t> uses_of_name_, last_;
};

}  // namespace dimwise

#endif  // DIMWISE_GRAPH_NODE_NUMBERS_H_
