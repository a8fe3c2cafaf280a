// A NodeEvaluator evaluates single nodes: from what is known of the operands to what is known of the results.
//
// Evaluate computes a NodeOutcome and Commit publishes it. A visit is an evaluation with its commit, or a
// proof that nothing would change:
//   1. a constant of the file needs no rule;
//   2. an equal visit is in the cache, and its queries get the same answers (VisitCache);
//   3. the last evaluation of the node would repeat (QueryStamps::WouldRepeat);
//   4. a trace of the rule computes types only, without a context;
//   5. the operator is evaluated in a context: a rule, a C++ function, regions, or the body of a function.
#ifndef DIMWISE_INFER_ENGINE_NODE_EVALUATOR_H_
#define DIMWISE_INFER_ENGINE_NODE_EVALUATOR_H_

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "infer/engine/analyses/node_analysis.h"
#include "infer/engine/control/control_flow.h"
#include "infer/engine/state/operand_states.h"
#include "infer/engine/state/program_state.h"
#include "infer/engine/state/query_stamps.h"
#include "infer/engine/state/visit_cache.h"

namespace dimwise {

// Evaluates the nodes that a node contains or calls.
class NestedEvaluation : public RegionRunner {
 public:
  // Infers the body of a function for the operands in the context. Adds guards and findings of the body to
  // the effects of the call.
  virtual Status CallFunction(NodeId node, const Graph& function, InferenceContext* context,
                              NodeEffects* effects) = 0;
};

// The result of an evaluation. Its facts are asserted already.
struct NodeOutcome {
  Status status;
  bool has_results = false;             // the operator determines results
  bool refines_operands = false;        // evaluated with known results
  bool creates_symbols = false;         // the results contain new symbols
  std::vector<ValueState> results;      // by result
  std::vector<Type> operands;           // refined; empty if refines_operands is false
  std::vector<Type> types_after_error;  // by result: what is certain of them although the node fails
  NodeEffects effects;
  QueryStamp stamp = kNoStamp;
  uint64_t facts_version = 0;  // before the evaluation
  bool visits_others = false;
  std::vector<Dim> nested_symbols;  // that nested nodes queried
};

class NodeEvaluator {
 public:
  // The branches of one program share `memory`; `nested` and `analyses` outlive the evaluator.
  struct Clients {
    NestedEvaluation& nested;
    ValueNumbering& numbering;
    BranchTrials& trials;
    BranchMemory& memory;
    std::vector<NodeAnalysis*> analyses;
  };
  NodeEvaluator(ProgramState& state, QueryStamps& stamps, Clients clients);

  // Visits a node. Returns whether a result changed.
  bool Visit(NodeId node);
  // Leaves the results of a node unknown and drops its effects.
  void GiveUp(NodeId node);
  // Reports that the types of a node keep changing.
  void ReportUnsettled(NodeId node);

  // Merges a type into what is known of a value, permanently. An error changes nothing.
  Status SetType(ValueId value, const Type& type);
  // Adds what a user of a value requires of its type.
  void RefineFromUse(ValueId value, const Type& type);

  // While set, effects of a node with equal operands are never retracted, and an error suspends a node: it is
  // not visited again until TakeSuspended. So inference ends (engine.h).
  void set_keeps_effects(bool keeps) { keeps_effects_ = keeps; }
  std::vector<std::pair<NodeId, QueryStamp>> TakeSuspended() { return std::exchange(suspended_, {}); }

  // Sets the approximate number of visits.
  void Expect(size_t visits) { cache_.Expect(visits); }

 private:
  bool LooksBeyondOperands(NodeId node) const;
  bool MakeKey(NodeId node, const ResolvedOperator& resolved, VisitKey* key) const;
  bool VisitConstant(NodeId node);
  bool VisitByCache(NodeId node, const VisitCache::Entry& entry);
  bool VisitByTrace(NodeId node, const ResolvedOperator& resolved, const VisitKey& key, bool is_stored,
                    bool* changed);
  bool VisitByOperator(NodeId node, const ResolvedOperator& resolved, const VisitKey* key);

  NodeDescription Describe(NodeId node, const OpDef* def, const AttrMap* attrs);
  NodeOutcome Evaluate(NodeId node, const ResolvedOperator& resolved, const OperandStates& operands);
  void Run(NodeId node, const ResolvedOperator& resolved, const OperandStates& operands,
           InferenceContext* context, NodeOutcome* outcome);
  Status RunOperator(NodeId node, const ResolvedOperator& resolved, InferenceContext* context,
                     NodeOutcome* outcome);
  Status RunAnalyses(NodeId node, const ResolvedOperator& resolved, InferenceContext* context);
  uint64_t SymbolCount() const;
  void AddFindings(NodeId node, const ResolvedOperator& resolved, NodeOutcome* outcome) const;
  void ReadResults(NodeId node, const InferenceContext& context, NodeOutcome* outcome);
  std::vector<Type> TypesAfterError(NodeDescription description, const ShapeFn& function,
                                    const OperandStates& states, bool with_shapes);
  Type WithDeclaration(NodeId node, size_t result, Type type) const;

  bool Commit(NodeId node, const OperandStates& operands, NodeOutcome outcome,
              std::unique_ptr<NodeEffects> before, const VisitKey* key);
  void CommitEffects(NodeId node, NodeOutcome* outcome, std::unique_ptr<NodeEffects> before);
  bool Publish(NodeId node, size_t result, const ValueState& found, bool is_merged = false);

  // ---- Refinement (refinement.cc) ----
  bool NeedsBackward(NodeId node, const ResolvedOperator& resolved, std::span<const Type> operands) const;
  std::vector<Type> RefinementsOfResults(NodeId node) const;
  void RefineOperands(NodeId user, std::span<const Type> refined);
  Type WithRefinement(NodeId node, Type type, const Type& refinement);

  ProgramState& state_;
  const Graph& graph_;
  QueryStamps& stamps_;
  const Clients clients_;
  VisitCache cache_;
  InferenceContext context_;        // for operators that evaluate no other nodes
  QueryLog log_;                    // of the evaluation in progress
  std::vector<ValueState> traced_;  // results of a trace
  bool keeps_effects_ = false;
  std::vector<std::pair<NodeId, QueryStamp>> suspended_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_NODE_EVALUATOR_H_
