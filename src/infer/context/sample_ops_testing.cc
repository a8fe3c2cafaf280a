#include "infer/context/sample_ops_testing.h"

#include <fmt/format.h>

#include <vector>

#include "dimwise/inference_context.h"

namespace dimwise {
namespace {

Status Same(InferenceContext* c) {
  c->set_full_output_type(0, c->full_input_type(0));
  c->set_output_value(0, c->input_tensor(0));
  return {};
}

Status Join(InferenceContext* c) {
  Shape all = c->input(0);
  for (int i = 1; i < c->num_inputs(); ++i) {
    if (!c->has_input(i)) continue;
    DIMWISE_ASSIGN_OR_RETURN(all, c->Merge(all, c->input(i)));
  }
  c->set_output(0, all);
  c->set_output_type(0, c->input_type(0));
  return {};
}

Status Half(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(const int64_t by, c->GetAttr<int64_t>("by"));
  DIMWISE_ASSIGN_OR_RETURN(const Dim last, c->Dim(c->input(0), -1));
  DIMWISE_ASSIGN_OR_RETURN(const Dim half, c->Divide(last, by, /*evenly_divisible=*/false));
  DIMWISE_ASSIGN_OR_RETURN(const Shape out, c->ReplaceDim(c->input(0), -1, half));
  c->set_output(0, out);
  return {};
}

Status Some(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(const Dim all, c->NumElements(c->input(0)));
  const Dim some = c->UnknownDim();
  c->Ensure(AtMost(c->dims(), some, all));
  DIMWISE_ASSIGN_OR_RETURN(const Shape out, c->Vector(some));
  c->set_output(0, out);
  c->set_output_type(0, ElementType::kI64);
  return {};
}

Status Cut(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(const Dim last, c->Dim(c->input(0), -1));
  const auto words = [&] {
    return fmt::format("3 are cut from the last axis, which has {}", c->DebugString(last));
  };
  DIMWISE_RETURN_IF_ERROR(c->Require(AtLeast(c->dims(), last, 3), words, Code::kNegativeSize));
  DIMWISE_ASSIGN_OR_RETURN(const Shape out, c->ReplaceDim(c->input(0), -1, c->dims().Subtract(last, 3)));
  c->set_output(0, out);
  return {};
}

Status ShapeOf(InferenceContext* c) {
  const int64_t rank = c->input(0).rank();
  DIMWISE_ASSIGN_OR_RETURN(const Shape out, c->Vector(rank < 0 ? c->UnknownDim() : Dim(rank)));
  c->set_output(0, out);
  c->set_output_type(0, ElementType::kI64);
  if (rank >= 0) {
    c->set_output_value(
        0, c->analysis().values().Integers(ElementType::kI64, std::span(&rank, 1), c->input(0).dims()));
  }
  return {};
}

Status Read(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(const Shape shape, c->MakeShapeFromShapeTensor(0));
  DIMWISE_ASSIGN_OR_RETURN(const ElementType type, c->GetAttrOr<ElementType>("to", ElementType::kUnknown));
  c->set_output(0, shape);
  c->set_output_type(0, type);
  return {};
}

Status Behind(InferenceContext* c) {
  const std::vector<Type>* behind = c->input_handle_shapes_and_types(0);
  if (behind == nullptr || behind->empty()) return {};
  c->set_full_output_type(0, behind->front());
  return {};
}

Status Split(InferenceContext* c) {
  for (int i = 0; i < c->num_outputs(); ++i) c->set_output(i, c->input(0));
  return {};
}

OpRegistry Build() {
  OpRegistryBuilder ops;
  ops.Register(OpDefBuilder("test.Same").Input("X: any").Output("Y: any"), Same);
  ops.Register(OpDefBuilder("test.Join").Input("A: any").Input("B: any").Input("C?: any").Output("Y: any"),
               Join);
  ops.Register(OpDefBuilder("test.Half").Input("X: any").Attr("by: int = 2").Output("Y: any"), Half);
  ops.Register(OpDefBuilder("test.Some").Input("X: any").Output("Y: any"), Some);
  ops.Register(OpDefBuilder("test.Cut").Input("X: any").Output("Y: any"), Cut);
  ops.Register(OpDefBuilder("test.ShapeOf").Input("X: any").Output("Y: any"), ShapeOf);
  ops.Register(OpDefBuilder("test.Read").Input("S: any").Attr("to?: type").Output("Y: any"), Read);
  ops.Register(OpDefBuilder("test.Behind").Input("H: any").Output("Y: any"), Behind);
  ops.Register(OpDefBuilder("test.Split").Input("X: T").Attr("T?: type").Attr("n: int").Output("Ys: n * T"),
               Split);
  const auto echo = [](int since) {
    return OpDefBuilder("test.Echo")
        .Since(since)
        .Attr("flag?: bool")
        .Attr("count?: int >= 0")
        .Attr("ratio?: float")
        .Attr("mode?: {'near', 'far'}")
        .Attr("sizes?: list(int)")
        .Attr("names?: list(string)")
        .Attr("type?: type")
        .Attr("box?: shape")
        .Attr("data?: tensor");
  };
  ops.Register(echo(1).Attr("old: int = 1"));
  ops.Register(echo(7));
  return ops.Build().value();
}

}  // namespace

const OpRegistry& SampleRegistry() {
  static const OpRegistry registry = Build();
  return registry;
}

}  // namespace dimwise
