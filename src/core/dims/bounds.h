// Bounds denotes the tightest interval that we can show an expression to lie in, given intervals for symbols
// and, where a source has them, for linear forms.
//
// The method is interval evaluation over the sum, improved by seven rewritings of the sum that hold always:
//  - a factor that all terms share comes out;
//  - max(0, t) is t or 0, so the sum lies between its two cases, on the better side of both where it only
//  grows; where there are many, the parts of the sum that share no symbol are taken apart first;
//  - max(0, p) - max(0, p - k) lies in 0 .. k;
//  - of a sum with products, each atom is its least and what it is more than that;
//  - floordiv(p, 2*m) + floordiv(p + m, 2*m) is floordiv(p, m);
//  - d*floordiv(p, d) lies in p - (d-1) .. p, which lets p cancel against the rest;
//  - a form that the source knows (constant removed, gcd divided out) is looked up.
// Work is limited by a budget, past which the plain evaluation stands. Nothing is chased around cycles: each
// step goes to smaller parts of the expression itself.
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
  // What is recorded of a form: no constant term, gcd 1, first coefficient positive (see CanonicalForm).
  virtual Interval OfForm(Dim) const { return {}; }
  virtual bool has_forms() const { return false; }
};

// Says of an interval that an expression lies in whether it answers what was asked.
using EnoughBounds = FunctionRef<bool(const Interval&)>;

// The tightest; or the first that is enough, where it matters only whether one is.
Interval Bounds(DimTable& table, Dim d, const BoundsSource& source, const EnoughBounds* enough = nullptr);
// The plain evaluation alone, which is most often enough.
Interval PlainBounds(DimTable& table, Dim d, const BoundsSource& source);

// With no knowledge of symbols at all: what holds for all integers. Not looked for where d is seen to take
// both signs.
Interval UniversalBounds(DimTable& table, Dim d);
// The same for the integers at which t is >= 0.
Interval BoundsWhere(DimTable& table, Dim d, Dim t);

// By what each symbol's origin guarantees.
Interval IntrinsicBounds(DimTable& table, Dim d);
Interval IntrinsicBounds(DimTable& table, const Definition& definition);

// d = scale*form + constant, with form as BoundsSource::OfForm wants it. For a constant d the form is 0.
struct CanonicalForm {
  Dim form;
  int64_t scale = 1;
  int64_t constant = 0;
};
CanonicalForm ToCanonicalForm(DimTable& table, Dim d);

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_BOUNDS_H_
