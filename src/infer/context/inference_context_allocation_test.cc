// Tests that setup and shape functions allocate nothing on the heap from the second run on, for static and
// symbolic shapes.
#include <gtest/gtest.h>

#include <cstdlib>

#include "dimwise/inference_context.h"
#include "infer/allocation_count_testing.h"
#include "infer/context/inference_context_testing.h"

namespace dimwise {
namespace {

class AllocationTest : public ShapeInferenceTest {
 protected:
  // Returns the number of allocations in the second of two equal runs.
  template <typename F>
  long SteadyState(F&& run) {
    run();
    run();
    const long before = AllocationCount();
    run();
    return AllocationCount() - before;
  }
};

Status MatMul(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(const Shape a, c->WithRank(c->input(0), 2));
  DIMWISE_ASSIGN_OR_RETURN(const Shape b, c->WithRank(c->input(1), 2));
  DIMWISE_RETURN_IF_ERROR(c->Merge(a[1], b[0]));
  DIMWISE_ASSIGN_OR_RETURN(const Shape y, c->Matrix(a[0], b[1]));
  c->set_output(0, y);
  return {};
}

Status Windows(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(const Shape x, c->WithRankAtLeast(c->input(0), 2));
  DIMWISE_ASSIGN_OR_RETURN(const std::span<const int64_t> pads, c->GetAttr<std::span<const int64_t>>("pads"));
  DIMWISE_ASSIGN_OR_RETURN(const Dim rows, c->Dim(x, -1));
  DIMWISE_ASSIGN_OR_RETURN(const Dim padded, c->Add(rows, pads[0] + pads[1]));
  DIMWISE_ASSIGN_OR_RETURN(const Dim steps, c->Divide(padded, 2, false));
  DIMWISE_ASSIGN_OR_RETURN(const Dim size, c->Add(steps, 1));
  DIMWISE_ASSIGN_OR_RETURN(const Shape begin, c->Subshape(x, 0, -1));
  DIMWISE_ASSIGN_OR_RETURN(const Shape end, c->Vector(size));
  DIMWISE_ASSIGN_OR_RETURN(const Shape y, c->Concatenate(begin, end));
  DIMWISE_RETURN_IF_ERROR(c->NumElements(y));
  c->set_output(0, y);
  return {};
}

Status Unknowns(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(const Shape x, c->WithRank(c->input(0), 3));
  DIMWISE_ASSIGN_OR_RETURN(const Shape y, c->ReplaceDim(x, 1, c->UnknownDim()));
  c->set_output(0, y);
  return {};
}

TEST_F(AllocationTest, AllocationCount_KnownAllocations_AreCounted) {
  const long before = AllocationCount();
  auto* kept = new std::string(100, 'x');
  EXPECT_GE(AllocationCount() - before, 2);
  delete kept;
}

TEST_F(AllocationTest, Run_SteadyState_AllocatesNothing) {
  const Result<OpDef> def = OpDefBuilder("onnx.Foo")
                                .Attr("T: type")
                                .Attr("pads: list(int)")
                                .Input("A: T")
                                .Input("others*: T")
                                .Output("Y: T")
                                .Build();
  ASSERT_TRUE(def) << def.error().message;
  const AttrMap attrs{{"pads", AttrValue::Ints{1, 1}}, {"T", ElementType::kF32}};
  NodeDescription node;
  node.name = "a node with a name that is too long to be kept inside a string";
  node.op = &*def;
  node.attrs = &attrs;
  node.owner = 3;

  const std::vector<Shape> fixed = {S("[2, 3]"), S("[3, 4]")};
  const std::vector<Shape> symbolic = {S("[N, 3*K]"), S("[3*K, (M + 1)//2]")};
  const std::vector<Shape> unknown = {S("[*]")};
  const std::vector<Type> typed = {Type::Tensor(ElementType::kF32, fixed[0]),
                                   Type::Tensor(ElementType::kF32, fixed[1])};
  for (const auto& [name, inputs] : {std::pair("static", fixed), std::pair("symbolic", symbolic)}) {
    SCOPED_TRACE(name);
    for (Status (*function)(InferenceContext*) : {MatMul, Windows}) {
      EXPECT_EQ(SteadyState([&, &shapes = inputs] {
                  InferenceContext c(analysis_, node, shapes);
                  if (!c.Run(function)) std::abort();
                }),
                0);
    }
  }
  EXPECT_EQ(SteadyState([&] {
              InferenceContext c(analysis_, node, typed);
              if (!c.Run(MatMul)) std::abort();
            }),
            0);
  EXPECT_EQ(SteadyState([&] {
              InferenceContext c(analysis_, node, unknown);
              if (!c.Run(Unknowns)) std::abort();
            }),
            0);
  InferenceContext kept(analysis_);
  EXPECT_EQ(SteadyState([&] {
              kept.Reset(node, symbolic);
              if (!kept.Run(MatMul)) std::abort();
            }),
            0);
}

// Sizes that are equal by an existing fact need no new fact. The query itself may allocate a cache entry for
// a simplification.
TEST_F(AllocationTest, Merge_SizesKnownToBeEqual_AllocatesAtMostForQuery) {
  analysis_.facts().Assert(Clause{Equal(analysis_.dims(), D("N"), D("M"))}, FactKind::kGiven, 0);
  const std::vector<Shape> inputs = {S("[2, N]"), S("[M, 5]")};
  EXPECT_LE(SteadyState([&] {
              InferenceContext c(analysis_, Node(1), inputs);
              if (!c.Run(MatMul) || !c.guards().empty()) std::abort();
            }),
            1);
}

}  // namespace
}  // namespace dimwise
