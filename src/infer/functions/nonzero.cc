// Operators whose result's size depends on data: NonZero, TopK.
#include "infer/error.h"
#include "infer/functions/contents.h"
#include "infer/functions/onnx_ops.h"
#include "infer/functions/sizes.h"

namespace dimwise {
namespace {

// An index into each axis, for each of some elements: at most all of them.
Status NonZero(InferenceContext* c) {
  const Shape x = c->input(0);
  const Dim count = x.has_rank() ? UnknownUpTo(c, Product(c->dims(), x.dims())) : c->UnknownDim();
  const Dim rank = x.has_rank() ? Dim(x.rank()) : c->UnknownDim(x.min_rank(), x.max_rank());
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->Matrix(rank, count));
  c->set_output(0, shape);
  return {};
}

// How many to take: the attribute k at first, then the operand K, a list of one. None where it is not known.
Result<Dim> ReadK(InferenceContext* c) {
  if (DeclaresAttr(c, "k")) {
    DIMWISE_ASSIGN_OR_RETURN(const int64_t k, c->GetAttr<int64_t>("k"));
    return Dim(k);
  }
  IntegerList list;
  DIMWISE_RETURN_IF_ERROR(ReadIntegers(c, 1, "K", &list));
  if (list.length >= 0 && list.length != 1) {
    return Error(Code::kContents, "{} takes one number in K; it has {}", OpName(c), list.length);
  }
  return list.known ? list.elements[0] : Dim();
}

Status TopK(InferenceContext* c) {
  const Shape x = c->input(0);
  DIMWISE_ASSIGN_OR_RETURN(const int64_t given, IntAttr(c, "axis", -1));
  DIMWISE_ASSIGN_OR_RETURN(Dim k, ReadK(c));
  if (!k.is_none()) {
    DIMWISE_RETURN_IF_ERROR(c->Require(
        AtLeast(c->dims(), k, 0),
        [&] {
          return fmt::format("{} takes {} elements; K cannot be negative", OpName(c), c->DebugString(k));
        },
        Code::kContents));
  }
  Shape shape;
  if (x.has_rank()) {
    DIMWISE_ASSIGN_OR_RETURN(const int axis, ReadAxis(c, given, x.rank()));
    if (k.is_none()) {
      k = UnknownUpTo(c, x[axis]);
    } else {
      DIMWISE_RETURN_IF_ERROR(c->Require(AtMost(c->dims(), k, x[axis]), [&] {
        return fmt::format("{} takes {} elements along axis {} of {}, which has only {}", OpName(c),
                           c->DebugString(k), axis, OperandText(c, 0), c->DebugString(x[axis]));
      }));
    }
    DIMWISE_ASSIGN_OR_RETURN(shape, c->ReplaceDim(x, axis, k));
  } else {
    if (x.max_rank() == 0)
      return Error(Code::kRankMismatch, "{} picks along an axis, and X is a scalar", OpName(c));
    shape = c->UnknownShape(std::max(x.min_rank(), 1), x.max_rank());
  }
  for (int i = 0; i < c->num_outputs(); ++i) c->set_output(i, shape);
  return {};
}

}  // namespace

void AddNonZero(OnnxOps& ops) {
  ops.Add(9, "NonZero(X: T) -> (Y: i64)", NonZero);
  ops.Add(1, "TopK(X: T; k: int, axis: int = -1) -> (Values: T, Indices: i64)", TopK);
  ops.Add(10, "TopK(X: T, K: i64; axis: int = -1) -> (Values: T, Indices: i64)", TopK);
  ops.Add(
      11,
      "TopK(X: T, K: i64; axis: int = -1, largest: int = 1, sorted: int = 1) -> (Values: T, Indices: i64)",
      TopK);
}

}  // namespace dimwise
