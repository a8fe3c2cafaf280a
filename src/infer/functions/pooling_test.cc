#include <gtest/gtest.h>

#include <array>

#include "infer/functions/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxPoolingTest, Windows) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.MaxPool", "f32[1, 3, 7, 8] -> 1", "kernel_shape=2,2 strides=2,2", "f32[1, 3, 3, 4]"},
      {"onnx.MaxPool", "f32[N, 3, H, W]", "kernel_shape=2,2 strides=2,2",
       "f32[N, 3, H//2, W//2]; i64[N, 3, H//2, W//2]\n"
       "check: H >= 2\n"
       "check: W >= 2"},
      {"onnx.MaxPool", "f32[N, 3, H, W] -> 1", "kernel_shape=3,3 pads=1,1,1,1",
       "f32[N, 3, H, W]\n"
       "check: H >= 1\n"
       "check: W >= 1"},
      {"onnx.MaxPool", "f32[N, 3, H] -> 1", "kernel_shape=3 dilations=2",
       "f32[N, 3, H - 4]\n"
       "check: H >= 5"},
      {"onnx.MaxPool@8", "f32[N, 3, 8] -> 1", "kernel_shape=3 dilations=2", "f32[N, 3, 6]"},
      {"onnx.MaxPool@7", "f32[N, 3, 8]", "kernel_shape=3", "f32[N, 3, 6]"},
      {"onnx.MaxPool", "f32[0, 3, 8] -> 1", "kernel_shape=3", "f32[0, 3, 6]"},
      {"onnx.MaxPool", "f32[*] -> 1", "kernel_shape=4,4", "f32[u1, u2, u3, u4]"},
      {"onnx.AveragePool", "f32[N, 3, H]", "kernel_shape=3 auto_pad=SAME_UPPER strides=2",
       "f32[N, 3, (H + 1)//2]"},
      {"onnx.LpPool", "f32[1, 3, 8]", "kernel_shape=3 p=1", "f32[1, 3, 6]"},
  }));
}

TEST(OnnxPoolingTest, RoundingUp) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.MaxPool", "f32[1, 1, 5, 6] -> 1", "kernel_shape=2,1 strides=2,4 ceil_mode=1", "f32[1, 1, 3, 2]"},
      {"onnx.MaxPool", "f32[1, 1, H] -> 1", "kernel_shape=2 strides=2 ceil_mode=1",
       "f32[1, 1, (H + 1)//2]\n"
       "check: H >= 2"},
      {"onnx.MaxPool", "f32[1, 1, H] -> 1", "kernel_shape=3 strides=2 pads=1,1 ceil_mode=1",
       "f32[1, 1, H//2 + 1]\n"
       "check: H >= 1"},
      {"onnx.MaxPool", "f32[1, 1, H] -> 1", "kernel_shape=1 strides=3 ceil_mode=1",
       "f32[1, 1, (H + 2)//3]\n"
       "check: H >= 1"},
      {"onnx.MaxPool", "f32[1, 1, H] -> 1", "kernel_shape=2 strides=2 pads=0,1 ceil_mode=1",
       "f32[1, 1, (H + 1)//2]\n"
       "check: H >= 1"},
      {"onnx.AveragePool", "f32[1, 3, 7, 7]", "kernel_shape=2,2 strides=2,2 ceil_mode=1", "f32[1, 3, 4, 4]"},
      {"onnx.AveragePool@7", "f32[1, 3, 7, 7]", "kernel_shape=2,2 strides=2,2 ceil_mode=1",
       "f32[1, 3, 3, 3]"},
  }));
}

TEST(OnnxPoolingTest, WindowsThatDoNotFit) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.MaxPool", "f32[1, 3, 2] -> 1", "kernel_shape=3", "f32[1, 3, 0]"},
      {"onnx.MaxPool", "f32[1, 3, 1] -> 1", "kernel_shape=3 strides=3", "f32[1, 3, 1]"},
      {"onnx.MaxPool", "f32[1, 8, 2, 2]", "kernel_shape=4,4",
       "error[DW0105]: MaxPool moves a window that spans 4 along spatial axis 0, which has 2 with its "
       "padding"},
      {"onnx.MaxPool", "f32[1, 8, 2]", "kernel_shape=4,4",
       "error[DW0101]: MaxPool has a window of 2 axes, so X must have rank 4; it is [1, 8, 2]"},
      {"onnx.MaxPool", "f32[1, 8, 2, 2]", "", "error[DW0302]: attribute 'kernel_shape' is missing"},
      {"onnx.MaxPool", "f32[1, 8, 2, 2]", "kernel_shape=0,1",
       "error[DW0303]: MaxPool has 0 among its kernel_shape; they must be at least 1"},
      {"onnx.MaxPool", "f32[1, 8, 2, 2]", "kernel_shape=[]",
       "error[DW0303]: MaxPool has an empty kernel_shape"},
      {"onnx.MaxPool", "f32[1, 8, 4, 4]", "kernel_shape=2,2 pads=1,1",
       "error[DW0303]: MaxPool has 2 pads for 2 spatial axes; there must be 4"},
      {"onnx.MaxPool", "f32[1, 8, 4, 4]", "kernel_shape=2,2 auto_pad=FULL",
       "error[DW0303]: MaxPool has auto_pad 'FULL'; it is NOTSET, SAME_UPPER, SAME_LOWER or VALID"},
  }));
}

TEST(OnnxPoolingTest, Global) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.GlobalAveragePool", "f32[N, 3, H, W]", "", "f32[N, 3, 1, 1]"},
      {"onnx.GlobalMaxPool", "f32[N, 3, 0]", "", "f32[N, 3, 1]"},
      {"onnx.GlobalLpPool", "f32[N, 3]", "", "f32[N, 3]"},
      {"onnx.GlobalAveragePool", "f32[*]", "", "f32[*] of rank 2 or more"},
      {"onnx.GlobalMaxPool", "f32[3]", "",
       "error[DW0101]: GlobalMaxPool needs a batch axis and a channel axis; X [3] has rank 1"},
  }));
}

}  // namespace
}  // namespace dimwise
