#include <gtest/gtest.h>

#include <array>

#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxTransposeTest, Transpose_Permutation_ReordersSizes) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Transpose", "f32[2, 3]", "", "f32[3, 2]"},
      {"onnx.Transpose", "f32[A, B, D]", "perm=2,0,1", "f32[D, A, B]"},
      {"onnx.Transpose", "f32[A, B, D]", "", "f32[D, B, A]"},
      {"onnx.Transpose", "f32[0, N]", "perm=1,0", "f32[N, 0]"},
      {"onnx.Transpose", "f32[]", "", "f32[]"},
      {"onnx.Transpose", "f32[*]", "perm=1,0", "f32[u1, u2]"},
      {"onnx.Transpose", "f32[*]", "", "f32[*]"},
      {"onnx.Transpose", "i64[2]={N, 3}", "", "i64[2]={N, 3}"},
  }));
}

TEST(OnnxTransposeTest, Transpose_InvalidPermutation_IsAnError) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Transpose", "f32[A, B, D]", "perm=2,0",
       "error[DW0103]: perm [2, 0] must name each of the 3 axes of data once"},
      {"onnx.Transpose", "f32[A, B]", "perm=0,0",
       "error[DW0103]: perm [0, 0] must name each of the 2 axes of data once"},
      {"onnx.Transpose", "f32[A, B]", "perm=0,-1",
       "error[DW0103]: perm [0, -1] must name each of the 2 axes of data once"},
      {"onnx.Transpose", "f32[A, B]", "perm=0,2",
       "error[DW0103]: perm [0, 2] must name each of the 2 axes of data once"},
      {"onnx.Transpose", "f32[A, B]", "perm=x",
       "error[DW0303]: Transpose has perm = \"x\", which is of the wrong kind"},
  }));
}

}  // namespace
}  // namespace dimwise
