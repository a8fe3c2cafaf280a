// An Inference denotes the result of inference for a program: the type of every value, the findings, and the
// guards left for run time.
//
//   Inference inference(graph, BuiltinRegistry());
//   inference.Run();
//   std::string shape = ToString(graph.analysis().dims(), inference.type(value));
//
// Types are as simple as the facts in the scope of the value allow. Inference continues after an error with
// what is still known.
//
// Results stay in the graph's analysis as facts, so an analysis serves only one Inference, Refiner or Solver.
// Use a Refiner for a program that changes. To infer again with other assumptions, read the program into a
// new analysis.
//
// Thread safety: as the graph's analysis: one thread at a time.
#ifndef DIMWISE_INFERENCE_H_
#define DIMWISE_INFERENCE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dimwise/diagnostic.h"
#include "dimwise/graph.h"
#include "dimwise/inference_context.h"
#include "dimwise/op_registry.h"
#include "dimwise/residual_guard.h"

namespace dimwise {

class Engine;
class ProgramState;

// Optional analyses of the engine. Without one of them inference is sound, but may be less precise.
struct AnalysisSwitches {
  bool value_numbering = true;       // find values that are equal in every run
  bool element_intervals = true;     // infer intervals for elements of tensors
  bool counted_indices = true;       // check indices whose least and greatest element follow from operators
  bool data_dependent_sizes = true;  // give one symbol to all sizes that the same data determines
  bool branch_trials = true;         // select a branch by what the rest of the program requires
};

struct InferenceOptions {
  bool require_shape_functions = false;  // an unknown operator is an error, not a warning
  bool contents = true;                  // track contents of tensors
  bool functions = true;                 // infer the bodies of called functions
  // Assume that sizes of inputs are at least 1, unless a user assumption bounds them.
  bool assume_not_empty = true;
  bool backward = true;           // infer operands from results
  bool used_assumptions = false;  // determine which assumptions are used; costs about three inferences
  AnalysisSwitches analyses = {};
  uint64_t max_query_steps = Facts::kDefaultQuerySteps;  // see Facts::SetMaxQuerySteps
};

// An assumption about the sizes of the inputs, by the user or by default (N >= 1).
struct Assumption {
  Clause clause;
  bool of_user = false;
  bool of_data = false;  // about a size that depends on data
  // With InferenceOptions::used_assumptions: whether the results depend on this assumption. All results
  // follow from the used assumptions and the guards. Few assumptions are reported as used although others
  // suffice.
  bool is_used = true;
  NodeId node = kNoNode;  // the first node that needs it

  DIMWISE_API std::string message() const;
};

class DIMWISE_API Inference {
 public:
  Inference(const Graph& graph, const OpRegistry& registry, InferenceOptions options = {});
  ~Inference();
  Inference(const Inference&) = delete;
  Inference& operator=(const Inference&) = delete;

  // Replaces the type of an input, and gives it contents: inference then treats the input as a constant. The
  // sizes of the contents are those of the type. Call it before Run.
  void SetInput(ValueId value, Type type, Value contents = {});
  // Adds a user assumption. A lower bound of a symbol replaces the default assumption that it is at least 1.
  // An assumption about a size that depends on data is added after Run, which creates the symbol of the size.
  // Then call Run again.
  void Assume(const Condition& condition);
  void Run();

  const Graph& graph() const;
  const OpRegistry& registry() const { return registry_; }
  // Returns the type or contents of a value, simplified by the facts of its region.
  Type type(ValueId value) const;
  Value contents(ValueId value) const;
  // Returns the inputs that were given contents, by SetInput or by the graph. All results hold for these
  // contents only.
  std::vector<ValueId> inputs_with_contents() const;
  ScopeId scope(RegionId region) const;
  // Returns whether the nodes of a region, or a node, run in every run of the program. A node whose results
  // are unused may be skipped.
  bool certain(RegionId region) const;
  bool certain(NodeId node) const;
  // The findings in program order: errors are certain; code that may never run gives warnings.
  const std::vector<Diagnostic>& findings() const { return findings_; }
  // Returns the guards. They are built on the first call.
  const std::vector<ResidualGuard>& guards() const;
  // Returns the assumptions, without duplicates.
  const std::vector<Assumption>& assumptions() const { return assumptions_; }
  uint64_t visit_count() const;

  // For the engines and reports of the library.
  const ProgramState& state() const;

 private:
  struct Simplified;  // a cache of simplified shapes

  const OpRegistry registry_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Simplified> simplified_;
  std::vector<Diagnostic> findings_;
  mutable std::optional<std::vector<ResidualGuard>> guards_;
  std::vector<Assumption> assumptions_;
  const bool used_assumptions_;
  bool has_run_ = false;
};

}  // namespace dimwise

#endif  // DIMWISE_INFERENCE_H_
