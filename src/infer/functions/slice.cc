// Slice: a range of each of some axes, as Python's x[start:end:step].
//
// A negative start or end counts from the end of the axis; whatever lies outside is moved to its ends. Where
// steps go forward, that is [0, d] for both; where they go backward, [0, d - 1] for start and [-1, d - 1] for
// end. So for a symbolic size the number of elements is an expression with min and max, as long as it is
// known from which end start and end count; otherwise it is an unknown size of at most d.
//
// People write "to the end" as INT64_MAX or as 2^31 - 1, whatever the size is, and the negatives of these for
// "down to the first": of a size that is not a number they mean that.
#include "infer/error.h"
#include "infer/functions/axes.h"
#include "infer/functions/onnx_ops.h"
#include "infer/functions/sizes.h"

namespace dimwise {
namespace {

constexpr int64_t kEndless = (int64_t{1} << 31) - 1;

int64_t ConstantLength(int64_t size, int64_t start, int64_t end, int64_t step) {
  if (size == 0) return 0;
  if (start < 0) start += size;
  if (end < 0) end += size;
  const bool forward = step > 0;
  start = std::clamp<int64_t>(start, 0, forward ? size : size - 1);
  end = std::clamp<int64_t>(end, forward ? 0 : -1, size);
  const int64_t distance = forward ? end - start : start - end;
  if (distance <= 0) return 0;
  const uint64_t stride = forward ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
  return static_cast<int64_t>((static_cast<uint64_t>(distance) - 1) / stride + 1);
}

// From which end of the axis a bound counts.
Truth CountsFromFront(InferenceContext* c, Dim bound) {
  if (bound.is_constant()) return bound.constant() >= 0 ? Truth::kYes : Truth::kNo;
  return c->AtLeast(bound, 0);
}

// The number of elements; none where that cannot be said.
Dim Length(InferenceContext* c, Dim size, Dim start, Dim end, Dim step) {
  if (start.is_none() || end.is_none() || !step.is_constant()) return Dim();
  if (size.is_constant() && start.is_constant() && end.is_constant()) {
    return ConstantLength(size.constant(), start.constant(), end.constant(), step.constant());
  }
  DimTable& dims = c->dims();
  const Truth start_from_front = CountsFromFront(c, start);
  const Truth end_from_front = CountsFromFront(c, end);
  if (start_from_front == Truth::kMaybe || end_from_front == Truth::kMaybe) return Dim();
  const auto from_end = [&](Dim bound) { return dims.Add(size, bound); };
  const auto is_endless = [&](Dim bound) {
    return !size.is_constant() && bound.is_constant() && bound.constant() >= kEndless;
  };
  const auto is_endless_down = [&](Dim bound) {
    return !size.is_constant() && bound.is_constant() && bound.constant() <= -kEndless;
  };
  Dim distance;
  if (step.constant() > 0) {
    const Dim first = start_from_front == Truth::kYes ? start : AtLeastZero(dims, from_end(start));
    const Dim last = end_from_front == Truth::kNo ? from_end(end)
                     : is_endless(end)            ? size
                                                  : Smaller(dims, end, size);
    if (is_endless(start) || is_endless_down(end)) return 0;
    distance = dims.Subtract(last, is_endless_down(start) ? Dim(0) : first);
    return dims.CeilDivide(AtLeastZero(dims, distance), step);
  }
  const Dim top = dims.Subtract(size, 1);
  Dim first = is_endless(start) || start == Dim(-1) ? top : Smaller(dims, start, top);
  if (start_from_front == Truth::kNo && start != Dim(-1)) {
    first = Smaller(dims, top, is_endless_down(start) ? Dim(0) : AtLeastZero(dims, from_end(start)));
  }
  if (is_endless(end)) return 0;
  const Dim last = end_from_front == Truth::kYes ? end
                   : is_endless_down(end)        ? Dim(-1)
                                                 : Larger(dims, from_end(end), -1);
  distance = dims.Subtract(first, last);
  // -(INT64_MIN) does not exist; a step so long takes one element at most.
  const int64_t stride = step.constant() == INT64_MIN ? INT64_MAX : -step.constant();
  return dims.CeilDivide(AtLeastZero(dims, distance), stride);
}

struct SliceBounds {
  IntegerList starts, ends, steps;
  AxisSet axes;  // not given: the first ones, in order

  Dim Start(int i) const { return At(starts, i); }
  Dim End(int i) const { return At(ends, i); }
  Dim Step(int i) const { return steps.given ? At(steps, i) : Dim(1); }

