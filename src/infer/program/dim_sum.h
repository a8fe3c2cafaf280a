// A DimSum denotes a sum of many expressions, stored as a multiset of summands.
//
// Unlike an expression, it never exceeds the cap on the size of expressions. So summands can be removed
// again, and the whole sum can be printed.
#ifndef DIMWISE_INFER_PROGRAM_DIM_SUM_H_
#define DIMWISE_INFER_PROGRAM_DIM_SUM_H_

#include <string>
#include <vector>

#include "dimwise/dim.h"

namespace dimwise {

class DimSum {
 public:
  // Adds d `times` times. REQUIRES: d is not none.
  void Add(Dim d, int64_t times = 1);
  void Add(const DimSum& other);
  // Returns a minus b; common summands cancel.
  static DimSum Difference(const DimSum& a, const DimSum& b);
  // Returns whether every summand has a positive count; true for an empty sum.
  bool is_positive() const;
  // Returns the number of distinct summands that are not constant.
  size_t expression_count() const;
  // Returns the sum as one expression; past the cap, a symbol defined as the sum.
  Dim Total(DimTable& dims) const;
  // Prints the sum as one expression if it fits the cap, else summand by summand.
  std::string Text(DimTable& dims) const;

 private:
  struct Summand {
    Dim d;
    int64_t times;  // never 0
  };
  // Calls visit(d, times in a, times in b) for each summand of either sum, in order.
  template <typename Visitor>
  static void Merge(const DimSum& a, const DimSum& b, const Visitor& visit);

  std::vector<Summand> summands_;  // sorted by the bits of d, so that two sums can be merged
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_PROGRAM_DIM_SUM_H_
