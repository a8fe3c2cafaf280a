// AssumptionNeeds determines which assumptions single nodes need, without an inference of the whole program.
//
// Each node is evaluated again with all assumptions in question set aside. If its answer differs, the
// assumptions about the symbols of the node are put back, and each is set aside alone. The node needs an
// assumption if the answer then differs; the assumption stays in place for the remaining nodes. So in a
// program of many similar layers, each layer is evaluated a few times, whatever the number of layers is.
//
// Two cases are not decided: nodes with regions or calls of functions, and answers for which any one of
// several assumptions suffices.
#ifndef DIMWISE_INFER_ENGINE_ASSUMPTION_NEEDS_H_
#define DIMWISE_INFER_ENGINE_ASSUMPTION_NEEDS_H_

#include <tsl/robin_map.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "infer/engine/engine.h"

namespace dimwise {

// Finds the assumptions about symbols in the operands, results and guards of a node.
class RelatedAssumptions {
 public:
  explicit RelatedAssumptions(const ProgramState& state);
  std::vector<uint32_t> Of(NodeId node) const;  // sorted

 private:
  const ProgramState& state_;
  tsl::robin_map<Dim, std::vector<uint32_t>, std::hash<Dim>> of_symbol_;
};

class AssumptionNeeds {
 public:
  // `nodes` are those whose results differ without any assumption, in program order. `types` are the reported
  // types of all values. REQUIRES: the program is inferred with all assumptions.
  AssumptionNeeds(Engine& engine, std::span<const NodeId> nodes, std::vector<Type> types);

  // Returns by assumption whether a node needs it although all others are in place. Afterwards the facts are
  // as before.
  std::vector<bool> Find();

  struct FirstNode {
    NodeId node = kNoNode;
    bool is_certain = false;
  };
  // Returns the first node that needs an assumption while the assumptions `aside` are set aside. The result
  // is uncertain in these cases: another node would guard the condition of the assumption; a node before the
  // result cannot be evaluated; or only a guard of the node changes. `may_differ` returns whether the guards
  // of a node differ without any assumption, even if its own evaluation gives equal guards.
  FirstNode FirstOf(uint32_t assumption, std::span<const uint32_t> aside,
                    const std::function<bool(NodeId)>& may_differ);

 private:
  // Everything that is reported of a node.
  struct Answers {
    std::vector<Type> types;
    std::vector<Value> contents;
    std::vector<Condition> guards;
    bool fails = false;
    bool operator==(const Answers&) const = default;
  };
  std::optional<Answers> Evaluate(NodeId node);
  Answers ReportedAnswers(NodeId node) const;
  void FindNeedsOf(NodeId node);
  bool IsNeeded(uint32_t assumption, NodeId node, const Answers& with);
  bool IsNeededByAny(uint32_t assumption, NodeId first);
  void SetAside(uint32_t assumption);
  void PutBack(uint32_t assumption);

  Engine& engine_;
  const ProgramState& state_;
  const Graph& graph_;
  const std::vector<Type> types_;  // reported, by value
  const std::vector<NodeId> nodes_;
  const RelatedAssumptions related_;
  std::vector<bool> differs_;  // by node: whether it is one of nodes_
  // By assumption: the related nodes among nodes_ and among those that queried facts.
  std::vector<std::vector<NodeId>> related_nodes_;
  std::vector<bool> is_aside_;   // by assumption
  std::vector<NodeId> needing_;  // by assumption: the first node that seems to need it
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ASSUMPTION_NEEDS_H_
