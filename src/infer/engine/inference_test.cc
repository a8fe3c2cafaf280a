// Tests whole programs. Input and output are text.
#include "dimwise/inference.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "dimwise/builtin.h"
#include "infer/engine/inference_testing.h"

namespace dimwise {
namespace {

TEST(InferenceTest, Shapes_OfSimpleProgram_AreInferred) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph mlp(x: f32[N, 784]) {
  h = onnx.Gemm(x, w1: f32[784, 128] const, b1: f32[128] const)
  y = onnx.Relu(h)
  return y
})"),
            "h: f32[N, 128]\n"
            "y: f32[N, 128]\n");
}

TEST(InferenceTest, Contents_UsedAsShape_AreFollowed) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph heads(x: f32[N, S, 768]) {
  const zero: i64[1] = {0}
  const rest: i64[2] = {12, 64}
  s = onnx.Shape(x; start=0, end=2)
  to = onnx.Concat(s, rest; axis=0)
  y = onnx.Reshape(x, to)
  return y
})"),
            "s: i64[2]\n"
            "to: i64[4]\n"
            "y: f32[N, S, 12, 64]\n");
}

// Files of opset 9 and 10 double an image this way: by the ratio of new to old sizes.
TEST(InferenceTest, RatioOfSizes_ThatCancels_IsANumber) {
  EXPECT_EQ(InferText(R"(
opset onnx 10
graph g(x: f32[N, 3, H, W]) {
  const two: i64[1] = {2}
  const batch: f32[2] = {1.0, 1.0}
  s = onnx.Shape(x)
  unused, from = onnx.Split(s; axis=0, split=[2, 2])
  to = onnx.Mul(from, two)
  from_f = onnx.Cast(from; to=f32)
  to_f = onnx.Cast(to; to=f32)
  ratio = onnx.Div(to_f, from_f)
  back = onnx.Div(from_f, to_f)
  up = onnx.Concat(batch, ratio; axis=0)
  down = onnx.Concat(batch, back; axis=0)
  y = onnx.Resize(x, up)
  z = onnx.Resize(y, down)
  return z
})"),
            "s: i64[4]\n"
            "unused: i64[2]\n"
            "from: i64[2]\n"
            "to: i64[2]\n"
            "from_f: f32[2]\n"
            "to_f: f32[2]\n"
            "ratio: f32[2]\n"
            "back: f32[2]\n"
            "up: f32[4]\n"
            "down: f32[4]\n"
            "y: f32[N, 3, 2*H, 2*W]\n"
            "z: f32[N, 3, H, W]\n");
}

// A convolution without padding and a residual that is cropped to its size. The residual could be shorter
// than the cropped part, but the convolution excludes that.
TEST(InferenceTest, CroppedResidual_OfConvolution_HasItsSize) {
  std::string text =
                  "opset onnx 21\ngraph g(x0: f32[N, 8, T], w: f32[8, 8, 3]) {\n"
                  "  const one: i64[1] = {1}\n  const end: i64[1] = {-1}\n  const axis: i64[1] = {2}\n",
              expected;
  for (int i = 0; i < 3; ++i) {
    text += fmt::format(
        "  c{0} = onnx.Conv(x{0}, w)\n  s{0} = onnx.Slice(x{0}, one, end, axis)\n  x{1} = onnx.Add(c{0}, "
        "s{0})\n",
        i, i + 1);
    expected += fmt::format("c{0}: f32[N, 8, T - {2}]\ns{0}: f32[N, 8, T - {2}]\nx{1}: f32[N, 8, T - {2}]\n",
                            i, i + 1, 2 * (i + 1));
  }
  // Each convolution requires a larger T than those before, so the last guard implies the others.
  EXPECT_EQ(InferText(text + "  return x3\n}"), expected + "check: T >= 7\n");
}

// tf2onnx counts down this way before opset 11.
TEST(InferenceTest, Quotient_ByNegativeNumber_IsExact) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[N]) {
  const zero: i64[1] = {0}
  const down: f32[] = {-1.0}
  const steps: f32[] = {-3.0}
  n = onnx.Shape(x)
  below = onnx.Sub(zero, n)
  below_f = onnx.Cast(below; to=f32)
  a = onnx.Div(below_f, down)
  b = onnx.Div(below_f, steps)
  b_up = onnx.Ceil(b)
  a_i = onnx.Cast(a; to=i64)
  b_i = onnx.Cast(b_up; to=i64)
  y = onnx.ConstantOfShape(a_i)
  z = onnx.ConstantOfShape(b_i)
  return y, z
})"),
            "n: i64[1]\n"
            "below: i64[1]\n"
            "below_f: f32[1]\n"
            "a: f32[1]\n"
            "b: f32[1]\n"
            "b_up: f32[1]\n"
            "a_i: i64[1]\n"
            "b_i: i64[1]\n"
            "y: f32[N]\n"
            "z: f32[(N + 2)//3]\n");
}

