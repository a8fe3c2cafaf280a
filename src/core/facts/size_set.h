// The exact set of values of one size at which a condition on it holds.
//
// Take an expression f of one size N with sums, quotients by constants, minima and maxima. From some N on,
// f(N + period) == f(N) + rise. So the sizes where f is 0, or at least 0, repeat with the period from some N
// on. Implications between conditions are decided by enumeration up to there:
//     ((N + 7)//8) % 4 == 0     implies     ((N + 15)//16) % 2 == 0
#ifndef DIMWISE_CORE_FACTS_SIZE_SET_H_
#define DIMWISE_CORE_FACTS_SIZE_SET_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "dimwise/condition.h"

namespace dimwise {

class SizeSet {
 public:
  // Returns the sizes from `least` on, or nullopt if `least` exceeds the limit.
  static std::optional<SizeSet> From(uint64_t least);
  // Returns the values of `symbol`, from 0 on, at which the clause holds. Returns nullopt if the clause
  // mentions other symbols, has another form, or exceeds the limit.
  static std::optional<SizeSet> Of(const DimTable& table, const Clause& clause, Dim symbol);

  // The numbers from `least` to `most`; nullopt: without an end.
  struct Range {
    uint64_t least = 0;
    std::optional<uint64_t> most;
  };

  bool Contains(uint64_t size) const;
  // Returns the longest ranges of sizes that are not in the set, in ascending order; nullopt if there are
  // infinitely many.
  std::optional<std::vector<Range>> Gaps() const;
  // Returns whether this set is a subset of the other one, or nullopt if the limit is exceeded.
  std::optional<bool> IsWithin(const SizeSet& other) const;

  // Return the intersection and the union, or nullopt if the limit is exceeded.
  static std::optional<SizeSet> Both(const SizeSet& a, const SizeSet& b);
  static std::optional<SizeSet> Either(const SizeSet& a, const SizeSet& b);

 private:
  uint64_t start_ = 0;     // the first size of the first period
  std::vector<bool> has_;  // the sizes before start_, and one period
  uint64_t period() const { return has_.size() - start_; }

  template <typename Op>
  static std::optional<SizeSet> Combined(const SizeSet& a, const SizeSet& b, Op op);
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_SIZE_SET_H_
