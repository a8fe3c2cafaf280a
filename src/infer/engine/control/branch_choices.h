// BranchChoices holds the symbols for sizes and integers that a condition selects: one value if the condition
// is true, another one if it is false.
//
// A selected value is if_false + w*(if_true - if_false), where w is 1 if the condition is true, else 0. A new
// choice is an expression in the symbol of an earlier one if the difference of its values is a multiple of
// the earlier difference. Often it is that symbol: a decoder selects the same length of keys and values in
// each layer.
//
// The key of a symbol contains the condition and both values, so a symbol always means the same choice.
// Entries stay valid when nodes are evaluated again.
#ifndef DIMWISE_INFER_ENGINE_CONTROL_BRANCH_CHOICES_H_
#define DIMWISE_INFER_ENGINE_CONTROL_BRANCH_CHOICES_H_

#include <tsl/robin_map.h>

#include <cstdint>
#include <vector>

#include "core/base/function_ref.h"
#include "dimwise/condition.h"
#include "dimwise/graph.h"
#include "infer/engine/analyses/value_numbering.h"

namespace dimwise {

class BranchChoices {
 public:
  struct Choice {
    RegionId region;  // of the branch that made the choice
    Dim if_true, if_false, chosen;
  };
  using Accepts = bool(const Choice& choice, Dim expression);

  void Add(ValueNumber condition, const Choice& choice);
  // Returns the choice between two values as an expression in an earlier choice that `accepts` accepts; none
  // if there is no such choice.
  Dim Find(DimTable& dims, ValueNumber condition, Dim if_true, Dim if_false,
           FunctionRef<Accepts> accepts) const;
  // Returns the facts about all choices of a condition that hold if it is true, or false.
  std::vector<Clause> FactsWhere(DimTable& dims, ValueNumber condition, bool is_true) const;
  // Returns an expression with the values that are chosen if the condition is true, or false.
  Dim Resolve(DimTable& dims, ValueNumber condition, Dim d, bool is_true) const;

 private:
  tsl::robin_map<uint32_t, std::vector<Choice>> choices_;  // by condition
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_CONTROL_BRANCH_CHOICES_H_
