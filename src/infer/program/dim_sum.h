// A DimSum denotes a sum of many expressions, kept by its summands: how often each distinct one is in it.
//
// Unlike the sum itself it never passes the cap on the size of an expression, so that what was added can be
// taken away again, and all of it can be written.
#ifndef DIMWISE_INFER_PROGRAM_DIM_SUM_H_
#define DIMWISE_INFER_PROGRAM_DIM_SUM_H_

#include <string>
#include <vector>

#include "dimwise/dim.h"

namespace dimwise {

class DimSum {
 public:
  // REQUIRES: d is not none.
  void Add(Dim d, int64_t times = 1);
  void Add(const DimSum& other);
  // The one less the other: what both have as often is in it no more.
  static DimSum Difference(const DimSum& a, const DimSum& b);
  // Whether every summand is there a positive number of times, or there is none.
  bool is_positive() const;
  // How many distinct summands are no numbers.
  size_t expression_count() const;
  // The sum as one expression; past the cap a symbol that is defined so.
  Dim Total(DimTable& dims) const;
  // The sum in one expression where that can be, else summand by summand.
  std::string Text(DimTable& dims) const;

 private:
  struct Summand {
    Dim d;
    int64_t times;  // never 0
  };
  // Calls visit(d, times in a, times in b) for all that is in either, in their order.
  template <typename Visitor>
  static void Merge(const DimSum& a, const DimSum& b, const Visitor& visit);

  std::vector<Summand> summands_;  // by the bits of d, so that two sums are compared side by side
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_PROGRAM_DIM_SUM_H_
