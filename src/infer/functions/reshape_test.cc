#include <gtest/gtest.h>

#include <array>

#include "infer/functions/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxReshapeTest, Numbers) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Reshape", "f32[2, 3]; i64[2]={3, 2}", "", "f32[3, 2]"},
      {"onnx.Reshape", "f32[2, 3]; i64[2]={3, -1}", "", "f32[3, 2]"},
      {"onnx.Reshape", "f32[2, 3]; i64[3]={0, 0, -1}", "", "f32[2, 3, 1]"},
      {"onnx.Reshape", "f32[2, 3]; i64[1]={-1}", "", "f32[6]"},
      {"onnx.Reshape", "f32[1]; i64[0]={}", "", "f32[]"},
      {"onnx.Reshape", "f32[0, 3]; i64[2]={3, -1}", "", "f32[3, 0]"},
      {"onnx.Reshape", "f32[0, 3]; i64[2]={0, 7}", "allowzero=1", "f32[0, 7]"},
      {"onnx.Reshape@13", "f32[0, 3]; i64[2]={0, 3}", "allowzero=1", "f32[0, 3]"},
  }));
}

TEST(OnnxReshapeTest, Symbols) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Reshape", "f32[N, C, H, W]; i64[3]={0, 0, -1}", "",
       "f32[N, C, H*W]\n"
       "check: N >= 1\n"
       "check: C >= 1"},
      {"onnx.Reshape", "f32[N, C, H, W]; i64[3]={0, 0, -1}", "", "f32[N, C, H*W]", "N >= 1, C >= 1"},
      {"onnx.Reshape", "f32[N, S, 768]; i64[4]={N, S, 12, 64}", "", "f32[N, S, 12, 64]"},
      {"onnx.Reshape", "f32[N, S, 768]; i64[4]={0, 0, 12, 64}", "", "f32[N, S, 12, 64]"},
      {"onnx.Reshape", "f32[N, S, 768]; i64[3]={-1, 12, 64}", "", "f32[N*S, 12, 64]"},
      {"onnx.Reshape", "f32[2*N, S]; i64[2]={N, -1}", "", "f32[N, 2*S]", "N >= 1"},
      {"onnx.Reshape", "f32[N, S]; i64[2]={-1, 4}", "",
       "f32[N*S//4, 4]\n"
       "check: (N*S) % 4 == 0"},
      {"onnx.Reshape", "f32[N, S]; i64[2]={-1, 4}", "", "f32[N*S//4, 4]", "S % 8 == 0"},
      {"onnx.Reshape", "f32[N, S]; i64[2]={M, -1}", "",
       "f32[M, N*S//M]\n"
       "check: (N*S) % M == 0",
       "M >= 1"},
      {"onnx.Reshape", "f32[N, S]; i64[2]={S, N}", "", "f32[S, N]", "N >= 1, S >= 1"},
      {"onnx.Reshape", "f32[N, 2]; i64[2]={N, 3}", "",
       "f32[N, 3]\n"
       "check: N == 0"},
  }));
}

TEST(OnnxReshapeTest, ASymbolThatMayBeZeroMayMeanACopy) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Reshape", "f32[N, S]; i64[2]={M, -1}", "",
       "f32[M, N*S//M]\n"
       "check: M >= 1\n"
       "check: (N*S) % M == 0"},
      {"onnx.Reshape", "f32[N, S]; i64[2]={S, N}", "",
       "f32[S, N]\n"
       "check: S >= 1 or N == 0\n"
       "check: N >= 1 or S == 0"},
      {"onnx.Reshape", "f32[N]; i64[2]={1, M}", "",
       "f32[1, M]\n"
       "check: M >= 1\n"
       "check: N == M"},
      {"onnx.Reshape", "f32[N]; i64[1]={M}", "allowzero=1",
       "f32[M]\n"
       "check: N == M"},
      {"onnx.Reshape", "f32[*]; i64[1]={M}", "",
       "f32[M]\n"
       "check: M >= 1"},
  }));
}

