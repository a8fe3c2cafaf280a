// Tests indices with unknown contents but known range: the indexed axis must be long enough.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>

#include "infer/engine/inference_testing.h"

namespace dimwise {
namespace {

// Returns the guards and errors of a program.
std::string GuardsOf(std::string_view program, InferenceOptions options = {}) {
  std::istringstream lines(InferText(program, options));
  std::string guards;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("check: ") || line.starts_with("error: ")) guards += line + "\n";
  }
  return guards;
}

// A decoder with a cache: later positions index a table, and the rows and columns of a mask.
constexpr std::string_view kDecoder = R"(
opset onnx 21
graph g(ids: i64[batch, seq], past: f32[batch, 4, before, 8], mask: i64[batch, total], table: f32[64, 32]) {
  const zero: i64[] = {0}
  const one: i64[] = {1}
  const two: i64[] = {2}
  const front: i64[1] = {0}
  const ends: i64[3] = {1, 2, 3}
  const starts: i64[3] = {0, 1, 2}
  const back: i64[1] = {-1}
  s = onnx.Shape(ids)
  rows = onnx.Gather(s, zero; axis=0)
  columns = onnx.Gather(s, one; axis=0)
  p = onnx.Shape(past)
  length = onnx.Gather(p, two; axis=0)
  all = onnx.Add(length, columns)
  next = onnx.Range(length, all, one)
  positions = onnx.Unsqueeze(next, front)
  embedded = onnx.Gather(table, positions)
  row = onnx.Range(zero, rows, one)
  row4 = onnx.Unsqueeze(row, ends)
  column = onnx.Range(zero, all, one)
  column4 = onnx.Unsqueeze(column, starts)
  sum = onnx.Add(row4, column4)
  grid = onnx.Shape(sum)
  row_wide = onnx.Expand(row4, grid)
  column_wide = onnx.Expand(column4, grid)
  first = onnx.Unsqueeze(row_wide, back)
  second = onnx.Unsqueeze(column_wide, back)
  tuples = onnx.Concat(first, second; axis=-1)
  seen = onnx.GatherND(mask, tuples)
  return embedded, seen
})";

TEST(InferenceIndicesTest, Positions_InTable_AreGuardedByItsSize) {
  EXPECT_EQ(GuardsOf(kDecoder),
            "check: seq + before <= 64\n"
            "check: total >= seq + before\n");
}

TEST(InferenceIndicesTest, Indices_Empty_NeedNoGuard) {
  InferenceOptions options;
  options.assume_not_empty = false;
  EXPECT_EQ(GuardsOf(kDecoder, options),
            "check: seq + before <= 64 or seq == 0\n"
            "check: batch == 0 or total >= seq + before\n");
}

// The indices are computed from n and rows r; the table has T elements.
TEST(InferenceIndicesTest, Indices_AfterArithmetic_KeepTheirRange) {
  const auto guards = [](std::string_view indices) {
    return GuardsOf(fmt::format(R"(
opset onnx 21
graph g(x: f32[N, R], table: f32[T], square: f32[N, T]) {{
  const zero: i64[] = {{0}}
  const one: i64[] = {{1}}
  const three: i64[] = {{3}}
  const front: i64[1] = {{0}}
  const back: i64[1] = {{1}}
  const hundred: i64[1] = {{100}}
  s = onnx.Shape(x)
  n = onnx.Gather(s, zero)
  rows = onnx.Gather(s, one)
  count = onnx.Range(zero, n, one)
  across = onnx.Range(zero, rows, one)
  column = onnx.Unsqueeze(across, back)
  {}
  return y
}})",
                                indices));
  };
  struct Case {
    std::string_view indices, guards;
  };
  for (const Case& c : {
           Case{"y = onnx.Gather(table, count)", "check: T >= N\n"},
           Case{"y = onnx.Gather(square, count; axis=-1)", "check: T >= N\n"},
           Case{"y = onnx.Gather(square, count)", ""},
           Case{"i = onnx.Add(count, three)\n  y = onnx.Gather(table, i)", "check: T >= N + 3\n"},
           Case{"i = onnx.Sub(three, count)\n  y = onnx.Gather(table, i)",
                "check: T >= 4\ncheck: T + 4 >= N\n"},
           Case{"i = onnx.Mul(count, rows)\n  y = onnx.Gather(table, i)", "check: R + T >= N*R + 1\n"},
           // Rows and columns are combined in all pairs. The maxima of two rows need not be in the same
           // place.
           Case{"m = onnx.Mul(column, n)\n  i = onnx.Add(count, m)\n  y = onnx.Gather(table, i)",
                "check: T >= N*R\n"},
           Case{"m = onnx.Mul(count, three)\n  i = onnx.Sub(count, m)\n  y = onnx.Gather(table, i)", ""},
           Case{"i = onnx.Range(n, zero, three)\n  y = onnx.Gather(table, i)", ""},
           Case{"wide = onnx.Expand(three, hundred)\n  y = onnx.Gather(table, wide)", "check: T >= 4\n"},
           Case{"i = onnx.Cast(count; to=i32)\n  y = onnx.GatherElements(table, i)", "check: T >= N\n"},
           Case{"i = onnx.Unsqueeze(count, back)\n  y = onnx.GatherND(table, i)", "check: T >= N\n"},
       }) {
    EXPECT_EQ(guards(c.indices), c.guards) << c.indices;
  }
}

}  // namespace
}  // namespace dimwise
