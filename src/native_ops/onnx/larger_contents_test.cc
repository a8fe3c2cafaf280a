#include "native_ops/onnx/larger_contents.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "infer/engine/inference_testing.h"

namespace dimwise {
namespace {

std::string PlacesInTriangle(int64_t rows, int64_t columns, std::string_view attributes) {
  return InferText(fmt::format(R"(
opset onnx 18
graph g(x: f32[N]) {{
  s = onnx.Constant(; value_ints=[{}, {}])
  ones = onnx.ConstantOfShape(s; value=i64[1]{{1}})
  mask = onnx.Trilu(ones; {})
  places = onnx.NonZero(mask)
  return places
}})",
                               rows, columns, attributes));
}

TEST(LargerContentsTest, NonZero_OfTriangle_CountsElements) {
  const auto places = [](const std::string& found) { return found.substr(found.rfind("places:")); };
  EXPECT_EQ(places(PlacesInTriangle(27, 27, "upper=0")), "places: i64[2, 378]\n");
  EXPECT_EQ(places(PlacesInTriangle(3, 27, "upper=1")), "places: i64[2, 78]\n");
  EXPECT_EQ(places(PlacesInTriangle(4, 4, "upper=0")), "places: i64[2, 10]\n");
}

TEST(LargerContentsTest, NonZero_PastLimit_HasUnknownSize) {
  EXPECT_NE(PlacesInTriangle(99, 99, "upper=0").find("places: i64[2, u1]"), std::string::npos);
}

// The elements of a constant are counted without a copy. If few are nonzero, their indices become contents.
TEST(LargerContentsTest, NonZero_OfLargeConstant_CountsElements) {
  std::string mask(3000 * 3 - 2, ',');
  for (size_t i = 0; i < 3000; ++i) mask.replace(3 * i, 1, i == 1007 || i == 2996 ? "1" : "0");
  for (size_t i = 0; i + 1 < 3000; ++i) mask[3 * i + 2] = ' ';
  EXPECT_EQ(InferText(fmt::format(R"(
opset onnx 18
graph g(x: f32[N]) {{
  const mask: f32[3, 1000] = {{{}}}
  const all: i64[1] = {{-1}}
  places = onnx.NonZero(mask)
  flat = onnx.Reshape(places, all)
  sizes = onnx.ConstantOfShape(flat)
  return sizes
}})",
                                  mask)),
            "places: i64[2, 2]\n"
            "flat: i64[4]\n"
            "sizes: f32[1, 2, 7, 996]\n");
}

}  // namespace
}  // namespace dimwise
