// Sizes that a number gives which only data decides: one number gives one size, wherever it goes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "infer/engine/inference_testing.h"

namespace dimwise {
namespace {

// A model takes the length of its output as an input, and makes positions and zeros of it.
TEST(InferenceNumbersTest, RangeAndConstantOfShapeOfOneInputAgree) {
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

// A mask of lengths, as exporters of text and speech models write it.
TEST(InferenceNumbersTest, TheLargestOfSomeLengthsIsANumber) {
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

// Sizes that are one expression with open numbers are one size with any; and those of k and k + 1 are not.
TEST(InferenceNumbersTest, WhatIsOneSizeIsOneSizeWithEachNumber) {
  const auto open = SizesOf(InferText(fmt::format(kSizes, "k: i64[], m: i64[], ", "")));
  EXPECT_EQ(open.at("a"), open.at("b"));
  EXPECT_EQ(open.at("a"), open.at("d"));
  EXPECT_EQ(open.at("n"), fmt::format("[1, {}", open.at("c").substr(1)));
  EXPECT_NE(open.at("a"), open.at("c"));
  EXPECT_NE(open.at("a"), open.at("e"));
  for (int k = -2; k < 4; ++k) {
    for (int m = 0; m < 4; ++m) {
      const std::string told = fmt::format("const k: i64[] = {{{}}}\n  const m: i64[] = {{{}}}", k, m);
      const auto sizes = SizesOf(InferText(fmt::format(kSizes, "", told)));
      for (const auto& [one, symbolic] : open) {
        for (const auto& [other, also] : open) {
          if (symbolic != also || !sizes.contains(one) || !sizes.contains(other)) continue;
          EXPECT_EQ(sizes.at(one), sizes.at(other)) << one << " and " << other << " of " << k << ", " << m;
        }
      }
    }
  }
}

// A branch runs once at the most.
TEST(InferenceNumbersTest, BranchesTakeTheNumbersFromAround) {
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
TEST(InferenceNumbersTest, NumbersOfALoopAreNotOne) {
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

}  // namespace
}  // namespace dimwise
