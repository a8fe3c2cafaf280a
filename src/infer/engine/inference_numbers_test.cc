// Tests sizes from data-dependent numbers: equal numbers give equal sizes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/base/golden_testing.h"
#include "infer/engine/inference_testing.h"

namespace dimwise {
namespace {

// A model has the length of its output as an input, and computes positions and zeros from it.
TEST(InferenceNumbersTest, RangeAndConstantOfShape_OfOneInput_HaveEqualSizes) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(k: i64[]) {
  const zero: i64[] = {0}
  const one: i64[] = {1}
  const front: i64[1] = {0}
  positions = onnx.Range(zero, k, one)
  row = onnx.Unsqueeze(k, front)
  zeros = onnx.ConstantOfShape(row; value=i64[1]{0})
  y = onnx.Add(positions, zeros)
  return y
})"),
            "positions: i64[u1]\n"
            "row: i64[1]\n"
            "zeros: i64[u1]\n"
            "y: i64[u1]\n"
            "u1 in 0 .. ?\n");
}

// A mask from lengths, as exporters write it for text and speech models.
TEST(InferenceNumbersTest, MaximumOfLengths_AsSize_IsOneNumber) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(lengths: i32[B], x: f32[B, D]) {
  const zero: i64[] = {0}
  const one: i64[] = {1}
  const front: i64[1] = {0}
  const middle: i64[1] = {1}
  longest = onnx.ReduceMax(lengths; keepdims=0)
  n = onnx.Cast(longest; to=i64)
  positions = onnx.Range(zero, n, one)
  times = onnx.Unsqueeze(n, front)
  s = onnx.Shape(x)
  batch, depth = onnx.Split(s; axis=0, num_outputs=2)
  to = onnx.Concat(batch, times, depth; axis=0)
  xu = onnx.Unsqueeze(x, middle)
  frames = onnx.Expand(xu, to)
  many = onnx.Tile(batch, times)
  return positions, frames, many
})"),
            "longest: i32[]\n"
            "n: i64[]\n"
            "positions: i64[u1]\n"
            "times: i64[1]\n"
            "s: i64[2]\n"
            "batch: i64[1]\n"
            "depth: i64[1]\n"
            "to: i64[3]\n"
            "xu: f32[B, 1, D]\n"
            "frames: f32[B, u1, D]\n"
            "many: i64[u1]\n"
            "u1 in 0 .. ?\n");
}

constexpr std::string_view kSizes = R"(
opset onnx 21
graph g({}x: f32[3, 1]) {{
  {}
  const zero: i64[] = {{0}}
  const one: i64[] = {{1}}
  const two: i64[] = {{2}}
  const front: i64[1] = {{0}}
  const on_off: f32[2] = {{1.0, 0.0}}
  k1 = onnx.Add(k, one)
  k2 = onnx.Mul(k, two)
  half = onnx.Div(k, two)
  minus = onnx.Neg(k)
  ku = onnx.Unsqueeze(k, front)
  mu = onnx.Unsqueeze(m, front)
  k1u = onnx.Unsqueeze(k1, front)
  km = onnx.Concat(ku, mu; axis=0)
  a = onnx.Range(zero, k, one)
  b = onnx.Range(one, k1, one)
  c = onnx.Range(zero, k1, one)
  d = onnx.Range(zero, k2, two)
  e = onnx.Range(zero, minus, one)
  f = onnx.Range(zero, half, one)
  h = onnx.Range(k, zero, one)
  i = onnx.Range(m, k, one)
  j = onnx.Tile(x, km)
  l = onnx.Expand(x, k1u)
  n = onnx.OneHot(front, k1, on_off)
  return a, b, c, d, e, f, h, i, j, l, n
}})";

std::map<std::string, std::string> SizesOf(std::string_view lines) {
  std::map<std::string, std::string> sizes;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    if (const size_t colon = line.find(": "); colon != std::string_view::npos && line.back() == ']')
      sizes[std::string(line.substr(0, colon))] = line.substr(line.find('['));
  }
  return sizes;
}

// One expression of unknown numbers is one size. The sizes for k and k + 1 differ.
TEST(InferenceNumbersTest, Expression_OfUnknownNumbers_IsOneSize) {
  const auto open = SizesOf(InferText(fmt::format(kSizes, "k: i64[], m: i64[], ", "")));
  EXPECT_EQ(open.at("a"), open.at("b"));
  EXPECT_EQ(open.at("a"), open.at("d"));
  EXPECT_EQ(open.at("n"), fmt::format("[1, {}", open.at("c").substr(1)));
  EXPECT_NE(open.at("a"), open.at("c"));
  EXPECT_NE(open.at("a"), open.at("e"));
  for (int k = -2; k < 4; ++k) {
    for (int m = 0; m < 4; ++m) {
      const std::string numbers = fmt::format("const k: i64[] = {{{}}}\n  const m: i64[] = {{{}}}", k, m);
      const auto sizes = SizesOf(InferText(fmt::format(kSizes, "", numbers)));
      for (const auto& [one, symbolic] : open) {
        for (const auto& [other, also] : open) {
          if (symbolic != also || !sizes.contains(one) || !sizes.contains(other)) continue;
          EXPECT_EQ(sizes.at(one), sizes.at(other)) << one << " and " << other << " of " << k << ", " << m;
        }
      }
    }
  }
}

