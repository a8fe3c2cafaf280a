#include "infer/engine/guard_list.h"

#include <gtest/gtest.h>

#include "infer/engine/inference_testing.h"

namespace dimwise {
namespace {

// An image is cut into windows. Equal element counts imply that each side is a multiple.
TEST(GuardListTest, EqualityOfProducts_WithCommonFactors_IsGuardedPerSize) {
  EXPECT_EQ(InferText(R"(opset onnx 21
graph g(x: f32[N, C, H, W]) {
  const two: i64[1] = {2}
  const seven: i64[1] = {7}
  n = onnx.Shape(x; start=0, end=2)
  h = onnx.Shape(x; start=2, end=3)
  w = onnx.Shape(x; start=3)
  rows = onnx.Div(h, two)
  columns = onnx.Div(w, seven)
  windows = onnx.Concat(n, rows, two, columns, seven; axis=0)
  y = onnx.Reshape(x, windows)
  joined = onnx.Concat(n, h, w; axis=0)
  z = onnx.Reshape(y, joined)
  return z
})"),
            "n: i64[2]\n"
            "h: i64[1]\n"
            "w: i64[1]\n"
            "rows: i64[1]\n"
            "columns: i64[1]\n"
            "windows: i64[6]\n"
            "y: f32[N, C, H//2, 2, W//7, 7]\n"
            "joined: i64[4]\n"
            "z: f32[N, C, H, W]\n"
            "check: H % 2 == 0 and W % 7 == 0\n");
}

// If there are no rows, any number of columns is valid.
TEST(GuardListTest, EqualityOfProducts_FactorMayBeZero_AllowsZero) {
  InferenceOptions options;
  options.assume_not_empty = false;
  EXPECT_EQ(InferText(R"(opset onnx 21
graph g(x: f32[P, K]) {
  const eight: i64[1] = {8}
  p = onnx.Shape(x; start=0, end=1)
  to = onnx.Concat(p, eight; axis=0)
  y = onnx.Reshape(x, to; allowzero=1)
  return y
})",
                      options),
            "p: i64[1]\n"
            "to: i64[2]\n"
            "y: f32[P, 8]\n"
            "check: P == 0 or K == 8\n");
}

// A feature pyramid: the join of the largest maps implies the requirements of the others.
TEST(GuardListTest, GuardsOnOneSize_ImpliedByOthers_AreOmitted) {
  EXPECT_EQ(InferText(R"(opset onnx 21
graph g(x: f32[1, 4, H], w: f32[4, 4, 3]) {
  const scales: f32[3] = {1, 1, 2}
  a = onnx.Conv(x, w; strides=[2], pads=[1, 1])
  b = onnx.Conv(a, w; strides=[2], pads=[1, 1])
  c = onnx.Conv(b, w; strides=[2], pads=[1, 1])
  c2 = onnx.Resize(c, _, scales)
  b2 = onnx.Concat(b, c2; axis=1)
  b3 = onnx.Resize(b2, _, scales)
  y = onnx.Concat(a, b3; axis=1)
  c4 = onnx.Resize(c2, _, scales)
  z = onnx.Add(a, c4)
  return y, z
})"),
            "a: f32[1, 4, (H + 1)//2]\n"
            "b: f32[1, 4, (H + 3)//4]\n"
            "c: f32[1, 4, (H + 7)//8]\n"
            "c2: f32[1, 4, 2*((H + 7)//8)]\n"
            "b2: f32[1, 8, (H + 3)//4]\n"
            "b3: f32[1, 8, (H + 1)//2]\n"
            "y: f32[1, 12, (H + 1)//2]\n"
            "c4: f32[1, 4, (H + 1)//2]\n"
            "z: f32[1, 4, (H + 1)//2]\n"
            "check: ((H + 1)//2) % 4 == 0\n");
}

// The decoder of a speech model accepts exactly one window of samples.
TEST(GuardListTest, Quotient_EqualToConstant_BoundsItsSize) {
  EXPECT_EQ(InferText(R"(opset onnx 21
graph g(x: f32[1, 1, T]) {
  const axes: i64[1] = {2}
  a = onnx.MaxPool(x; kernel_shape=[256], strides=[512])
  y = onnx.Squeeze(a, axes)
  return y
})"),
            "a: f32[1, 1, 1]\n"
            "y: f32[1, 1]\n"
            "check: T >= 256 and T <= 767\n");
}

// The sizes of a pooling without a complete window differ between runtimes, so MaxPool assumes one. The
// formula in the requirement of Conv is valid only there.
TEST(GuardListTest, Requirement_EqualToEarlierAssumption_IsListedAsAssumption) {
  Analysis analysis;
  const auto graph = ParseGraph(analysis, R"(opset onnx 17
graph g(x: f32[1, 4, H, 8], w: f32[4, 4, 3, 3]) {
  p = onnx.MaxPool(x; kernel_shape=[2, 2], strides=[2, 2])
  y = onnx.Conv(p, w; pads=[1, 1, 1, 1])
  return y
})")
                         .value();
  Inference inference(*graph, BuiltinRegistry());
  inference.Run();
  ASSERT_EQ(inference.guards().size(), 1u);
  const ResidualGuard& guard = inference.guards()[0];
  EXPECT_EQ(ToString(analysis.dims(), guard.condition), "H >= 2");
  EXPECT_EQ(guard.code, Code::kAssumption);
  EXPECT_EQ(graph->op_name(guard.node), "onnx.MaxPool");
}

// The first Reshape is also interpreted for sizes that are not multiples of 7. Its guard is listed once,
// without its consequences.
TEST(GuardListTest, Guard_ImpliedByGuardsAndFacts_IsOmitted) {
  EXPECT_EQ(InferText(R"(opset onnx 21
graph g(x: f32[B, H, 32]) {
  const seven: i64[1] = {7}
  const rest: i64[1] = {-1}
  const c: i64[1] = {32}
  b = onnx.Shape(x; start=0, end=1)
  h = onnx.Shape(x; start=1, end=2)
  rows = onnx.Div(h, seven)
  cut = onnx.Concat(b, rows, seven, c; axis=0)
  y = onnx.Reshape(x, cut)
  joined = onnx.Concat(rest, h, c; axis=0)
  z = onnx.Reshape(y, joined)
  sum = onnx.Add(x, z)
  return sum
})"),
            "b: i64[1]\n"
            "h: i64[1]\n"
            "rows: i64[1]\n"
            "cut: i64[4]\n"
            "y: f32[B, H//7, 7, 32]\n"
            "joined: i64[3]\n"
            "z: f32[B, H, 32]\n"
            "sum: f32[B, H, 32]\n"
            "check: H % 7 == 0\n");
}

// Every second row, starting from the first and from the second.
TEST(GuardListTest, MaximumWithZero_OfNonNegativeSize_IsTheSize) {
  EXPECT_EQ(InferText(R"(opset onnx 21
graph g(x: f32[H, 4], w: f32[8, 4]) {
  const start: i64[1] = {0}
  const second: i64[1] = {1}
  const end: i64[1] = {9223372036854775807}
  const axis: i64[1] = {0}
  const step: i64[1] = {2}
  const scales: f32[2] = {0.25, 1}
  small = onnx.Resize(x, _, scales)
  even = onnx.Slice(small, start, end, axis, step)
  odd = onnx.Slice(small, second, end, axis, step)
  y = onnx.Concat(even, odd; axis=1)
  return y
})"),
            "small: f32[H//4, 4]\n"
            "even: f32[(H + 4)//8, 4]\n"
            "odd: f32[H//8, 4]\n"
            "y: f32[(H + 4)//8, 8]\n"
            "check: (H//4) % 2 == 0\n");
}

// An assignment to a part of a tensor: the new values have the size of the part, or are broadcast.
TEST(GuardListTest, BroadcastToSize_OfSymbol_IsGuardedAsOneOrEqual) {
  EXPECT_EQ(InferText(R"(opset onnx 21
graph g(x: f32[N, 4], v: f32[M, 4], w: f32[N, 4]) {
  sizes = onnx.Shape(x)
  wide = onnx.Expand(v, sizes)
  y = onnx.Reshape(wide, sizes)
  z = onnx.Add(wide, x)
  both = onnx.Concat(z, w; axis=1)
  return y, both
})"),
            "sizes: i64[2]\n"
            "wide: f32[broadcast(N, M), 4]\n"
            "y: f32[N, 4]\n"
            "z: f32[broadcast(N, M), 4]\n"
            "both: f32[broadcast(N, M), 8]\n"
            "check: N == M or M == 1\n");
}

// The middle of a table of relative positions, with as many entries on each side as the sequence has steps.
TEST(GuardListTest, Clause_ThatOnlyBoundsSize_IsListedAsBounds) {
  EXPECT_EQ(
      InferText(R"(opset onnx 21
graph g(x: f32[T, 8]) {
  const table: f32[99, 8]
  const middle: i64[1] = {49}
  const one: i64[1] = {1}
  const none: i64[1] = {0}
  t = onnx.Shape(x; end=1)
  before = onnx.Sub(middle, t)
  start = onnx.Add(before, one)
  end = onnx.Add(middle, t)
  positions = onnx.Slice(table, start, end, none)
  near = onnx.Slice(positions, none, t, none)
  y = onnx.Concat(x, near; axis=1)
  return y
})"),
      "t: i64[1]\n"
      "before: i64[1]\n"
      "start: i64[1]\n"
      "end: i64[1]\n"
      "positions: f32[max(min(min(T + 49, 99), 2*T + 99*max(T - 51, 0) - 100*max(T - 50, 0) - 1), 0), 8]\n"
      "near: f32[T, 8]\n"
      "y: f32[T, 16]\n"
      "check: T <= 50\n");
}

// The middle of a table of 32 positions. From H = 34 on the start of the crop counts from the end of the
// table, and the crop has (H - 32)//2 rows; a single row broadcasts. onnxruntime accepts the same sizes.
TEST(GuardListTest, Clause_OfSizesWithGaps_HasOneClauseForEachGap) {
  EXPECT_EQ(
      InferText(R"(opset onnx 21
graph g(x: f32[H, 8]) {
  const table: f32[32, 8]
  const size: i64[1] = {32}
  const two: i64[1] = {2}
  const rows: i64[1] = {0}
  h = onnx.Shape(x; end=1)
  rest = onnx.Sub(size, h)
  start = onnx.Div(rest, two)
  end = onnx.Add(start, h)
  crop = onnx.Slice(table, start, end, rows)
  y = onnx.Add(x, crop)
  return y
})"),
      "h: i64[1]\n"
      "rest: i64[1]\n"
      "start: i64[1]\n"
      "end: i64[1]\n"
      "crop: f32[max(min(H - 32*min(max(max(H//2 - 16, min((H + 1)//2 - 16, 0)), 0), 1) - max(min(max(H - "
      "32, H//2 - 16), (H + 1)//2 - 16), 0), min(min(max(H, H//2 + 16), (H + 1)//2 + 16), 32)), 0), 8]\n"
      "y: f32[H, 8]\n"
      "check: H != 33 and H <= 35\n");
}

// Chunks of 4 steps are reshaped to the original number of steps, as if there were no padding.
TEST(GuardListTest, Quotient_WithoutRemainder_IsListedAsProduct) {
  EXPECT_EQ(InferText(R"(opset onnx 21
graph g(x: f32[S, 8], chunks: f32[(S + 3)//4, 4, 8]) {
  const rest: i64[1] = {-1}
  s = onnx.Shape(x; end=1)
  shape = onnx.Concat(s, rest; axis=0)
  steps = onnx.Reshape(chunks, shape)
  y = onnx.Concat(steps, x; axis=0)
  return y
})"),
            "s: i64[1]\n"
            "shape: i64[2]\n"
            "steps: f32[S, (32*((S + 3)//4))//S]\n"
            "y: f32[2*S, 8]\n"
            "check: (32*((S + 3)//4)) % S == 0\n"
            "check: S % 4 == 0\n");
}

// The last guard contains the sizes of all guards before it.
TEST(GuardListTest, ChainOfBroadcasts_HasOneGuard) {
  EXPECT_EQ(InferText(R"(opset onnx 21
graph g(a: f32[A], b: f32[B], c: f32[C], d: f32[D]) {
  ab = onnx.Add(a, b)
  abc = onnx.Mul(ab, c)
  abcd = onnx.Sub(abc, d)
  return abcd
})"),
            "ab: f32[broadcast(A, B)]\n"
            "abc: f32[broadcast(A, B, C)]\n"
            "abcd: f32[broadcast(A, B, C, D)]\n"
            "check: broadcastable(A, B, C, D)\n");
}

// The guard inside the branch contains all sizes, but the branch may not run.
TEST(GuardListTest, BroadcastInBranch_DropsNoGuardOutside) {
  const std::string found = InferText(R"(opset onnx 21
graph g(a: f32[A], b: f32[B], c: f32[C], which: bool[]) {
  ab = onnx.Add(a, b)
  y = onnx.If(which) {
    then_branch: graph() {
      abc = onnx.Sum(a, b, c)
      return abc
    }
    else_branch: graph() {
      e = onnx.Relu(c)
      return e
    }
  }
  return ab, y
})");
  EXPECT_NE(found.find("check: A == 1 or A == B or B == 1\n"), std::string::npos) << found;
  EXPECT_NE(found.find("check: broadcastable(A, B, C)\n"), std::string::npos) << found;
}

// The number of selected elements is known only after the first guard is tested.
TEST(GuardListTest, BroadcastWithDataDependentSize_DropsNoEarlierGuard) {
  const std::string found = InferText(R"(opset onnx 21
graph g(a: f32[A], b: f32[B], m: bool[N]) {
  ab = onnx.Add(a, b)
  k = onnx.Compress(m, m)
  f = onnx.Cast(k; to=1)
  y = onnx.Add(ab, f)
  return y
})");
  EXPECT_NE(found.find("check: A == 1 or A == B or B == 1\n"), std::string::npos) << found;
  EXPECT_NE(found.find("check: broadcastable(A, B, "), std::string::npos) << found;
}

// A constant is the common size: one guard, also for the sizes before it.
TEST(GuardListTest, ChainOfBroadcasts_WithConstant_HasOneGuard) {
  EXPECT_EQ(InferText(R"(opset onnx 21
graph g(a: f32[A], b: f32[B], c: f32[C], d: f32[8]) {
  ab = onnx.Add(a, b)
  abc = onnx.Mul(ab, c)
  abcd = onnx.Sub(abc, d)
  return abcd
})"),
            "ab: f32[broadcast(A, B)]\n"
            "abc: f32[broadcast(A, B, C)]\n"
            "abcd: f32[8]\n"
            "check: broadcastable(A, B, C, 8)\n");
}

}  // namespace
}  // namespace dimwise
