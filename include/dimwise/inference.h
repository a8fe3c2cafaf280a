// An Inference denotes all that is found out about a program: the type of every value, what is wrong, and
// what is left to check when it runs.
//
//   Inference inference(graph, BuiltinRegistry());
//   inference.Run();
//   std::string shape = ToString(graph.analysis().dims(), inference.type(value));
//
// Types are as simple as the facts allow where the value stands. An error stops nothing: what follows it is
// inferred from what is still known.
//
// What it learns stays in the graph's analysis, as facts: an analysis serves one Inference, Refiner or
// Solver. A program that changes is followed by a Refiner; one that is to be inferred again from the
// beginning, with other assumptions say, is read into another analysis.
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
#include "dimwise/residual_check.h"

namespace dimwise {

class Engine;

struct InferenceOptions {
  bool require_shape_functions = false;  // an operator that nobody knows is an error, not a warning
  bool contents = true;                  // contents of tensors are followed
  bool functions = true;                 // calls of functions are walked into
  bool assume_not_empty = true;   // sizes of the inputs are at least 1, unless an assumption says otherwise
  bool backward = true;           // operands learn from results
  bool used_assumptions = false;  // which assumptions are used is found out, by some visits more for each
};

// Something that was taken for granted of the sizes of the inputs: by the user, or by us (N >= 1).
struct Assumption {
  Clause clause;
  bool of_user = false;
  // With InferenceOptions::used_assumptions, whether what was found rests on it: with the others that are
  // used and without it, something would be told otherwise. From those that are used all follows.
  bool is_used = true;
  NodeId node = kNoNode;  // the first of which it would

  DIMWISE_API std::string message() const;
};

class DIMWISE_API Inference {
 public:
  Inference(const Graph& graph, const OpRegistry& registry, InferenceOptions options = {});
  ~Inference();
  Inference(const Inference&) = delete;
  Inference& operator=(const Inference&) = delete;

  // Before Run: an input's type in the place of what the graph says.
  void SetInput(ValueId value, Type type, Value contents = {});
  // Before Run: what the user knows. A lower bound of a symbol replaces the assumption that it is at least 1.
  void Assume(const Condition& condition);
  void Run();

  const Graph& graph() const;
  const OpRegistry& registry() const { return registry_; }
  // What is known of a value, simplified by the facts of its region.
  Type type(ValueId value) const;
  Value contents(ValueId value) const;
  ScopeId scope(RegionId region) const;
  // Whether a region's nodes, or a node, run in every run of the program. A node whose results nobody uses
  // may be left out.
  bool certain(RegionId region) const;
  bool certain(NodeId node) const;
  // In the order of the program: certain errors, warnings for what may never run.
  const std::vector<Diagnostic>& findings() const { return findings_; }
  // They are put together when somebody asks for the first time.
  const std::vector<ResidualCheck>& checks() const;
  // What was assumed, each once.
  const std::vector<Assumption>& assumptions() const { return assumptions_; }
  uint64_t visit_count() const;

  // For the engines and reports of the library.
  const Engine& engine() const { return *engine_; }

 private:
  struct Simplified;  // shapes that were simplified already

  const OpRegistry registry_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Simplified> simplified_;
  std::vector<Diagnostic> findings_;
  mutable std::optional<std::vector<ResidualCheck>> checks_;
  std::vector<Assumption> assumptions_;
  const bool used_assumptions_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFERENCE_H_
