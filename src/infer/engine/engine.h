// The engine infers types and contents of all values of a graph: it evaluates nodes until a fixed point.
//
// Lattice. What is known of a value is a type and contents (ValueState), ordered from unknown to exact. What
// is known of sizes is a set of facts. Evaluation of a node is a function of what is known of its operands
// and of the answers of the facts to its queries. It yields types of the results and effects: constraints
// that become facts, guards and findings.
//
// Invariant. When a public function returns and the budget of visits was not exceeded, each visited node was
// evaluated with the present operands, and the facts give the present answers to the queries of that
// evaluation. So the result does not depend on the order of visits, except that in a program with a
// contradiction the order decides which of the conflicting nodes has the error.
//
// Staleness. A node is evaluated again for one of two reasons:
//   1. A value that it reads has changed: the change puts the users on the worklist
//   (ProgramState::EnqueueUsers).
//   2. The facts about its sizes have changed: its stamp is older than the facts (QueryStamps::IsStale).
// VisitCache is the only memo: an equal visit with equal answers is not computed again.
//
// Termination. In a fixed program types mostly become more precise and facts are mostly added. Each chain of
// refinements of one value is short: element type, rank, then sizes that facts make equal or constant. These
// exceptions can remove knowledge:
//   1. A node with other operands retracts its constraints. Operands change again only if types change.
//   2. A node that no longer asserts a constraint retracts it. After kRoundsWithRetraction rounds,
//   constraints
//      of a node with equal operands stay, and a node with an error is suspended. From then on facts only
//      grow.
//   3. Loop bodies are evaluated with states that are generalized at most a few times (control/loop_state.h).
//   4. A decision of a branch changes its results. Each branch is decided at most once.
//   5. SetAside removes assumptions on request; the caller makes finitely many requests.
// A budget of visits per node bounds all of them. If it is exceeded, the values in doubt become unknown
// (GiveUp), which is sound.
//
// Inference, Refiner, Solver and Evaluator (include/dimwise/) use the engine with different options. A call
// of a function is inferred by an engine of its own over the graph of the function, in the analysis of the
// caller.
#ifndef DIMWISE_INFER_ENGINE_ENGINE_H_
#define DIMWISE_INFER_ENGINE_ENGINE_H_

#include <optional>
#include <span>

#include "core/base/function_ref.h"
#include "infer/engine/analyses/branch_trials.h"
#include "infer/engine/analyses/counted_indices.h"
#include "infer/engine/analyses/data_sizes.h"
#include "infer/engine/analyses/value_numbering.h"
#include "infer/engine/control/control_flow.h"
#include "infer/engine/node_evaluator.h"
#include "infer/engine/state/program_state.h"
#include "infer/engine/state/query_stamps.h"

namespace dimwise {

class Engine : private NestedEvaluation, private TrialRunner {
 public:
  Engine(const Graph& graph, const OpRegistry& registry, EngineOptions options, CallSite site = {});
  ~Engine() override;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const ProgramState& state() const { return state_; }

  // ---- Setup, before the first visit ----
  void SetInput(ValueId value, Type type, Value contents = {});
  // Sets what is known of a result, in addition to the evaluation of its node.
  void SetKnownResult(ValueId result, const Type& type) { state_.refinements.Set(result, type); }
  // Adds a condition of the user about sizes of inputs.
  void Assume(const Condition& condition) { state_.assumptions.State(condition); }
  // The hooks outlive the engine.
  void set_hooks(SolverHooks* hooks);

  // ---- Inference ----
  // Visits all nodes, then runs to the fixed point. Inputs that were set keep their types.
  void InferAll();
  // Visits the nodes on the worklist and all stale nodes until nothing changes. Calls visit(node) to visit a
  // node of the body.
  void RunToFixedPoint(FunctionRef<void(NodeId)> visit);
  void RunToFixedPoint() {
    RunToFixedPoint([this](NodeId node) { Visit(node); });
  }
  // Visits one node. Returns whether a result changed.
  bool Visit(NodeId node) { return evaluator_.Visit(node); }
  // Enqueues the nodes that read a value.
  void EnqueueUsers(ValueId value) { state_.EnqueueUsers(value); }
  // Merges a type into what is known of a value, permanently. An error changes nothing.
  Status SetType(ValueId value, const Type& type) { return evaluator_.SetType(value, type); }
  // Adds what a node requires of the type of a value that it reads.
  void RefineFromUse(ValueId value, const Type& type) { evaluator_.RefineFromUse(value, type); }

  // ---- Edits of the graph ----
  // Sets up what was added to the graph.
  void SetUp();
  // Gives a new or changed node a position behind its operands.
  void Place(NodeId node);
  // Handles a node that was removed from the graph; `results` are its former results.
  void Remove(NodeId node, std::span<const ValueId> results);
  // Drops the effects of nodes that rest on guards of others, which may be gone, and enqueues the nodes.
  void DropAssumingEffects();
  // Reads the inputs and constants of a node from the graph again.
  void ReadInputsAgain(NodeId node);
  // Drops the effects of a node.
  void DropEffects(NodeId node) { state_.DropEffects(node); }

  // ---- Assumptions, by their index in state().assumptions.entries() ----
  // Drops the effects of all nodes and enqueues the nodes that had effects or queried facts. Otherwise the
  // guards of one node would prove what an earlier node requires.
  void StartAgain();
  // Remove an assumption from the facts, or add it again.
  void SetAside(uint32_t index);
  void PutBack(uint32_t index) { state_.assumptions.Restore(index); }

 private:
  // ---- The fixed point (engine.cc) ----
  void RunWorklist(FunctionRef<void(NodeId)> visit);
  void VisitStale(std::span<const NodeId> nodes, FunctionRef<void(NodeId)> visit);
  void GiveUpOnUnsettled();
  void DecideOpenBranches();

  // ---- Regions (regions.cc) ----
  Status RunRegion(RegionId region, std::span<const Type> inputs, std::span<const Value> contents,
                   RegionRuns runs) override;
  void VisitInOrder(RegionId region, size_t first = 0);
  void RunRegionToFixedPoint(RegionId region);

  // ---- Calls (function_call.cc) ----
  Status CallFunction(NodeId node, const Graph& function, InferenceContext* context,
                      NodeEffects* effects) override;
  void AddEffectsTo(NodeId call, const Graph& caller, NodeEffects* effects) const;

  // ---- Trials of branches (trial.cc) ----
  bool WouldFail(NodeId branch, bool taken) override;
  void StartFrom(const Engine& other);
  void TakeOrdersFrom(const Engine& trial);
  bool FailsFrom(NodeId node);

  ProgramState state_;
  const Graph& graph_;
  QueryStamps stamps_;
  ValueNumbering numbering_;
  BranchTrials trials_;
  BranchMemory branch_memory_;
  DataSizes data_sizes_;
  CountedIndices counted_indices_;
  NodeEvaluator evaluator_;
  uint64_t facts_seen_ = 0;    // version of the facts at which no node was stale
  uint64_t trial_visits_ = 0;  // visits in trials
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ENGINE_H_
