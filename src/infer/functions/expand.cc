// More of the same elements: Expand and Tile.
#include "infer/error.h"
#include "infer/functions/broadcast.h"
#include "infer/functions/contents.h"
#include "infer/functions/elementwise.h"
#include "infer/functions/onnx_ops.h"

namespace dimwise {
namespace {

// Where the list is not known, a size that is not 1 stays and the rest is open.
Result<Shape> ExpandByUnknownSizes(InferenceContext* c, Shape input, int64_t length) {
  if (!input.has_rank() || length < 0)
    return c->UnknownShape(std::max<int>(input.min_rank(), static_cast<int>(std::max<int64_t>(length, 0))));
  DimList sizes;
  const int added = std::max(static_cast<int>(length) - input.rank(), 0);
  for (int axis = 0; axis < added; ++axis) sizes.push_back(c->UnknownDim());
  for (int axis = 0; axis < input.rank(); ++axis) {
    // Axes before those that the list speaks of stay as they are.
    const bool stays = input.rank() - axis > length || c->Equal(input[axis], 1) == Truth::kNo;
    sizes.push_back(stays ? input[axis] : c->UnknownDim());
  }
  return c->MakeShape(sizes);
}

Status Expand(InferenceContext* c) {
  const Shape input = c->input(0);
  IntegerList list;
  DIMWISE_RETURN_IF_ERROR(ReadIntegers(c, 1, "shape", &list));
  if (!list.known) {
    DIMWISE_ASSIGN_OR_RETURN(const Shape shape, ExpandByUnknownSizes(c, input, list.length));
    c->set_output(0, shape);
    return {};
  }
  DimList sizes;
  DIMWISE_RETURN_IF_ERROR(SizesOf(c, list, "shape", &sizes));
  DIMWISE_ASSIGN_OR_RETURN(const Shape wanted, c->MakeShape(sizes));
  const Shape both[] = {input, wanted};
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, BroadcastShapes(c, both));
  c->set_output(0, shape);
  CombineContents<1>(c, 0, [](const auto& x) { return x[0]; });
  return {};
}

Status Tile(InferenceContext* c) {
  const Shape input = c->input(0);
  IntegerList repeats;
  DIMWISE_RETURN_IF_ERROR(ReadIntegers(c, 1, "repeats", &repeats));
  if (input.has_rank() && repeats.length >= 0 && repeats.length != input.rank()) {
    return Error(Code::kContents, "{} has {} repeats for {} of rank {}; there must be one for each axis",
                 OpName(c), repeats.length, OperandText(c, 0), input.rank());
  }
  if (!input.has_rank() && repeats.length < 0) {
    c->set_output(0, c->UnknownShape(input.min_rank(), input.max_rank()));
    return {};
  }
  const int rank = input.has_rank() ? input.rank() : static_cast<int>(repeats.length);
  DimList sizes;
  for (int axis = 0; axis < rank; ++axis) {
    const Dim repeat = repeats.known ? repeats.elements[axis] : Dim();
    if (!repeat.is_none()) {
      DIMWISE_RETURN_IF_ERROR(c->Require(
          AtLeast(c->dims(), repeat, 0),
          [&] {
            return fmt::format("{} repeats axis {} of input {} times, which cannot be negative", OpName(c),
                               axis, c->DebugString(repeat));
          },
          Code::kContents));
    }
    if (input.has_rank() && !repeat.is_none()) {
      DIMWISE_ASSIGN_OR_RETURN(const Dim size, c->Multiply(input[axis], repeat));
      sizes.push_back(size);
    } else {
      sizes.push_back(c->UnknownDim());
    }
  }
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->MakeShape(sizes));
  c->set_output(0, shape);
  const Value contents =
      shape.rank() == 1 && MayHaveContents(shape, c->output_type(0)) ? c->input_tensor(0) : Value();
  if (contents.is_none() || contents.size() == 0) return {};
  ElementList elements;
  for (int64_t i = 0; i < shape[0].constant(); ++i)
    elements.push_back(ElementOf(contents, i % contents.size()));
  SetContents(c, 0, elements);
  return {};
}

}  // namespace

void AddExpand(OnnxOps& ops) {
  ops.Add(8, "Expand(input: T, shape: i64) -> (output: T)", Expand);
  ops.Add(6, "Tile(input: T, repeats: i64) -> (output: T)", Tile);
}

}  // namespace dimwise
