#include <gtest/gtest.h>

#include <array>

#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxNonZeroTest, NonZero_AnyShape_HasUnknownCount) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.NonZero", "f32[2, 3]", "", "i64[2, u1]"},
      {"onnx.NonZero", "f32[N, M]", "",
       "i64[2, u1]\n"
       "u1 <= N*M"},
      {"onnx.NonZero", "f32[0, 3]", "", "i64[2, 0]"},
      {"onnx.NonZero", "f32[]", "", "i64[u1, u2]"},
      {"onnx.NonZero", "f32[*]", "", "i64[u1, u2]"},
  }));
}

TEST(OnnxNonZeroTest, TopK_KnownOrUnknownCount_SetsAxis) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.TopK", "f32[2, 3]; i64[1]={2}", "", "f32[2, 2]; i64[2, 2]"},
      {"onnx.TopK", "f32[2, 3]; i64[1]={0}", "axis=0", "f32[0, 3]; i64[0, 3]"},
      {"onnx.TopK", "f32[B, N]; i64[1]={5}", "",
       "f32[B, 5]; i64[B, 5]\n"
       "check: N >= 5"},
      {"onnx.TopK", "f32[B, N]; i64[1]={K}", "axis=0",
       "f32[K, N]; i64[K, N]\n"
       "check: B >= K"},
      {"onnx.TopK", "f32[B, N]; i64[1]={N}", "", "f32[B, N]; i64[B, N]"},
      {"onnx.TopK", "f32[B, N]; i64[1]", "",
       "f32[B, u1]; i64[B, u1]\n"
       "u1 <= N"},
      {"onnx.TopK", "f32[*]; i64[1]={1}", "", "f32[*] of rank 1 or more; i64[*] of rank 1 or more"},
      {"onnx.TopK@1", "f32[N, 7]", "k=3", "f32[N, 3]; i64[N, 3]"},
  }));
}

TEST(OnnxNonZeroTest, TopK_InvalidOperands_AreErrors) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.TopK", "f32[B, N]; i64[1]={N + 1}", "",
       "error[DW0103]: the axis has N elements, fewer than N + 1"},
      {"onnx.TopK", "f32[2, 3]; i64[1]={4}", "", "error[DW0103]: the axis has 3 elements, fewer than 4"},
      {"onnx.TopK", "f32[B, N]; i64[1]={-1}", "", "error[DW0103]: there cannot be -1 elements"},
      {"onnx.TopK", "f32[2, 3]; i64[2]={4, 1}", "",
       "error[DW0102]: K of TopK has 2 on axis 0, where the size is 1"},
      {"onnx.TopK", "f32[2, 3]; i64[1]={1}", "axis=2",
       "error[DW0101]: X of TopK has rank 2; axis 2 needs at least rank 3"},
      {"onnx.TopK", "f32[]; i64[1]={1}", "",
       "error[DW0107]: index -1 is not inside X of TopK, which has rank 0"},
      {"onnx.TopK@1", "f32[N, 7]", "", "error[DW0302]: TopK needs the attribute k"},
  }));
}

}  // namespace
}  // namespace dimwise
