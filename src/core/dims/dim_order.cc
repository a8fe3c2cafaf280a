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
    if (const auto o = CompareLists(impl, a.definition.operands, b.definition.operands, depth + 1); o != 0)
      return o;
  }
  return a.info.order <=> b.info.order;
}

std::vector<Dim> Sorted(Impl& impl, std::span<const Dim> dims, int depth) {
  std::vector<Dim> sorted(dims.begin(), dims.end());
  std::ranges::sort(sorted, [&](Dim x, Dim y) { return Compare(impl, x, y, depth) < 0; });
  return sorted;
}

struct SortedTerm {
  int64_t coefficient;
  std::vector<Dim> factors;
};

std::vector<SortedTerm> SortedTerms(Impl& impl, Dim d, int depth) {
  std::vector<SortedTerm> terms;
  StoredTerm one;
  for (const StoredTerm& t : impl.Terms(d, &one)) {
    const Product& p = impl.products[t.product];
    terms.push_back({t.coefficient, Sorted(impl, {p.factors, p.count}, depth)});
  }
  std::ranges::sort(terms, [&](const SortedTerm& s, const SortedTerm& t) {
    if (s.factors.size() != t.factors.size()) return s.factors.size() > t.factors.size();
    return CompareLists(impl, s.factors, t.factors, depth) < 0;
  });
  return terms;
}

std::strong_ordering CompareUncached(Impl& impl, Dim a, Dim b, int depth) {
  const Entry &x = impl.At(a), &y = impl.At(b);
  if (x.kind == DimKind::kSum || y.kind == DimKind::kSum) {
    const std::vector<SortedTerm> s = SortedTerms(impl, a, depth), t = SortedTerms(impl, b, depth);
    for (size_t i = 0; i < std::min(s.size(), t.size()); ++i) {
      if (const auto o = CompareLists(impl, s[i].factors, t[i].factors, depth); o != 0) return o;
      if (const auto o = s[i].coefficient <=> t[i].coefficient; o != 0) return o;
    }
    return s.size() <=> t.size();
  }
  if (x.kind != y.kind) return x.kind <=> y.kind;
  if (x.kind == DimKind::kSymbol) return CompareSymbols(*x.symbol, *y.symbol, impl, depth);
  if (x.kind == DimKind::kBroadcast) {
    return CompareLists(impl, Sorted(impl, {x.operands, x.count}, depth),
                        Sorted(impl, {y.operands, y.count}, depth), depth);
  }
  return CompareLists(impl, {x.operands, x.count}, {y.operands, y.count}, depth);
}

// Compares two expressions. Comparing sums sorts their terms, and the same pairs recur often, so results are
// cached.
std::strong_ordering Compare(Impl& impl, Dim a, Dim b, int depth) {
  if (a == b) return std::strong_ordering::equal;
  if (!a.is_expression() || !b.is_expression()) {
    if (a.is_expression() != b.is_expression()) return b.is_expression() <=> a.is_expression();
    return a.bits() <=> b.bits();
  }
  const auto is_plain = [&](Dim d) {
    const Entry& e = impl.At(d);
    return e.kind == DimKind::kSymbol && !e.symbol->defined;
  };
  if (depth > 0 || is_plain(a) || is_plain(b)) return CompareUncached(impl, a, b, depth);
  if (const Impl::Ordered& known = impl.OrderedSlot(a, b);
      known.is_filled && known.a == a.bits() && known.b == b.bits()) {
    return known.order <=> 0;
  }
  const std::strong_ordering order = CompareUncached(impl, a, b, depth);
  impl.OrderedSlot(a, b) = {a.bits(), b.bits(),
                            static_cast<int8_t>(order < 0   ? -1
                                                : order > 0 ? 1
                                                            : 0),
                            true};
  return order;
}

}  // namespace

std::strong_ordering DimTable::Order(Dim a, Dim b) const { return Compare(*impl_, a, b, 0); }

}  // namespace dimwise