// Files of opset 9 and 10 count this way: the positions of nonzero elements in a tensor of ones. There are
// enough nodes for the later ones to use a trace.
TEST(InferenceTest, FilledTensor_AnyElement_IsKnown) {
  std::string text = "opset onnx 10\ngraph g(x: f32[N, M]) {\n  s = onnx.Shape(x)\n",
              expected = "s: i64[2]\n";
  for (int i = 0; i < 6; ++i) {
    text += fmt::format(
        "  a{0} = onnx.ConstantOfShape(s; value=f32[1]{{0.5}})\n  b{0} = onnx.NonZero(a{0})\n"
        "  c{0} = onnx.ConstantOfShape(s; value=bool[1]{{{1}}})\n  d{0} = onnx.NonZero(c{0})\n",
        i, i % 2 == 0);
    expected += fmt::format("a{0}: f32[N, M]\nb{0}: i64[2, N*M]\nc{0}: bool[N, M]\nd{0}: i64[2, {1}]\n", i,
                            i % 2 == 0 ? "N*M" : "0");
  }
  text += "  open = onnx.NonZero(x)\n  return open\n}";
  EXPECT_EQ(InferText(text), expected + "open: i64[2, u1]\nu1 in 0 .. N*M\n");
}

TEST(InferenceTest, Guard_OfOneNode_HoldsEverywhereAndIsListedOnce) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(a: f32[N, 8], b: f32[M, 8], c: f32[8, K], d: f32[8, K2]) {
  early = onnx.Shape(a)
  x = onnx.MatMul(a, c)
  y = onnx.MatMul(b, d)
  s = onnx.Concat(x, y; axis=0)
  t = onnx.Concat(x, y; axis=0)
  return s, t, early
})"),
            "early: i64[2]\n"
            "x: f32[N, K]\n"
            "y: f32[M, K]\n"
            "s: f32[N + M, K]\n"
            "t: f32[N + M, K]\n"
            "check: K == K2\n");
}

// The slice has 240 elements because the product requires it. The guard stays, because it does not prove
// itself.
TEST(InferenceTest, FactFromGuard_InItsOwnSize_DoesNotRemoveTheGuard) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[B, N]) {
  const zero: i64[1] = {0}
  const end: i64[1] = {240}
  const axis: i64[1] = {1}
  part = onnx.Slice(x, zero, end, axis)
  y = onnx.MatMul(part, w: f32[240, 4] const)
  return y
})"),
            "part: f32[B, 240]\n"
            "y: f32[B, 4]\n"
            "check: N >= 240\n");
}

TEST(InferenceTest, Error_InOneNode_DoesNotStopInference) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(a: f32[2, 3], b: f32[4, 5]) {
  x = onnx.MatMul(a, b)
  y = onnx.Relu(a)
  z = onnx.Relu(x)
  return x, y, z
})"),
            "x: f32[2, 5]\n"
            "y: f32[2, 3]\n"
            "z: f32[2, 5]\n"
            "error: MatMul multiplies 3 columns by 4 rows; the two must be equal\n");
}

TEST(InferenceTest, UnknownOperator_InProgram_LeavesOtherNodes) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(a: f32[2, 3]) {
  x = my.Own(a)
  y = onnx.Relu(x)
  z = onnx.Relu(a)
  return x, y, z
})"),
            "x: ?[*]\n"
            "y: ?[*]\n"
            "z: f32[2, 3]\n"
            "warning: there is no operator my.Own, nor a set my\n");
}

// The remaining rank depends on M, which MatMul requires to be 1.
TEST(InferenceTest, Requirement_OfOtherNode_DecidesRank) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(a: f32[2, M], b: f32[1, 3]) {
  y = onnx.Squeeze(a)
  z = onnx.MatMul(a, b)
  return y, z
})"),
            "y: f32[2]\n"
            "z: f32[2, 3]\n"
            "check: M == 1\n");
}

