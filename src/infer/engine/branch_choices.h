// Sizes and numbers that only data chooses: one where a condition is true, another where it is not.
//
// What a condition chooses once it chooses everywhere: with w the condition as a number, a choice is
// otherwise + w*(then - otherwise). So a choice whose two differ by a multiple of what those of an earlier
// one do is an expression in the symbol of the earlier one, and mostly that symbol itself: the lengths of
// keys and values in all layers of a decoder, whichever branch runs in each.
//
// A symbol stands for the same choice for good: what it chooses between is part of its key. So what is kept
// here stays true, whatever is visited again.
#ifndef DIMWISE_INFER_ENGINE_BRANCH_CHOICES_H_
#define DIMWISE_INFER_ENGINE_BRANCH_CHOICES_H_

#include <tsl/robin_map.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "dimwise/condition.h"
#include "dimwise/graph.h"

namespace dimwise {

// The condition of an If: two that are told alike are equal in every run, but for the sign.
struct BranchCondition {
  uint64_t what = 0;  // 0: of which nothing is told
  bool is_negated = false;
};

class BranchChoices {
 public:
  struct Choice {
    RegionId region;  // in which it was made
    Dim then, otherwise, chosen;
  };

  void Add(uint64_t condition, const Choice& choice);
  // The choice between two, as an expression in one that was made before where `suits` says that the
  // expression and the place of that one will do; else none.
  Dim Find(DimTable& dims, uint64_t condition, Dim then, Dim otherwise,
           const std::function<bool(const Choice& made, Dim expression)>& suits) const;
  // What holds of the choices where the condition is true, or where it is false.
  std::vector<Clause> Where(DimTable& dims, uint64_t condition, bool is_true) const;
  // An expression as it is where the condition is true, or where it is false.
  Dim Written(DimTable& dims, uint64_t condition, Dim d, bool is_true) const;

 private:
  tsl::robin_map<uint64_t, std::vector<Choice>> made_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_BRANCH_CHOICES_H_
