// A ProgramState holds everything that the engine knows about one program: what is known of each value, the
// effects of each node, the order of nodes and the worklist, regions, and decisions about branches. It is
// made of parts with one job each; this class adds what concerns several parts.
//
// The engine (engine.h) changes the state. Analyses, control flow and reports read it.
//
// Thread safety: as its analysis: one thread at a time.
#ifndef DIMWISE_INFER_ENGINE_STATE_PROGRAM_STATE_H_
#define DIMWISE_INFER_ENGINE_STATE_PROGRAM_STATE_H_

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dimwise/graph.h"
#include "dimwise/inference_context.h"
#include "dimwise/op_registry.h"
#include "infer/engine/state/branch_decisions.h"
#include "infer/engine/state/engine_options.h"
#include "infer/engine/state/input_assumptions.h"
#include "infer/engine/state/live_nodes.h"
#include "infer/engine/state/node_effects.h"
#include "infer/engine/state/operator_table.h"
#include "infer/engine/state/region_table.h"
#include "infer/engine/state/schedule.h"
#include "infer/engine/state/solver_hooks.h"
#include "infer/engine/state/value_store.h"

namespace dimwise {

// Roles of unknown shapes in keys of symbols (SymbolKey). They differ, so that no two unknowns are equal by
// accident.
inline constexpr uint32_t kInputRole = 0x20000000u;         // an input
inline constexpr uint32_t kOperandRole = kInputRole + 1;    // an operand of which nothing is known
inline constexpr uint32_t kResultRole = kInputRole + 2;     // a result that the operator does not determine
inline constexpr uint32_t kRankRole = kInputRole + 3;       // a value with a refined range of ranks
inline constexpr uint32_t kShapelessRole = kInputRole + 4;  // an operand whose shape is ignored

// Visits of nodes. The limits stop programs whose types keep changing.
struct VisitBudget {
  uint64_t visits = 0;
  uint64_t limit = 0;
  uint64_t left_in_calls = 0;
  bool has_visits() const { return visits < limit; }
};

class ProgramState {
 public:
  ProgramState(const Graph& graph, const OpRegistry& registry, EngineOptions options, CallSite site);
  ProgramState(const ProgramState&) = delete;
  ProgramState& operator=(const ProgramState&) = delete;

  // ---- Parts ----
  const Graph& graph;
  Analysis& analysis;
  const OpRegistry registry;
  const EngineOptions options;
  const CallSite site;
  SolverHooks* hooks = nullptr;  // null: not a solver

  ValueStore values;
  Refinements refinements;
  Schedule schedule;
  EffectsTable effects;
  LiveNodes live_nodes;
  RegionTable regions;
  OperatorTable operators;
  InputAssumptions assumptions;
  BranchDecisions branches;
  VisitBudget budget;

  bool has_cuts = false;              // the order cuts a cycle
  uint64_t retractions = 0;           // number of removed facts without a remaining duplicate
  int nesting;                        // of regions and calls
  bool is_trial = false;              // infers the program as if a branch were taken
  RegionId running = kNoRegion;       // the region whose nodes are visited in order
  NodeId first_unfinished = kNoNode;  // the first node with a query that exceeded the limit of steps
  std::vector<NodeId>
      assuming;  // nodes whose results may depend on guards of other nodes (IsValidityCondition)

  QueryTracking queries() const { return QueryTracking(analysis.facts()); }

  // ---- Values ----
  Type type(ValueId v) const { return values.Has(v) ? values[v].type : Type(); }
  Value contents(ValueId v) const { return values.Has(v) ? values[v].contents : Value(); }
  // Returns whether an inferred part of a type is unknown.
  bool IsIncomplete(const Type& type) const;
  bool HasRefinedResults(NodeId node) const;
  // Returns the operands. Unknown ones, and those that come from behind a cut of a cycle, are tensors of
  // unknown shape.
  void ReadOperands(NodeId node, std::span<Type> types, std::span<Value> contents) const;

