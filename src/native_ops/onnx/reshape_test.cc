#include <gtest/gtest.h>

#include <array>

#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxReshapeTest, Reshape_ConstantSizes_AreComputed) {
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

TEST(OnnxReshapeTest, Reshape_SymbolicSizes_AreComputed) {
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

TEST(OnnxReshapeTest, Reshape_SymbolThatMayBeZero_LeavesGuard) {
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

TEST(OnnxReshapeTest, Reshape_PartlyUnknownList_KeepsKnownSizes) {
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
      {"onnx.Reshape", "f32[N]; i64[K]", "", "f32[*]", "K >= 2, K <= 4"},
      {"onnx.Reshape", "f32[N]; i64[*]", "", "f32[*]"},
      {"onnx.Reshape", "f32[*]; i64[3]={0, -1, 5}", "", "f32[u1, u2, 5]"},
      {"onnx.Reshape", "f32[*]; i64[*]", "", "f32[*]"},
  }));
}

TEST(OnnxReshapeTest, Reshape_ConflictingSizes_AreErrors) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Reshape", "f32[2, 3]; i64[2]={4, 2}", "",
       "error[DW0103]: shape [4, 2] has 8 elements, and data [2, 3] has 6"},
      {"onnx.Reshape", "f32[2, 3]; i64[2]={4, -1}", "",
       "error[DW0110]: Reshape cannot make [4, -1] of the elements of [2, 3]"},
      {"onnx.Reshape", "f32[2, 3]; i64[2]={-1, -1}", "",
       "error[DW0103]: shape [-1, -1] has more than one -1; only one size can be worked out"},
      {"onnx.Reshape", "f32[2, 3]; i64[2]={-2, 3}", "", "error[DW0103]: shape [-2, 3] has a size below -1"},
      {"onnx.Reshape", "f32[2, 3]; i64[3]={0, 0, 0}", "",
       "error[DW0103]: a 0 in shape [0, 0, 0] copies the size of the same axis of data [2, 3], "
       "unless allowzero is set"},
      {"onnx.Reshape", "f32[0, 3]; i64[2]={0, -1}", "",
       "error[DW0103]: the -1 in shape [0, -1] cannot be computed, because another size is 0"},
      {"onnx.Reshape", "f32[0, 3]; i64[2]={0, -1}", "allowzero=1",
       "error[DW0103]: the -1 in shape [0, -1] cannot be computed, because another size is 0"},
      {"onnx.Reshape", "f32[N, 2]; i64[2]={N, 3}", "",
       "error[DW0103]: shape [N, 3] has 3*N elements, and data [N, 2] has 2*N", "N >= 1"},
      {"onnx.Reshape", "f32[N]; i64[2, 2]", "",
       "error[DW0101]: shape of Reshape has rank 2; it needs rank 1"},
      {"onnx.Reshape", "f32[N]; i32[2]", "", "error[DW0108]: shape of Reshape is i32; it must be i64"},
      {"onnx.Reshape", "f32[N]", "", "error[DW0301]: onnx.Reshape takes 2 inputs (data, shape); 1 is given"},
      {"onnx.Reshape", "f32[N]; i64[1000]", "",
       "error[DW0107]: reshaped of Reshape would have more than 254 axes"},
  }));
}

TEST(OnnxReshapeTest, Flatten_Axis_GivesMatrix) {
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
      {"onnx.Flatten", "f32[N, 3]", "axis=3", "error[DW0103]: axis 3 is outside the 2 axes of input"},
      {"onnx.Flatten", "i64[2]={N, 3}", "axis=0", "i64[1, 2]={N, 3}"},
  }));
}

TEST(OnnxReshapeTest, Squeeze_Axes_AreRemoved) {
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
       "error[DW0103]: axes [1] have the sizes [2]; only an axis of size 1 can be removed"},
      {"onnx.Squeeze", "f32[N, 1]; i64[1]={2}", "",
       "error[DW0103]: axes [2] are not all axes of a tensor of rank 2"},
      {"onnx.Squeeze", "f32[N, 1]; i64[1, 1]={0}", "",
       "error[DW0101]: axes of Squeeze has rank 2; it needs rank 1"},
  }));
}

TEST(OnnxReshapeTest, Unsqueeze_Axes_AreInserted) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Unsqueeze", "f32[3]; i64[2]={0, -1}", "", "f32[1, 3, 1]"},
      {"onnx.Unsqueeze", "f32[N, M]; i64[1]={1}", "", "f32[N, 1, M]"},
      {"onnx.Unsqueeze", "i64[]={N}; i64[1]={0}", "", "i64[1]={N}"},
      {"onnx.Unsqueeze@11", "f32[N]", "axes=1", "f32[N, 1]"},
      {"onnx.Unsqueeze", "f32[3]; i64[2]", "", "f32[u1, u2, u3]"},
      {"onnx.Unsqueeze", "f32[3]; i64[K]", "", "f32[*] of rank 1 or more"},
      {"onnx.Unsqueeze", "f32[*]; i64[2]", "", "f32[*]"},
      {"onnx.Unsqueeze", "f32[3]; i64[2]={0, 0}", "", "error[DW0103]: axes [0, 0] name an axis twice"},
      {"onnx.Unsqueeze", "f32[3]; i64[1]={2}", "",
       "error[DW0103]: axes [2] are not all axes of a tensor of rank 2"},
      {"onnx.Unsqueeze@11", "f32[N]", "", "error[DW0302]: Unsqueeze needs the attribute axes"},
      {"onnx.Unsqueeze", "f32[N]; -", "", "error[DW0301]: Unsqueeze needs the operand axes"},
  }));
}

}  // namespace
}  // namespace dimwise
