// Concat: joins tensors along an axis.
#include <algorithm>

#include "bench/functions/contents.h"
#include "bench/functions/functions.h"
#include "bench/functions/sizes.h"
#include "infer/error.h"

namespace dimwise {
namespace {

// An operand of known rank, and the range of ranks that all operands must share.
struct RankRange {
  int operand = -1;
  int min = 0;
  int max = kMaxRank;
};

Result<RankRange> CommonRank(InferenceContext* c) {
  RankRange range;
  for (int i = 0; i < c->num_inputs(); ++i) {
    const Shape s = c->input(i);
    range.min = std::max(range.min, s.min_rank());
    range.max = std::min(range.max, s.max_rank());
    if (!s.has_rank()) continue;
    if (range.operand >= 0 && c->input(range.operand).rank() != s.rank()) {
      return Error(Code::kRankMismatch,
                   "{} joins {} of rank {} and {} of rank {}; all must have the same rank", OpName(c),
                   OperandText(c, range.operand), c->input(range.operand).rank(), OperandText(c, i),
                   s.rank());
    }
    if (range.operand < 0) range.operand = i;
  }
  return range;
}

// Returns the size of an axis that all operands share.
Result<Dim> SharedSize(InferenceContext* c, int first, int axis) {
  Dim size = c->input(first)[axis];
  int from = first;
  for (int i = first + 1; i < c->num_inputs(); ++i) {
    const Shape s = c->input(i);
    if (!s.has_rank() || s[axis] == size) continue;
    DIMWISE_RETURN_IF_ERROR(c->Require(
        Equal(c->dims(), size, s[axis]),
        [&] {
          return fmt::format("{} joins {} and {}, whose sizes {} and {} at axis {} must be equal", OpName(c),
                             OperandText(c, from), OperandText(c, i), c->DebugString(size),
                             c->DebugString(s[axis]), axis);
        },
        Code::kSizeMismatch));
    if (!s[axis].is_constant()) continue;
    size = s[axis];
    from = i;
  }
  return size;
}

Result<Dim> SumOfSizes(InferenceContext* c, int axis) {
  Dim sum = 0;
  for (int i = 0; i < c->num_inputs(); ++i) {
    if (!c->input(i).has_rank()) return c->UnknownDim();
    DIMWISE_ASSIGN_OR_RETURN(sum, c->Add(sum, c->input(i)[axis]));
  }
  return sum;
}

// Concatenates lists. Elements of a list whose contents are unknown become unknown integers.
void JoinContents(InferenceContext* c) {
  if (c->output(0).rank() != 1 || !MayHaveContents(c->output(0), c->output_type(0))) return;
  ElementList elements;
  for (int i = 0; i < c->num_inputs(); ++i) {
    if (!c->input(i).has_rank() || !c->input(i)[0].is_constant()) return;
    const Value contents = SmallContents(c, i);
    for (int64_t e = 0; e < c->input(i)[0].constant(); ++e) elements.push_back(ElementOf(contents, e));
  }
  SetContents(c, 0, elements);
}

Status Concat(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(const int64_t given, c->GetAttr<int64_t>("axis"));
  DIMWISE_ASSIGN_OR_RETURN(const RankRange range, CommonRank(c));
  if (range.operand < 0) {
    if (range.min > range.max)
      return Error(Code::kRankMismatch, "{} joins tensors whose ranks cannot be equal", OpName(c));
    c->set_output(0, c->UnknownShape(std::max(range.min, 1), range.max));
    return {};
  }
  const int rank = c->input(range.operand).rank();
  DIMWISE_ASSIGN_OR_RETURN(const int along, ReadAxis(c, given, rank));
  DimList sizes;
  for (int axis = 0; axis < rank; ++axis) {
    if (axis != along) {
      DIMWISE_ASSIGN_OR_RETURN(const Dim size, SharedSize(c, range.operand, axis));
      sizes.push_back(size);
      continue;
    }
    DIMWISE_ASSIGN_OR_RETURN(const Dim sum, SumOfSizes(c, axis));
    sizes.push_back(sum);
  }
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->MakeShape(sizes));
  c->set_output(0, shape);
  JoinContents(c);
  return {};
}

}  // namespace

void AddConcat(OnnxOps& ops) {
  ops.Add(4, "Concat(inputs+: T; axis: int) -> (concat_result: T)", /*doc=*/"", Concat);
}

}  // namespace dimwise
