// Replaces atoms in an expression, and computes its value for given sizes.
#include <algorithm>

#include "core/dims/dim_table.h"
#include "core/dims/float_step.h"

namespace dimwise {

// Returns the sum unchanged if nothing is replaced, which is the usual case. Only the final result is
// interned.
Dim DimTable::Impl::SubstituteInSum(Dim d, const std::function<Dim(Dim atom)>& replace) {
  const Entry e = At(d);
  const std::span<const StoredTerm> terms(e.terms, e.count);
  Sum sum;
  bool changed = false;
  for (const StoredTerm& t : terms) {
    const Product p = products[t.product];
    std::array<Dim, kMaxFactors> factors;
    std::transform(p.factors, p.factors + p.count, factors.begin(),
                   [&](Dim factor) { return table->Substitute(factor, replace); });
    if (std::equal(p.factors, p.factors + p.count, factors.begin())) {
      sum.Add(t.product, t.coefficient);
      continue;
    }
    changed = true;
    Dim product = p.count == 1 ? factors[0] : t.coefficient;
    for (uint32_t k = 0; p.count > 1 && k < p.count; ++k) product = table->Multiply(product, factors[k]);
    if (product.is_none()) return Dim();
    AddScaled(&sum, product, p.count == 1 ? t.coefficient : 1);
  }
  if (!changed) return d;
  if (const Dim result = Normal(&sum); !result.is_none()) return result;
  Dim result = 0;  // too many terms: add the parts, so that a defined symbol represents what exceeds the cap
  for (const StoredTerm& t : terms) {
    const Product p = products[t.product];
    Dim product = t.coefficient;
    for (uint32_t k = 0; k < p.count; ++k)
      product = table->Multiply(product, table->Substitute(p.factors[k], replace));
    result = table->Add(result, product);
  }
  return result;
}

Dim DimTable::Substitute(Dim d, const std::function<Dim(Dim atom)>& replace) {
  if (!d.is_expression()) return d;
  const Entry e = impl_->At(d);
  if (e.kind == DimKind::kSum) return impl_->SubstituteInSum(d, replace);
  if (const Dim r = replace(d); !r.is_none()) return r;
  switch (e.kind) {
    case DimKind::kFloorDiv: {
      const Dim a = Substitute(e.operands[0], replace), b = Substitute(e.operands[1], replace);
      if (a == e.operands[0] && b == e.operands[1]) return d;
      return b == Dim(0) ? d : FloorDivide(a, b);
    }
    case DimKind::kMaxZero: {
      const Dim a = Substitute(e.operands[0], replace);
      return a == e.operands[0] ? d : Max(a, 0);
    }
    case DimKind::kBroadcast: {
      std::array<Dim, kMaxTerms> sizes;
      for (uint32_t i = 0; i < e.count; ++i) sizes[i] = Substitute(e.operands[i], replace);
      const Dim r = Broadcast(std::span<const Dim>(sizes.data(), e.count));
      return r.is_none() ? d : r;  // The sizes conflict: a guard reports that, d stays
    }
    case DimKind::kConflict: {
      std::vector<Dim> sizes(e.operands, e.operands + e.count);
      for (Dim& size : sizes) size = Substitute(size, replace);
      const Dim r = Conflict(sizes);
      return r.is_none() ? d : r;
    }
    default:
      return d;
  }
}

namespace {

using Number = std::optional<int64_t>;

Number Checked(Wide v) { return FitsInt64(v) ? Number(static_cast<int64_t>(v)) : std::nullopt; }

class Evaluation {
 public:
  Evaluation(const DimTable::Impl& impl, const std::function<Number(Dim)>& size_of)
      : impl_(impl), size_of_(size_of) {}

