// MatMul with the semantics of numpy.matmul.
#include <algorithm>

#include "bench/functions/broadcast.h"
#include "bench/functions/functions.h"
#include "infer/error.h"

namespace dimwise {
namespace {

Status RequireInner(InferenceContext* c, Dim columns, Dim rows) {
  if (columns == rows) return {};
  return c->Require(Equal(c->dims(), columns, rows), [&] {
    return fmt::format("{} multiplies {} columns by {} rows; the two must be equal", OpName(c),
                       c->DebugString(columns), c->DebugString(rows));
  });
}

Status RequireNoScalar(InferenceContext* c, int i) {
  if (c->input(i).max_rank() > 0) return {};
  return Error(Code::kRankMismatch, "{} multiplies matrices and vectors; {} is a scalar", OpName(c),
               OperandName(c, i));
}

// Returns the possible ranks of a product in which an operand has an unknown rank. A vector removes an axis
// of the other operand.
Result<Shape> UnknownProduct(InferenceContext* c, Shape a, Shape b) {
  const auto rank = [](int x, int y) {
    const int batch = std::max(std::max(x, y), 2) - 2;
    return batch + (x > 1 ? 1 : 0) + (y > 1 ? 1 : 0);
  };
  return c->UnknownShape(rank(std::max(a.min_rank(), 1), std::max(b.min_rank(), 1)),
                         rank(a.max_rank(), b.max_rank()));
}

Status MatMul(InferenceContext* c) {
  const Shape a = c->input(0);
  const Shape b = c->input(1);
  DIMWISE_RETURN_IF_ERROR(RequireNoScalar(c, 0));
  DIMWISE_RETURN_IF_ERROR(RequireNoScalar(c, 1));
  if (!a.has_rank() || !b.has_rank()) {
    DIMWISE_ASSIGN_OR_RETURN(const Shape shape, UnknownProduct(c, a, b));
    c->set_output(0, shape);
    return {};
  }
  const bool a_is_vector = a.rank() == 1;
  const bool b_is_vector = b.rank() == 1;
  DIMWISE_RETURN_IF_ERROR(RequireInner(c, a[a.rank() - 1], b[b_is_vector ? 0 : b.rank() - 2]));

  DimList sizes;
  if (a.rank() > 2 && b.rank() > 2) {
    DIMWISE_ASSIGN_OR_RETURN(const Shape batch_a, c->Subshape(a, 0, -2));
    DIMWISE_ASSIGN_OR_RETURN(const Shape batch_b, c->Subshape(b, 0, -2));
    const Shape both[] = {batch_a, batch_b};
    DIMWISE_ASSIGN_OR_RETURN(const Shape batch, BroadcastShapes(c, both, "the batch axes of "));
    for (const Dim size : batch.dims()) sizes.push_back(size);
  } else {
    const Shape batched = a.rank() > 2 ? a : b;
    for (int axis = 0; axis < batched.rank() - 2; ++axis) sizes.push_back(batched[axis]);
  }
  if (!a_is_vector) sizes.push_back(a[a.rank() - 2]);
  if (!b_is_vector) sizes.push_back(b[b.rank() - 1]);
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->MakeShape(sizes));
  c->set_output(0, shape);
  return {};
}

}  // namespace

void AddMatMul(OnnxOps& ops) { ops.Add(1, "MatMul(A: T, B: T) -> (Y: T)", /*doc=*/"", MatMul); }

}  // namespace dimwise
