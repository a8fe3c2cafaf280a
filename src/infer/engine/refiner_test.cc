// Tests the behaviour of TensorFlow's ShapeRefiner with the text form and ONNX operators.
// testdata/tensorflow.solve lists the names of its tests; it covers those about shapes from contents, and
// about functions in other programs.
#include "dimwise/refiner.h"

#include <gtest/gtest.h>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"

namespace dimwise {
namespace {

class RefinerTest : public testing::Test {
 protected:
  // Parses a program and adds its nodes one by one.
  void Refine(std::string_view program, RefinerOptions options = {}) {
    Result<std::unique_ptr<Graph>> graph = ParseGraph(analysis_, program);
    ASSERT_TRUE(graph) << ToString(graph.error());
    graph_ = *std::move(graph);
    refiner_ = std::make_unique<Refiner>(*graph_, BuiltinRegistry(), options);
    for (const NodeId n : graph_->nodes(graph_->body())) {
      if (Status s = refiner_->AddNode(n); !s) errors_ += s.error().message + "\n";
    }
  }
  ValueId Find(std::string_view name) {
    for (uint32_t v = 0; v < graph_->value_count(); ++v) {
      if (graph_->name(ValueId{v}) == name) return ValueId{v};
    }
    return kNoValue;
  }
  NodeId Maker(std::string_view name) { return graph_->maker(Find(name)); }
  std::string Shape(std::string_view name) { return ToString(analysis_.dims(), refiner_->shape(Find(name))); }
  dimwise::Shape Read(std::string_view text) {
    return *ParseShape(analysis_.dims(), analysis_.shapes(), text);
  }

  Analysis analysis_;
  std::unique_ptr<Graph> graph_;
  std::unique_ptr<Refiner> refiner_;
  std::string errors_;
};

TEST_F(RefinerTest, Constant_Added_HasItsShape) {
  Refine(R"(graph g() {
    c = onnx.Constant@13(; value=f32[1]{42.0})
    return c
  })");
  EXPECT_EQ(Shape("c"), "[1]");
}

TEST_F(RefinerTest, MatMul_Added_HasItsShape) {
  Refine(R"(opset onnx 21
  graph g(a: f32[2, 1], b: f32[1, 2]) {
    m = onnx.MatMul(a, b)
    return m
  })");
  EXPECT_EQ(Shape("m"), "[2, 2]");
}

TEST_F(RefinerTest, BadShapes_Added_AreAnError) {
  Refine(R"(opset onnx 21
  graph g(a: f32[3, 1], b: f32[2, 1]) {
    m = onnx.MatMul(a, b)
    r = onnx.Relu(m)
    return r
  })");
  EXPECT_EQ(errors_, "MatMul multiplies 1 columns by 2 rows; the two must be equal\n");
  EXPECT_EQ(Shape("r"), "[3, 1]");
}

TEST_F(RefinerTest, SetShape_CompatibleOrNot_IsMergedOrRejected) {
  Refine(R"(opset onnx 21
  graph g(a: f32[*], n: i64[2]) {
    x = onnx.Reshape(a, n)
    y = onnx.Relu(x)
    return y
  })");
  EXPECT_EQ(refiner_->shape(Find("y")).rank(), 2);
  ASSERT_TRUE(refiner_->SetShape(Find("x"), Read("[2, ?]")));
  EXPECT_EQ(analysis_.dims().ToString(analysis_.facts().Simplify(refiner_->shape(Find("x"))[0])), "2");
  ASSERT_TRUE(refiner_->SetShape(Find("x"), Read("[?, 5]")));
  const dimwise::Shape y = refiner_->shape(Find("y"));
  EXPECT_EQ(analysis_.facts().Simplify(y[0]), Dim(2));
  EXPECT_EQ(analysis_.facts().Simplify(y[1]), Dim(5));
  const Status rank = refiner_->SetShape(Find("x"), Read("[2, 5, 1]"));
  ASSERT_FALSE(rank);
  const Status size = refiner_->SetShape(Find("x"), Read("[3, 5]"));
  ASSERT_FALSE(size);
  EXPECT_FALSE(refiner_->SetShape(ValueId{1000}, Read("[3]")));
  EXPECT_EQ(analysis_.facts().Simplify(refiner_->shape(Find("x"))[0]), Dim(2));
}

TEST_F(RefinerTest, MissingShapeInferenceFns_RequiredOrNot_AreReported) {
  const std::string_view program = R"(opset onnx 21
  graph g(a: f32[2]) {
    x = onnx.Reluu(a)
    y = onnx.Relu(a)
    return x, y
  })";
  Refine(program);
  EXPECT_EQ(errors_, "there is no operator onnx.Reluu\n");
  EXPECT_EQ(refiner_->status(Maker("x")).error().help, "did you mean onnx.Relu?");
  errors_.clear();
  Refine(program, {.require_shape_functions = false});
  EXPECT_EQ(errors_, "");
  EXPECT_EQ(Shape("x"), "[*]");
  EXPECT_EQ(Shape("y"), "[2]");
}

