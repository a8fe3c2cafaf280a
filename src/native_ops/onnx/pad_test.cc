#include <gtest/gtest.h>

#include <array>

#include "infer/engine/inference_testing.h"
#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxPadTest, Pad_KnownAmounts_AddToSizes) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Pad", "f32[2, 3]; i64[4]={0, 1, 0, 2}", "", "f32[2, 6]"},
      {"onnx.Pad", "f32[N, 3, H, W]; i64[8]={0, 0, 1, 1, 0, 0, 1, 2}", "", "f32[N, 3, H + 2, W + 3]"},
      {"onnx.Pad", "f32[N]; i64[2]={0, M - N}", "", "f32[M]"},
      {"onnx.Pad", "f32[N]; i64[2]={-2, -2}", "",
       "f32[N - 4]\n"
       "check: N >= 4"},
      {"onnx.Pad", "f32[0]; i64[2]={1, 1}; f32[]", "", "f32[2]"},
      {"onnx.Pad", "f32[N, 3]; i64[2]={1, 1}; -; i64[1]={-1}", "", "f32[N, 5]"},
      {"onnx.Pad", "f32[N, 3]; i64[2]={1, 1}; -; i32[1]={0}", "", "f32[N + 2, 3]"},
      {"onnx.Pad@2", "f32[N, 3]", "pads=0,1,0,1 mode=reflect", "f32[N, 5]"},
      {"onnx.Pad", "f32[]; i64[0]={}", "", "f32[]"},
  }));
}

TEST(OnnxPadTest, Pad_UnknownAmounts_KeepRank) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Pad", "f32[N, 3]; i64[4]", "", "f32[u1, u2]"},
      {"onnx.Pad", "f32[N, 3]; i64[4]={0, ?, 0, 1}", "",
       "f32[N, u1 + 4]\n"
       "check: u1 >= -4"},
      {"onnx.Pad", "f32[N, 3]; i64[2]={1, 1}; -; i64[1]", "", "f32[u1, u2]"},
      {"onnx.Pad", "f32[*]; i64[4]={0, 0, 1, 1}", "", "f32[u1 + 1, u2 + 1]"},
      {"onnx.Pad", "f32[*]; i64[2]={0, 0}; -; i64[1]={0}", "", "f32[*]"},
      {"onnx.Pad", "f32[*]; i64[K]", "", "f32[*]"},
  }));
}

TEST(OnnxPadTest, Pad_InvalidOperands_AreErrors) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Pad", "f32[3]; i64[2]={-2, -2}", "",
       "error[DW0105]: output of Pad would have the size -1 on axis 0"},
      {"onnx.Pad", "f32[N, 3]; i64[2]={1, 1}", "",
       "error[DW0103]: there are 2 pads for 2 axes, not two for each"},
      {"onnx.Pad", "f32[N, 3]; i64[3]", "", "error[DW0103]: there are 3 pads for 2 axes, not two for each"},
      {"onnx.Pad", "f32[N, 3]; i64[4]={1, 1, 1, 1}; -; i64[1]={0}", "",
       "error[DW0103]: there are 4 pads for 1 axes, not two for each"},
      {"onnx.Pad", "f32[N, 3]; i64[2]={1, 1}; -; i64[1]={2}", "",
       "error[DW0103]: axes [2] are not all axes of a tensor of rank 2"},
      {"onnx.Pad@2", "f32[N, 3]", "", "error[DW0302]: Pad needs the attribute pads"},
      {"onnx.Pad", "f32[N]; i64[2]; i64[]", "",
       "error[DW0108]: constant_value of Pad is i64; it must be f32, like the other operands of "
       "type T"},
  }));
}

// A known amount at one end is checked even if the amount at the other end is unknown.
TEST(OnnxPadTest, Pad_ReflectionWithUnknownAmount_ChecksKnownAmount) {
  EXPECT_EQ(InferText(R"(opset onnx 21
graph g(x: f32[T], more: f32[1]) {
  const three: i64[1] = {3}
  root = onnx.Sqrt(more)
  end = onnx.Cast(root; to=7)
  pads = onnx.Concat(three, end; axis=0)
  y = onnx.Pad(x, pads; mode="reflect")
  return y
})"),
            "root: f32[1]\n"
            "end: i64[1]\n"
            "pads: i64[2]\n"
            "y: f32[u1]\n"
            "check: T >= 4\n"
            "u1 in 0 .. ?\n");
}

}  // namespace
}  // namespace dimwise
