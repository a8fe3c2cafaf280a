#include <gtest/gtest.h>

#include <array>

#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxPoolingTest, Pool_Windows_ComputeSizes) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.MaxPool", "f32[1, 3, 7, 8] -> 1", "kernel_shape=2,2 strides=2,2", "f32[1, 3, 3, 4]"},
      {"onnx.MaxPool", "f32[N, 3, H, W]", "kernel_shape=2,2 strides=2,2",
       "f32[N, 3, H//2, W//2]; i64[N, 3, H//2, W//2]\n"
       "check: H >= 2\n"
       "check: W >= 2"},
      {"onnx.MaxPool", "f32[N, 3, H, W] -> 1", "kernel_shape=3,3 pads=1,1,1,1", "f32[N, 3, H, W]"},
      {"onnx.MaxPool", "f32[N, 3, H] -> 1", "kernel_shape=3 dilations=2",
       "f32[N, 3, H - 4]\n"
       "check: H >= 4"},
      {"onnx.MaxPool@8", "f32[N, 3, 8] -> 1", "kernel_shape=3 dilations=2", "f32[N, 3, 6]"},
      {"onnx.MaxPool@7", "f32[N, 3, 8]", "kernel_shape=3", "f32[N, 3, 6]; i64[N, 3, 6]"},
      {"onnx.MaxPool", "f32[0, 3, 8] -> 1", "kernel_shape=3", "f32[0, 3, 6]"},
      {"onnx.MaxPool", "f32[*] -> 1", "kernel_shape=4,4",
       "f32[u3, u4, u1 - 3, u2 - 3]\n"
       "check: u1 >= 3\n"
       "check: u2 >= 3"},
      {"onnx.AveragePool", "f32[N, 3, H]", "kernel_shape=3 auto_pad=SAME_UPPER strides=2",
       "f32[N, 3, (H + 1)//2]"},
      {"onnx.LpPool", "f32[1, 3, 8]", "kernel_shape=3 p=1", "f32[1, 3, 6]"},
  }));
}

TEST(OnnxPoolingTest, Pool_CeilMode_RoundsUp) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.MaxPool", "f32[1, 1, 5, 6] -> 1", "kernel_shape=2,1 strides=2,4 ceil_mode=1", "f32[1, 1, 3, 2]"},
      {"onnx.MaxPool", "f32[1, 1, H] -> 1", "kernel_shape=2 strides=2 ceil_mode=1", "f32[1, 1, (H + 1)//2]"},
      {"onnx.MaxPool", "f32[1, 1, H] -> 1", "kernel_shape=3 strides=2 pads=1,1 ceil_mode=1",
       "f32[1, 1, H//2 + 1]"},
      {"onnx.MaxPool", "f32[1, 1, H] -> 1", "kernel_shape=1 strides=3 ceil_mode=1", "f32[1, 1, (H + 2)//3]"},
      {"onnx.MaxPool", "f32[1, 1, H] -> 1", "kernel_shape=2 strides=2 pads=0,1 ceil_mode=1",
       "f32[1, 1, (H + 1)//2]"},
      {"onnx.AveragePool", "f32[1, 3, 7, 7]", "kernel_shape=2,2 strides=2,2 ceil_mode=1", "f32[1, 3, 4, 4]"},
      {"onnx.AveragePool@7", "f32[1, 3, 7, 7]", "kernel_shape=2,2 strides=2,2 ceil_mode=1",
       "f32[1, 3, 3, 3]"},
  }));
}

TEST(OnnxPoolingTest, Pool_WindowLargerThanInput_IsAnErrorOrEmpty) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.MaxPool", "f32[1, 3, 2] -> 1", "kernel_shape=3", "f32[1, 3, 0]"},
      {"onnx.MaxPool", "f32[1, 3, 1] -> 1", "kernel_shape=3 strides=3", "f32[1, 3, u1]"},
      {"onnx.MaxPool", "f32[1, 8, 2, 2]", "kernel_shape=4,4",
       "error[DW0105]: Y of MaxPool would have the size -1 on axis 2"},
      {"onnx.MaxPool", "f32[1, 8, 2]", "kernel_shape=4,4",
       "error[DW0101]: X of MaxPool has rank 3; it needs rank 4"},
      {"onnx.MaxPool", "f32[1, 8, 2, 2]", "", "error[DW0302]: MaxPool needs the attribute kernel_shape"},
      {"onnx.MaxPool", "f32[1, 8, 2, 2]", "kernel_shape=0,1",
       "error[DW0103]: a kernel of [0, 1] has nothing in it"},
      {"onnx.MaxPool", "f32[1, 8, 2, 2]", "kernel_shape=[]",
       "error[DW0101]: X of MaxPool has rank 4; it needs rank 2"},
      {"onnx.MaxPool", "f32[1, 8, 4, 4]", "kernel_shape=2,2 pads=1,1",
       "error[DW0103]: strides [1, 1], dilations [1, 1] and pads [1, 1] do not match 2 spatial axes"},
      {"onnx.MaxPool", "f32[1, 8, 4, 4]", "kernel_shape=2,2 auto_pad=FULL",
       "error[DW0303]: MaxPool has auto_pad = \"FULL\"; it may be \"NOTSET\", \"SAME_UPPER\", "
       "\"SAME_LOWER\", \"VALID\""},
  }));
}

TEST(OnnxPoolingTest, GlobalPool_SpatialAxes_BecomeOne) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.GlobalAveragePool", "f32[N, 3, H, W]", "", "f32[N, 3, 1, 1]"},
      {"onnx.GlobalMaxPool", "f32[N, 3, 0]", "", "f32[N, 3, 1]"},
      {"onnx.GlobalLpPool", "f32[N, 3]", "", "f32[N, 3]"},
      {"onnx.GlobalAveragePool", "f32[*]", "", "f32[*] of rank 2 or more"},
      {"onnx.GlobalMaxPool", "f32[3]", "",
       "error[DW0101]: X of GlobalMaxPool has rank 1; it needs at least rank 2"},
  }));
}

}  // namespace
}  // namespace dimwise
