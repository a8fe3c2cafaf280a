#include <gtest/gtest.h>

#include <array>

#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxMatMulTest, MatMul_Matrices_MultiplySizes) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.MatMul", "f32[2, 3]; f32[3, 4]", "", "f32[2, 4]"},
      {"onnx.MatMul", "f32[N, 3]; f32[3, M]", "", "f32[N, M]"},
      {"onnx.MatMul", "f32[N, K]; f32[K, M]", "", "f32[N, M]"},
      {"onnx.MatMul", "f32[N, K]; f32[L, M]", "",
       "f32[N, M]\n"
       "check: K == L"},
      {"onnx.MatMul", "f32[0, 3]; f32[3, 0]", "", "f32[0, 0]"},
      {"onnx.MatMul", "f32[2, 0]; f32[0, 3]", "", "f32[2, 3]"},
      {"onnx.MatMul", "f32[N, 64]; f32[32, M]", "",
       "error[DW0103]: MatMul multiplies 64 columns by 32 rows; the two must be equal"},
      {"onnx.MatMul", "f32[N, ?]; f32[3, M]", "",
       "f32[N, M]\n"
       "check: u1 == 3"},
  }));
}

TEST(OnnxMatMulTest, MatMul_Vectors_RemoveAxes) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.MatMul", "f32[3]; f32[3]", "", "f32[]"},
      {"onnx.MatMul", "f32[K]; f32[L]", "",
       "f32[]\n"
       "check: K == L"},
      {"onnx.MatMul", "f32[B, S, K]; f32[K]", "", "f32[B, S]"},
      {"onnx.MatMul", "f32[K]; f32[B, K, M]", "", "f32[B, M]"},
      {"onnx.MatMul", "f32[3]; f32[2, 4]", "",
       "error[DW0103]: MatMul multiplies 3 columns by 2 rows; the two must be equal"},
      {"onnx.MatMul", "f32[]; f32[L]", "",
       "error[DW0101]: MatMul has no form for these operands: A has rank 0, B has rank 1"},
      {"onnx.MatMul", "f32[L]; f32[]", "",
       "error[DW0101]: MatMul has no form for these operands: A has rank 1, B has rank 0"},
  }));
}

TEST(OnnxMatMulTest, MatMul_BatchAxes_Broadcast) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.MatMul", "f32[B, 1, S, 64]; f32[1, H, 64, U]", "", "f32[B, H, S, U]"},
      {"onnx.MatMul", "f32[B, S, 64]; f32[64, U]", "", "f32[B, S, U]"},
      {"onnx.MatMul", "f32[S, 64]; f32[B, 64, U]", "", "f32[B, S, U]"},
      {"onnx.MatMul", "f32[N, 2, 3]; f32[M, 3, 4]", "",
       "f32[broadcast(N, M), 2, 4]\n"
       "check: N == M or N == 1 or M == 1"},
      {"onnx.MatMul", "f32[2, S, 64]; f32[3, 64, U]", "",
       "error[DW0104]: MatMul cannot broadcast 2 with 3 at axis -1: they must be equal, or one of "
       "them 1"},
  }));
}

TEST(OnnxMatMulTest, MatMul_UnknownRank_KeepsKnownParts) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.MatMul", "f32[*]; f32[*]", "", "f32[*]"},
      {"onnx.MatMul", "f32[*]; f32[3, 4]", "", "f32[*] of rank 1 or more"},
      {"onnx.MatMul", "f32[*]; f32[3]", "", "f32[*] of rank 0 .. 253"},
      {"onnx.MatMul", "f32[2, 3]; f32[*]", "", "f32[*] of rank 1 or more"},
      {"onnx.MatMul", "f32[B, 2, 3]; f32[*]", "", "f32[*] of rank 2 or more"},
  }));
}

TEST(OnnxMatMulTest, Gemm_Operands_AreChecked) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Gemm", "f32[2, 3]; f32[3, 4]", "", "f32[2, 4]"},
      {"onnx.Gemm", "f32[N, K]; f32[M, K]; f32[M]", "transB=1", "f32[N, M]"},
      {"onnx.Gemm", "f32[K, N]; f32[K, M]; -", "transA=1", "f32[N, M]"},
      {"onnx.Gemm", "f32[N, 3]; f32[3, M]; f32[P, 1]", "",
       "f32[N, M]\n"
       "check: P == 1 or P == N"},
      {"onnx.Gemm", "f32[N, 3]; f32[3, M]; f32[]", "", "f32[N, M]"},
      {"onnx.Gemm", "f32[N, 3]; f32[3, 4]; f32[*]", "", "f32[N, 4]"},
      {"onnx.Gemm", "f32[*]; f32[3, 4]", "",
       "f32[u2, 4]\n"
       "check: u1 == 3"},
      {"onnx.Gemm", "f32[N, 3]; f32[2, 4]", "",
       "error[DW0103]: A has 3 columns and B has 2 rows; they must be equal"},
      {"onnx.Gemm", "f32[N, 3]; f32[3, 4]; f32[5]", "",
       "error[DW0103]: C is [5], which does not broadcast to [N, 4]"},
      {"onnx.Gemm", "f32[N, 3]; f32[3, 4]; f32[1, 1, 4]", "",
       "error[DW0103]: C is [1, 1, 4], which does not broadcast to [N, 4]"},
      {"onnx.Gemm", "f32[N, 3, 1]; f32[3, 4]", "", "error[DW0101]: A of Gemm has rank 3; it needs rank 2"},
      {"onnx.Gemm@7", "f32[2, 3]; f32[3, 4]", "", "f32[2, 4]"},
      {"onnx.Gemm", "f32[2, 3]; f32[3, 4]", "transA=yes",
       "error[DW0303]: Gemm has transA = \"yes\", which is of the wrong kind"},
  }));
}

}  // namespace
}  // namespace dimwise