  // Evaluates definitions from the oldest to the newest, without recursion: chains of definitions have any
  // length. An operand is always older than its symbol.
  Number Run(Dim d) {
    std::vector<Dim> pending(Symbols(d).begin(), Symbols(d).end()), defined;
    while (!pending.empty()) {
      const Dim s = pending.back();
      pending.pop_back();
      if (const Number n = size_of_(s)) {
        known_[s] = *n;
        continue;
      }
      const SymbolEntry& symbol = *impl_.At(s).symbol;
      if (!symbol.defined || std::ranges::find(defined, s) != defined.end()) continue;
      defined.push_back(s);
      for (Dim operand : symbol.definition.operands)
        pending.insert(pending.end(), Symbols(operand).begin(), Symbols(operand).end());
    }
    std::ranges::sort(defined, {}, &Dim::id);
    for (Dim s : defined) {
      if (const Number n = Compute(impl_.At(s).symbol->definition)) known_[s] = *n;
    }
    return Of(d);
  }

 private:
  std::span<const Dim> Symbols(Dim d) const {
    return d.is_expression() ? std::span<const Dim>(impl_.At(d).symbols, impl_.At(d).symbol_count)
                             : std::span<const Dim>();
  }

  Number Of(Dim d) const {
    if (d.is_constant()) return d.constant();
    if (d.is_none()) return std::nullopt;
    const Entry& e = impl_.At(d);
    switch (e.kind) {
      case DimKind::kSum: {
        Wide total = 0;
        for (uint32_t i = 0; i < e.count; ++i) {
          Wide product = e.terms[i].coefficient;
          const Product& p = impl_.products[e.terms[i].product];
          for (uint32_t k = 0; k < p.count; ++k) {
            const Number n = Of(p.factors[k]);
            if (!n || !FitsInt64(product)) return std::nullopt;
            product *= *n;
          }
          if (!FitsInt64(product)) return std::nullopt;
          total += product;
        }
        return Checked(total);
      }
      case DimKind::kSymbol: {
        const auto it = known_.find(d);
        return it == known_.end() ? std::nullopt : Number(it->second);
      }
      case DimKind::kFloorDiv:
        return Compute({Operation::kFloorDiv, 0, {e.operands, e.count}});
      case DimKind::kMaxZero:
        return Compute({Operation::kMaxZero, 0, {e.operands, e.count}});
      case DimKind::kConflict:
        return Conflict({e.operands, e.count});
      default:
        return Compute({Operation::kBroadcast, 0, {e.operands, e.count}});
    }
  }

  Number Conflict(std::span<const Dim> sizes) const {
    int64_t common = 1;
    bool conflict = false;
    for (const Dim d : sizes) {
      const Number n = Of(d);
      if (!n) return std::nullopt;
      conflict = conflict || (*n != 1 && common != 1 && *n != common);
      if (common == 1) common = *n;
    }
    return conflict ? 1 : 0;
  }

  Number Compute(const Definition& definition) const {
    std::vector<int64_t> x;
    for (Dim d : definition.operands) {
      const Number n = Of(d);
      if (!n) return std::nullopt;
      x.push_back(*n);
    }
    switch (definition.operation) {
      case Operation::kAdd:
        return Checked(Wide{x[0]} + x[1]);
      case Operation::kMultiply:
        return Checked(Wide{x[0]} * x[1]);
      case Operation::kFloorDiv:
        return x[1] == 0 ? std::nullopt : Checked(FloorDiv(x[0], x[1]));
      case Operation::kMaxZero:
        return std::max<int64_t>(0, x[0]);
      case Operation::kBroadcast: {
        int64_t result = 1;
        for (int64_t v : x) {
          if (v != 1 && result != 1 && v != result) return std::nullopt;
          if (v != 1) result = v;
        }
        return result;
      }
      case Operation::kSelect:
        return x[0] != 0 ? x[1] : x[2];
      case Operation::kFloat:
        return RunFloatStep(StepOf(definition), x[0], x.back());
    }
    return std::nullopt;
  }

  const DimTable::Impl& impl_;
  const std::function<Number(Dim)>& size_of_;
  tsl::robin_map<Dim, int64_t, std::hash<Dim>> known_;
};

}  // namespace

std::optional<int64_t> DimTable::Evaluate(
    Dim d, const std::function<std::optional<int64_t>(Dim symbol)>& size_of) const {
  if (d.is_constant()) return d.constant();
  return Evaluation(*impl_, size_of).Run(d);
}

}  // namespace dimwise
