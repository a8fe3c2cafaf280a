// BranchJoin computes the results of a branch with an unknown condition from the results of its two regions.
//
// A size that differs between the regions becomes, in order of preference:
//   an expression    if the condition is an expression in input sizes and both sizes come from outside;
//   a choice         if both sizes come from outside and the condition has a value number (branch_choices.h);
//   a new symbol     within the bounds of both sizes.
// Integers in contents are treated likewise, without the last form.
#ifndef DIMWISE_INFER_ENGINE_CONTROL_BRANCH_JOIN_H_
#define DIMWISE_INFER_ENGINE_CONTROL_BRANCH_JOIN_H_

#include <vector>

#include "infer/engine/control/control_flow.h"

namespace dimwise {

class BranchJoin {
 public:
  // `value`: the contents of the condition.
  BranchJoin(ControlFlowContext& c, BranchCondition condition, Value value, RegionId if_true,
             RegionId if_false);

  Type TypeOf(const Type& if_true, const Type& if_false);
  Value ContentsOf(Value if_true, Value if_false);

 private:
  struct Bounds {
    Dim low, high;  // none: unknown
  };
  // A pair of sizes and its join. Equal pairs have equal joins.
  struct JoinedSize {
    Dim if_true, if_false, joined;
  };

  Dim JoinSizes(Dim if_true, Dim if_false);
  Dim Select(Dim if_true, Dim if_false, bool are_sizes);
  Dim NewChoice(Dim if_true, Dim if_false, bool are_sizes);
  Dim SizeBetween(Bounds a, Bounds b);
  // Return what is known of an expression if a region is taken.
  Dim WithChoices(Dim d, bool is_true) const;
  Dim WithRequirements(Dim d, RegionId region) const;
  Bounds BoundsOf(Dim size, RegionId region) const;
  Dim Smaller(Dim a, Dim b) const;
  bool ComeFromOutside(Dim if_true, Dim if_false) const;
  bool IsInside(RegionId region) const;
  bool IsSize(Dim d) const;
  // State facts about a choice.
  void StateSize(Dim size);
  void StateBounds(Dim choice, Dim a, Dim b);

  ControlFlowContext& c_;
  InferenceContext* const context_;
  const BranchCondition condition_;
  const RegionId if_true_, if_false_;
  Dim number_;  // the condition as an expression in input sizes: 1 if it is true, else 0; or none
  std::vector<JoinedSize> joined_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_CONTROL_BRANCH_JOIN_H_