// The gather's requirement decides whether the slice ends before the first element.
TEST(InferenceTest, Requirement_OfOtherNode_DecidesSize) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(a: f32[N]) {
  const zero: i64[1] = {0}
  const less: i64[1] = {80}
  const far: i64[1] = {239}
  n = onnx.Shape(a)
  end = onnx.Sub(n, less)
  y = onnx.Slice(a, zero, end)
  m = onnx.Gather(a, far)
  return y, m
})"),
            "n: i64[1]\n"
            "end: i64[1]\n"
            "y: f32[N - 80]\n"
            "m: f32[1]\n"
            "check: N >= 240\n");
}

// M is small enough for the simpler expression only if the slice has M elements.
TEST(InferenceTest, Guard_OfSize_DoesNotSimplifyThatSize) {
  EXPECT_EQ(InferText(R"(
opset onnx 17
graph g(x: f32[M]) {
  const start: i64[1] = {-2}
  const end: i64[1] = {3}
  const axis: i64[1] = {0}
  const step: i64[1] = {2}
  s = onnx.Slice(x, start, end, axis, step)
  to = onnx.Shape(x)
  y = onnx.Reshape(s, to; allowzero=1)
  return y
})"),
            "s: f32[1]\n"
            "to: i64[1]\n"
            "y: f32[M]\n"
            "check: M <= 1\n");
}

// No M satisfies both the reshape and the gather. One of them gets the error.
TEST(InferenceTest, ContradictoryProgram_Inferred_Terminates) {
  EXPECT_EQ(InferText(R"(
opset onnx 17
graph g(a: f32[1, 1, 1], b: f32[M, N, M]) {
  const places: i64[2] = {1, 2}
  to = onnx.Shape(b)
  c = onnx.Reshape(a, to; allowzero=1)
  d = onnx.Gather(c, places; axis=0)
  return d
})"),
            "to: i64[3]\n"
            "c: f32[1, 1, 1]\n"
            "d: f32[2, 1, 1]\n"
            "error: indices [1, 2] are not all inside axis 0 of data, which has M elements\n"
            "check: M == 1 and N == 1\n");
}

TEST(InferenceTest, EnsuredFact_OfNode_DoesNotReplaceItsGuard) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[M]) {
  const two: i64[2] = {-1, 2}
  const three: i64[2] = {-1, 3}
  y = onnx.Reshape(x, two)
  z = onnx.Reshape(y, three)
  return z
})"),
            "y: f32[M//2, 2]\n"
            "z: f32[M//2 - M//6, 3]\n"
            "check: M % 2 == 0\n"
            "check: (M//2) % 3 == 0\n");
}

TEST(InferenceTest, Functions_Called_AreInferred) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
function my.Twice(x; axis: int = 0) {
  y = onnx.Concat(x, x; axis=$axis)
  return y
}

graph g(a: f32[N, 4]) {
  x = my.Twice(a)
  y = my.Twice(a; axis=1)
  i = onnx.NonZero(x)
  return x, y, i
})"),
            "x: f32[2*N, 4]\n"
            "y: f32[N, 8]\n"
            "i: i64[2, u1]\n"
            "u1 in 0 .. 8*N\n");
}

TEST(InferenceTest, UnknownOperator_WithKnownUsers_GetsTypesFromThem) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(a: f32[N, 3], w: f32[4, 5]) {
  x = my.Own(a)
  y = onnx.Gemm(x, w)
  z = my.Own(a)
  s = onnx.Concat(z, a; axis=1)
  return y, s
})"),
            "x: f32[u3, 4]\n"
            "y: f32[u3, 5]\n"
            "z: f32[N, u4]\n"
            "s: f32[N, u4 + 3]\n"
            "warning: there is no operator my.Own, nor a set my\n"
            "warning: there is no operator my.Own, nor a set my\n"
            "check: u1 == 4\n"
            "check: N == u2\n"
            "u3 in 0 .. ?\n"
            "u4 in 0 .. ?\n");
}

