// Operators that make one element of all along some axes.
#include "infer/error.h"
#include "infer/functions/axes.h"
#include "infer/functions/element_arithmetic.h"
#include "infer/functions/onnx_ops.h"

namespace dimwise {
namespace {

// Which axes go is not known.
Shape ReduceUnknownAxes(InferenceContext* c, Shape data, int64_t count, bool keep, bool empty_is_none) {
  if (!data.has_rank()) {
    return c->UnknownShape(keep ? data.min_rank() : 0, data.max_rank());
  }
  const int rank = data.rank();
  if (!keep) {
    // An axis may be named twice, and an empty list may mean all of them or none.
    const bool at_least_one = count > 0 && rank > 0;
    return c->UnknownShape(0, at_least_one || (count == 0 && !empty_is_none) ? std::max(rank - 1, 0) : rank);
  }
  DimList sizes;
  for (const Dim size : data.dims()) sizes.push_back(size == Dim(1) ? size : c->UnknownDim());
  return c->MakeShape(sizes).value();
}

// The shape of the result; `axes` empty reduces all unless it means none.
Status ReduceShape(InferenceContext* c, bool* reduces_all) {
  const Shape data = c->input(0);
  DIMWISE_ASSIGN_OR_RETURN(const int64_t keepdims, IntAttr(c, "keepdims", 1));
  DIMWISE_ASSIGN_OR_RETURN(const int64_t empty_is_none, IntAttr(c, "noop_with_empty_axes", 0));
  const bool keep = keepdims != 0;
  if (data.rank() == 0) {  // whatever the axes: runtimes do not look at them
    c->set_output(0, data);
    *reduces_all = true;
    return {};
  }
  AxisSet axes;
  if (data.has_rank()) {
    DIMWISE_RETURN_IF_ERROR(ReadAxes(c, 1, data.rank(), false, &axes));
  } else {
    IntegerList list;
    DIMWISE_RETURN_IF_ERROR(ReadIntegers(c, 1, "axes", &list));
    axes.given = list.given;
    axes.count = list.length;
  }
  if (!axes.given || axes.count == 0) {
    if (empty_is_none != 0) {
      c->set_output(0, data);
      return {};
    }
    *reduces_all = true;
    if (!keep) {
      c->set_output(0, c->Scalar());
      return {};
    }
    if (data.has_rank()) axes.has.set();
    axes.known = data.has_rank();
  }
  if (!axes.known) {
    c->set_output(0, ReduceUnknownAxes(c, data, axes.count, keep, empty_is_none != 0));
    return {};
  }
  DimList sizes;
  bool all = true;
  for (int axis = 0; axis < data.rank(); ++axis) {
    const bool goes = axes.has[static_cast<size_t>(axis)];
    all &= goes;
    if (!goes) sizes.push_back(data[axis]);
    if (goes && keep) sizes.push_back(1);
  }
  *reduces_all = all;
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->MakeShape(sizes));
  c->set_output(0, shape);
  return {};
}

Status Reduce(InferenceContext* c) {
  bool all = false;
  return ReduceShape(c, &all);
}

template <BinaryOp kOp>
Status ReduceBy(InferenceContext* c) {
  bool all = false;
  DIMWISE_RETURN_IF_ERROR(ReduceShape(c, &all));
  const Value contents =
      all && MayHaveContents(c->output(0), c->output_type(0)) ? SmallContents(c, 0) : Value();
  if (contents.is_none()) return {};
  if (contents.size() == 0 && kOp != BinaryOp::kAdd && kOp != BinaryOp::kMultiply) return {};
  const ElementType type = c->input_type(0);
  Float sum =
      contents.size() > 0 ? ElementOf(contents, 0) : IntegerElement(kOp == BinaryOp::kMultiply ? 1 : 0);
  for (int64_t i = 1; i < contents.size(); ++i) sum = Combine(c, kOp, type, sum, ElementOf(contents, i));
  SetContents(c, 0, std::span<const Float>(&sum, 1));
  return {};
}

Status ArgReduce(InferenceContext* c) {
  const Shape data = c->input(0);
  DIMWISE_ASSIGN_OR_RETURN(const int64_t given, IntAttr(c, "axis", 0));
  DIMWISE_ASSIGN_OR_RETURN(const int64_t keepdims, IntAttr(c, "keepdims", 1));
  if (!data.has_rank()) {
    const int gone = keepdims != 0 ? 0 : 1;
    c->set_output(0, c->UnknownShape(std::max(data.min_rank() - gone, 0), data.max_rank() - gone));
    return {};
  }
  DIMWISE_ASSIGN_OR_RETURN(const int along, ReadAxis(c, given, data.rank()));
  DimList sizes;
  for (int axis = 0; axis < data.rank(); ++axis) {
    if (axis != along) sizes.push_back(data[axis]);
    if (axis == along && keepdims != 0) sizes.push_back(1);
  }
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->MakeShape(sizes));
  c->set_output(0, shape);
  return {};
}

}  // namespace

void AddReduce(OnnxOps& ops) {
  const auto add = [&](std::string_view name, int axes_as_input, OnnxOps::Function* function) {
    const std::string head(name);
    ops.Add(1, head + "(data: T; axes?: list(int), keepdims: int = 1) -> (reduced: T)", function);
    ops.Add(axes_as_input,
            head + "(data: T, axes?: i64; keepdims: int = 1, noop_with_empty_axes: int = 0) -> (reduced: T)",
            function);
  };
  add("ReduceL1", 18, Reduce);
  add("ReduceL2", 18, Reduce);
  add("ReduceLogSum", 18, Reduce);
  add("ReduceLogSumExp", 18, Reduce);
  add("ReduceMax", 18, ReduceBy<BinaryOp::kMax>);
  add("ReduceMean", 18, Reduce);
  add("ReduceMin", 18, ReduceBy<BinaryOp::kMin>);
  add("ReduceProd", 18, ReduceBy<BinaryOp::kMultiply>);
  add("ReduceSum", 13, ReduceBy<BinaryOp::kAdd>);
  add("ReduceSumSquare", 18, Reduce);
  for (const std::string_view name : {"ArgMax", "ArgMin"}) {
    const std::string head(name);
    ops.Add(1, head + "(data: T; axis: int = 0, keepdims: int = 1) -> (reduced: i64)", ArgReduce);
    ops.Add(
        12,
        head + "(data: T; axis: int = 0, keepdims: int = 1, select_last_index: int = 0) -> (reduced: i64)",
        ArgReduce);
  }
}

}  // namespace dimwise
