// Which assumptions single nodes need, each by itself: a look at one node in place of the whole program.
//
// What a node says is asked again with all assumptions that are in question set aside. Where that is
// something else, those of them that speak of the symbols of the node are put back, and each is set aside
// alone. What changes the answer then is needed there. It has no further part in the search, so that of many
// layers that are alike each is asked a few times, whatever their number is.
//
// What is left out: nodes that carry regions or call functions, and what several assumptions would do as
// well.
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

// The assumptions that speak of a symbol of which a node speaks.
class AssumptionsNear {
 public:
  explicit AssumptionsNear(const Engine& engine);
  std::vector<uint32_t> Of(NodeId node) const;  // sorted

 private:
  const Engine& engine_;
  tsl::robin_map<Dim, std::vector<uint32_t>, std::hash<Dim>> of_symbol_;
};

class AssumptionNeeds {
 public:
  // REQUIRES: the engine has settled, and `types` are what is told of the values then; the nodes, in the
  // order of the program, are those of which something else is told without any assumption.
  AssumptionNeeds(Engine& engine, std::span<const NodeId> nodes, std::vector<Type> types);

  // By the assumption: whether a node needs it although all others are there. Afterwards the engine has the
  // same facts, and settles with its next visits.
  std::vector<bool> Find();

  struct FirstNode {
    NodeId node = kNoNode;
    bool is_sure = false;
  };
  // The first node that needs it, while those are set aside as well. Not sure of it where another node would
  // check what it needs, or stands before it and cannot be asked, nor where it needs no more than a check;
  // `may_differ`: whether other checks are told of a node without any assumption, though it may not say
  // others.
  FirstNode FirstOf(uint32_t assumption, std::span<const uint32_t> aside,
                    const std::function<bool(NodeId)>& may_differ);

 private:
  // All that is told of a node.
  struct Answers {
    std::vector<Type> types;
    std::vector<Value> contents;
    std::vector<Condition> checks;
    bool fails = false;
    bool operator==(const Answers&) const = default;
  };
  std::optional<Answers> Ask(NodeId node);
  Answers Told(NodeId node) const;
  void LookAt(NodeId node);
  bool IsNeeded(uint32_t assumption, NodeId node, const Answers& with);
  bool IsNeededByAny(uint32_t assumption, NodeId first);
  void SetAside(uint32_t assumption);
  void PutBack(uint32_t assumption);

  Engine& engine_;
  const Graph& graph_;
  const std::vector<Type> types_;  // told of the values
  const std::vector<NodeId> nodes_;
  const AssumptionsNear near_;
  std::vector<bool> differs_;                    // by node: whether it is one of them
  std::vector<std::vector<NodeId>> near_nodes_;  // by assumption: of them, and of those that ask the facts
  std::vector<bool> is_aside_;                   // by assumption
  std::vector<NodeId> first_;                    // by assumption: the first node that seems to need it
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ASSUMPTION_NEEDS_H_
