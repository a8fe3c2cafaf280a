// The values of one size at which a condition on it holds, exactly.
//
// An expression of one size N that is made of sums, quotients by constants, minima and maxima is a line with
// steps: from some N on, f(N + period) == f(N) + rise. So the sizes at which it is 0, or at least 0, repeat
// from some N on, and what follows from what is seen by counting up to there:
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
  // Sets that repeat later than this are not made.
  static constexpr uint64_t kMaxSpan = 16384;

  // The sizes from `least` on; nothing where that is too far.
  static std::optional<SizeSet> From(uint64_t least);
  // The sizes, values of `symbol` from 0 on, at which the clause holds. Nothing where it speaks of other
  // symbols, has another form, or repeats too late.
  static std::optional<SizeSet> Of(const DimTable& table, const Clause& clause, Dim symbol);

  // The sizes from `least` to `most`, or on without an end.
  struct Range {
    uint64_t least = 0;
    std::optional<uint64_t> most;
  };

  bool Contains(uint64_t size) const;
  // The set as a range; nothing where it has gaps, or no sizes.
  std::optional<Range> AsRange() const;
  // Whether the other set has all of these. Nothing where that would take too long to see.
  std::optional<bool> IsWithin(const SizeSet& other) const;

  // Nothing where the result repeats too late.
  static std::optional<SizeSet> Both(const SizeSet& a, const SizeSet& b);
  static std::optional<SizeSet> Either(const SizeSet& a, const SizeSet& b);

 private:
  uint64_t start_ = 0;     // from here on it repeats
  std::vector<bool> has_;  // those before, and once what repeats
  uint64_t period() const { return has_.size() - start_; }

  template <typename Op>
  static std::optional<SizeSet> Combined(const SizeSet& a, const SizeSet& b, Op op);
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_SIZE_SET_H_
