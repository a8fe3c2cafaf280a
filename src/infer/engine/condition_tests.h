// The tests that conditions on sizes make: a condition is true where none of its tests, which are
// expressions, is negative. Both branches of an If are told by them, at each visit, and it takes some work to
// find them. What an expression says depends on nothing else, so they are kept.
#ifndef DIMWISE_INFER_ENGINE_CONDITION_TESTS_H_
#define DIMWISE_INFER_ENGINE_CONDITION_TESTS_H_

#include <tsl/robin_map.h>

#include <vector>

#include "dimwise/dim.h"

namespace dimwise {

class ConditionTests {
 public:
  // None where it is no such condition.
  std::vector<Dim> Of(DimTable& dims, Dim condition);

 private:
  tsl::robin_map<Dim, std::vector<Dim>, std::hash<Dim>> found_;  // by condition
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_CONDITION_TESTS_H_