TEST_F(RefinerTest, PropagateConstants_EnabledOrNot_DecidesShape) {
  const std::string_view program = R"(opset onnx 21
  graph g(x: f32[N, 6]) {
    const a: i64[2] = {1, 2}
    const b: i64[2] = {3, 1}
    to = onnx.Mul(a, b)
    y = onnx.Reshape(f: f32[6] const, to)
    return y
  })";
  Refine(program);
  EXPECT_EQ(Shape("y"), "[3, 2]");
  Refine(program, {.constant_propagation = false});
  EXPECT_EQ(refiner_->shape(Find("y")).rank(), 2);
  EXPECT_FALSE(refiner_->shape(Find("y")).is_constant());
}

// Shape, Rank, Size, Pack (Concat of Unsqueeze), StridedSlice (Slice), Range, through any number of nodes.
TEST_F(RefinerTest, ConstantValueAsShape_ThroughNodes_IsFollowed) {
  Refine(R"(opset onnx 21
  graph g(x: f32[N, 4, S]) {
    const zero: i64[1] = {0}
    const one: i64[1] = {1}
    const two: i64[1] = {2}
    const three: i64[1] = {3}
    const minus: i64[1] = {-1}
    shape = onnx.Shape(x)
    ends = onnx.Slice(shape, zero, three, zero, two)
    back = onnx.Slice(shape, minus, zero, zero, minus)
    size = onnx.Size(x)
    size1 = onnx.Unsqueeze(size, zero)
    pack = onnx.Concat(ends, size1; axis=0)
    as32 = onnx.Cast(pack; to=6)
    again = onnx.Cast(as32; to=7)
    y = onnx.ConstantOfShape(pack)
    z = onnx.ConstantOfShape(back)
    w = onnx.ConstantOfShape(again)
    return y, z, w
  })");
  EXPECT_EQ(errors_, "");
  EXPECT_EQ(Shape("y"), "[N, S, 4*N*S]");
  EXPECT_EQ(Shape("z"), "[S, 4]");
  EXPECT_EQ(refiner_->shape(Find("w")).rank(), 3);
}

TEST_F(RefinerTest, IncrementalUpdates_OfNode_VisitOnlyAffectedNodes) {
  Refine(R"(opset onnx 21
  graph g(a: f32[2, 3], b: f32[5, 7]) {
    x = onnx.Relu(a)
    y = onnx.Transpose(x)
    z = onnx.Relu(b)
    return y, z
  })");
  EXPECT_EQ(Shape("y"), "[3, 2]");
  // Nothing changed, so no other node is visited.
  const uint64_t before = refiner_->visit_count();
  EXPECT_FALSE(*refiner_->UpdateNode(Maker("x")));
  EXPECT_EQ(refiner_->visit_count() - before, 1u);
  const uint32_t version = refiner_->version(Maker("y"));
  ASSERT_TRUE(refiner_->SetInput(Maker("x"), 0, Find("b")));
  EXPECT_EQ(Shape("y"), "[7, 5]");
  EXPECT_GT(refiner_->version(Maker("y")), version);
  EXPECT_EQ(refiner_->visit_count() - before, 3u);  // x and y, not z
}

TEST_F(RefinerTest, UpdateNode_ChangedOperands_UsesCurrentOnes) {
  Refine(R"(opset onnx 21
  graph g(x: f32[4, 6]) {
    const to: i64[2] = {8, 3}
    y = onnx.Reshape(x, to)
    z = onnx.Relu(x)
    return y, z
  })");
  EXPECT_EQ(Shape("y"), "[8, 3]");
  const auto contents = [&](std::initializer_list<Dim> numbers) {
    const int64_t sizes[] = {2};
    return analysis_.values().Integers(ElementType::kI64, sizes, numbers);
  };
  graph_->SetContents(Find("to"), contents({2, 12}));
  EXPECT_TRUE(*refiner_->UpdateNode(Maker("y")));
  EXPECT_EQ(Shape("y"), "[2, 12]");
  graph_->SetContents(Find("to"), contents({5, 5}));
  EXPECT_FALSE(refiner_->UpdateNode(Maker("y")));
  graph_->Declare(Find("x"), *ParseType(analysis_, "f32[5, 5]"));
  EXPECT_TRUE(*refiner_->UpdateNode(Maker("z")));
  EXPECT_EQ(Shape("z"), "[5, 5]");
  EXPECT_EQ(Shape("y"), "[5, 5]");  // another user of the value
}

