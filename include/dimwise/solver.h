// A Solver denotes all that follows, forward and backward, from what is known of some entries (values) of a
// graph: the least fixed point of its operators' rules, for shapes, element types and storages, each alone or
// together.
//
// It is NNVM's InferAttr. It starts from what the graph says of its values, from inputs by position or by
// name, from hints, and from attributes of inputs (`__shape__`); then operands learn from results and results
// from operands until nothing changes. All of it counts as true: where two operators need a size to be both N
// and 3, it is 3, and where that cannot be, one of them has an error. What is said of an input by position or
// name takes the place of what the graph says of it; a hint is merged with it.
//
//   Solver solver(graph, BuiltinRegistry(), {.parts = {.storage = true}});
//   const Shape shapes[] = {x_shape, y_shape};
//   Status s = solver.SetShapeInputs(shapes);  // too many: an error
//   solver.Run();
//   for (const UnknownEntry& u : solver.unknown()) std::puts(u.reason.c_str());
//
// Storage. Where an operator's rule has a case for the storages of its operands, that case says the storages
// of the results: the node runs a kernel for sparse tensors (compute-ex), or the plain one (compute) where
// all are dense. Otherwise it falls back: sparse operands are made dense first, the results are dense, and a
// warning says so. A rule that has an attribute `device` is given the name of the device there. An input
// whose storage nobody says is dense.
//
// Gradients. A node without a rule of its own whose operator is a gradient (GradientFunction) and whose first
// control input is its forward node has the types of that one: each result that of the operand of which it is
// the gradient, each incoming gradient that of the result. Storage is left out of this.
//
// An operator without a rule is an error only if an entry that was asked for is unknown because of it.
//
// Thread safety: as the graph's analysis: one thread at a time.
#ifndef DIMWISE_SOLVER_H_
#define DIMWISE_SOLVER_H_

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dimwise/diagnostic.h"
#include "dimwise/graph.h"
#include "dimwise/op_registry.h"
#include "dimwise/residual_check.h"

namespace dimwise {

struct SolverParts {
  bool shape = true;
  bool element_type = true;
  bool storage = false;
};

// Which values of the forward node those of a gradient node belong to: for each operand the result whose
// gradient comes in there, for each result the operand whose gradient it is; -1: none.
struct GradientLinks {
  std::vector<int> operands, results;
};
// Answers nothing where the node is no gradient. REQUIRES of the answer: nothing; what does not exist is left
// out.
using GradientFunction =
    std::function<std::optional<GradientLinks>(const Graph& graph, NodeId gradient, NodeId forward)>;
// The usual one: `set._backward_X`, whose first operands are the gradients of all results of the forward
// node, in their order, and whose results are those of its operands.
DIMWISE_API std::optional<GradientLinks> GradientByName(const Graph& graph, NodeId gradient, NodeId forward);

struct SolverOptions {
  SolverParts parts;
  std::string device = "cpu";
  // Attributes of inputs that say their parts; empty: none does.
  std::string shape_key = "__shape__";
  std::string element_type_key = "__dtype__";
  std::string storage_key = "__storage_type__";
  bool zero_is_unknown = false;  // in these attributes, as in MXNet before np_shape; -1 always is
  // Only nodes whose ids are in [first, second) are visited; only such values are reported as unknown.
  std::pair<uint32_t, uint32_t> nodes = {0, UINT32_MAX};
  std::pair<uint32_t, uint32_t> entries = {0, UINT32_MAX};
  GradientFunction gradient = GradientByName;
};

enum class DispatchMode : uint8_t { kUndefined, kVariable, kCompute, kComputeEx, kFallback };
DIMWISE_API std::string_view ToString(DispatchMode mode);

enum class UnknownCause : uint8_t {
  kInput,          // nobody says it of an input
  kNoRule,         // an operator has no rule
  kDataDependent,  // an operator leaves it to the run
  kError,          // an operator has an error
  kNotVisited,     // the node is not in the range
};

// An entry of which a part that was asked for is unknown: there is no rank, a size is a name that inference
// made up, or there is no element type or storage.
struct UnknownEntry {
  ValueId value = kNoValue;
  UnknownCause cause = UnknownCause::kInput;
  ValueId origin = kNoValue;  // the first value, in the order of the program, of which that was unknown
  std::string reason;         // "the shape of 'y' is unknown: the input 'x' has no shape"
};

class DIMWISE_API Solver {
 public:
  Solver(const Graph& graph, const OpRegistry& registry, SolverOptions options = {});
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // ---- Before Run ----
  // In the order of the graph's inputs; none or unknown: nothing is said. More than there are inputs is an
  // error.
  Status SetShapeInputs(std::span<const Shape> shapes);
  Status SetElementTypeInputs(std::span<const ElementType> types);
  Status SetStorageInputs(std::span<const Storage> storages);
  // The parts of a type that are known, for the input of that name.
  Status SetInput(std::string_view name, const Type& type);
  // Of any value; two hints for one are both true.
  Status AddHint(ValueId value, const Type& type);

  void Run();

  // ---- What was found ----
  // As simple as the facts allow; parts that were not asked for are unknown.
  Type type(ValueId value) const;
  // Of the node, or of the maker of a value: kVariable for inputs and constants. Only where storage was asked
  // for.
  DispatchMode dispatch(NodeId node) const;
  DispatchMode dispatch(ValueId value) const;
  bool complete() const { return unknown_.empty(); }
  const std::vector<UnknownEntry>& unknown() const { return unknown_; }
  // Errors, and a warning for each node that falls back, in the order of the program.
  const std::vector<Diagnostic>& findings() const { return findings_; }
  // What is left to the run, as Inference::checks: what operators require and nobody said. They are put
  // together when somebody asks for the first time.
  const std::vector<ResidualCheck>& checks() const;
  uint64_t visit_count() const;

 private:
  struct State;
  void SetUpInputs();
  void SettleStorage();
  std::unique_ptr<State> state_;
  std::vector<UnknownEntry> unknown_;
  std::vector<Diagnostic> findings_;
  mutable std::optional<std::vector<ResidualCheck>> checks_;
};

}  // namespace dimwise

#endif  // DIMWISE_SOLVER_H_