TEST(OnnxReshapeTest, PartlyUnknown) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Reshape", "f32[N]; i64[2]={?, 2}", "",
       "f32[N//2, 2]\n"
       "check: N % 2 == 0"},
      {"onnx.Reshape", "f32[N]; i64[2]={?, M}", "",
       "f32[N//M, M]\n"
       "check: N % M == 0",
       "M >= 1"},
      {"onnx.Reshape", "f32[N]; i64[2]={?, M}", "allowzero=1", "f32[u1, M]"},
      {"onnx.Reshape", "f32[N]; i64[2]={?, ?}", "", "f32[u1, u2]"},
      {"onnx.Reshape", "f32[N]; i64[2]={?, -1}", "", "f32[u1, u2]"},
      {"onnx.Reshape", "f32[N]; i64[2]", "", "f32[u1, u2]"},
      {"onnx.Reshape", "f32[N]; i64[K]", "", "f32[*]"},
      {"onnx.Reshape", "f32[N]; i64[K]", "", "f32[*] of rank 2 .. 4", "K >= 2, K <= 4"},
      {"onnx.Reshape", "f32[N]; i64[*]", "", "f32[*]"},
      {"onnx.Reshape", "f32[*]; i64[3]={0, -1, 5}", "", "f32[u1, u2, 5]"},
      {"onnx.Reshape", "f32[*]; i64[*]", "", "f32[*]"},
  }));
}

TEST(OnnxReshapeTest, Errors) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Reshape", "f32[2, 3]; i64[2]={4, 2}", "",
       "error[DW0110]: Reshape cannot turn data [2, 3], which has 6 elements, into [4, 2], which has 8"},
      {"onnx.Reshape", "f32[2, 3]; i64[2]={4, -1}", "",
       "error[DW0110]: Reshape cannot turn data [2, 3] into shape [4, -1]: 6 must be a multiple of 4"},
      {"onnx.Reshape", "f32[2, 3]; i64[2]={-1, -1}", "",
       "error[DW0109]: Reshape has -1 twice in shape [-1, -1]; only one size can be left to be worked out"},
      {"onnx.Reshape", "f32[2, 3]; i64[2]={-2, 3}", "",
       "error[DW0109]: Reshape has -2 in shape [-2, 3]; a size is 0 or more, or -1 for what the others "
       "leave"},
      {"onnx.Reshape", "f32[2, 3]; i64[3]={0, 0, 0}", "",
       "error[DW0109]: Reshape copies the size of axis 2 (a 0 in shape [0, 0, 0]), which data [2, 3] does "
       "not have"},
      {"onnx.Reshape", "f32[0, 3]; i64[2]={0, -1}", "",
       "error[DW0110]: Reshape cannot work out -1 in shape [0, -1]: axis 0 has size 0, and nothing divides "
       "by 0"},
      {"onnx.Reshape", "f32[0, 3]; i64[2]={0, -1}", "allowzero=1",
       "error[DW0109]: Reshape has both 0 and -1 in shape [0, -1], where zeros are allowed; any size would "
       "do for -1"},
      {"onnx.Reshape", "f32[N, 2]; i64[2]={N, 3}", "",
       "error[DW0110]: Reshape cannot turn data [N, 2], which has 2*N elements, into [N, 3], which has 3*N",
       "N >= 1"},
      {"onnx.Reshape", "f32[N]; i64[2, 2]", "",
       "error[DW0101]: Reshape reads shape as a list, so it must have rank 1; it is [2, 2]"},
      {"onnx.Reshape", "f32[N]; i32[2]", "", "error[DW0108]: Reshape takes shape of i64, not i32"},
      {"onnx.Reshape", "f32[N]", "", "error[DW0301]: onnx.Reshape takes 2 inputs (data, shape); 1 is given"},
      {"onnx.Reshape", "f32[N]; i64[1000]", "",
       "error[DW0109]: Reshape has 1000 elements in shape, more than a tensor can have axes"},
  }));
}

TEST(OnnxReshapeTest, Flatten) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Flatten", "f32[2, 3, 4]", "", "f32[2, 12]"},
      {"onnx.Flatten", "f32[N, 3, H, 4]", "axis=2", "f32[3*N, 4*H]"},
      {"onnx.Flatten", "f32[N, 3, H, 4]", "axis=-1", "f32[3*N*H, 4]"},
      {"onnx.Flatten", "f32[N, 3]", "axis=0", "f32[1, 3*N]"},
      {"onnx.Flatten", "f32[N, 3]", "axis=2", "f32[3*N, 1]"},
      {"onnx.Flatten", "f32[0, 3]", "", "f32[0, 3]"},
      {"onnx.Flatten", "f32[]", "axis=0", "f32[1, 1]"},
      {"onnx.Flatten", "f32[*]", "", "f32[u1, u2]"},
      {"onnx.Flatten", "f32[*]", "axis=0", "f32[1, u1]"},
      {"onnx.Flatten", "f32[N, 3]", "axis=3",
       "error[DW0107]: Flatten has axis 3, but a tensor of rank 2 is cut at -2 .. 2"},
      {"onnx.Flatten", "i64[2]={N, 3}", "axis=0", "i64[1, 2]={N, 3}"},
  }));
}

