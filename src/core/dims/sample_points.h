// Sample points assign a size to every symbol. Facts and queries are evaluated at a fixed small set of
// points. Take two points at which all facts hold. If a query is true at one and false at the other, then the
// facts neither prove nor refute it. Sampling takes a few hundred steps, a search for a proof many thousands.
// It decides most queries about symbolic sizes.
#ifndef DIMWISE_CORE_DIMS_SAMPLE_POINTS_H_
#define DIMWISE_CORE_DIMS_SAMPLE_POINTS_H_

#include <cstdint>

#include "dimwise/condition.h"

namespace dimwise {

inline constexpr int kSamplePoints = 16;
// A set of points as a bit mask.
using PointSet = uint16_t;
inline constexpr PointSet kAllPoints = 0xffff;

// Returns the value of a symbol at a point.
int64_t SampleSize(int point, Dim symbol, const SymbolInfo& info);

// The points where the literal can be computed, and the points among them where it holds. A symbol with a
// definition is evaluated from its operands. Points that violate facts about these operands must not count.
struct PointTruth {
  PointSet computed = 0, holds = 0;
};
PointTruth EvaluateAtPoints(const DimTable& table, const Literal& literal, PointSet points);

// The smallest and largest value of d at these points, as far as it can be computed. No interval that is
// certain for d can be narrower.
struct SampleRange {
  int64_t least = INT64_MAX, greatest = INT64_MIN;
  bool has_both_signs() const { return least < 0 && greatest > 0; }
  bool has_two() const { return least < greatest; }
};
SampleRange RangeAt(const DimTable& table, Dim d, PointSet points);

// Returns the points at which the clause holds. A clause that mentions a symbol with a definition holds
// nowhere: the facts about the operands of the definition belong to other symbols.
PointSet PointsOf(const DimTable& table, const Clause& clause, PointSet points);

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_SAMPLE_POINTS_H_