// A branch runs at most once.
TEST(InferenceNumbersTest, Branch_UsingOuterNumber_HasTheSameSize) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(k: i64[], go: bool[]) {
  const zero: i64[] = {0}
  const one: i64[] = {1}
  y = onnx.If(go) {
    then_branch: graph() {
      a = onnx.Range(zero, k, one)
      return a
    }
    else_branch: graph() {
      more = onnx.Add(k, one)
      b = onnx.Range(one, more, one)
      return b
    }
  }
  return y
})"),
            "y: i64[u1]\n"
            "  a: i64[u1]\n"
            "  more: i64[]\n"
            "  b: i64[u1]\n"
            "u1 in 0 .. ?\n");
}

// In a loop a value is another number in each trip.
TEST(InferenceNumbersTest, NumbersInLoop_OfDifferentTrips_AreDifferent) {
  const auto sizes = SizesOf(InferText(R"(
opset onnx 21
graph g(trips: i64[], start: i64[], x: i64[]) {
  const zero: i64[] = {0}
  const one: i64[] = {1}
  const go: bool[] = {1}
  last, counts = onnx.Loop(trips, go, start) {
    body: graph(i: i64[], keep: bool[], n: i64[]) {
      more = onnx.Add(n, x)
      a = onnx.Range(zero, n, one)
      b = onnx.Range(zero, more, one)
      count = onnx.Size(b)
      return keep, more, count
    }
  }
  c = onnx.Range(zero, start, one)
  return last, counts, c
})"));
  EXPECT_NE(sizes.at("  a"), sizes.at("  b"));
  EXPECT_NE(sizes.at("  a"), sizes.at("c"));
  EXPECT_NE(sizes.at("  b"), sizes.at("c"));
}

// Returns the results of these lines, with facts about their symbols, in a graph with some inputs and
// constants.
std::string InferLines(std::string_view lines, std::string_view results) {
  const std::string all = InferText(fmt::format(R"(
opset onnx 18
graph g(k: i64[1], n: i64[], c: bool[N], x: f32[N], y: f32[N], z: f32[N, 3], w: f32[20], sizes: i64[2]) {{
  const zero: i64[] = {{0}}
  const one: i64[] = {{1}}
  const ten: i64[] = {{10}}
  const front: i64[1] = {{0}}
  {}
  return {}
}})",
                                                lines, results));
  const size_t begin = all.find("a:");
  return begin == std::string::npos ? all : all.substr(begin);
}

// Equal numbers give equal result shapes for tensors of equal shapes, whatever their contents are.
TEST(InferenceNumbersTest, TensorsOfOneShape_ReshapedByEqualNumbers_HaveOneShape) {
  EXPECT_EQ(InferLines("a = onnx.Reshape(x, sizes)\nb = onnx.Reshape(y, sizes)", "a, b"),
            "a: f32[u1, u2]\n"
            "b: f32[u1, u2]\n"
            "u1 in 0 .. ?\n"
            "u2 in 0 .. ?\n");
  // A 0 and a -1 have other meanings for tensors of other sizes.
  const auto other = SizesOf(InferLines("a = onnx.Reshape(x, sizes)\nb = onnx.Reshape(z, sizes)", "a, b"));
  EXPECT_NE(other.at("a"), other.at("b"));
  EXPECT_EQ(InferLines("a = onnx.Compress(x, c; axis=0)\nb = onnx.Compress(z, c; axis=0)", "a, b"),
            "a: f32[u1]\n"
            "b: f32[u1, 3]\n"
            "u1 in 0 .. N\n");
  const auto flat = SizesOf(InferLines("a = onnx.Compress(x, c)\nb = onnx.Compress(z, c)", "a, b"));
  EXPECT_NE(flat.at("a"), flat.at("b"));
}

// If the size does not depend on the number, it is not a generated symbol.
TEST(InferenceNumbersTest, Size_IndependentOfNumber_IsExact) {
  constexpr std::string_view kLines = R"(
  count = onnx.Size(x)
  end = onnx.Add(n, count)
  a = onnx.Range(n, end, one)
  more = onnx.Add(n, ten)
  b = onnx.Range(n, more, one))";
  EXPECT_EQ(InferLines(kLines, "a, b"),
            "a: i64[N]\n"
            "more: i64[]\n"
            "b: i64[10]\n");
}

