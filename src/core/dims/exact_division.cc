#include "core/dims/exact_division.h"

namespace dimwise {

Dim TimesDivisor(DimTable& table, Dim d, const ExactDivision& division, int power) {
  Dim result = 0;
  for (size_t i = 0; i < table.TermCount(d); ++i) {
    const Term term = table.GetTerm(d, i);
    Dim product = term.coefficient;
    int count = 0;
    for (const Dim factor : term.factors) {
      const bool is_quotient = factor == division.quotient;
      count += is_quotient ? 1 : 0;
      product = table.Multiply(product, is_quotient ? division.whole : factor);
    }
    if (count > power) return Dim();
    for (; count < power; ++count) product = table.Multiply(product, division.divisor);
    result = table.Add(result, product);
  }
  return result;
}

}  // namespace dimwise
