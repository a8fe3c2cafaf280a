// An Evaluator denotes the part of a program that can be computed before it runs: it gives the contents of
// values, from constants and from contents that the caller feeds.
//
// It is TensorFlow's GraphRunner. The `value` clause of an operator's rule is the kernel, the one that
// inference uses for symbols; C++ kernels exist for what a clause cannot say (TopK, Sqrt, Exp, ...). An
// operator without either, a tensor past the budget, or a value that depends on an input that is not fed is
// an error that names it. Nothing random or stateful is ever run: no such operator has a clause.
//
//   Evaluator evaluator(graph, BuiltinRegistry());
//   const Feed feeds[] = {{x, {ElementType::kI64, {.dims = {2}}, std::vector<int64_t>{3, 4}}}};
//   Result<std::vector<TensorValue>> got = evaluator.Run(feeds, std::span(&y, 1));
//
// Only what the fetched values depend on is visited. The budget is counted in nodes and in elements, so that
// every machine answers the same, and in time where that is asked for. What is answered is a copy and
// outlives the graph. Small results that depend on constants alone are kept from one run to the next.
//
// Thread safety: as the graph's analysis: one thread at a time.
#ifndef DIMWISE_EVALUATOR_H_
#define DIMWISE_EVALUATOR_H_

#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dimwise/attr_value.h"
#include "dimwise/graph.h"
#include "dimwise/op_registry.h"

namespace dimwise {

struct EvaluatorOptions {
  size_t max_nodes = 10'000;       // that may be visited in a run
  int64_t max_elements = 65'536;   // that may be computed in a run; at most 2^20 of one tensor
  size_t max_cached_bytes = 1024;  // of a result that is kept; 0: none is
  // That a run may take. It is looked at before each node, whose own time its elements bound.
  std::optional<std::chrono::nanoseconds> max_time = {};
};

struct Feed {
  ValueId value = kNoValue;
  TensorValue contents;
};

class DIMWISE_API Evaluator {
 public:
  Evaluator(const Graph& graph, const OpRegistry& registry, EvaluatorOptions options = {});

  // The contents of the fetched values, in their order. What is fed takes the place of what a node makes.
  Result<std::vector<TensorValue>> Run(std::span<const Feed> feeds, std::span<const ValueId> fetches);
  // After an edit of the graph: what was kept may no longer be true.
  void Forget() { kept_.clear(); }

  // Nodes visited so far.
  size_t visit_count() const { return visits_; }

 private:
  const Graph& graph_;
  OpRegistry registry_;
  EvaluatorOptions options_;
  std::map<ValueId, TensorValue> kept_;
  size_t visits_ = 0;
};

// One run.
DIMWISE_API Result<std::vector<TensorValue>> Evaluate(const Graph& graph, const OpRegistry& registry,
                                                      std::span<const Feed> feeds,
                                                      std::span<const ValueId> fetches,
                                                      EvaluatorOptions options = {});

}  // namespace dimwise

#endif  // DIMWISE_EVALUATOR_H_