TEST(InferenceNumbersTest, Numbers_OfSliceSplitAndTopK_GiveSizes) {
  EXPECT_EQ(InferLines(R"(end = onnx.Add(k, ten)
  a = onnx.Slice(x, k, end, front)
  b = onnx.Slice(y, k, end, front))",
                       "a, b"),
            "a: f32[u1]\n"
            "b: f32[u1]\n"
            "u1 in 0 .. N\n");
  EXPECT_EQ(InferLines(R"(all = onnx.Shape(x)
  rest = onnx.Sub(all, k)
  parts = onnx.Concat(rest, k; axis=0)
  a, b = onnx.Split(x, parts; axis=0)
  d = onnx.Concat(a, b; axis=0))",
                       "a, b, d"),
            "a: f32[N - u1]\n"
            "b: f32[u1]\n"
            "d: f32[N]\n"
            "u1 in 0 .. N\n");
  EXPECT_EQ(InferLines(R"(a, i = onnx.TopK(w, k)
  d = onnx.ConstantOfShape(k))",
                       "a, d"),
            "a: f32[u1]\n"
            "i: i64[u1]\n"
            "d: f32[u1]\n"
            "u1 in 0 .. 20\n");
}

// The relation between a number and the size that it gives bounds the size.
TEST(InferenceNumbersTest, Bounds_OfNumber_BoundTheSize) {
  struct Case {
    std::string_view lines, size, bounds;
  };
  for (const Case& t : {
           Case{"m = onnx.Min(n, ten)", "u1", "u1 in 0 .. 10\n"},
           Case{"m = onnx.Clip(n, one, ten)", "u1", "u1 in 1 .. 10\n"},
           Case{"m = onnx.Max(n, ten)", "u1", "u1 in 10 .. ?\n"},
           Case{"m = onnx.Mod(n, ten)", "u1", "u1 in 0 .. 9\n"},
           Case{"m = onnx.Mod(n, ten; fmod=1)", "u1", "u1 in 0 .. ?\n"},
           Case{"p = onnx.Greater(n, ten)\n m = onnx.Cast(p; to=i64)", "u1", "u1 in 0 .. 1\n"},
           Case{"p = onnx.Size(x)\n m = onnx.Min(n, p)", "u1", "u1 in 0 .. N\n"},
           Case{"p = onnx.Size(z)\n m = onnx.Min(n, p)", "u1", "u1 in 0 .. 3*N\n"},
           Case{"p = onnx.ArgMax(z; axis=1, keepdims=0)\n m = onnx.ReduceMax(p; keepdims=0)", "u1",
                "u1 in 0 .. 2\n"},
           Case{"p = onnx.ArgMax(x; keepdims=0)\n m = onnx.Add(p, one)", "u1", "u1 in 1 .. max(N, 1)\n"},
           Case{"p = onnx.Cast(c; to=i64)\n m = onnx.ReduceSum(p; keepdims=0)", "u1", "u1 in 0 .. N\n"},
           Case{"p = onnx.Cast(c; to=u8)\n q = onnx.ReduceMax(p; keepdims=0)\n m = onnx.Cast(q; to=i64)",
                "u1", "u1 in 0 .. 1\n"},
           Case{"p = onnx.Cast(n; to=u8)\n m = onnx.Cast(p; to=i64)", "u1", "u1 in 0 .. 255\n"},
           Case{"p = onnx.Cast(n; to=i8)\n m = onnx.Cast(p; to=i64)", "u1", "u1 in 0 .. 127\n"},
       }) {
    const std::string found = InferLines(fmt::format("{}\n  a = onnx.Range(zero, m, one)", t.lines), "a");
    EXPECT_EQ(found, fmt::format("a: i64[{}]\n{}", t.size, t.bounds)) << t.lines;
  }
}

// A size is expressed in terms of another size that is available at run time.
TEST(InferenceNumbersTest, Sizes_OfRelatedNumbers_AreExpressions) {
  EXPECT_EQ(InferLines(R"(p = onnx.ArgMax(x; keepdims=0)
  q = onnx.Add(p, one)
  a = onnx.Range(zero, p, one)
  b = onnx.Range(zero, q, one))",
                       "a, b"),
            "a: i64[u1]\n"
            "b: i64[u1 + 1]\n"
            "u1 in 0 .. max(N - 1, 0)\n");
}

