#include <gtest/gtest.h>

#include <array>

#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxSliceTest, Slice_ConstantBounds_AreClamped) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Slice", "f32[10]; i64[1]={2}; i64[1]={8}", "", "f32[6]"},
      {"onnx.Slice", "f32[10]; i64[1]={-3}; i64[1]={100}", "", "f32[3]"},
      {"onnx.Slice", "f32[10]; i64[1]={8}; i64[1]={2}", "", "f32[0]"},
      {"onnx.Slice", "f32[10]; i64[1]={1}; i64[1]={9}; i64[1]={0}; i64[1]={3}", "", "f32[3]"},
      {"onnx.Slice", "f32[10]; i64[1]={-1}; i64[1]={-20}; -; i64[1]={-3}", "", "f32[4]"},
      {"onnx.Slice", "f32[5]; i64[1]={-10}; i64[1]={-9223372036854775808}; i64[1]={0}; i64[1]={-1}", "",
       "f32[1]"},
      {"onnx.Slice", "f32[0]; i64[1]={-1}; i64[1]={-9223372036854775808}; i64[1]={0}; i64[1]={-1}", "",
       "f32[0]"},
      {"onnx.Slice", "f32[4294967296]; i64[1]={2147483647}; i64[1]={9223372036854775807}", "",
       "f32[2147483649]"},
      {"onnx.Slice", "f32[4, 5, 6]; i32[2]={0, 1}; i32[2]={2, 3}; i32[2]={-1, 0}", "", "f32[2, 5, 2]"},
      {"onnx.Slice@1", "f32[N, 4]", "starts=1 ends=3 axes=1", "f32[N, 2]"},
      {"onnx.Slice@1", "f32[5, 4]", "starts=1,1 ends=3,-1", "f32[2, 2]"},
  }));
}

TEST(OnnxSliceTest, Slice_SymbolicSizes_AreExpressions) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Slice", "f32[N]; i64[1]={0}; i64[1]={10}", "", "f32[min(N, 10)]"},
      {"onnx.Slice", "f32[N]; i64[1]={1}; i64[1]={10}", "", "f32[min(max(N - 1, 0), 9)]"},
      {"onnx.Slice", "f32[N]; i64[1]={0}; i64[1]={-1}", "", "f32[max(N - 1, 0)]"},
      {"onnx.Slice", "f32[N]; i64[1]={0}; i64[1]={M}", "", "f32[min(N, M)]"},
      {"onnx.Slice", "f32[N]; i64[1]={M}; i64[1]={N}", "", "f32[max(N - M, 0)]"},
      {"onnx.Slice", "f32[P + S]; i64[1]={P}; i64[1]={P + S}", "", "f32[S]"},
      {"onnx.Slice", "f32[N]; i64[1]={0}; i64[1]={N - 1}", "", "f32[N - 1]", "N >= 1"},
      {"onnx.Slice", "f32[N]; i64[1]={5}; i64[1]={1}; i64[1]={0}; i64[1]={-1}", "",
       "f32[min(max(N - 2, 0), 4)]"},
      {"onnx.Slice", "f32[10]; i64[1]={0}; i64[1]={M}", "", "f32[min(M, 10)]"},
      {"onnx.Slice", "f32[N, M]; i64[1]={1}; i64[1]={3}; i64[1]={-1}", "", "f32[N, min(max(M - 1, 0), 2)]"},
  }));
}

TEST(OnnxSliceTest, Slice_HugeBounds_AreClamped) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Slice", "f32[N]; i64[1]={0}; i64[1]={9223372036854775807}", "", "f32[N]"},
      {"onnx.Slice", "f32[N]; i64[1]={1}; i64[1]={2147483647}", "", "f32[max(N - 1, 0)]"},
      {"onnx.Slice", "f32[N]; i64[1]={-1}; i64[1]={2147483647}", "", "f32[min(N, 1)]"},
      {"onnx.Slice", "f32[N]; i64[1]={0}; i64[1]={9223372036854775807}; i64[1]={0}; i64[1]={2}", "",
       "f32[(N + 1)//2]"},
      {"onnx.Slice", "f32[N]; i64[1]={-1}; i64[1]={-9223372036854775808}; i64[1]={0}; i64[1]={-1}", "",
       "f32[N]"},
      {"onnx.Slice", "f32[N]; i64[1]={9223372036854775807}; i64[1]={-2147483647}; i64[1]={0}; i64[1]={-2}",
       "", "f32[(N + 1)//2]"},
      {"onnx.Slice", "f32[N]; i64[1]={-9223372036854775807}; i64[1]={3}", "", "f32[min(N, 3)]"},
      {"onnx.Slice", "f32[N]; i64[1]={2147483647}; i64[1]={9223372036854775807}", "", "f32[0]"},
  }));
}

