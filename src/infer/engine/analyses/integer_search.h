// An IntegerSearch evaluates rules with symbols in place of unknown integers: integers that only the data of
// a run determines, such as a scalar input or the maximum of some lengths. It follows operators backward from
// one node, so a size that is computed from such an integer becomes an expression in its symbol.
#ifndef DIMWISE_INFER_ENGINE_ANALYSES_INTEGER_SEARCH_H_
#define DIMWISE_INFER_ENGINE_ANALYSES_INTEGER_SEARCH_H_

#include <span>
#include <utility>
#include <vector>

#include "infer/engine/analyses/value_numbering.h"
#include "infer/engine/state/program_state.h"

namespace dimwise {

inline constexpr uint64_t kIntegerPath = 0x6E756D6265720000u;  // of the keys of symbols for unknown integers

// An expression that an unknown integer does not exceed.
struct IntegerLimit {
  Dim integer, limit;
};

class IntegerSearch {
 public:
  IntegerSearch(const ProgramState& state, ValueNumbering& numbering)
      : state_(state), graph_(state.graph), numbering_(numbering) {}

  // Evaluates the rule of a node with symbols for the unknown integers in its operands. Returns false if
  // there is no rule, it gives no results, or the search is too long.
  bool Evaluate(NodeId node, std::span<Type> results, std::span<Value> contents);
  // The limits of the symbols in the results of Evaluate.
  const std::vector<IntegerLimit>& limits() const { return limits_; }

 private:
  // Returns the contents of a value with a symbol for each unknown element. Returns the contents as they are
  // if the value is not a tensor of few integers.
  Value IntegersOf(ValueId value);
  // Returns the contents of a result by the rule of its node; none if they are unknown.
  Value ContentsByRule(ValueId result);
  // Creates symbols for elements that are none, with the bounds of all elements of the value.
  void CreateSymbols(ValueId value, std::span<Dim> integers);

  const ProgramState& state_;
  const Graph& graph_;
  ValueNumbering& numbering_;
  int rules_left_ = 64;
  int depth_left_ = 32;
  std::vector<std::pair<ValueId, Value>> found_;
  std::vector<IntegerLimit> limits_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ANALYSES_INTEGER_SEARCH_H_
