// Concat and Split, which undo each other along one axis.
#include "infer/error.h"
#include "infer/functions/contents.h"
#include "infer/functions/onnx_ops.h"
#include "infer/functions/sizes.h"

namespace dimwise {
namespace {

// An operand whose rank is known, and the ranks that all must share.
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

// The size of an axis that all operands share.
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

// Lists one after another; those of which only the length is known fill their place with unknown integers.
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

// ---- Split ------------------------------------------------------------------------------------------------

// The sizes of the parts along the axis; none where a part's is not known.
Status PartSizes(InferenceContext* c, Dim whole, DimList* parts) {
  DimTable& dims = c->dims();
  IntegerList list;
  DIMWISE_RETURN_IF_ERROR(ReadIntegers(c, 1, "split", &list));
  if (list.given) {
    if (list.length >= 0 && list.length < c->num_outputs()) {
      return Error(Code::kArity, "{} has {} sizes in split and {} results", OpName(c), list.length,
                   c->num_outputs());
    }
    Dim sum = 0;
    for (const Dim size : list.elements) {
      parts->push_back(size);
      sum = sum.is_none() || size.is_none() ? Dim() : dims.Add(sum, size);
      if (size.is_none()) continue;
      DIMWISE_RETURN_IF_ERROR(c->Require(
          AtLeast(dims, size, 0),
          [&] {
            return fmt::format("{} has {} among the sizes in split, which cannot be negative", OpName(c),
                               c->DebugString(size));
          },
          Code::kNegativeSize));
    }
    if (!list.known || sum.is_none() || whole.is_none() || sum == whole) return {};
    return c->Require(
        Equal(dims, sum, whole),
        [&] {
          return fmt::format("{} has the sizes {} in split, {} in all, for an axis of size {}", OpName(c),
                             ToText(c, list), c->DebugString(sum), c->DebugString(whole));
        },
        Code::kSizeMismatch);
  }

  // Since version 18 the last part may be smaller; before, all are equal.
  const bool may_differ = DeclaresAttr(c, "num_outputs");
  int64_t count = c->num_outputs();
  if (may_differ && c->FindAttr("num_outputs") != nullptr) {
    DIMWISE_ASSIGN_OR_RETURN(count, c->GetAttr<int64_t>("num_outputs"));
    if (count < 1)
      return Error(Code::kBadAttribute, "{} has num_outputs {}; there must be at least 1", OpName(c), count);
    if (count < c->num_outputs()) {
      return Error(Code::kArity, "{} has num_outputs {} and {} results", OpName(c), count, c->num_outputs());
    }
  }
  if (whole.is_none()) return {};
  const Dim part = dims.CeilDivide(whole, count);
  const Dim last = dims.Subtract(whole, dims.Multiply(part, count - 1));
  if (may_differ) {
    DIMWISE_RETURN_IF_ERROR(c->Require(
        AtLeast(dims, last, 0),
        [&] {
          return fmt::format("{} cuts an axis of size {} into {} parts of {}, which leaves {} for the last",
                             OpName(c), c->DebugString(whole), count, c->DebugString(part),
                             c->DebugString(last));
        },
        Code::kNegativeSize));
  } else {
    DIMWISE_RETURN_IF_ERROR(c->Require(Equal(dims, dims.Mod(whole, count), 0), [&] {
      return fmt::format("{} cuts an axis of size {} into {} equal parts", OpName(c), c->DebugString(whole),
                         count);
    }));
  }
  for (int64_t i = 0; i < c->num_outputs(); ++i) {
    parts->push_back(!may_differ ? dims.FloorDivide(whole, count) : i + 1 < count ? part : last);
  }
  return {};
}

void SplitContents(InferenceContext* c) {
  const Value contents = SmallContents(c, 0);
  if (contents.is_none() || contents.rank() != 1) return;
  int64_t begin = 0;
  for (int i = 0; i < c->num_outputs(); ++i) {
    if (!c->output(i).is_constant()) return;
    ElementList elements;
    const int64_t end = begin + c->output(i)[0].constant();
    for (; begin < end; ++begin) elements.push_back(ElementOf(contents, begin));
    SetContents(c, i, elements);
  }
}

Status Split(InferenceContext* c) {
  const Shape input = c->input(0);
  DIMWISE_ASSIGN_OR_RETURN(const int64_t given, IntAttr(c, "axis", 0));
  int axis = 0;
  if (input.has_rank()) {
    DIMWISE_ASSIGN_OR_RETURN(axis, ReadAxis(c, given, input.rank()));
  }
  DimList parts;
  DIMWISE_RETURN_IF_ERROR(PartSizes(c, input.has_rank() ? input[axis] : Dim(), &parts));
  for (int i = 0; i < c->num_outputs(); ++i) {
    if (!input.has_rank()) {
      c->set_output(i, c->UnknownShape(std::max(input.min_rank(), 1), input.max_rank()));
      continue;
    }
    const bool known = i < static_cast<int>(parts.size()) && !parts[i].is_none();
    const Dim size = known ? parts[i] : UnknownUpTo(c, input[axis]);
    DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->ReplaceDim(input, axis, size));
    c->set_output(i, shape);
  }
  if (input.rank() == 1) SplitContents(c);
  return {};
}

}  // namespace

void AddConcat(OnnxOps& ops) {
  ops.Add(4, "Concat(inputs+: T; axis: int) -> (concat_result: T)", Concat);
  ops.Add(2, "Split(input: T; split?: list(int), axis: int = 0) -> (outputs+: T)", Split);
  ops.Add(13, "Split(input: T, split?: i64; axis: int = 0) -> (outputs+: T)", Split);
  ops.Add(18, "Split(input: T, split?: i64; num_outputs?: int, axis: int = 0) -> (outputs+: T)", Split);
}

}  // namespace dimwise
