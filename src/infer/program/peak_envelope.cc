#include "infer/program/peak_envelope.h"

#include <algorithm>
#include <utility>

namespace dimwise {

void PeakEnvelope::Add(Dim bytes, int64_t times) {
  if (has_too_many_) return;
  current_.Add(bytes, times);
  const std::vector<Term>& terms = TermsOf(bytes);
  step_count_ += terms.size() * entries_.size();
  for (Entry& entry : entries_) {
    entry.difference.Add(bytes, times);
    for (const Term& term : terms) {
      Wide& coefficient = entry.coefficients[term.monomial];
      entry.positive -= coefficient > 0;
      entry.negative -= coefficient < 0;
      coefficient += Wide{times} * term.coefficient;
      entry.positive += coefficient > 0;
      entry.negative += coefficient < 0;
    }
  }
}

void PeakEnvelope::Offer(NodeId node) {
  if (has_too_many_) return;
  if (std::ranges::any_of(entries_, [](const Entry& e) { return e.positive == 0; })) return;
  std::erase_if(entries_, [](const Entry& e) { return e.negative == 0; });
  if (std::ranges::any_of(entries_, [&](const Entry& e) { return Proves(e, -1); })) return;
  std::erase_if(entries_, [&](const Entry& e) { return Proves(e, 1); });
  has_too_many_ = entries_.size() == kMaxCandidates;
  if (!has_too_many_) entries_.push_back({node, {}, {}});
}

bool PeakEnvelope::Proves(const Entry& entry, int64_t sign) {
  // Past the cap the sum hides its terms from the facts, and building it creates many expressions.
  if (proof_count_ == kMaxProofs || entry.difference.expression_count() > DimTable::kMaxTerms) return false;
  ++proof_count_;
  DimTable& dims = facts_.dims();
  return facts_.AtLeast(dims.Multiply(entry.difference.Total(dims), sign), 0, scope_) == Truth::kYes;
}

std::optional<std::vector<PeakEnvelope::Candidate>> PeakEnvelope::Candidates() const {
  if (has_too_many_) return std::nullopt;
  std::vector<Candidate> candidates;
  for (const Entry& entry : entries_) {
    candidates.push_back({entry.node, current_});
    candidates.back().sum.Add(entry.difference, -1);
  }
  return candidates;
}

const std::vector<PeakEnvelope::Term>& PeakEnvelope::TermsOf(Dim bytes) {
  if (const auto at = terms_.find(bytes); at != terms_.end()) return at->second;
  std::optional<std::vector<Term>> terms = Expand(bytes);
  // Bytes are never negative, so they may be a monomial of their own.
  if (!terms) terms = {{monomial_count_++, 1}};
  return terms_.insert({bytes, *std::move(terms)}).first->second;
}

std::optional<std::vector<PeakEnvelope::Term>> PeakEnvelope::Expand(Dim bytes) {
  DimTable& dims = facts_.dims();
  tsl::robin_map<Dim, Wide, std::hash<Dim>> sum;  // an atom in a key is its remainder
  for (size_t i = 0; i < dims.TermCount(bytes); ++i) {
    const dimwise::Term term = dims.GetTerm(bytes, i);
    const std::vector<Dim> factors(term.factors.begin(), term.factors.end());
    std::vector<std::pair<Dim, int64_t>> product{{1, term.coefficient}};
    for (const Dim atom : factors) {
      const std::optional<int64_t> least = facts_.Bounds(atom, scope_).min;
      if (!least) return std::nullopt;
      for (size_t k = product.size(); k-- > 0;) {
        int64_t scaled = 0;
        if (__builtin_mul_overflow(product[k].second, *least, &scaled)) return std::nullopt;
        if (scaled != 0) product.push_back({product[k].first, scaled});
        product[k].first = dims.Multiply(product[k].first, atom);
      }
    }
    for (const auto& [monomial, coefficient] : product) sum[monomial] += coefficient;
    if (sum.size() > kMaxMonomials) return std::nullopt;
  }
  std::vector<Term> terms;
  for (const auto& [monomial, coefficient] : sum) {
    if (!FitsInt64(coefficient)) return std::nullopt;
    if (coefficient == 0) continue;
    const auto [at, is_new] = monomials_.insert({monomial, monomial_count_});
    monomial_count_ += is_new;
    terms.push_back({at->second, static_cast<int64_t>(coefficient)});
  }
  return terms;
}

}  // namespace dimwise
