#include <gtest/gtest.h>

#include <array>

#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxConvTest, Conv_KnownRank_ComputesSizes) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Conv", "f32[1, 3, 224, 224]; f32[64, 3, 7, 7]", "strides=2,2 pads=3,3,3,3",
       "f32[1, 64, 112, 112]"},
      {"onnx.Conv", "f32[N, 3, H, W]; f32[64, 3, 3, 3]; f32[64]", "pads=1,1,1,1",
       "f32[N, 64, H, W]\n"
       "check: H >= 1\n"
       "check: W >= 1"},
      {"onnx.Conv", "f32[N, 3, H, W]; f32[64, 3, 3, 3]", "pads=1,1,1,1 strides=2,2",
       "f32[N, 64, (H + 1)//2, (W + 1)//2]\n"
       "check: H >= 1\n"
       "check: W >= 1"},
      {"onnx.Conv", "f32[N, 3, H, W]; f32[8, 3, 3, 3]", "",
       "f32[N, 8, H - 2, W - 2]\n"
       "check: H >= 3\n"
       "check: W >= 3"},
      {"onnx.Conv", "f32[N, 3, H]; f32[8, 3, 3]", "dilations=2 pads=1,2", "f32[N, 8, H - 1]", "H >= 2"},
      {"onnx.Conv", "f32[0, 3, 8, 8]; f32[8, 3, 3, 3]", "", "f32[0, 8, 6, 6]"},
      {"onnx.Conv", "f32[1, 3, D, 8, 8]; f32[8, 3, 1, 1, 1]", "strides=2,2,2",
       "f32[1, 8, (D + 1)//2, 4, 4]\n"
       "check: D >= 1"},
      {"onnx.Conv", "f32[1, 3, H, 8]; f32[8, 3, K, K]", "strides=2,2 dilations=2,1",
       "f32[1, 8, (H + 1)//2 - K + 1, 5 - (K + 1)//2]\n"
       "check: K >= 1\n"
       "check: H + 1 >= 2*K\n"
       "check: K <= 8"},
      {"onnx.Conv", "f32[1, 3, 9, 9]; f32[8, 3, 3, 3]", "kernel_shape=3,3", "f32[1, 8, 7, 7]"},
  }));
}

TEST(OnnxConvTest, Conv_AutoPad_ComputesSizes) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Conv", "f32[1, 3, H, 8]; f32[8, 3, 3, 3]", "auto_pad=SAME_UPPER strides=2,3",
       "f32[1, 8, (H + 1)//2, 3]"},
      {"onnx.Conv", "f32[1, 3, H, 8]; f32[8, 3, 3, 3]", "auto_pad=SAME_LOWER", "f32[1, 8, H, 8]"},
      {"onnx.Conv", "f32[1, 3, H, 8]; f32[*]", "auto_pad=SAME_UPPER strides=2,3",
       "f32[1, u4, (H + 1)//2, 3]\n"
       "check: u1 >= 1\n"
       "check: u2 >= 1\n"
       "check: u3 == 3"},
      {"onnx.Conv", "f32[1, 3, 8, 9]; f32[8, 3, 3, 3]", "auto_pad=VALID strides=2,2 pads=1,1,1,1",
       "f32[1, 8, 3, 4]"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]", "auto_pad=SAME",
       "error[DW0303]: Conv has auto_pad = \"SAME\"; it may be \"NOTSET\", \"SAME_UPPER\", "
       "\"SAME_LOWER\", \"VALID\""},
  }));
}

TEST(OnnxConvTest, Conv_Channels_MustMatch) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Conv", "f32[N, 4, 8, 8]; f32[8, 3, 3, 3]", "",
       "error[DW0103]: the input has 4 channels; the weights take 3 in each of 1 groups"},
      {"onnx.Conv", "f32[N, C, 8, 8]; f32[8, 3, 3, 3]", "",
       "f32[N, 8, 6, 6]\n"
       "check: C == 3"},
      {"onnx.Conv", "f32[N, 4, 8, 8]; f32[8, 2, 3, 3]", "group=2", "f32[N, 8, 6, 6]"},
      {"onnx.Conv", "f32[N, C, 8, 8]; f32[8, D, 3, 3]", "group=2",
       "f32[N, 8, 6, 6]\n"
       "check: C == 2*D"},
      {"onnx.Conv", "f32[N, 4, 8, 8]; f32[9, 2, 3, 3]", "group=2",
       "error[DW0103]: the 9 channels of the result cannot be divided into 2 groups"},
      {"onnx.Conv", "f32[N, 4, 8, 8]; f32[M, 2, 3, 3]", "group=2",
       "f32[N, M, 6, 6]\n"
       "check: M % 2 == 0"},
      {"onnx.Conv", "f32[N, 4, 8, 8]; f32[8, 2, 3, 3]", "group=0",
       "error[DW0303]: Conv has group = 0; it must be at least 1"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]; f32[7]", "",
       "error[DW0102]: B of Conv has 7 on axis 0, where m is 8"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]; f32[8, 1]", "",
       "error[DW0101]: B of Conv has rank 2; it needs rank 1"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]; f32[B]", "",
       "f32[1, 8, 6, 6]\n"
       "check: B == 8"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]; f32[*]", "",
       "f32[1, 8, 6, 6]\n"
       "check: u1 == 8"},
  }));
}

