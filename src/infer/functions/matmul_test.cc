#include <gtest/gtest.h>

#include <array>

#include "infer/functions/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxMatMulTest, MatMul) {
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

TEST(OnnxMatMulTest, Vectors) {
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
       "error[DW0101]: MatMul multiplies matrices and vectors; A is a scalar"},
      {"onnx.MatMul", "f32[L]; f32[]", "",
       "error[DW0101]: MatMul multiplies matrices and vectors; B is a scalar"},
  }));
}

TEST(OnnxMatMulTest, BatchesBroadcast) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.MatMul", "f32[B, 1, S, 64]; f32[1, H, 64, U]", "", "f32[B, H, S, U]"},
      {"onnx.MatMul", "f32[B, S, 64]; f32[64, U]", "", "f32[B, S, U]"},
      {"onnx.MatMul", "f32[S, 64]; f32[B, 64, U]", "", "f32[B, S, U]"},
      {"onnx.MatMul", "f32[N, 2, 3]; f32[M, 3, 4]", "",
       "f32[broadcast(N, M), 2, 4]\n"
       "check: N == M or N == 1 or M == 1"},
      {"onnx.MatMul", "f32[2, S, 64]; f32[3, 64, U]", "",
       "error[DW0104]: MatMul cannot broadcast the batch axes of A [2] with the batch axes of B [3]: at axis "
       "-1 the sizes 2 and 3 must be equal, or one of them 1"},
  }));
}

TEST(OnnxMatMulTest, MatMulOfUnknownRank) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.MatMul", "f32[*]; f32[*]", "", "f32[*]"},
      {"onnx.MatMul", "f32[*]; f32[3, 4]", "", "f32[*] of rank 1 or more"},
      {"onnx.MatMul", "f32[*]; f32[3]", "", "f32[*] of rank 0 .. 253"},
      {"onnx.MatMul", "f32[2, 3]; f32[*]", "", "f32[*] of rank 1 or more"},
      {"onnx.MatMul", "f32[B, 2, 3]; f32[*]", "", "f32[*] of rank 2 or more"},
  }));
}

TEST(OnnxMatMulTest, Gemm) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Gemm", "f32[2, 3]; f32[3, 4]", "", "f32[2, 4]"},
      {"onnx.Gemm", "f32[N, K]; f32[M, K]; f32[M]", "transB=1", "f32[N, M]"},
      {"onnx.Gemm", "f32[K, N]; f32[K, M]; -", "transA=1", "f32[N, M]"},
      {"onnx.Gemm", "f32[N, 3]; f32[3, M]; f32[P, 1]", "",
       "f32[N, M]\n"
       "check: P == 1 or P == N"},
      {"onnx.Gemm", "f32[N, 3]; f32[3, M]; f32[]", "", "f32[N, M]"},
      {"onnx.Gemm", "f32[N, 3]; f32[3, 4]; f32[*]", "", "f32[N, 4]"},
      {"onnx.Gemm", "f32[*]; f32[3, 4]", "", "f32[u1, 4]"},
      {"onnx.Gemm", "f32[N, 3]; f32[2, 4]", "",
       "error[DW0103]: Gemm multiplies 3 columns by 2 rows; the two must be equal"},
      {"onnx.Gemm", "f32[N, 3]; f32[3, 4]; f32[5]", "",
       "error[DW0104]: Gemm adds C [5] to a product [N, 4], to which it must broadcast"},
      {"onnx.Gemm", "f32[N, 3]; f32[3, 4]; f32[1, 1, 4]", "",
       "error[DW0104]: Gemm adds C [1, 1, 4] to a product [N, 4], to which it must broadcast"},
      {"onnx.Gemm", "f32[N, 3, 1]; f32[3, 4]", "",
       "error[DW0101]: Gemm multiplies matrices, so A must have rank 2; it is [N, 3, 1]"},
      {"onnx.Gemm@7", "f32[2, 3]; f32[3, 4]", "",
       "error[DW0301]: onnx.Gemm takes 3 inputs (A, B, C); 2 are given"},
      {"onnx.Gemm", "f32[2, 3]; f32[3, 4]", "transA=yes",
       "error[DW0303]: attribute 'transA' must be an int, not \"yes\""},
  }));
}

}  // namespace
}  // namespace dimwise
