// Tests loops whose sizes change in each trip: the input is a body, the output the state after the last trip.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "infer/engine/inference_testing.h"

namespace dimwise {
namespace {

// Returns the results, findings and guards of a program with a loop over `x` whose body computes `next`.
std::string Loop(std::string_view x, std::string_view trips, std::string_view body) {
  const std::string found = InferText(fmt::format(R"(
opset onnx 21
graph g(x: f32{}, w: f32[M, 4], kernel: f32[8, 8, 3]) {{
  const go: bool[] = {{1}}
  const zero: i64[1] = {{0}}
  const one: i64[1] = {{1}}
  const two: i64[1] = {{2}}
  const end: i64[1] = {{9223372036854775807}}
  const three: f32[3] = {{0, 0, 0}}
  {}
  y = onnx.Loop(trips, go, x) {{
    body: graph(i: i64[], c: bool[], s: f32[*]) {{
      {}
      k = onnx.Identity(c)
      return k, next
    }}
  }}
  return y
}})",
                                                  x, trips, body));
  std::string output;
  std::istringstream lines(found);
  for (std::string line; std::getline(lines, line);) {
    const bool is_inside = line.starts_with("  ") || line.starts_with("m: ") || line.starts_with("trips: ") ||
                           line.starts_with("u");
    if (!is_inside) output += line + '\n';
  }
  return output;
}

constexpr std::string_view kThree = "const trips: i64[] = {3}";
constexpr std::string_view kRowsOfW = "m = onnx.Shape(w; start=0, end=1)\n trips = onnx.Squeeze(m, zero)";

TEST(LoopStateTest, Loop_WithFewTrips_IsUnrolled) {
  EXPECT_EQ(Loop("[N]", kThree, "next = onnx.Concat(s, s; axis=0)"), "y: f32[8*N]\n");
  EXPECT_EQ(Loop("[N, M]", kThree, "next = onnx.Transpose(s; perm=[1, 0])"), "y: f32[M, N]\n");
  EXPECT_EQ(Loop("[N]", kThree, "next = onnx.Slice(s, one, end, zero, two)"), "y: f32[N//8]\n");
}

TEST(LoopStateTest, Size_ThatOnlyFirstTripChanges_IsThatSize) {
  EXPECT_EQ(Loop("[1, 4]", kThree, "next = onnx.Add(s, w)"),
            "y: f32[M, 4]\n"
            "check: M == 1 or M == u1 or u1 == 1\n");
  EXPECT_EQ(Loop("[1, 4]", kRowsOfW, "next = onnx.Add(s, w)"),
            "y: f32[M, 4]\n"
            "check: M == 1 or M == u1 or u1 == 1\n");
  EXPECT_EQ(Loop("[N, 4]", "const trips: i64[] = {900}", "next = onnx.Add(s, w)"),
            "y: f32[broadcast(N, M), 4]\n"
            "check: M == 1 or M == u1 or u1 == 1\n"
            "check: N == 1 or N == M or M == 1\n");
}

TEST(LoopStateTest, Size_ThatShrinks_StopsAtZero) {
  EXPECT_EQ(Loop("[N]", kThree, "next = onnx.Slice(s, one, end, zero)"), "y: f32[max(N - 3, 0)]\n");
  EXPECT_EQ(Loop("[N]", kRowsOfW, "next = onnx.Slice(s, one, end, zero)"), "y: f32[max(N - M, 0)]\n");
}

// A window keeps the last rows of a state to which each trip appends a row.
TEST(LoopStateTest, Size_ThatGrows_StopsAtItsBound) {
  constexpr std::string_view kLastFive =
      "const from: i64[1] = {-5}\n all = onnx.Concat(s, one_row; axis=0)\n next = onnx.Slice(all, from, end, "
      "zero)";
  constexpr std::string_view kRow = "\n const one_row: f32[1] = {0}";
  EXPECT_EQ(Loop("[N]", std::string(kRowsOfW) + std::string(kRow), kLastFive), "y: f32[min(N + M, 5)]\n");
  EXPECT_EQ(Loop("[2]", std::string(kRowsOfW) + std::string(kRow), kLastFive), "y: f32[min(M + 2, 5)]\n");
}

TEST(LoopStateTest, Amount_DependingOnTrip_IsSummed) {
  EXPECT_EQ(Loop("[N]", kRowsOfW,
                 "l = onnx.Unsqueeze(i, zero)\n more = onnx.ConstantOfShape(l)\n"
                 "next = onnx.Concat(s, more; axis=0)"),
            "y: f32[N - M + (M*M + M)//2]\n");
  // Rows of w in pairs; the last pair may have one row.
  EXPECT_EQ(Loop("[0, 4]",
                 "m = onnx.Shape(w; start=0, end=1)\n m1 = onnx.Add(m, one)\n m2 = onnx.Div(m1, two)\n"
                 "trips = onnx.Squeeze(m2, zero)",
                 "l = onnx.Unsqueeze(i, zero)\n from = onnx.Mul(l, two)\n to = onnx.Add(from, two)\n"
                 "rows = onnx.Slice(w, from, to, zero)\n next = onnx.Concat(s, rows; axis=0)"),
            "m1: i64[1]\nm2: i64[1]\ny: f32[M, 4]\n");
}

TEST(LoopStateTest, Amount_DependingOnSize_MayBeEqualInEachTrip) {
  EXPECT_EQ(
      Loop("[N]", kRowsOfW, "row = onnx.Slice(s, zero, one, zero)\n next = onnx.Concat(s, row; axis=0)"),
      "y: f32[N + M]\n");
}

TEST(LoopStateTest, Requirement_OfBody_AppliesToExistingTrips) {
  EXPECT_EQ(Loop("[N, 8, H]", kThree, "next = onnx.Conv(s, kernel)"),
            "y: f32[N, 8, H - 6]\n"
            "check: u1 >= 3\n"
            "check: H >= 7\n");
}

TEST(LoopStateTest, FirstTrip_ThatFails_IsReported) {
  EXPECT_EQ(Loop("[N, 4]", kThree, "next = onnx.Add(s, three)"),
            "y: f32[N, 4]\n"
            "error: Add cannot broadcast 4 with 3 at axis -1: they must be equal, or one of them 1\n");
  EXPECT_EQ(Loop("[N, 4]", kRowsOfW, "next = onnx.Add(s, three)"),
            "y: f32[N, 4]\n"
            "warning: Add cannot broadcast 4 with 3 at axis -1: they must be equal, or one of them 1\n"
            "check: 1 == 0\n")
      << "wherever there is a trip";
}

// Scan requires at least one trip, so its body runs for any T.
TEST(LoopStateTest, BodyOfScan_WithError_IsAnError) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(h: f32[3], x: f32[T, 4]) {
  last, all = onnx.Scan(h, x; num_scan_inputs=1) {
    body: graph(s: f32[*], v: f32[*]) {
      a = onnx.Identity(s)
      b = onnx.Add(s, v)
      return a, b
    }
  }
  return all
})"),
            "last: f32[3]\n"
            "all: f32[T, u1]\n"
            "  a: f32[3]\n"
            "  b: f32[u2]\n"
            "error: Add cannot broadcast 3 with 4 at axis -1: they must be equal, or one of them 1\n"
            "u1 in 0 .. ?\n"
            "u2 in 0 .. ?\n");
}

