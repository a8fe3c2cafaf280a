// Tests programs in which one mask decides several sizes. Input and output are text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "infer/engine/inference_testing.h"

namespace dimwise {
namespace {

// Two equal computations give equal results, with equally many nonzero elements.
TEST(InferenceMasksTest, Mask_ComputedTwice_HasOneSize) {
  const auto result = [](std::string_view first, std::string_view second) {
    return FoundOf(fmt::format(R"(
opset onnx 21
graph g(x: f32[N], z: f32[N]) {{
  const half: f32[] = {{0.5}}
  const another_half: f32[] = {{0.5}}
  const less: f32[] = {{0.25}}
  a = onnx.Greater(x, half)
  b = onnx.Less(z, half)
  c = onnx.Greater(x, another_half)
  d = onnx.Greater(another_half, z)
  e = onnx.Greater(x, less)
  r = onnx.RandomUniformLike(x)
  f = onnx.Greater(r, half)
  q = onnx.RandomUniformLike(x)
  g = onnx.Greater(q, half)
  first = {}
  second = {}
  k = onnx.Compress(x, first; axis=0)
  l = onnx.Compress(x, second; axis=0)
  y = onnx.Add(k, l)
  return y
}})",
                               first, second),
                   "y");
  };
  const std::string kSame = "y: f32[u1]; u1 in 0 .. N";
  EXPECT_EQ(result("onnx.Identity(a)", "onnx.Identity(c)"), kSame);
  EXPECT_EQ(result("onnx.And(a, b)", "onnx.And(d, c)"), kSame);
  EXPECT_EQ(result("onnx.Not(a)", "onnx.Not(c)"), kSame);
  EXPECT_NE(result("onnx.Identity(a)", "onnx.Identity(e)"), kSame);
  EXPECT_NE(result("onnx.And(a, b)", "onnx.Or(a, b)"), kSame);
  EXPECT_NE(result("onnx.Identity(f)", "onnx.Identity(g)"), kSame);
}

// All forms of counting the elements of a mask give the same count.
TEST(InferenceMasksTest, SelectedElements_CountedInDifferentForms_HaveOneSize) {
  const auto result = [](std::string_view first, std::string_view second) {
    return FoundOf(fmt::format(R"(
opset onnx 21
graph g(x: f32[N], z: f32[N, 4]) {{
  const none: i64[1] = {{0}}
  const half: f32[] = {{0.5}}
  a = onnx.Greater(x, half)
  numbers = onnx.Cast(a; to=7)
  places = onnx.NonZero(a)
  rows = onnx.NonZero(numbers)
  flat = onnx.Squeeze(rows, none)
  k = {}
  l = {}
  y = onnx.Concat(k, l; axis=1)
  return y
}})",
                               first, second),
                   "y");
  };
  const std::string kRows = "onnx.Compress(z, a; axis=0)";
  EXPECT_EQ(result(kRows, "onnx.Gather(z, flat; axis=0)"), "y: f32[u1, 8]; u1 in 0 .. N");
  EXPECT_EQ(result(kRows, kRows), "y: f32[u1, 8]; u1 in 0 .. N");
  EXPECT_EQ(result("onnx.Transpose(places)", "onnx.Transpose(rows)"), "y: i64[u1, 2]; u1 in 0 .. N");
}

// Selected elements are written back through the mask, which is expanded to the shape of the data.
TEST(InferenceMasksTest, Mask_MovedOrExpandedToItsOwnSizes_SelectsEquallyMany) {
  const auto guards = [](std::string_view moved) {
    const std::string found = InferText(fmt::format(R"(
opset onnx 21
graph g(x: f32[N, M], z: f32[N, M]) {{
  const half: f32[] = {{0.5}}
  const front: i64[1] = {{0}}
  const flat: i64[1] = {{-1}}
  mask = onnx.Greater(x, half)
  sizes = onnx.Shape(z)
  rows = onnx.Shape(z; end=1)
  twice = onnx.Concat(rows, sizes; axis=0)
  places = onnx.NonZero(mask)
  at = onnx.Transpose(places)
  chosen = onnx.GatherND(x, at)
  moved = {}
  k = onnx.NonZero(moved)
  count = onnx.Shape(k; start=1)
  as_many = onnx.Reshape(chosen, count)
  return as_many
}})",
                                                    moved));
    const size_t check = found.find("check: ");
    return check == std::string::npos ? "" : found.substr(check);
  };
  for (const std::string_view moved :
       {"onnx.Identity(mask)", "onnx.Expand(mask, sizes)", "onnx.Transpose(mask)", "onnx.Reshape(mask, flat)",
        "onnx.Unsqueeze(mask, front)", "onnx.Cast(mask; to=7)"})
    EXPECT_EQ(guards(moved), "") << moved;
  EXPECT_NE(guards("onnx.Expand(mask, twice)"), "");
}

}  // namespace
}  // namespace dimwise