TEST_F(RefinerTest, Edit_InsideRegion_ReachesItsNode) {
  Refine(R"(opset onnx 21
  graph g(c: bool[], a: f32[2, 3], b: f32[5]) {
    y = onnx.If(c) {
      then_branch: graph() {
        t = onnx.Relu(a)
        return t
      }
      else_branch: graph() {
        e = onnx.Neg(a)
        return e
      }
    }
    return y
  })");
  EXPECT_EQ(Shape("y"), "[2, 3]");
  for (const char* inner : {"t", "e"}) ASSERT_TRUE(refiner_->SetInput(Maker(inner), 0, Find("b"))) << inner;
  EXPECT_EQ(Shape("y"), "[5]");
}

TEST_F(RefinerTest, Facts_OfChangedNode_AreRetracted) {
  Refine(R"(opset onnx 21
  graph g(a: f32[N, K], b: f32[3, 2]) {
    m = onnx.MatMul(a, b)
    r = onnx.Relu(a)
    return m, r
  })");
  const Dim k = refiner_->shape(Find("r"))[1];
  EXPECT_EQ(analysis_.facts().Simplify(k), Dim(3));
  ASSERT_TRUE(refiner_->RemoveNode(Maker("m")));
  EXPECT_EQ(analysis_.dims().ToString(analysis_.facts().Simplify(k)), "K");
}

// Two equal computations share a size until one of them changes.
TEST_F(RefinerTest, SharedSize_AfterEdit_IsSeparate) {
  Refine(R"(opset onnx 21
  graph g(mask: bool[N], other: bool[N]) {
    i = onnx.NonZero(mask)
    j = onnx.NonZero(mask)
    return i, j
  })");
  EXPECT_EQ(Shape("i"), Shape("j"));
  ASSERT_TRUE(refiner_->SetInput(Maker("i"), 0, Find("other")));
  EXPECT_NE(Shape("i"), Shape("j"));
  ASSERT_TRUE(refiner_->SetInput(Maker("j"), 0, Find("other")));
  EXPECT_EQ(Shape("i"), Shape("j"));
}

// The end of the slice counts from the front only if N >= 80, which m implies.
TEST_F(RefinerTest, ChoiceByRequirement_AfterEdit_IsRetracted) {
  Refine(R"(opset onnx 21
  graph g(a: f32[N]) {
    const zero: i64[1] = {0}
    const less: i64[1] = {80}
    const far: i64[1] = {239}
    n = onnx.Shape(a)
    end = onnx.Sub(n, less)
    y = onnx.Slice(a, zero, end)
    m = onnx.Gather(a, far)
    return y, m
  })");
  EXPECT_EQ(errors_, "");
  EXPECT_EQ(Shape("y"), "[N - 80]");
  ASSERT_TRUE(refiner_->RemoveNode(Maker("m")));
  EXPECT_EQ(Shape("y"), "[max(min(N, u1), 0)]");
}

TEST_F(RefinerTest, OldStyleLoop_Added_IsCut) {
  Refine(R"(opset onnx 21
  graph g(a: f32[N, 4]) {
    merged = onnx.Sum(a, next)
    next = onnx.Relu(merged)
    out = onnx.Relu(next)
    return out
  })");
  EXPECT_EQ(errors_, "");
  EXPECT_EQ(Shape("out"), Shape("next"));
}

constexpr std::string_view kFunctions = R"(opset onnx 21
  function my.Outer(x, y) {
    z = my.Inner(x)
    w = onnx.Concat(z, y; axis=0)
    return w
  }
  function my.Inner(x) {
    y = onnx.Transpose(x)
    return y
  }
  graph g(a: f32[N, 4], b: f32[M, N]) {
    one = my.Inner(a)
    both = my.Outer(a, b)
    picked = onnx.NonZero(both)
    return one, both, picked
  })";

TEST_F(RefinerTest, FunctionShapeInference_Enabled_InfersCall) {
  Refine(kFunctions);
  EXPECT_EQ(errors_, "");
  EXPECT_EQ(Shape("one"), "[4, N]");
  EXPECT_EQ(Shape("both"), "[M + 4, N]");
}