// tf2onnx gathers at a position this way before opset 11: each trip removes an axis. The body is inferred for
// any trip.
TEST(LoopStateTest, Rank_ThatChanges_IsThatOfLastTrip) {
  const auto infer = [](std::string_view trips) {
    return InferText(fmt::format(R"(
opset onnx 21
graph g(x: f32[N, M, 4], n: i64[]) {{
  const two: i64[] = {{2}}
  const go: bool[] = {{1}}
  const first: i64[] = {{0}}
  y, all = onnx.Loop({}, go, x) {{
    body: graph(t: i64[], c: bool[], s: f32[*]) {{
      k = onnx.Identity(c)
      part = onnx.Gather(s, first; axis=0)
      return k, part, t
    }}
  }}
  return y, all
}})",
                                 trips));
  };
  const std::string_view body = "  k: bool[]\n  part: f32[*]\n";
  EXPECT_EQ(infer("two"), fmt::format("y: f32[4]\nall: i64[2]\n{}", body));
  EXPECT_EQ(infer("n"), fmt::format("y: f32[*]\nall: i64[u1]\n{}u1 in 0 .. ?\n", body));
}

// Each trip generates a symbol of its own, but both have one name. No size is inferred from them.
TEST(LoopStateTest, SymbolsOfBody_InOtherTrip_AreDifferent) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: i64[N]) {
  const two: i64[] = {2}
  const go: bool[] = {1}
  y = onnx.Loop(two, go, x) {
    body: graph(t: i64[], c: bool[], s: i64[*]) {
      k = onnx.Identity(c)
      places = onnx.NonZero(s)
      return k, places
    }
  }
  return y
})"),
            "y: i64[u1, u2]\n"
            "  k: bool[]\n"
            "  places: i64[u3, u4]\n"
            "u1 in 0 .. ?\n"
            "u2 in 0 .. ?\n"
            "u3 in 0 .. ?\n"
            "u4 in 0 .. ?\n");
}

// Stacked results have the same sizes in each trip, so they have those of the first.
TEST(LoopStateTest, StackedResults_OfLoop_HaveSizesOfFirstTrip) {
  const std::string found = InferText(R"(
opset onnx 21
graph g(x: f32[N, 4]) {
  const one: i64[] = {1}
  const yes: bool[] = {true}
  last, all = onnx.Loop(one, yes, x) {
    body: graph(t: i64[], c: bool[], s: f32[*]) {
      next = onnx.Concat(s, x; axis=0)
      return c, next, next
    }
  }
  return last, all
})");
  EXPECT_EQ(found.substr(0, found.find("  next")), "last: f32[2*N, 4]\nall: f32[1, 2*N, 4]\n");
}

}  // namespace
}  // namespace dimwise