// Exporters compute the side of a square grid and the batch of 7 by 7 windows this way: int(w/(h*h/49)).
TEST(InferenceNumbersTest, FloatsOfSizes_WithoutRounding_AreExact) {
  ExpectGolden("src/infer/engine/testdata/floats_of_sizes.txt", InferText(R"(
opset onnx 21
graph g(x: f32[B, H, H, 4]) {
  const one: i64[] = {1}
  const flat: i64[3] = {0, -1, 4}
  const front: i64[1] = {0}
  const seven: i64[] = {7}
  const window: f32[] = {49}
  tokens = onnx.Reshape(x, flat)
  shape = onnx.Shape(tokens)
  n = onnx.Gather(shape, one)
  f = onnx.Cast(n; to: type = f32)
  root = onnx.Sqrt(f)
  side = onnx.Cast(root; to: type = i64)
  a = onnx.Unsqueeze(side, front)
  square = onnx.ConstantOfShape(a)
  padded = onnx.Mul(side, seven)
  area = onnx.Mul(padded, padded)
  g = onnx.Cast(area; to: type = f32)
  windows = onnx.Div(g, window)
  all = onnx.Cast(windows; to: type = i64)
  b = onnx.Unsqueeze(all, front)
  y = onnx.ConstantOfShape(b)
  return square, y
})"));
}

// Batches are counted by windows: int(windows/(rows*columns)). No program computes this if there are no rows.
TEST(InferenceNumbersTest, QuotientOfFloats_WhereDefined_IsExact) {
  ExpectGolden("src/infer/engine/testdata/quotient_of_floats.txt", InferText(R"(
opset onnx 21
graph g(x: f32[B, H, W]) {
  const seven: i64[1] = {7}
  b = onnx.Shape(x; start=0, end=1)
  h = onnx.Shape(x; start=1, end=2)
  w = onnx.Shape(x; start=2)
  rows = onnx.Div(h, seven)
  columns = onnx.Div(w, seven)
  count = onnx.Mul(rows, columns)
  all = onnx.Mul(count, b)
  f = onnx.Cast(all; to: type = f32)
  g = onnx.Cast(count; to: type = f32)
  q = onnx.Div(f, g)
  batch = onnx.Cast(q; to: type = i64)
  cut = onnx.Concat(b, rows, seven, columns, seven; axis=0)
  y = onnx.Reshape(x, cut)
  again = onnx.Concat(batch, h, w; axis=0)
  z = onnx.Reshape(y, again)
  return z
})"));
}

// The resizing of detection models: the shorter side becomes 800, but the longer one at most 1333. The scale
// is rounded, so the sizes are defined by the steps of the computation.
TEST(InferenceNumbersTest, Sizes_FromRoundedScale_AreDefined) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[3, H, W]) {
  const shortest: f32[] = {800}
  const longest: f32[] = {1333}
  const front: i64[1] = {0}
  const one: f32[1] = {1}
  hw = onnx.Shape(x; start=1)
  low = onnx.ReduceMin(hw; keepdims=0)
  high = onnx.ReduceMax(hw; keepdims=0)
  below = onnx.Cast(low; to=f32)
  above = onnx.Cast(high; to=f32)
  a = onnx.Div(shortest, below)
  b = onnx.Div(longest, above)
  scale = onnx.Min(a, b)
  f = onnx.Cast(hw; to=f32)
  p = onnx.Mul(f, scale)
  q = onnx.Floor(p)
  size = onnx.Cast(q; to=i64)
  y = onnx.ConstantOfShape(size)
  scale_1 = onnx.Unsqueeze(scale, front)
  scales = onnx.Concat(one, scale_1, scale_1; axis=0)
  z = onnx.Resize(x, _, scales)
  return y, z
})"),
            "hw: i64[2]\n"
            "low: i64[]\n"
            "high: i64[]\n"
            "below: f32[]\n"
            "above: f32[]\n"
            "a: f32[]\n"
            "b: f32[]\n"
            "scale: f32[]\n"
            "f: f32[2]\n"
            "p: f32[2]\n"
            "q: f32[2]\n"
            "size: i64[2]\n"
            "y: f32[u1, u2]\n"
            "scale_1: f32[1]\n"
            "scales: f32[3]\n"
            "z: f32[3, u1, u2]\n"
            "u1 in 0 .. 1333\n"
            "u2 in 0 .. 1333\n");
}

// A table of 14 positions is stretched to N. N/14 is rounded, and 14 times that may be less than N.
TEST(InferenceNumbersTest, Size_FromRoundedScale_IsBounded) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[N, 4], table: f32[14, 4]) {
  const fourteen: f32[1] = {14}
  const one: f32[1] = {1}
  n = onnx.Shape(x; start=0, end=1)
  f = onnx.Cast(n; to: type = f32)
  scale = onnx.Div(f, fourteen)
  scales = onnx.Concat(scale, one; axis=0)
  y = onnx.Resize(table, _, scales)
  return y
})"),
            "n: i64[1]\n"
            "f: f32[1]\n"
            "scale: f32[1]\n"
            "scales: f32[2]\n"
            "y: f32[u1, 4]\n"
            "u1 in 14*(N//14) .. 14*(N//14) + 14\n");
}

}  // namespace
}  // namespace dimwise
