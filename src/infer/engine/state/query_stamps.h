// QueryStamps decides which nodes are stale: the facts that their last evaluation queried have changed since.
//
// The stamp of a node identifies the version of the facts and the manner of the queries. A node is stale if
// the facts about the symbols of its operands have changed since its stamp. A node that evaluates other nodes
// (regions or a function) stores the symbols that these nodes queried. They are valid
// until the graph grows.
#ifndef DIMWISE_INFER_ENGINE_STATE_QUERY_STAMPS_H_
#define DIMWISE_INFER_ENGINE_STATE_QUERY_STAMPS_H_

#include <tsl/robin_map.h>

#include <vector>

#include "infer/engine/state/program_state.h"

namespace dimwise {

class QueryStamps {
 public:
  explicit QueryStamps(ProgramState& state) : state_(state) {}

  bool IsStale(NodeId node) const;
  // Returns whether queries with this stamp would get the same answers for the operands of a node. If so,
  // sets the stamp to the present version of the facts.
  bool IsCurrent(NodeId node, QueryStamp* stamp) const {
    return *stamp == kNoStamp || RenewIfCurrent(node, stamp);
  }
  // Records the queries of a node that is not evaluated again, if symbols are recorded.
  void RepeatQueries(NodeId node, QueryStamp stamp) const;
  // Returns whether another evaluation would leave the same effects: the operands are equal, and all logged
  // queries get the same answers.
  bool WouldRepeat(NodeId node) const;

  // ---- Nodes that evaluate others ----
  // Sets the symbols that the nested nodes queried.
  void SetNestedSymbols(NodeId node, std::vector<Dim> symbols) {
    nested_[Index(node)].symbols = std::move(symbols);
  }
  // Stores a hash of the values that the nested nodes read, for NestedIsCurrent.
  void SetNestedReads(NodeId node) { nested_[Index(node)].reads = HashOfReads(node); }
  // Returns whether the nested nodes read unchanged values and would get equal answers. If so, repeats their
  // queries.
  bool NestedIsCurrent(NodeId node) const;
  void ForgetNested(NodeId node) { nested_.erase(Index(node)); }
  void ForgetAllNested() { nested_.clear(); }

 private:
  struct Nested {
    std::vector<Dim> symbols;
    uint64_t reads = 0;
  };
  bool RenewIfCurrent(NodeId node, QueryStamp* stamp) const;
  bool HaveFactsChanged(NodeId node, QueryStamp stamp) const;
  uint64_t HashOfReads(NodeId node) const;

  ProgramState& state_;
  tsl::robin_map<uint32_t, Nested> nested_;  // by node
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_STATE_QUERY_STAMPS_H_