 private:
  static Dim At(const IntegerList& list, int i) {
    return list.known && i < static_cast<int>(list.elements.size()) ? list.elements[i] : Dim();
  }
};

Status CheckLengths(const InferenceContext* c, const SliceBounds& b) {
  const auto check = [&](int64_t length, std::string_view name) -> Status {
    if (length < 0 || b.starts.length < 0 || length == b.starts.length) return {};
    return Error(Code::kContents, "{} has {} starts and {} {}; there must be as many of each", OpName(c),
                 b.starts.length, length, name);
  };
  DIMWISE_RETURN_IF_ERROR(check(b.ends.length, "ends"));
  if (b.axes.given) DIMWISE_RETURN_IF_ERROR(check(b.axes.count, "axes"));
  if (b.steps.given) DIMWISE_RETURN_IF_ERROR(check(b.steps.length, "steps"));
  for (const Dim step : b.steps.elements) {
    if (step == Dim(0)) return Error(Code::kContents, "{} has a step of 0, which goes nowhere", OpName(c));
  }
  return {};
}

// The elements of a list between bounds that are numbers.
void SliceContents(InferenceContext* c, const SliceBounds& b) {
  const Shape shape = c->output(0);
  if (c->input(0).rank() != 1 || !MayHaveContents(shape, c->output_type(0)) || shape.rank() != 1) return;
  const Value contents = c->input_tensor(0);
  const bool constant =
      b.starts.AllConstant() && (!b.steps.given || b.steps.AllConstant()) && b.starts.length == 1;
  if (contents.is_none() || !constant) return;
  const int64_t size = contents.size();
  const int64_t step = b.Step(0).constant();
  int64_t at = b.Start(0).constant();
  if (at < 0) at += size;
  at = std::clamp<int64_t>(at, 0, step > 0 ? size : std::max<int64_t>(size - 1, 0));
  ElementList elements;
  for (int64_t i = 0; i < shape[0].constant(); ++i, at += std::clamp<int64_t>(step, -size, size)) {
    elements.push_back(ElementOf(contents, at));
  }
  SetContents(c, 0, elements);
}

Status Slice(InferenceContext* c) {
  const Shape data = c->input(0);
  SliceBounds b;
  DIMWISE_RETURN_IF_ERROR(ReadIntegers(c, 1, "starts", &b.starts));
  DIMWISE_RETURN_IF_ERROR(ReadIntegers(c, 2, "ends", &b.ends));
  if (!DeclaresAttr(c, "starts")) DIMWISE_RETURN_IF_ERROR(ReadIntegers(c, 4, "steps", &b.steps));
  if (!b.starts.given || !b.ends.given) {
    return Error(Code::kMissingAttribute, "{} has no {}", OpName(c), b.starts.given ? "ends" : "starts");
  }
  if (!data.has_rank()) {
    DIMWISE_RETURN_IF_ERROR(CheckLengths(c, b));
    c->set_output(0, c->UnknownShape(data.min_rank(), data.max_rank()));
    return {};
  }
  DIMWISE_RETURN_IF_ERROR(ReadAxes(c, 3, data.rank(), true, &b.axes));
  DIMWISE_RETURN_IF_ERROR(CheckLengths(c, b));
  const int64_t count = b.starts.length;
  if (!b.axes.given && count > data.rank()) {
    return Error(Code::kContents, "{} has {} starts for {} of rank {}", OpName(c), count, OperandText(c, 0),
                 data.rank());
  }

  DimList sizes;
  for (const Dim size : data.dims()) sizes.push_back(size);
  const bool which_axes = b.axes.given ? b.axes.known : count >= 0;
  for (int i = 0; i < (which_axes ? static_cast<int>(count >= 0 ? count : b.axes.count) : data.rank()); ++i) {
    const int axis = which_axes && b.axes.given ? b.axes.order[i] : i;
    const Dim length = which_axes ? Length(c, data[axis], b.Start(i), b.End(i), b.Step(i)) : Dim();
    sizes[axis] = length.is_none() ? UnknownUpTo(c, data[axis]) : length;
  }
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->MakeShape(sizes));
  c->set_output(0, shape);
  SliceContents(c, b);
  return {};
}

}  // namespace

void AddSlice(OnnxOps& ops) {
  ops.Add(1, "Slice(data: T; starts: list(int), ends: list(int), axes?: list(int)) -> (output: T)", Slice);
  ops.Add(
      10,
      "Slice(data: T, starts: Tind, ends: Tind, axes?: Tind, steps?: Tind; Tind?: {i32, i64}) -> (output: T)",
      Slice);
}

}  // namespace dimwise
