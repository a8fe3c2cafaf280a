// A Solver denotes everything that follows, forward and backward, from known entries (values) of a graph. It
// computes the least fixed point of the operators' rules, for shapes, element types and storages, separately
// or together.
//
// It corresponds to NNVM's InferAttr. It starts from the types in the graph, from inputs by position or name,
// from hints, and from attributes of inputs (`__shape__`). Then operands are inferred from results and
// results from operands until nothing changes. All information counts as true. If two operators require a
// size to be N and to be 3, it is 3; if that is impossible, one of them has an error. A type given for an
// input by position or name replaces the type in the graph; a hint is merged with it.
//
//   Solver solver(graph, BuiltinRegistry(), {.parts = {.storage = true}});
//   const Shape shapes[] = {x_shape, y_shape};
//   Status s = solver.SetShapeInputs(shapes);  // too many: an error
//   solver.Run();
//   for (const UnknownEntry& u : solver.unknown()) std::puts(u.reason.c_str());
//
// Storage. If an operator's rule has a case for the storages of its operands, this case defines the storages
// of the results. The node runs a kernel for sparse tensors (compute-ex), or the plain kernel (compute) if
// all operands are dense. Otherwise the node falls back: sparse operands are converted to dense, the results
// are dense, and a warning is reported. If the rule has an attribute `device`, it gets the name of the
// device. An input of unspecified storage is dense.
//
// Gradients. This applies to a node without a rule whose operator is a gradient (GradientFunction) and whose
// first control input is its forward node. Each result has the type of the operand whose gradient it is. Each
// incoming gradient has the type of the forward result. Storages are not inferred this way.
//
// An operator without a rule is an error only if a requested entry is unknown because of it.
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
#include "dimwise/residual_guard.h"

namespace dimwise {

struct SolverParts {
  bool shape = true;
  bool element_type = true;
  bool storage = false;
};

// Maps values of a gradient node to values of its forward node. For each operand: the forward result whose
// gradient it is. For each result: the forward operand whose gradient it is. -1: none.
struct GradientLinks {
  std::vector<int> operands, results;
};
// Returns the links of a gradient node, or nullopt for other nodes. Indices that do not exist are ignored.
using GradientFunction =
    std::function<std::optional<GradientLinks>(const Graph& graph, NodeId gradient, NodeId forward)>;
// The default: a gradient is named `set._backward_X`. Its first operands are the gradients of all forward
// results, in order. Its results are the gradients of the forward operands.
DIMWISE_API std::optional<GradientLinks> GradientByName(const Graph& graph, NodeId gradient, NodeId forward);

struct SolverOptions {
  SolverParts parts;
  std::string device = "cpu";
  // Attributes of inputs that state parts of their types; an empty name disables one.
  std::string shape_key = "__shape__";
  std::string element_type_key = "__dtype__";
  std::string storage_key = "__storage_type__";
  bool zero_is_unknown = false;  // in these attributes, as in MXNet before np_shape; -1 is always unknown
  // Only nodes with IDs in [first, second) are visited; only entries in their range are reported as unknown.
  std::pair<uint32_t, uint32_t> nodes = {0, UINT32_MAX};
  std::pair<uint32_t, uint32_t> entries = {0, UINT32_MAX};
  GradientFunction gradient = GradientByName;
};

enum class DispatchMode : uint8_t { kUndefined, kVariable, kCompute, kComputeEx, kFallback };
DIMWISE_API std::string_view ToString(DispatchMode mode);

enum class UnknownCause : uint8_t {
  kInput,          // the type of an input is not given
  kNoRule,         // an operator has no rule
  kDataDependent,  // the size is known only at run time
  kError,          // an operator has an error
  kNotVisited,     // the node is outside the range
};

// An entry of which a requested part is unknown: the rank, the element type, the storage, or a size that is a
// generated symbol.
struct UnknownEntry {
  ValueId value = kNoValue;
  UnknownCause cause = UnknownCause::kInput;
  ValueId origin = kNoValue;  // the first value in program order that caused it
  std::string reason;         // "the shape of 'y' is unknown: the input 'x' has no shape"
};

class DIMWISE_API Solver {
 public:
  Solver(const Graph& graph, const OpRegistry& registry, SolverOptions options = {});
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // ---- Before Run ----
  // Set parts of the inputs, in the order of the graph's inputs. None or unknown sets nothing. More parts
  // than inputs are an error.
  Status SetShapeInputs(std::span<const Shape> shapes);
  Status SetElementTypeInputs(std::span<const ElementType> types);
  Status SetStorageInputs(std::span<const Storage> storages);
  // Sets the known parts of the type of the input with this name.
  Status SetInput(std::string_view name, const Type& type);
  // Adds a hint for any value; several hints for a value are merged.
  Status AddHint(ValueId value, const Type& type);

  void Run();

  // ---- Results ----
  // Returns the type, as simple as the facts allow; parts that were not requested are unknown.
  Type type(ValueId value) const;
  // Returns the dispatch mode of a node, or of the node that computes a value: kVariable for inputs and
  // constants. Set only if storage was requested.
  DispatchMode dispatch(NodeId node) const;
  DispatchMode dispatch(ValueId value) const;
  bool complete() const { return unknown_.empty(); }
  const std::vector<UnknownEntry>& unknown() const { return unknown_; }
  // Returns errors, and a warning for each node that falls back, in program order.
  const std::vector<Diagnostic>& findings() const { return findings_; }
  // Returns the guards, as Inference::guards: requirements of operators that no input states. They are built
  // on the first call.
  const std::vector<ResidualGuard>& guards() const;
  uint64_t visit_count() const;

 private:
  struct State;
  void SetUpInputs();
  void SettleStorage();
  std::unique_ptr<State> state_;
  std::vector<UnknownEntry> unknown_;
  std::vector<Diagnostic> findings_;
  mutable std::optional<std::vector<ResidualGuard>> guards_;
};

}  // namespace dimwise

#endif  // DIMWISE_SOLVER_H_
