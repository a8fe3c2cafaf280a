#include <gtest/gtest.h>

#include <array>

#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxConcatTest, Concat_Operands_AddsSizes) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Concat", "f32[2, 3]; f32[4, 3]", "axis=0", "f32[6, 3]"},
      {"onnx.Concat", "f32[N, S]; f32[N, U]", "axis=1", "f32[N, S + U]"},
      {"onnx.Concat", "f32[N, S]; f32[M, U]", "axis=1",
       "f32[N, S + U]\n"
       "check: N == M"},
      {"onnx.Concat", "f32[N, 3]; f32[4, 3]", "axis=1",
       "f32[4, 6]\n"
       "check: N == 4"},
      {"onnx.Concat", "f32[N, 3]; f32[0, 3]", "axis=-2", "f32[N, 3]"},
      {"onnx.Concat", "f32[N]", "axis=0", "f32[N]"},
      {"onnx.Concat", "f32[2, 3]; f32[*]; f32[2, 4]", "axis=1",
       "f32[2, u2 + 7]\n"
       "check: u1 == 2"},
      {"onnx.Concat", "f32[?, 3]; f32[4, U]", "axis=1",
       "f32[4, U + 3]\n"
       "check: u1 == 4"},
      {"onnx.Concat", "f32[*]; f32[*]", "axis=1", "f32[*] of rank 1 or more"},
  }));
}

TEST(OnnxConcatTest, Concat_KnownContents_AreConcatenated) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Concat", "i64[1]={N}; i64[2]; i64[1]={-1}", "axis=0", "i64[4]={N, ?, ?, -1}"},
      {"onnx.Concat", "i64[1]; i64[1]", "axis=0", "i64[2]"},
      {"onnx.Concat", "i64[1]={N}; i64[K]", "axis=0", "i64[K + 1]"},
      {"onnx.Concat", "f32[1]={0.5}; f32[1]={2}", "axis=0", "f32[2]={0.5, 2}"},
  }));
}

TEST(OnnxConcatTest, ConcatAndSplit_InvalidOperands_AreErrors) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Concat", "f32[2, 3]; f32[2, 4]", "axis=0",
       "error[DW0102]: inputs of Concat has 4 on axis 1, where the other operands have 3"},
      {"onnx.Concat", "f32[N, 3]; f32[4, 3]; f32[5, 3]", "axis=1",
       "error[DW0102]: inputs of Concat has 5 on axis 0, where the other operands have 4"},
      {"onnx.Concat", "f32[2]; f32[2, 4]", "axis=0",
       "error[DW0101]: inputs of Concat have the ranks 1 and 2; all need the same rank"},
      {"onnx.Concat", "f32[2]; f32[2]", "", "error[DW0302]: Concat needs the attribute axis"},
      {"onnx.Concat", "f32[2]; f32[2]", "axis=x",
       "error[DW0303]: Concat has axis = \"x\", which is of the wrong kind"},
      {"onnx.Concat", "f32[]; f32[]", "axis=0",
       "error[DW0101]: inputs of Concat has rank 0; axis 0 needs at least rank 1"},
      {"onnx.Concat", "f32[2, 3]", "axis=2",
       "error[DW0101]: inputs of Concat has rank 2; axis 2 needs at least rank 3"},
      {"onnx.Concat", "f32[2]; i64[2]", "axis=0",
       "error[DW0108]: inputs of Concat is i64; it must be f32, like the other operands of type T"},
      {"onnx.Concat", "f32[9223372036854775807]; f32[1]", "axis=0",
       "error[DW0106]: a size of Concat does not fit 64 bits"},
      {"onnx.Concat", "", "axis=0",
       "error[DW0301]: onnx.Concat takes 1 or more inputs (inputs+); none is given"},
  }));
}

TEST(OnnxConcatTest, Split_WithoutSizes_GivesEqualParts) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Split@13", "f32[6, 2] -> 3", "", "f32[2, 2]; f32[2, 2]; f32[2, 2]"},
      {"onnx.Split@13", "f32[N] -> 2", "",
       "f32[N//2]; f32[N//2]\n"
       "check: N % 2 == 0"},
      {"onnx.Split@13", "f32[5] -> 2", "",
       "error[DW0103]: the 5 elements of axis 0 do not make 2 equal parts"},
      {"onnx.Split@13", "f32[0] -> 2", "", "f32[0]; f32[0]"},
  }));
}

