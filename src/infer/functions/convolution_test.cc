#include <gtest/gtest.h>

#include <array>

#include "infer/functions/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxConvTest, Sizes) {
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

TEST(OnnxConvTest, AutoPad) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Conv", "f32[1, 3, H, 8]; f32[8, 3, 3, 3]", "auto_pad=SAME_UPPER strides=2,3",
       "f32[1, 8, (H + 1)//2, 3]"},
      {"onnx.Conv", "f32[1, 3, H, 8]; f32[8, 3, 3, 3]", "auto_pad=SAME_LOWER", "f32[1, 8, H, 8]"},
      {"onnx.Conv", "f32[1, 3, H, 8]; f32[*]", "auto_pad=SAME_UPPER strides=2,3",
       "f32[1, u1, (H + 1)//2, 3]"},
      {"onnx.Conv", "f32[1, 3, 8, 9]; f32[8, 3, 3, 3]", "auto_pad=VALID strides=2,2 pads=1,1,1,1",
       "f32[1, 8, 3, 4]"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]", "auto_pad=SAME",
       "error[DW0303]: Conv has auto_pad 'SAME'; it is NOTSET, SAME_UPPER, SAME_LOWER or VALID"},
  }));
}

TEST(OnnxConvTest, Channels) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Conv", "f32[N, 4, 8, 8]; f32[8, 3, 3, 3]", "",
       "error[DW0103]: Conv has 4 channels in X; W takes 3 in each of 1 group"},
      {"onnx.Conv", "f32[N, C, 8, 8]; f32[8, 3, 3, 3]", "",
       "f32[N, 8, 6, 6]\n"
       "check: C == 3"},
      {"onnx.Conv", "f32[N, 4, 8, 8]; f32[8, 2, 3, 3]", "group=2", "f32[N, 8, 6, 6]"},
      {"onnx.Conv", "f32[N, C, 8, 8]; f32[8, D, 3, 3]", "group=2",
       "f32[N, 8, 6, 6]\n"
       "check: C == 2*D"},
      {"onnx.Conv", "f32[N, 4, 8, 8]; f32[9, 2, 3, 3]", "group=2",
       "error[DW0103]: Conv makes 9 channels in 2 groups; the groups must be equal"},
      {"onnx.Conv", "f32[N, 4, 8, 8]; f32[M, 2, 3, 3]", "group=2",
       "f32[N, M, 6, 6]\n"
       "check: M % 2 == 0"},
      {"onnx.Conv", "f32[N, 4, 8, 8]; f32[8, 2, 3, 3]", "group=0",
       "error[DW0303]: Conv has group 0; there must be at least 1"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]; f32[7]", "",
       "error[DW0102]: Conv makes 8 channels and has 7 numbers in B"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]; f32[8, 1]", "",
       "error[DW0101]: Conv adds one number for each channel, so B must have rank 1; it is [8, 1]"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]; f32[B]", "",
       "f32[1, 8, 6, 6]\n"
       "check: B == 8"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]; f32[*]", "", "f32[1, 8, 6, 6]"},
  }));
}

TEST(OnnxConvTest, UnknownRank) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Conv", "f32[*]; f32[8, 3, 3, 3]", "", "f32[u1, 8, u2, u3]"},
      {"onnx.Conv", "f32[N, 3, 8, 8]; f32[*]", "", "f32[N, u1, u2, u3]"},
      {"onnx.Conv", "f32[N, 3, 8, 8]; f32[*]", "kernel_shape=3,3", "f32[N, u1, 6, 6]"},
      {"onnx.Conv", "f32[*]; f32[*]", "kernel_shape=3,3", "f32[u1, u2, u3, u4]"},
      {"onnx.Conv", "f32[*]; f32[*]", "pads=1,1", "f32[u1, u2, u3]"},
      {"onnx.Conv", "f32[*]; f32[*]", "", "f32[*] of rank 3 or more"},
  }));
}

TEST(OnnxConvTest, WhatDoesNotFit) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Conv", "f32[N, 3, 8]; f32[8, 3, 3, 3]", "",
       "error[DW0101]: Conv has X [N, 3, 8] of rank 3 and W [8, 3, 3, 3] of rank 4; both must have the same "
       "rank"},
      {"onnx.Conv", "f32[N, 3]; f32[8, 3, 3, 3]", "",
       "error[DW0101]: Conv needs a batch axis, a channel axis and spatial axes; X [N, 3] has rank 2"},
      {"onnx.Conv", "f32[*]; f32[8, 3]", "",
       "error[DW0101]: Conv needs a batch axis, a channel axis and spatial axes; W [8, 3] has rank 2"},
      {"onnx.Conv", "f32[1, 3, 2, 2]; f32[8, 3, 3, 3]", "",
       "error[DW0105]: Conv moves a window that spans 3 along spatial axis 0, which has 2 with its padding"},
      {"onnx.Conv", "f32[1, 3, H, H]; f32[8, 3, 3, 3]", "",
       "error[DW0105]: Conv moves a window that spans 3 along spatial axis 0, which has H with its padding",
       "H <= 2"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 0, 3]", "",
       "error[DW0103]: Conv has a window of size 0 along spatial axis 0 in W [8, 3, 0, 3]; there must be "
       "something in it"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]", "strides=0,1",
       "error[DW0303]: Conv has 0 among its strides; they must be at least 1"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]", "strides=1",
       "error[DW0303]: Conv has 1 strides for 2 spatial axes; there must be 2"},
      {"onnx.Conv", "f32[1, 3, 8]; f32[8, 3, 3]", "strides=1,2",
       "error[DW0303]: Conv has 2 strides for 1 spatial axis; there must be 1"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]", "dilations=0,1",
       "error[DW0303]: Conv has 0 among its dilations; they must be at least 1"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]", "pads=1,1",
       "error[DW0303]: Conv has 2 pads for 2 spatial axes; there must be 4"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]", "pads=1",
       "error[DW0303]: Conv has 1 pads; there is one for each end of each spatial axis"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]", "pads=-1,0,0,0",
       "error[DW0303]: Conv has -1 among its pads; they must be at least 0"},
      {"onnx.Conv", "f32[*]; f32[*]", "strides=1 dilations=1,1",
       "error[DW0303]: Conv has 2 dilations for 1 spatial axis; there must be 1"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]", "kernel_shape=3,5",
       "error[DW0102]: Conv has kernel_shape 5 along spatial axis 1, and W has 3"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, K]", "kernel_shape=3,5",
       "f32[1, 8, 6, 4]\n"
       "check: K == 5"},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f32[8, 3, 3, 3]", "strides=x",
       "error[DW0303]: attribute 'strides' must be a list of ints, not \"x\""},
      {"onnx.Conv", "f32[1, 3, 8, 8]; f64[8, 3, 3, 3]", "",
       "error[DW0108]: Conv has X of f32 and W of f64; both must have the same element type"},
  }));
}

}  // namespace
}  // namespace dimwise