TEST(OnnxSliceTest, Slice_UnknownBounds_BoundTheSize) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Slice", "f32[N]; i64[1]={0}; i64[1]={N - 1}", "", "f32[max(N - 1, 0)]"},
      {"onnx.Slice", "f32[N]; i64[1]={?}; i64[1]={3}", "",
       "f32[max(min(N - max(u1, 0), 3 - max(u1, 0)), 0)]"},
      {"onnx.Slice", "f32[N, M]; i64[1]; i64[1]; i64[1]={-1}", "",
       "f32[N, u1]\n"
       "u1 <= M"},
      {"onnx.Slice", "f32[N, M]; i64[1]; i64[1]; i64[1]", "",
       "f32[u1, u2]\n"
       "u1 <= N\n"
       "u2 <= M"},
      {"onnx.Slice", "f32[N, M]; i64[1]; i64[1]", "",
       "f32[u1, M]\n"
       "u1 <= N"},
      {"onnx.Slice", "f32[N, 0]; i64[K]; i64[K]", "",
       "f32[u1, 0]\n"
       "u1 <= N"},
      {"onnx.Slice", "f32[N]; i64[1]={0}; i64[1]={3}; -; i64[1]", "",
       "f32[u1]\n"
       "u1 <= N"},
      {"onnx.Slice", "f32[*]; i64[1]={0}; i64[1]={1}", "", "f32[*]"},
  }));
}

TEST(OnnxSliceTest, Slice_KnownContents_AreSelected) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Slice", "i64[4]={N, 2, M, 4}; i64[1]={1}; i64[1]={3}", "", "i64[2]={2, M}"},
      {"onnx.Slice", "i64[4]={N, 2, M, 4}; i64[1]={-2}; i64[1]={9223372036854775807}", "", "i64[2]={M, 4}"},
      {"onnx.Slice",
       "i64[4]={N, 2, M, 4}; i64[1]={-1}; i64[1]={-9223372036854775808}; i64[1]={0}; i64[1]={-1}", "",
       "i64[4]={4, M, 2, N}"},
      {"onnx.Slice", "i64[4]={N, 2, M, 4}; i64[1]={0}; i64[1]={0}", "", "i64[0]={}"},
      {"onnx.Slice", "i64[3]={N, 2, M}; i64[1]={1}; i64[1]={3}; i64[1]={0}; i64[1]={9223372036854775807}", "",
       "i64[1]={2}"},
      {"onnx.Slice", "i64[3]={N, 2, M}; i64[1]={2}; i64[1]={-4}; i64[1]={0}; i64[1]={-9223372036854775807}",
       "", "i64[1]={M}"},
  }));
}

TEST(OnnxSliceTest, Slice_InvalidOperands_AreErrors) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Slice", "f32[N]; i64[1]={0}; i64[2]={1, 2}", "",
       "error[DW0102]: ends of Slice has 2 on axis 0, where k is 1"},
      {"onnx.Slice", "f32[N]; i64[1]={0}; i64[1]={1}; i64[2]", "",
       "error[DW0102]: axes of Slice has 2 on axis 0, where k is 1"},
      {"onnx.Slice", "f32[N]; i64[1]={0}; i64[1]={1}; -; i64[2]", "",
       "error[DW0102]: steps of Slice has 2 on axis 0, where k is 1"},
      {"onnx.Slice", "f32[N]; i64[2]={0, 0}; i64[2]={1, 2}", "",
       "error[DW0103]: axes [0, 1] are not all axes of a tensor of rank 1"},
      {"onnx.Slice", "f32[N]; i64[1]={0}; i64[1]={1}; i64[1]={1}", "",
       "error[DW0103]: axes [1] are not all axes of a tensor of rank 1"},
      {"onnx.Slice", "f32[N]; i64[1]={0}; i64[1]={1}; i64[1]={0}; i64[1]={0}", "",
       "error[DW0103]: the step must not be 0"},
      {"onnx.Slice", "f32[N, M]; i64[2]={0, 0}; i64[2]={1, 2}; i64[2]={0, 0}", "",
       "error[DW0103]: axes [0, 0] name an axis twice"},
      {"onnx.Slice", "f32[N]; f32[1]; i64[1]", "",
       "error[DW0108]: starts of Slice is f32; it must be i32, i64"},
      {"onnx.Slice", "f32[N]; i32[1]; i64[1]", "",
       "error[DW0108]: ends of Slice is i64; it must be i32, like the other operands of type I"},
      {"onnx.Slice", "f32[N]; i64[1]", "",
       "error[DW0301]: onnx.Slice takes 3 to 5 inputs (data, starts, ends, axes?, steps?); 2 are given"},
      {"onnx.Slice@1", "f32[N, 4]", "starts=1", "error[DW0302]: Slice needs the attribute ends"},
      {"onnx.Slice@1", "f32[N, 4]", "ends=1", "error[DW0302]: Slice needs the attribute starts"},
  }));
}

}  // namespace
}  // namespace dimwise
