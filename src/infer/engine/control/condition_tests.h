// ConditionTests decomposes conditions on sizes into tests. A test is an expression; the condition is true
// exactly if no test is negative.
//
// The decomposition depends only on the expression. Each evaluation of a branch needs it, so it is cached.
#ifndef DIMWISE_INFER_ENGINE_CONTROL_CONDITION_TESTS_H_
#define DIMWISE_INFER_ENGINE_CONTROL_CONDITION_TESTS_H_

#include <tsl/robin_map.h>

#include <vector>

#include "dimwise/dim.h"

namespace dimwise {

class ConditionTests {
 public:
  // Returns the tests of a condition; empty if the condition has another form.
  std::vector<Dim> Of(DimTable& dims, Dim condition);

 private:
  tsl::robin_map<Dim, std::vector<Dim>, std::hash<Dim>> tests_;  // by condition
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_CONTROL_CONDITION_TESTS_H_
