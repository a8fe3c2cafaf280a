// Sample points: sizes for all symbols at once, a fixed few of them, at which facts and questions are tried
// out. What is true at one point where all facts hold and false at another follows from these facts neither
// way, which is seen in a few hundred steps where a search for a proof would take many thousands. Most
// questions about symbolic sizes are of that kind.
#ifndef DIMWISE_CORE_DIMS_SAMPLE_POINTS_H_
#define DIMWISE_CORE_DIMS_SAMPLE_POINTS_H_

#include <cstdint>

#include "dimwise/condition.h"

namespace dimwise {

inline constexpr int kSamplePoints = 16;
// Which of the points: a bit for each.
using PointSet = uint16_t;
inline constexpr PointSet kAllPoints = 0xffff;

// What a symbol is at a point.
int64_t SampleSize(int point, Dim symbol, const SymbolInfo& info);

// Those at which it can be computed, and those of them at which it holds. A symbol with a definition is what
// that makes of the symbols behind it; so what is known of these has to hold at the points, too.
struct Tried {
  PointSet computed = 0, holds = 0;
};
Tried TryOut(const DimTable& table, const Literal& literal, PointSet points);

// The least and the greatest that d is at these points, as far as it can be computed: what is known of it for
// certain cannot be narrower.
struct SampleRange {
  int64_t least = INT64_MAX, greatest = INT64_MIN;
  bool has_both_signs() const { return least < 0 && greatest > 0; }
  bool has_two() const { return least < greatest; }
};
SampleRange RangeAt(const DimTable& table, Dim d, PointSet points);

// Those of `points` at which the clause holds. One that mentions a symbol with a definition counts as holding
// nowhere: whether it does depends on symbols that are not its own, of which others know what holds.
PointSet PointsOf(const DimTable& table, const Clause& clause, PointSet points);

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_SAMPLE_POINTS_H_
