// An Evaluator computes the contents of values before the program runs, from constants and from contents that
// the caller feeds.
//
// It corresponds to TensorFlow's GraphRunner. The kernel of an operator is the `value` clause of its rule,
// which inference also uses for symbols. C++ kernels exist for operators that a clause cannot express (TopK,
// Sqrt, Exp, ...). The result is an error that names the cause in three cases: an operator without a kernel,
// a tensor past the budget, and a value that depends on an input that is not fed. Random and stateful
// operators are never evaluated: they have no clause.
//
//   Evaluator evaluator(graph, BuiltinRegistry());
//   const Feed feeds[] = {{x, {ElementType::kI64, {.dims = {2}}, std::vector<int64_t>{3, 4}}}};
//   Result<std::vector<TensorValue>> got = evaluator.Run(feeds, std::span(&y, 1));
//
// Only nodes that the fetched values depend on are visited. The budget counts nodes and elements, so that
// results do not depend on the machine; a time limit is optional. Results are copies and outlive the graph.
// Small results that depend only on constants are cached between runs.
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
  size_t max_nodes = 10'000;       // visited per run
  int64_t max_elements = 65'536;   // computed per run; at most 2^20 in one tensor
  size_t max_cached_bytes = 1024;  // of a cached result; 0 disables the cache
  // The time limit of a run, tested before each node. The number of its elements bounds the time of a node.
  std::optional<std::chrono::nanoseconds> max_time = {};
};

struct Feed {
  ValueId value = kNoValue;
  TensorValue contents;
};

class DIMWISE_API Evaluator {
 public:
  Evaluator(const Graph& graph, const OpRegistry& registry, EvaluatorOptions options = {});

  // Returns the contents of the fetched values, in their order. A fed value replaces the value that a node
  // computes.
  Result<std::vector<TensorValue>> Run(std::span<const Feed> feeds, std::span<const ValueId> fetches);
  // Clears the cache. Call it after an edit of the graph.
  void Forget() { kept_.clear(); }

  // Returns the number of nodes visited so far.
  size_t visit_count() const { return visits_; }

 private:
  const Graph& graph_;
  OpRegistry registry_;
  EvaluatorOptions options_;
  std::map<ValueId, TensorValue> kept_;
  size_t visits_ = 0;
};

// Runs a temporary Evaluator once.
DIMWISE_API Result<std::vector<TensorValue>> Evaluate(const Graph& graph, const OpRegistry& registry,
                                                      std::span<const Feed> feeds,
                                                      std::span<const ValueId> fetches,
                                                      EvaluatorOptions options = {});

}  // namespace dimwise

#endif  // DIMWISE_EVALUATOR_H_
