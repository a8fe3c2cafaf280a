// Bounds computes an interval that contains an expression. It is given intervals for the symbols and, if the
// source has them, for linear forms.
//
// The method is interval evaluation of the sum. Seven identities, which hold for all integers, tighten the
// result:
// - A factor that all terms share is factored out.
// - max(0, t) is t or 0, so the sum lies between its two cases. If the sum is monotone in the maximum, both
//   cases bound one side. If there are many maxima, the parts of the sum that share no symbol are bounded
//   separately.
// - max(0, p) - max(0, p - k) lies in 0 .. k.
// - In a sum with products, each atom is written as its lower bound plus a remainder >= 0.
// - floordiv(p, 2*m) + floordiv(p + m, 2*m) is floordiv(p, m).
// - d*floordiv(p, d) lies in p - (d-1) .. p, so that p can cancel against other terms.
// - A form that the source has bounds for is looked up. The lookup drops the constant and divides by the gcd.
//
// A budget limits the work; when it is used up, the plain evaluation is the result. The recursion terminates
// because each step goes to smaller parts of the expression.
#ifndef DIMWISE_CORE_DIMS_BOUNDS_H_
#define DIMWISE_CORE_DIMS_BOUNDS_H_

#include "core/base/function_ref.h"
#include "core/dims/interval.h"
#include "dimwise/dim.h"

namespace dimwise {

class BoundsSource {
 public:
  virtual ~BoundsSource() = default;
  virtual Interval OfSymbol(Dim symbol) const = 0;
  // Returns the recorded interval of a canonical form: no constant term, gcd 1, first coefficient positive.
  virtual Interval OfForm(Dim) const { return {}; }
  virtual bool has_forms() const { return false; }
  // Counts the steps of a query to this source. A step is a visit of one part of an expression.
  virtual void CountSteps(uint32_t) const {}
};

// A predicate on an interval that contains the expression: whether the interval answers the caller's query.
using EnoughBounds = FunctionRef<bool(const Interval&)>;

// Returns the tightest interval found. With `enough`, the search stops at the first interval that satisfies
// it.
Interval Bounds(DimTable& table, Dim d, const BoundsSource& source, const EnoughBounds* enough = nullptr);
// Returns the result of plain interval evaluation. It is cheaper than Bounds and often sufficient.
Interval PlainBounds(DimTable& table, Dim d, const BoundsSource& source);

// Returns bounds that hold for all integer values of the symbols. Returns everything, without a search, if
// sample points show that d takes both signs.
Interval UniversalBounds(DimTable& table, Dim d);
// Returns bounds that hold for all integers with t >= 0.
Interval BoundsWhere(DimTable& table, Dim d, Dim t);

// Returns bounds that follow from the minimum and maximum that each symbol was created with.
Interval IntrinsicBounds(DimTable& table, Dim d);
Interval IntrinsicBounds(DimTable& table, const Definition& definition);

// d = scale*form + constant, where form has the shape that BoundsSource::OfForm requires. A constant d has
// the form 0.
struct CanonicalForm {
  Dim form;
  int64_t scale = 1;
  int64_t constant = 0;
};
CanonicalForm ToCanonicalForm(DimTable& table, Dim d);

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_BOUNDS_H_
