// An Evaluator denotes the part of a program that can be computed before it runs: it gives the contents of values, from
// constants and from contents that the caller feeds.
//
// It is TensorFlow's GraphRunner. The `value` clause of an operator's rule is the kernel, the one that inference uses for
// symbols; an operator without one, a tensor of more than 64 elements, or a value that depends on an input that is not
// fed is an error that names it. Nothing large, random or stateful is ever run: no such operator has a clause.
//
//   Result<std::vector<TensorValue>> got = Evaluate(graph, BuiltinRegistry(), {{x, {ElementType::kI64, ...}}}, {y});
//
// Only what the fetched values depend on is visited, within a budget of nodes. What is answered is a copy and outlives
// the graph.
//
// Thread safety: as the graph's analysis: one thread at a time.
#ifndef DIMWISE_EVALUATOR_H_
#define DIMWISE_EVALUATOR_H_

#include <span>
#include <utility>
#include <vector>

#include "dimwise/attr_value.h"
#include "dimwise/graph.h"
#include "dimwise/op_registry.h"

namespace dimwise {

struct EvaluatorOptions {
  size_t max_nodes = 10'000;  // that may be visited
};

struct Feed {
  ValueId value = kNoValue;
  TensorValue contents;
};

// The contents of the fetched values, in their order.
DIMWISE_API Result<std::vector<TensorValue>> Evaluate(const Graph& graph, const OpRegistry& registry,
                                                      std::span<const Feed> feeds, std::span<const ValueId> fetches,
                                                      EvaluatorOptions options = {});

}  // namespace dimwise

#endif  // DIMWISE_EVALUATOR_H_
