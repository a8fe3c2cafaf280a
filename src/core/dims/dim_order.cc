// A total order of expressions that depends only on their structure. User symbols are ordered by declaration,
// generated symbols by their keys, and sums by their terms. The order of printed terms and the order in which
// facts are applied use it, so neither depends on when an expression was created.
#include <algorithm>

#include "core/dims/dim_table.h"
#include "core/dims/limits.h"

namespace dimwise {
namespace {

using Impl = DimTable::Impl;

std::strong_ordering Compare(Impl& impl, Dim a, Dim b, int depth);

std::strong_ordering CompareLists(Impl& impl, std::span<const Dim> a, std::span<const Dim> b, int depth) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  for (size_t i = 0; i < a.size(); ++i) {
    if (const auto o = Compare(impl, a[i], b[i], depth); o != 0) return o;
  }
  return std::strong_ordering::equal;
}

std::strong_ordering CompareSymbols(const SymbolEntry& a, const SymbolEntry& b, Impl& impl, int depth) {
  if (a.info.of_user != b.info.of_user) return b.info.of_user <=> a.info.of_user;
  if (a.info.of_user) return a.info.order <=> b.info.order;
  if (a.defined != b.defined) return a.defined <=> b.defined;
  if (a.keyed && b.keyed) {
    // Symbols of an earlier node come first; the path is only a hash.
    if (const auto o = a.key.value <=> b.key.value; o != 0) return o;
    if (const auto o = a.key.path <=> b.key.path; o != 0) return o;
    return a.key.role <=> b.key.role;
  }
  if (a.defined && depth < kMaxOrderedDefinitions) {
    if (const auto o = a.definition.operation <=> b.definition.operation; o != 0) return o;
    if (const auto o = a.definition.tag <=> b.definition.tag; o != 0) return o;
    if (const auto o = CompareLists(impl, a.definition.operands, b.definition.operands, depth + 1); o != 0)
      return o;
  }
  return a.info.order <=> b.info.order;
}

std::span<const Dim> SortedCopy(Impl& impl, std::span<const Dim> dims) {
  const auto is_less = [&](Dim x, Dim y) { return Compare(impl, x, y, 0) < 0; };
  if (std::ranges::is_sorted(dims, is_less)) return dims;
  Dim* sorted = impl.Allocate<Dim>(dims.size());
  std::ranges::copy(dims, sorted);
  std::sort(sorted, sorted + dims.size(), is_less);
  return {sorted, dims.size()};
}

std::strong_ordering CompareSums(Impl& impl, Dim a, Dim b, int depth) {
  SortedTerm one_a, one_b;
  const std::span<const SortedTerm> s = impl.SortedTerms(a, &one_a), t = impl.SortedTerms(b, &one_b);
  for (size_t i = 0; i < std::min(s.size(), t.size()); ++i) {
    if (const auto o = CompareLists(impl, s[i].factors, t[i].factors, depth); o != 0) return o;
    if (const auto o = s[i].coefficient <=> t[i].coefficient; o != 0) return o;
  }
  return s.size() <=> t.size();
}

// Two different expressions compare unequal, so the comparison descends into the first pair of different
// parts only.
std::strong_ordering Compare(Impl& impl, Dim a, Dim b, int depth) {
  if (a == b) return std::strong_ordering::equal;
  if (!a.is_expression() || !b.is_expression()) {
    if (a.is_expression() != b.is_expression()) return b.is_expression() <=> a.is_expression();
    return a.bits() <=> b.bits();
  }
  const Entry &x = impl.At(a), &y = impl.At(b);
  if (x.kind == DimKind::kSum || y.kind == DimKind::kSum) return CompareSums(impl, a, b, depth);
  if (x.kind != y.kind) return x.kind <=> y.kind;
  if (x.kind == DimKind::kSymbol) return CompareSymbols(*x.symbol, *y.symbol, impl, depth);
  if (x.kind == DimKind::kBroadcast || x.kind == DimKind::kConflict)
    return CompareLists(impl, impl.SortedOperands(a), impl.SortedOperands(b), depth);
  return CompareLists(impl, {x.operands, x.count}, {y.operands, y.count}, depth);
}

}  // namespace

std::span<const SortedTerm> DimTable::Impl::SortedTerms(Dim d, SortedTerm* one) {
  Entry& e = entries[d.id()];
  if (e.kind != DimKind::kSum) {
    *one = {1, {products[e.product].factors, 1}};
    return {one, 1};
  }
  if (e.sorted_terms == nullptr) {
    SortedTerm* terms = Allocate<SortedTerm>(e.count);
    for (uint32_t i = 0; i < e.count; ++i) {
      const Product& p = products[e.terms[i].product];
      terms[i] = {e.terms[i].coefficient, SortedCopy(*this, {p.factors, p.count})};
    }
    std::sort(terms, terms + e.count, [&](const SortedTerm& s, const SortedTerm& t) {
      if (s.factors.size() != t.factors.size()) return s.factors.size() > t.factors.size();
      return CompareLists(*this, s.factors, t.factors, 0) < 0;
    });
    e.sorted_terms = terms;
  }
  return {e.sorted_terms, e.count};
}

std::span<const Dim> DimTable::Impl::SortedOperands(Dim d) {
  Entry& e = entries[d.id()];
  if (e.sorted_operands == nullptr) e.sorted_operands = SortedCopy(*this, {e.operands, e.count}).data();
  return {e.sorted_operands, e.count};
}

void DimTable::Impl::SortOverDefinitions(Dim d) {
  const Entry& e = At(d);
  const auto is_defined = [&](Dim symbol) { return At(symbol).symbol->defined; };
  if (std::none_of(e.symbols, e.symbols + e.symbol_count, is_defined)) return;
  SortedTerm one;
  if (e.kind == DimKind::kSum) SortedTerms(d, &one);
  if (e.kind == DimKind::kBroadcast || e.kind == DimKind::kConflict) SortedOperands(d);
}

std::strong_ordering DimTable::Order(Dim a, Dim b) const { return Compare(*impl_, a, b, 0); }

}  // namespace dimwise
