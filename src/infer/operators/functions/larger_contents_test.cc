#include "infer/operators/functions/larger_contents.h"

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

TEST(LargerContentsTest, PlacesOfATriangleAreCounted) {
  const auto places = [](const std::string& found) { return found.substr(found.rfind("places:")); };
  EXPECT_EQ(places(PlacesInTriangle(27, 27, "upper=0")), "places: i64[2, 378]\n");
  EXPECT_EQ(places(PlacesInTriangle(3, 27, "upper=1")), "places: i64[2, 78]\n");
  EXPECT_EQ(places(PlacesInTriangle(4, 4, "upper=0")), "places: i64[2, 10]\n");
}

TEST(LargerContentsTest, OfTooManyNothingIsCounted) {
  EXPECT_NE(PlacesInTriangle(99, 99, "upper=0").find("places: i64[2, u1]"), std::string::npos);
}

}  // namespace
}  // namespace dimwise
