// A DimSum denotes a sum of many expressions, stored as a multiset of summands.
//
// Unlike an expression, it never exceeds the cap on the size of expressions. So summands can be removed
// again, and the whole sum can be printed.
#ifndef DIMWISE_INFER_PROGRAM_DIM_SUM_H_
#define DIMWISE_INFER_PROGRAM_DIM_SUM_H_

#include <tsl/robin_map.h>

#include <string>
#include <vector>

#include "dimwise/dim.h"

namespace dimwise {

class DimSum {
 public:
  // Adds d `times` times. REQUIRES: d is not none.
  void Add(Dim d, int64_t times = 1);
  // Adds the other sum `times` times.
  void Add(const DimSum& other, int64_t times);
  // Returns the number of distinct summands that are not constant.
  size_t expression_count() const;
  // Returns the sum as one expression; past the cap, a symbol defined as the sum.
  Dim Total(DimTable& dims) const;
  // Prints the sum as one expression if it fits the cap, else summand by summand.
  std::string Text(DimTable& dims) const;

 private:
  // Returns the summands in a fixed order.
  std::vector<std::pair<Dim, int64_t>> Summands() const;

  tsl::robin_map<Dim, int64_t, std::hash<Dim>> times_;  // without zeros
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_PROGRAM_DIM_SUM_H_