TEST(OnnxConcatTest, Split_ByCount_LastPartMayBeSmaller) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Split", "f32[N, 6] -> 3", "axis=1 num_outputs=3", "f32[N, 2]; f32[N, 2]; f32[N, 2]"},
      {"onnx.Split", "f32[7] -> 3", "num_outputs=3", "f32[3]; f32[3]; f32[1]"},
      {"onnx.Split", "f32[N] -> 2", "num_outputs=2", "f32[(N + 1)//2]; f32[N//2]"},
      {"onnx.Split", "f32[N] -> 3", "num_outputs=3",
       "f32[(N + 2)//3]; f32[(N + 2)//3]; f32[N - 2*((N + 2)//3)]\n"
       "check: N >= 2*((N + 2)//3)"},
      {"onnx.Split", "f32[6] -> 3", "", "f32[2]; f32[2]; f32[2]"},
      {"onnx.Split", "f32[6] -> 1", "num_outputs=2",
       "error[DW0103]: num_outputs is not 1, the number of outputs"},
      {"onnx.Split", "f32[5] -> 4", "num_outputs=4",
       "error[DW0103]: the 5 elements of axis 0 are too few for 4 parts"},
      {"onnx.Split", "f32[4] -> 2", "num_outputs=0",
       "error[DW0303]: Split has num_outputs = 0; it must be at least 1"},
      {"onnx.Split", "f32[4] -> 3", "num_outputs=2",
       "error[DW0103]: num_outputs is not 3, the number of outputs"},
      {"onnx.Split", "f32[*] -> 2", "num_outputs=2", "f32[*] of rank 1 or more; f32[*] of rank 1 or more"},
      {"onnx.Split", "f32[4] -> 2", "axis=1 num_outputs=2",
       "error[DW0101]: input of Split has rank 1; axis 1 needs at least rank 2"},
  }));
}

TEST(OnnxConcatTest, Split_BySizes_RequiresTheirSum) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Split", "f32[5, 2]; i64[2]={2, 3} -> 2", "", "f32[2, 2]; f32[3, 2]"},
      {"onnx.Split@11", "f32[N, 5] -> 2", "split=2,3 axis=1", "f32[N, 2]; f32[N, 3]"},
      {"onnx.Split", "f32[N]; i64[2]={P, N - P} -> 2", "",
       "f32[P]; f32[N - P]\n"
       "check: N >= P"},
      {"onnx.Split", "f32[N]; i64[2]={2, 3} -> 2", "",
       "f32[2]; f32[3]\n"
       "check: N == 5"},
      {"onnx.Split", "f32[N]; i64[2]={2, ?} -> 2", "",
       "f32[2]; f32[u1]\n"
       "check: u1 + 2 == N\n"
       "check: u1 >= 0"},
      {"onnx.Split", "f32[5]; i64[2] -> 2", "", "f32[u1]; f32[u2]"},
      {"onnx.Split", "f32[N]; i64[K] -> 2", "", "f32[u1]; f32[u2]"},
      {"onnx.Split", "f32[*]; i64[2]={2, 3} -> 2", "", "f32[*] of rank 1 or more; f32[*] of rank 1 or more"},
      {"onnx.Split", "f32[5]; i64[2]={2, 2} -> 2", "",
       "error[DW0103]: the 5 elements of axis 0 do not make the parts [2, 2]"},
      {"onnx.Split", "f32[5]; i64[2]={6, -1} -> 2", "",
       "error[DW0105]: outputs of Split would have the size -1 on axis 0"},
      {"onnx.Split", "f32[N]; i64[2] -> 3", "", "error[DW0103]: split [u1, u2] has 2 parts for 3 outputs"},
      {"onnx.Split", "i64[3]={N, 2, M}; i64[2]={2, 1} -> 2", "", "i64[2]={N, 2}; i64[1]={M}"},
  }));
}

}  // namespace
}  // namespace dimwise