TEST_F(RefinerTest, FunctionShapeInference_Disabled_LeavesCallUnknown) {
  Refine(kFunctions, {.function_inference = false});
  EXPECT_EQ(Shape("one"), "[*]");
  EXPECT_EQ(Shape("both"), "[*]");
}

TEST_F(RefinerTest, TwoCalls_OfOneFunction_HaveTwoSymbols) {
  Refine(R"(opset onnx 21
  function my.Where(x) {
    y = onnx.NonZero(x)
    return y
  }
  graph g(a: f32[N]) {
    x = my.Where(a)
    y = my.Where(a)
    return x, y
  })");
  EXPECT_NE(refiner_->shape(Find("x"))[1], refiner_->shape(Find("y"))[1]);
}

TEST_F(RefinerTest, RecursiveFunction_Called_IsAnError) {
  Refine(R"(opset onnx 21
  function my.Loop(x) {
    y = my.Loop(x)
    return y
  }
  graph g(a: f32[N]) {
    x = my.Loop(a)
    y = onnx.Relu(a)
    return x, y
  })");
  EXPECT_NE(errors_.find("does it call itself?"), std::string::npos) << errors_;
  EXPECT_EQ(Shape("x"), "[*]");
  EXPECT_EQ(Shape("y"), "[N]");
}

TEST_F(RefinerTest, InvalidIds_Used_AreErrors) {
  Refine(R"(opset onnx 21
  graph g(a: f32[N]) {
    x = onnx.Relu(a)
    return x
  })");
  EXPECT_FALSE(refiner_->AddNode(NodeId{7}));
  EXPECT_FALSE(refiner_->UpdateNode(NodeId{7}));
  EXPECT_FALSE(refiner_->SetInput(NodeId{0}, 3, Find("a")));
  EXPECT_FALSE(refiner_->SetInput(NodeId{0}, 0, ValueId{99}));
  EXPECT_FALSE(refiner_->RemoveNode(NodeId{7}));
  EXPECT_TRUE(refiner_->RemoveNode(NodeId{0}));
  EXPECT_FALSE(refiner_->UpdateNode(NodeId{0}));
}

// The guards are those of the current graph: they are added with a node, change with its operands, and are
// removed with it.
TEST_F(RefinerTest, Guards_AfterEdits_AreThoseOfTheGraph) {
  Refine(R"(opset onnx 21
  graph g(a: f32[N], b: f32[M], c: f32[K]) {
    x = onnx.Add(a, b)
    y = onnx.Concat(b, c; axis=0)
    return x, y
  })");
  const auto guards = [&] {
    std::string text;
    for (const ResidualGuard& guard : refiner_->guards()) {
      text += std::string(graph_->op_name(guard.node)) + ": " + ToString(analysis_.dims(), guard.condition) +
              "\n";
    }
    return text;
  };
  EXPECT_EQ(guards(), "onnx.Add: N == 1 or N == M or M == 1\n");
  EXPECT_TRUE(refiner_->SetInput(Maker("x"), 1, Find("c")));
  EXPECT_EQ(guards(), "onnx.Add: N == 1 or N == K or K == 1\n");
  const OpId add = graph_->UseOp("onnx.Add", 14);
  const NodeId more = graph_->AddNode(graph_->body(), {.op = add}, {Find("a"), Find("b")}, {"more"});
  EXPECT_EQ(guards(), "onnx.Add: N == 1 or N == K or K == 1\n")
      << "the refiner was not notified of the new node yet";
  EXPECT_TRUE(refiner_->AddNode(more));
  EXPECT_EQ(guards(), "onnx.Add: N == 1 or N == K or K == 1\nonnx.Add: N == 1 or N == M or M == 1\n");
  EXPECT_TRUE(refiner_->RemoveNode(Maker("x")));
  EXPECT_EQ(guards(), "onnx.Add: N == 1 or N == M or M == 1\n");
}

TEST_F(RefinerTest, Operand_InvalidId_IsAnErrorOfItsNode) {
  Refine("graph g(a: f32[N]) {\n  return a\n}");
  const OpId relu = graph_->UseOp("onnx.Relu", 14);
  const NodeId wrong = graph_->AddNode(graph_->body(), {.op = relu}, {ValueId{99}}, {"x"});
  const Status status = refiner_->AddNode(wrong);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "operand 0 is value 99, which the graph does not have");
}

}  // namespace
}  // namespace dimwise