TEST(OnnxReshapeTest, Squeeze) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Squeeze", "f32[1, 3, 1]", "", "f32[3]"},
      {"onnx.Squeeze", "f32[N, 1, 3]", "", "f32[*] of rank 1 .. 2"},
      {"onnx.Squeeze", "f32[N, 1, 3]", "", "f32[N, 3]", "N >= 2"},
      {"onnx.Squeeze", "f32[N, 1, 3]", "", "f32[3]", "N == 1"},
      {"onnx.Squeeze", "f32[N, 1]; i64[1]={-1}", "", "f32[N]"},
      {"onnx.Squeeze", "f32[N, 3]; i64[1]={0}", "",
       "f32[3]\n"
       "check: N == 1"},
      {"onnx.Squeeze", "f32[1, 1]; i64[2]={0, -2}", "", "f32[1]"},
      {"onnx.Squeeze", "f32[1, 3]; i64[0]={}", "", "f32[1, 3]"},
      {"onnx.Squeeze@11", "f32[1, 3, 1]", "axes=0,-1", "f32[3]"},
      {"onnx.Squeeze@11", "f32[1, 3, 1]", "", "f32[3]"},
      {"onnx.Squeeze", "f32[N, 1, M]; i64[1]", "", "f32[u1, u2]"},
      {"onnx.Squeeze", "f32[N, 1, M]; i64[2]", "", "f32[*] of rank 1 .. 2"},
      {"onnx.Squeeze", "f32[N, 1, M]; i64[K]", "", "f32[*] of rank 0 .. 3"},
      {"onnx.Squeeze", "f32[*]; i64[1]={0}", "", "f32[*] of rank 0 .. 253"},
      {"onnx.Squeeze", "f32[*]", "", "f32[*]"},
      {"onnx.Squeeze", "i64[1]={N}; i64[1]={0}", "", "i64[]={N}"},
      {"onnx.Squeeze", "f32[N, 2]; i64[1]={1}", "",
       "error[DW0102]: Squeeze takes away axis 1 of data [N, 2], which has size 2; only an axis of size 1 "
       "can go"},
      {"onnx.Squeeze", "f32[N, 1]; i64[1]={2}", "",
       "error[DW0107]: Squeeze names axis 2, but a tensor of rank 2 has the axes -2 .. 1"},
      {"onnx.Squeeze", "f32[N, 1]; i64[1, 1]={0}", "",
       "error[DW0101]: Squeeze reads axes as a list, so it must have rank 1; it is [1, 1]"},
  }));
}

TEST(OnnxReshapeTest, Unsqueeze) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Unsqueeze", "f32[3]; i64[2]={0, -1}", "", "f32[1, 3, 1]"},
      {"onnx.Unsqueeze", "f32[N, M]; i64[1]={1}", "", "f32[N, 1, M]"},
      {"onnx.Unsqueeze", "i64[]={N}; i64[1]={0}", "", "i64[1]={N}"},
      {"onnx.Unsqueeze@11", "f32[N]", "axes=1", "f32[N, 1]"},
      {"onnx.Unsqueeze", "f32[3]; i64[2]", "", "f32[u1, u2, u3]"},
      {"onnx.Unsqueeze", "f32[3]; i64[K]", "", "f32[*] of rank 1 or more"},
      {"onnx.Unsqueeze", "f32[*]; i64[2]", "", "f32[*] of rank 2 or more"},
      {"onnx.Unsqueeze", "f32[3]; i64[2]={0, 0}", "",
       "error[DW0109]: Unsqueeze names axis 0 twice in axes [0, 0]"},
      {"onnx.Unsqueeze", "f32[3]; i64[1]={2}", "",
       "error[DW0107]: Unsqueeze names axis 2, but a tensor of rank 2 has the axes -2 .. 1"},
      {"onnx.Unsqueeze@11", "f32[N]", "", "error[DW0302]: Unsqueeze has no axes"},
      {"onnx.Unsqueeze", "f32[N]; -", "", "error[DW0301]: Unsqueeze needs axes, which is not given"},
  }));
}

}  // namespace
}  // namespace dimwise
