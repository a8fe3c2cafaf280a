// Reshape: changes the shape and keeps the elements.
#include "bench/functions/functions.h"
#include "bench/functions/reshape_sizes.h"
#include "infer/error.h"

namespace dimwise {
namespace {

Status Reshape(InferenceContext* c) {
  const Shape data = c->input(0);
  DIMWISE_ASSIGN_OR_RETURN(const int64_t allow_zero, IntAttr(c, "allowzero", 0));
  IntegerList sizes;
  DIMWISE_RETURN_IF_ERROR(ReadIntegers(c, 1, "shape", &sizes));
  if (!sizes.known) {
    DIMWISE_ASSIGN_OR_RETURN(const Shape shape, ReshapeByUnknownSizes(c, data, allow_zero != 0));
    c->set_output(0, shape);
    return {};
  }
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, ReshapeBySizes(c, data, sizes, allow_zero != 0));
  c->set_output(0, shape);
  StoreContents(c, 0, 0);
  return {};
}

}  // namespace

void AddReshape(OnnxOps& ops) {
  ops.Add(5, "Reshape(data: T, shape: i64) -> (reshaped: T)", /*doc=*/"", Reshape);
  ops.Add(14, "Reshape(data: T, shape: i64; allowzero: int = 0) -> (reshaped: T)", /*doc=*/"", Reshape);
}

}  // namespace dimwise
