// Infers nodes that carry regions by the control flow that their operators declare (ControlFlow in
// dimwise/op_properties.h): branches, loops, scans and maps. No operator is known by its name.
//
// A rule only receives and returns the types of a region (region_rule.h). The functions here also follow the
// values that a trip passes to the next trip, and select the branch that is taken.
#ifndef DIMWISE_INFER_ENGINE_CONTROL_CONTROL_FLOW_H_
#define DIMWISE_INFER_ENGINE_CONTROL_CONTROL_FLOW_H_

#include <optional>
#include <span>
#include <string_view>

#include "dimwise/inference_context.h"
#include "infer/engine/analyses/branch_trials.h"
#include "infer/engine/analyses/value_numbering.h"
#include "infer/engine/control/branch_choices.h"
#include "infer/engine/control/condition_tests.h"
#include "infer/engine/state/program_state.h"

namespace dimwise {

class RegionRunner {
 public:
  virtual ~RegionRunner() = default;
  // Evaluates the nodes of a region for these inputs; inputs that are not given are as the graph states.
  // Returns an error if regions are nested too deep.
  virtual Status RunRegion(RegionId region, std::span<const Type> inputs, std::span<const Value> contents,
                           RegionRuns runs) = 0;
};

// State shared by the branches of one program.
struct BranchMemory {
  BranchChoices choices;
  ConditionTests tests;
};

// One evaluation of a node with control flow.
struct ControlFlowContext {
  ProgramState& state;
  RegionRunner& runner;
  ValueNumbering& numbering;
  BranchTrials& trials;
  BranchMemory& memory;
  NodeId node;
  InferenceContext* context;

  const Graph& graph() const { return state.graph; }
  const ControlFlow& control_flow() const { return state.operators.Resolve(node).control_flow(); }
};

// REQUIRES: the operator of the node declares control flow.
Status InferControlFlow(ControlFlowContext& c);

Status InferBranch(ControlFlowContext& c);  // a branch with a true and a false region
Status InferCases(ControlFlowContext& c);   // a branch that selects a region by an index
Status InferLoop(ControlFlowContext& c);
Status InferScan(ControlFlowContext& c);
Status InferMap(ControlFlowContext& c);

// Returns the name of the operator without its set, for messages.
std::string_view OperatorName(const ControlFlowContext& c);

// Returns the status of a node without the region in an attribute. It is an error, unless the attribute names
// a function that the program does not contain: then the results are unknown.
Status MissingRegion(const ControlFlowContext& c, std::string_view attribute);

// Returns the index of the first operand that belongs to an argument of the operator; -1 if the node does not
// have the argument.
int FirstOperand(const ProgramState& state, NodeId node, ArgIndex argument);

// The operands of a node with regions.
struct LoopOperands {
  int first_state = 0, states = 0;        // values that a trip passes to the next trip
  int first_scanned = 0, scanned = 0;     // the operands that are sliced
  int first_argument = 0, arguments = 0;  // the operands that regions take unchanged
};
// Returns nullopt if the number of scanned operands is unknown. The numbers may be negative if the attributes
// of the node are wrong.
std::optional<LoopOperands> LoopOperandsOf(const ProgramState& state, NodeId node);

// The values of one kind among the inputs or outputs of a region, or among the results of a node.
struct ItemRange {
  int begin = 0, size = 0;
  bool contains(int i) const { return i >= begin && i < begin + size; }
};
// Returns the range of a kind in a layout of `total` values; an empty range if the layout does not have it.
// States, scanned operands and arguments have the numbers of the node. Trip and condition are single values.
// The other kinds (stacked, forwarded) take what is left; a layout has at most one of them.
ItemRange ItemsOf(std::span<const RegionItem> layout, RegionItem item, const LoopOperands& operands,
                  int total);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_CONTROL_CONTROL_FLOW_H_