  // ---- Scopes, regions and nodes ----
  ScopeId scope(RegionId region) const { return regions[region].scope; }
  // Returns the scope of the facts of a node: of its region, or its own if the node is dead.
  ScopeId ScopeOf(NodeId node) const {
    const ScopeId outer = regions[graph.region(node)].scope;
    return live(node) ? outer : live_nodes.ScopeOf(node, outer);
  }
  bool live(NodeId node) const { return live_nodes.IsLive(node); }
  // Return whether a region or node runs in every run of the program.
  bool certain(RegionId region) const { return site.certain && in_every_call(region); }
  bool certain(NodeId node) const { return site.certain && in_every_call(node); }
  // Returns whether a region or node runs in every run of this graph, which may be the body of a function.
  bool in_every_call(RegionId region) const { return regions[region].in_every_call; }
  bool in_every_call(NodeId node) const { return live(node) && in_every_call(graph.region(node)); }
  // Returns whether a node is inside a branch that is never taken. Nothing is reported about such a node.
  bool never_runs(NodeId node) const { return regions[graph.region(node)].never_runs; }
  bool visited(NodeId node) const { return schedule.visited(node); }
  // Returns whether the last evaluation of a node queried facts.
  bool has_queried(NodeId node) const { return visited(node) && schedule.stamp(node) != kNoStamp; }
  // Returns the effects of the last evaluation; null for most nodes.
  const NodeEffects* effects_of(NodeId node) const { return effects.Find(node); }
  // Returns whether the order cuts the edge from an operand to a user: the operand is unknown there.
  bool IsCut(NodeId user, ValueId operand) const {
    const NodeId maker = graph.maker(operand);
    return maker != kNoNode && graph.region(maker) == graph.region(user) &&
           schedule.position(maker) >= schedule.position(user);
  }

  // ---- Control flow ----
  // Returns the region in an attribute of a node; kNoRegion if there is none.
  RegionId RegionAt(NodeId node, std::string_view attribute) const;
  // Returns the region that runs if the condition of a branch is true, or false. A branch that selects one of
  // several regions by an index has none.
  RegionId BranchOf(NodeId branch, bool is_true) const;
  // Returns the condition of a branch as a number; none if it is unknown.
  Dim ConditionOfBranch(NodeId branch) const;
  // Returns whether the condition is true in every run that does not fail; nullopt if that is unknown.
  std::optional<bool> TakenBranch(NodeId branch) const;
  // Returns whether a region runs at most once in a run: only branches contain it, none of which is known not
  // to be taken.
  bool RunsAtMostOnce(RegionId region) const;
  // Return whether every run of a node, or of a region, fails.
  bool Fails(NodeId node) const;
  bool FailsIn(RegionId region) const;
  // Returns whether all symbols of an expression come from outside a region.
  bool IsInvariant(Dim d, RegionId region) const;

  // ---- Changes ----
  // Makes room for what was added to the graph.
  void Grow();
  // Sets an input or constant; parts that are not given are as the graph states.
  void SetUpInput(ValueId value, Type type, Value contents);
  // Sets up inputs and constants that are new since the last call.
  void SetUpInputs();
  // Orders the nodes of a region and finds its dead nodes.
  void OrderNodes(RegionId region);
  void Enqueue(NodeId node) {
    if (graph.Has(node)) schedule.Enqueue(node);
  }
  // Enqueues the visited nodes that read a value.
  void EnqueueUsers(ValueId value);
  // Sets the stamp of the last evaluation of a node.
  void SetStamp(NodeId node, QueryStamp stamp) {
    schedule.SetStamp(node, stamp, /*is_listed=*/graph.region(node) == graph.body());
  }
  // Removes the constraints of the effects from the facts.
  void Retract(NodeId node, NodeEffects* effects);
  // Drops the effects of a node and retracts its constraints.
  void DropEffects(NodeId node);
  // Replaces the conditions that hold wherever a region runs. Returns whether they changed.
  bool AssumeIn(RegionId region, std::vector<Clause> clauses);

 private:
  uint32_t inputs_set_up_ = 0;  // of the body
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_STATE_PROGRAM_STATE_H_
