// Merge (meet), Relax (join), and requirements on ranks and sizes.
//
// Merge returns one of its arguments if that contains all information of the result. A size that equals
// another one by a recorded fact needs no new shape. TensorFlow's rule decides: a shape is sufficient if it
// has a constant wherever the other one has a constant.
#include <algorithm>
#include <numeric>

#include "dimwise/inference_context.h"
#include "infer/context/missing_handle.h"
#include "infer/error.h"

namespace dimwise {
namespace {

using DimList = internal::SmallList<Dim, 16>;

// Returns "rank 2", "rank 1 .. 3" or "rank 3 or more".
std::string RankText(Shape shape) {
  if (shape.has_rank()) return fmt::format("rank {}", shape.rank());
  if (shape.min_rank() == shape.max_rank()) return fmt::format("rank {}", shape.min_rank());
  if (shape.max_rank() == kMaxRank) return fmt::format("rank {} or more", shape.min_rank());
  return fmt::format("rank {} .. {}", shape.min_rank(), shape.max_rank());
}

// Returns "4", "N" or "N (at most 3)".
std::string SizeText(Facts& facts, Dim size, ScopeId scope) {
  const std::string text = facts.dims().ToString(size);
  if (!size.is_expression()) return text;
  const SizeBounds bounds = facts.Bounds(size, scope);
  const bool has_min = bounds.min && *bounds.min > 0;
  if (has_min && bounds.max) return fmt::format("{} ({} .. {})", text, *bounds.min, *bounds.max);
  if (has_min) return fmt::format("{} (at least {})", text, *bounds.min);
  if (bounds.max) return fmt::format("{} (at most {})", text, *bounds.max);
  return text;
}

}  // namespace

Result<Shape> InferenceContext::WithRank(Shape shape, int64_t rank) {
  if (shape.is_none()) return NoShape();
  if (shape.rank() == rank) return shape;
  if (rank < 0 || rank > kMaxRank)
    return Error(Code::kOutOfRange, "a rank is 0 .. {}, not {}", kMaxRank, rank);
  if (shape.has_rank()) {
    return Error(Code::kRankMismatch, "{} has rank {}; it must have rank {}", DebugString(shape),
                 shape.rank(), rank);
  }
  if (rank < shape.min_rank() || rank > shape.max_rank()) {
    return Error(Code::kRankMismatch, "a shape of {} must have rank {}", RankText(shape), rank);
  }
  return UnknownShapeOfRank(rank);
}

Result<Shape> InferenceContext::WithRankAtLeast(Shape shape, int64_t rank) {
  if (shape.is_none()) return NoShape();
  if (shape.max_rank() >= rank) return shape;
  return Error(Code::kRankMismatch, "{} has {}; it must have rank {} or more", DebugString(shape),
               RankText(shape), rank);
}

Result<Shape> InferenceContext::WithRankAtMost(Shape shape, int64_t rank) {
  if (shape.is_none()) return NoShape();
  if (shape.min_rank() <= rank) return shape;
  return Error(Code::kRankMismatch, "{} has {}; it must have rank {} or less", DebugString(shape),
               RankText(shape), rank);
}

Result<DimensionHandle> InferenceContext::WithValue(DimensionHandle dim, int64_t value) {
  if (dim.is_constant() && dim.constant() != value) {
    return Error(Code::kSizeMismatch, "the size is {}; it must be {}", dim.constant(), value);
  }
  return Merge(dim, value);
}

// ---- Merge ----

Result<DimensionHandle> InferenceContext::Merge(DimensionHandle a, DimensionHandle b) {
  if (a.is_none() || b.is_none()) return NoDim();
  if (a == b) return a;
  const Truth truth = facts().Equal(a, b, scope());
  if (truth == Truth::kNo) {
    const auto words = [&] {
      return fmt::format("sizes {} and {} must be equal", SizeText(facts(), a, scope()),
                         SizeText(facts(), b, scope()));
    };
    const Truth without_assumed = facts().Equal(a, b, scope(), FactFilter::kWithoutAssumed);
    if (!in_query_ || without_assumed == Truth::kNo) return Fail(without_assumed, words, Code::kSizeMismatch);
  }
  if (truth != Truth::kYes || facts().Equal(a, b, scope(), FactFilter::kWithoutChecked) != Truth::kYes) {
    const auto words = [&] {
      return fmt::format("sizes {} and {} must be equal", DebugString(a), DebugString(b));
    };
    RecordGuard(Condition{{{dimwise::Equal(dims(), a, b)}}}, words, Code::kSizeMismatch);
  }
  return b.is_constant() ? b : a;
}

// Merges two shapes of which at least one is unknown. Two unknown shapes stay distinct; only their ranks are
// merged.
Result<Shape> InferenceContext::MergeUnknown(Shape a, Shape b) {
  const int min = std::max(a.min_rank(), b.min_rank());
  const int max = std::min(a.max_rank(), b.max_rank());
  if (min > max) {
    return Error(Code::kRankMismatch, "{} has {} and {} has {}; the ranks must be equal", DebugString(a),
                 RankText(a), DebugString(b), RankText(b));
  }
  if (a.has_rank()) return a;
  if (b.has_rank()) return b;
  if (a.min_rank() == min && a.max_rank() == max) return a;
  if (b.min_rank() == min && b.max_rank() == max) return b;
  return UnknownShape(min, max);
}

Result<Shape> InferenceContext::Merge(Shape a, Shape b) {
  if (a.is_none() || b.is_none()) return NoShape();
  if (a == b) return a;
  if (!a.has_rank() || !b.has_rank()) return MergeUnknown(a, b);
  if (a.rank() != b.rank()) {
    return Error(Code::kRankMismatch, "{} and {} must have the same rank; they have {} and {}",
                 DebugString(a), DebugString(b), a.rank(), b.rank());
  }
  const Savepoint before = Save();
  DimList merged;
  bool a_says_all = true;
  bool b_says_all = true;
  for (int axis = 0; axis < a.rank(); ++axis) {
    Result<DimensionHandle> size = Merge(a[axis], b[axis]);
    if (!size) {
      GoBack(before);
      Diagnostic& error = size.error();
      error.message =
          fmt::format("{} at axis {} of {} and {}", error.message, axis, DebugString(a), DebugString(b));
      return std::move(size).TakeError();
    }
    a_says_all &= a[axis].is_constant() || !size->is_constant();
    b_says_all &= b[axis].is_constant() || !size->is_constant();
    merged.push_back(*size);
  }
  if (a_says_all) return a;
  if (b_says_all) return b;
  return analysis_->shapes().Make(merged);
}

Result<std::pair<Shape, Shape>> InferenceContext::MergePrefix(Shape shape, Shape prefix) {
  if (shape.is_none() || prefix.is_none()) return NoShape();
  DIMWISE_RETURN_IF_ERROR(WithRankAtLeast(shape, prefix.min_rank()));
  if (!shape.has_rank() || !prefix.has_rank()) return std::pair(shape, prefix);
  DIMWISE_ASSIGN_OR_RETURN(const Shape begin, Subshape(shape, 0, prefix.rank()));
  DIMWISE_ASSIGN_OR_RETURN(const Shape merged, Merge(begin, prefix));
  DIMWISE_ASSIGN_OR_RETURN(const Shape end, Subshape(shape, prefix.rank()));
  DIMWISE_ASSIGN_OR_RETURN(const Shape whole, Concatenate(merged, end));
  return std::pair(whole, merged);
}

Truth InferenceContext::CanMerge(DimensionHandle a, DimensionHandle b) {
  if (a.is_none() || b.is_none()) return Truth::kNo;
  return Equal(a, b);
}

Truth InferenceContext::CanMerge(Shape a, Shape b) {
  if (a.is_none() || b.is_none()) return Truth::kNo;
  if (a == b) return Truth::kYes;
  if (a.min_rank() > b.max_rank() || b.min_rank() > a.max_rank()) return Truth::kNo;
  if (!a.has_rank() || !b.has_rank()) return Truth::kMaybe;
  int open = 0;
  for (int axis = 0; axis < a.rank(); ++axis) {
    const Truth truth = CanMerge(a[axis], b[axis]);
    if (truth == Truth::kNo) return Truth::kNo;
    if (truth == Truth::kMaybe) ++open;
  }
  if (open == 0) return Truth::kYes;
  if (open == 1) return Truth::kMaybe;
  // Each pair alone may be equal but not all together, as in [N, N] and [3, 4]. Merge them and roll back.
  const Savepoint before = Save();
  const bool merged = Merge(a, b).has_value();
  GoBack(before);
  return merged ? Truth::kMaybe : Truth::kNo;
}

Result<ElementType> InferenceContext::MergeElementTypes(ElementType a, ElementType b) const {
  if (a == b || b == ElementType::kUnknown) return a;
  if (a == ElementType::kUnknown) return b;
  return Error(Code::kElementType, "element types {} and {} must be the same", ToString(a), ToString(b));
}

// ---- Relax ----

DimensionHandle InferenceContext::Relax(DimensionHandle before, DimensionHandle now) {
  if (before.is_none()) return now.is_none() ? UnknownDim() : now;
  if (now.is_none() || before == now) return before;
  if (Equal(before, now) == Truth::kYes) return now.is_constant() ? now : before;

  // Bounds of the join must hold without guards of other nodes. Otherwise those guards could be justified by
  // the bounds.
  const FactFilter filter = FactFilter::kWithoutChecked;
  const SizeBounds a = facts().Bounds(before, scope(), filter);
  const SizeBounds b = facts().Bounds(now, scope(), filter);
  const int64_t min = a.min && b.min ? std::min(*a.min, *b.min) : INT64_MIN;
  const int64_t max = a.max && b.max ? std::max(*a.max, *b.max) : INT64_MAX;
  const DimensionHandle join = UnknownDim(min, max);
  const bool grows = facts().AtLeast(now, before, scope(), filter) == Truth::kYes;
  if (grows || facts().AtLeast(before, now, scope(), filter) == Truth::kYes) {
    Ensure(dimwise::AtLeast(dims(), join, grows ? before : now));  // adds nothing if it is a constant
    Ensure(dimwise::AtMost(dims(), join, grows ? now : before));
  } else {
    Ensure(dimwise::AtLeast(dims(), join, dims().Min(before, now)));
    Ensure(dimwise::AtMost(dims(), join, dims().Max(before, now)));
  }
  const Congruence p = facts().CongruenceOf(before, scope(), filter);
  const Congruence q = facts().CongruenceOf(now, scope(), filter);
  int64_t gap = 0;
  if (__builtin_sub_overflow(p.remainder, q.remainder, &gap) || gap == INT64_MIN) return join;
  const int64_t step = std::gcd(std::gcd(p.modulus, q.modulus), gap);
  if (step > 1) Ensure(dimwise::Equal(dims(), dims().Mod(dims().Subtract(join, p.remainder), step), 0));
  return join;
}

Shape InferenceContext::Relax(Shape before, Shape now) {
  if (before.is_none()) return now.is_none() ? UnknownShape() : now;
  if (now.is_none() || before == now) return before;
  if (before.rank() != now.rank() || !before.has_rank()) {
    return UnknownShape(std::min(before.min_rank(), now.min_rank()),
                        std::max(before.max_rank(), now.max_rank()));
  }
  DimList joined;
  for (int axis = 0; axis < before.rank(); ++axis) {
    // An equal pair of sizes gives an equal join, because the alternative is the same for all axes.
    int same = 0;
    while (before[same] != before[axis] || now[same] != now[axis]) ++same;
    joined.push_back(same < axis ? joined[same] : Relax(before[axis], now[axis]));
  }
  return analysis_->shapes().Make(joined);
}

}  // namespace dimwise
