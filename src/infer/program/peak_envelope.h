// PeakEnvelope finds the values of a changing sum of byte sizes that may be its largest value.
//
// Each byte size is written as a polynomial over quantities that are never negative: an atom is its lower
// bound plus a remainder, as in N = 1 + N'. One sum is at least as large as another if each of its
// coefficients is. For each candidate, the envelope stores only the coefficients in which the current sum
// differs from it, and how many of them are positive or negative. So the cost of a change is the number of
// its terms times the number of candidates, and two sums are compared in constant time. Where coefficients do
// not decide, the facts do, within a budget.
#ifndef DIMWISE_INFER_PROGRAM_PEAK_ENVELOPE_H_
#define DIMWISE_INFER_PROGRAM_PEAK_ENVELOPE_H_

#include <tsl/robin_map.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/wide.h"
#include "dimwise/facts.h"
#include "dimwise/graph.h"
#include "infer/program/dim_sum.h"

namespace dimwise {

class PeakEnvelope {
 public:
  // Each candidate makes each change of the sum more expensive. Among 33 real models, those with at most 8
  // candidates in the end never have more than 8.
  static constexpr size_t kMaxCandidates = 16;
  // A proof costs up to 0.5 ms. Those models need at most 140.
  static constexpr size_t kMaxProofs = 256;
  // A byte size with more monomials is opaque: a product of 8 sizes of at least 1 has 256.
  static constexpr size_t kMaxMonomials = 128;

  struct Candidate {
    NodeId node;
    DimSum sum;
  };

  PeakEnvelope(Facts& facts, ScopeId scope) : facts_(facts), scope_(scope) {}

  // Adds a byte size to the current sum `times` times. REQUIRES: bytes is not none.
  void Add(Dim bytes, int64_t times);
  // Makes the current sum a candidate, unless a candidate is proved to be at least as large. Removes the
  // candidates that are proved to be at most as large.
  void Offer(NodeId node);
  // Returns the candidates, in the order of the offers. Returns nullopt if there were too many.
  std::optional<std::vector<Candidate>> Candidates() const;
  // Returns the number of coefficients that were updated, as a measure of the work.
  size_t step_count() const { return step_count_; }

 private:
  using MonomialId = uint32_t;
  struct Term {
    MonomialId monomial;
    int64_t coefficient;
  };
  // A candidate, represented by the current sum minus its sum.
  struct Entry {
    NodeId node;
    DimSum difference;
    tsl::robin_map<MonomialId, Wide> coefficients;  // of the difference
    size_t positive = 0, negative = 0;              // number of coefficients by their sign
  };

  const std::vector<Term>& TermsOf(Dim bytes);
  // Returns nullopt if an atom has no lower bound, a coefficient exceeds 64 bits, or there are too many
  // terms.
  std::optional<std::vector<Term>> Expand(Dim bytes);
  // Returns whether the facts prove that the difference times `sign` is at least 0.
  bool Proves(const Entry& entry, int64_t sign);

  Facts& facts_;
  const ScopeId scope_;
  DimSum current_;
  std::vector<Entry> entries_;
  bool has_too_many_ = false;
  size_t proof_count_ = 0, step_count_ = 0;
  MonomialId monomial_count_ = 0;
  tsl::robin_map<Dim, MonomialId, std::hash<Dim>> monomials_;     // by product of remainders of atoms
  tsl::robin_map<Dim, std::vector<Term>, std::hash<Dim>> terms_;  // by byte size
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_PROGRAM_PEAK_ENVELOPE_H_