// A Constant in a file is inferred from its bytes. The rule must infer the same from its attributes.
TEST(InferenceTest, ConstantInFile_FromBytes_EqualsItsRule) {
  std::mt19937 random(7);
  std::vector<std::byte> bytes(64 * 8);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random() % 3 == 0 ? random() : random() % 4);
  for (const ElementType element :
       {ElementType::kF64, ElementType::kF32, ElementType::kF16, ElementType::kBF16, ElementType::kI64,
        ElementType::kI32, ElementType::kI8, ElementType::kU64, ElementType::kU8, ElementType::kI4,
        ElementType::kBool}) {
    for (const std::vector<int64_t>& dims :
         {std::vector<int64_t>{}, {0}, {1}, {3}, {2, 2}, {4, 0, 2}, {64}}) {
      Analysis analysis;
      const std::vector<Dim> sizes(dims.begin(), dims.end());
      const Type type = Type::Tensor(element, analysis.shapes().Make(sizes));
      Graph graph(analysis);
      const AttrsId of_file =
          graph.AddTensorAttr({"value", type, analysis.values().Bytes(element, dims, bytes)});
      const AttrsId of_text = graph.AddAttrs(graph.attrs(of_file));
      const auto add = [&](AttrsId attrs) {
        const OpId op = graph.UseOp("onnx.Constant", 21);
        return graph.results(graph.AddNode(graph.body(), {.op = op, .attrs = attrs}, {}, {"c"}))[0];
      };
      const ValueId by_bytes = add(of_file), by_rule = add(of_text);
      Inference inference(graph, BuiltinRegistry());
      inference.Run();
      const std::string where = ToString(analysis.dims(), type);
      EXPECT_EQ(inference.type(by_bytes), type) << where;
      EXPECT_EQ(inference.type(by_rule), type) << where;
      const Value file = inference.contents(by_bytes), rule = inference.contents(by_rule);
      if (rule.is_none()) continue;  // an element is not a supported number
      ASSERT_EQ(file.size(), rule.size()) << where;
      for (int64_t i = 0; i < rule.size(); ++i) {
        EXPECT_EQ(file.Integer(i), rule.Integer(i)) << where << " at " << i;
        EXPECT_EQ(file.FloatingPoint(i), rule.FloatingPoint(i)) << where << " at " << i;
      }
    }
  }
}

// The choice is unknown, but the size is one of two.
TEST(InferenceTest, ChoiceByData_OfTwoSizes_IsBoundedByThem) {
  const auto infer = [](std::string_view otherwise) {
    return InferText(fmt::format(R"(
opset onnx 21
graph g(c: bool[], x: f32[N], y: f32[M]) {{
  const seven: i64[1] = {{7}}
  n = onnx.Shape(x)
  m = onnx.Shape(y)
  more = onnx.Add(n, n)
  size = onnx.Where(c, n, {})
  z = onnx.ConstantOfShape(size)
  return z
}})",
                                 otherwise))
        .substr(std::string_view("n: i64[1]\nm: i64[1]\nmore: i64[1]\nsize: i64[1]\n").size());
  };
  EXPECT_EQ(infer("m"), "z: f32[u1]\nu1 in min(N, M) .. max(N, M)\n");
  EXPECT_EQ(infer("more"), "z: f32[u1]\nu1 in N .. 2*N\n");
  EXPECT_EQ(infer("seven"), "z: f32[u1]\nu1 in min(N, 7) .. max(N, 7)\n");
}

// If two sizes broadcast and one is not larger than the other, it is equal or 1.
TEST(InferenceTest, Broadcast_WithSmallerSize_IsTheLargerSize) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[N], m: f32[M]) {
  const zero: i64[1] = {0}
  some = onnx.Shape(m)
  front = onnx.Slice(x, zero, some)
  y = onnx.Add(front, x)
  return y
})",
                      {.assume_not_empty = true}),
            "some: i64[1]\n"
            "front: f32[min(N, M)]\n"
            "y: f32[N]\n"
            "check: M >= N or min(N, M) == 1\n");
}

// Exporters write a NonZero of the same mask for each tensor that they index.
TEST(InferenceTest, EqualComputations_OfEqualOperands_HaveOneSize) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(mask: bool[N], other: bool[N], x: f32[N], y: f32[M]) {
  a = onnx.Compress(x, mask; axis=0)
  b = onnx.Compress(y, mask; axis=0)
  i = onnx.NonZero(mask)
  j = onnx.NonZero(mask)
  k = onnx.NonZero(other)
  same = onnx.Add(i, j)
  return a, b, same, k
})"),
            "a: f32[u1]\n"
            "b: f32[u2]\n"
            "i: i64[1, u1]\n"
            "j: i64[1, u1]\n"
            "k: i64[1, u3]\n"
            "same: i64[1, u1]\n"
            "u1 in 0 .. N\n"
            "u2 in 0 .. min(N, M)\n"
            "u3 in 0 .. N\n");
}

}  // namespace
}  // namespace dimwise