TEST(OnnxConvTest, Conv_UnknownRank_IsInferredFromWeights) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Conv", "f32[*]; f32[8, 3, 3, 3]", "",
       "f32[u4, 8, u2 - 2, u3 - 2]\n"
       "check: u1 == 3\n"
       "check: u2 >= 3\n"
       "check: u3 >= 3"},
      {"onnx.Conv", "f32[N, 3, 8, 8]; f32[*]", "",
       "f32[N, u4, 9 - u1, 9 - u2]\n"
       "check: u1 >= 1\n"
       "check: u2 >= 1\n"
       "check: u3 == 3\n"
       "check: u1 <= 8\n"
       "check: u2 <= 8"},
      {"onnx.Conv", "f32[N, 3, 8, 8]; f32[*]", "kernel_shape=3,3",
       "f32[N, u4, 6, 6]\n"
       "check: u1 == 3\n"
       "check: u2 == 3\n"
       "check: u3 == 3"},
      {"onnx.Conv", "f32[*]; f32[*]", "kernel_shape=3,3",
       "f32[u7, u8, u5 - 2, u6 - 2]\n"
       "check: u1 == 3\n"
       "check: u2 == 3\n"
       "check: u3 == u4\n"
       "check: u5 >= 3\n"
       "check: u6 >= 3"},
      {"onnx.Conv", "f32[*]; f32[*]", "pads=1,1",
       "f32[u5, u6, u4 - u1 + 3]\n"
       "check: u1 >= 1\n"
       "check: u2 == u3\n"
       "check: u4 + 2 >= u1"},
      {"onnx.Conv", "f32[*]; f32[*]", "", "f32[*] of rank 2 or more"},
  }));
}

TEST(OnnxConvTest, Conv_InvalidOperands_AreErrors) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Conv", "f32[N, 3, 8]; f32[8, 3, 3, 3]", "",
       "error[DW0101]: W of Conv has rank 4; it needs rank 3"},
      {"onnx.Conv", "f32[N, 3]; f32[8, 3, 3, 3]", "", "error[DW0101]: W of Conv has rank 4; it needs rank 2"},
      {"onnx.Conv", "f32[*]; f32[8, 3]", "",
       "error[DW0103]: Conv has a batch axis, a channel axis and spatial axes; X has rank 2 and W "
       "has rank 2"},
      {"onnx.Conv", "f32[1, 3, 2, 2]; f32[8, 3, 3, 3]", "",
       "error[DW0103]: a kernel of [3, 3] with dilations [1, 1] is larger than the input [2, 2] "
       "with pads [0, 0, 0, 0]"},
      {"onnx.Conv", "f32[1, 3, H, H]; f32[8, 3, 3, 3]", "",
       "error[DW0103]: a kernel of [3, 3] with dilations [1, 1] is larger than the input [H, H] "
       "with pads [0, 0, 0, 0]",
       "H <= 2"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 0, 3]", "",
       "error[DW0103]: a kernel of [0, 3] has nothing in it"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]", "strides=0,1",
       "error[DW0103]: strides [0, 1] and dilations [1, 1] must all be at least 1"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]", "strides=1",
       "error[DW0103]: strides [1], dilations [1, 1] and pads [0, 0, 0, 0] do not match 2 spatial "
       "axes"},
      {"onnx.Conv", "f32[1, 3, 8]; f32[8, 3, 3]", "strides=1,2",
       "error[DW0103]: strides [1, 2], dilations [1] and pads [0, 0] do not match 1 spatial axes"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]", "dilations=0,1",
       "error[DW0103]: strides [1, 1] and dilations [0, 1] must all be at least 1"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]", "pads=1,1",
       "error[DW0103]: strides [1, 1], dilations [1, 1] and pads [1, 1] do not match 2 spatial axes"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]", "pads=1",
       "error[DW0103]: strides [1, 1], dilations [1, 1] and pads [1] do not match 2 spatial axes"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]", "pads=-1,0,0,0", "f32[1, 8, 5, 6]"},
      {"onnx.Conv", "f32[*]; f32[*]", "strides=1 dilations=1,1",
       "error[DW0103]: strides [1], dilations [1, 1] and pads [0, 0] do not match 1 spatial axes"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]", "kernel_shape=3,5",
       "error[DW0103]: kernel_shape is [3, 5], and the weights have [3, 3]"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, K]", "kernel_shape=3,5",
       "f32[1, 8, 6, 4]\n"
       "check: K == 5"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]", "strides=x",
       "error[DW0303]: Conv has strides = \"x\", which is of the wrong kind"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f64[8, 3, 3, 3]", "",
       "error[DW0108]: W of Conv is f64; it must be f32, like the other operands of type T"},
  }));
}

}  // namespace
}  // namespace dimwise
