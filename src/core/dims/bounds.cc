#include "core/dims/bounds.h"

#include "core/dims/bounds_evaluator.h"

namespace dimwise {
namespace {

class NoDerivedFacts : public BoundsSource {
 public:
  Interval OfSymbol(Dim) const override { return {}; }
};

// Bounds for the single fact t >= 0, with no bounds for other forms.
class OneSign : public BoundsSource {
 public:
  OneSign(DimTable& table, Dim t) : form_(ToCanonicalForm(table, t)) {
    if (form_.scale > 0) bounds_.lo = -FloorDiv(form_.constant, form_.scale);
    if (form_.scale < 0) bounds_.hi = FloorDiv(form_.constant, -Wide{form_.scale});
  }
  Interval OfSymbol(Dim symbol) const override { return OfForm(symbol); }
  Interval OfForm(Dim form) const override { return form == form_.form ? bounds_ : Interval(); }
  bool has_forms() const override { return true; }

 private:
  const CanonicalForm form_;
  Interval bounds_;
};

class ByOrigin : public BoundsSource {
 public:
  explicit ByOrigin(const DimTable& table) : table_(table) {}
  Interval OfSymbol(Dim symbol) const override {
    const SymbolInfo info = table_.GetSymbol(symbol);
    return Interval::FromInt64(info.min, info.max);
  }

 private:
  const DimTable& table_;
};

}  // namespace

Interval Bounds(DimTable& table, Dim d, const BoundsSource& source, const EnoughBounds* enough) {
  BoundsEvaluator evaluator(table, source);
  const Interval result = evaluator.OfDim(d, enough);
  source.CountSteps(evaluator.steps());
  return result;
}

Interval PlainBounds(DimTable& table, Dim d, const BoundsSource& source) {
  BoundsEvaluator evaluator(table, source);
  const Interval result = evaluator.OfDimPlainly(d);
  source.CountSteps(evaluator.steps());
  return result;
}

namespace {

// Returns the bounds of d from a cache, and computes them on a miss.
//
// REQUIRES: d is an expression.
Interval CachedBounds(DimTable& table, Dim d, const BoundsSource& source, DimTable::Impl::BoundsById& cache) {
  if (const auto known = cache.find(d.id()); known != cache.end()) return known->second;
  const Interval bounds = Bounds(table, d, source);
  cache.insert({d.id(), bounds});
  return bounds;
}

}  // namespace

Interval UniversalBounds(DimTable& table, Dim d) {
  if (!d.is_expression()) return Bounds(table, d, NoDerivedFacts());
  if (table.Depth(d) == 0) return {};  // the expression has symbols only
  return CachedBounds(table, d, NoDerivedFacts(), table.impl().universal_bounds);
}

Interval BoundsWhere(DimTable& table, Dim d, Dim t) { return Bounds(table, d, OneSign(table, t)); }

Interval IntrinsicBounds(DimTable& table, Dim d) {
  const ByOrigin source(table);
  if (!d.is_expression() || table.Kind(d) == DimKind::kSymbol) return Bounds(table, d, source);
  return CachedBounds(table, d, source, table.impl().intrinsic_bounds);
}

Interval IntrinsicBounds(DimTable& table, const Definition& definition) {
  const ByOrigin source(table);
  return BoundsEvaluator(table, source).OfDefinition(definition);
}

CanonicalForm ToCanonicalForm(DimTable& table, Dim d) {
  CanonicalForm result{0, 1, 0};
  if (d.is_constant()) {
    result.constant = d.constant();
    return result;
  }
  DimTable::Impl::Sum sum, form;
  table.impl().AddScaled(&sum, d, 1);
  if (!BoundsEvaluator::Canonical(sum, &form, &result.scale, &result.constant)) return {d, 1, 0};
  result.form = table.impl().Intern(form);
  return result;
}

}  // namespace dimwise
