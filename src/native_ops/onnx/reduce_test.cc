#include <gtest/gtest.h>

#include <array>

#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxReduceTest, Reduce_KnownAxes_BecomeOneOrAreRemoved) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.ReduceSum", "f32[2, 3, 4]; i64[1]={1}", "", "f32[2, 1, 4]"},
      {"onnx.ReduceSum", "f32[N, 3, M]; i64[2]={-1, 0}", "keepdims=0", "f32[3]"},
      {"onnx.ReduceSum@11", "f32[N, 3]", "axes=1", "f32[N, 1]"},
      {"onnx.ReduceMean@13", "f32[N, 3]", "axes=1 keepdims=0", "f32[N]"},
      {"onnx.ReduceMean", "f32[N, 3]; i64[1]={1}", "", "f32[N, 1]"},
      {"onnx.ReduceMax", "f32[0, 3]; i64[2]={0, 0}", "", "f32[1, 3]"},
      {"onnx.ReduceL2", "f32[N, 3]; i64[1]={0}", "", "f32[1, 3]"},
      {"onnx.ReduceLogSumExp@13", "f32[N, 3]", "axes=-1 keepdims=0", "f32[N]"},
      {"onnx.ReduceMin", "f32[]; i64[1]={0}", "", "f32[]"},
  }));
}

TEST(OnnxReduceTest, Reduce_WithoutAxes_ReducesAll) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.ReduceSum", "f32[N, 3, M]", "", "f32[1, 1, 1]"},
      {"onnx.ReduceSum", "f32[N, 3, M]", "keepdims=0", "f32[]"},
      {"onnx.ReduceSum", "f32[N, 3, M]; -", "keepdims=0", "f32[]"},
      {"onnx.ReduceSum", "f32[N, 3, M]; i64[0]={}", "", "f32[1, 1, 1]"},
      {"onnx.ReduceSum", "f32[N, 3, M]; i64[0]", "", "f32[1, 1, 1]"},
      {"onnx.ReduceSum", "f32[N, 3, M]", "noop_with_empty_axes=1", "f32[N, 3, M]"},
      {"onnx.ReduceSum", "f32[N, 3, M]; i64[0]={}", "noop_with_empty_axes=1", "f32[N, 3, M]"},
      {"onnx.ReduceMean@13", "f32[N, 3]", "noop_with_empty_axes=1", "f32[1, 1]"},
      {"onnx.ReduceMean@13", "f32[N, 3]", "axes=[] keepdims=0", "f32[]"},
      {"onnx.ReduceSum", "f32[*]", "", "f32[*]"},
      {"onnx.ReduceSum", "f32[*]", "keepdims=0", "f32[]"},
  }));
}

TEST(OnnxReduceTest, Reduce_UnknownAxes_KeepKnownParts) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.ReduceSum", "f32[N, 1, M]; i64[1]", "", "f32[u1, 1, u2]"},
      {"onnx.ReduceSum", "f32[N, 3, M]; i64[2]", "keepdims=0", "f32[*] of rank 1 .. 2"},
      {"onnx.ReduceSum", "f32[N, 3, M]; i64[K]", "keepdims=0", "f32[*] of rank 0 .. 3"},
      {"onnx.ReduceSum", "f32[*]; i64[1]={0}", "", "f32[*]"},
      {"onnx.ReduceSum", "f32[*]; i64[1]={0}", "keepdims=0", "f32[*]"},
  }));
}

TEST(OnnxReduceTest, Reduce_KnownContents_AreComputed) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.ReduceProd", "i64[3]={N, S, 3}", "", "i64[1]={3*N*S}"},
      {"onnx.ReduceProd", "i64[3]={N, S, 3}", "keepdims=0", "i64[]={3*N*S}"},
      {"onnx.ReduceProd", "i64[0]={}", "keepdims=0", "i64[]={1}"},
      {"onnx.ReduceSum", "i64[2]={N, S}; i64[1]={0}", "keepdims=0", "i64[]={N + S}"},
      {"onnx.ReduceMax", "i64[2]={N, 4}", "keepdims=0", "i64[]={max(N, 4)}"},
      {"onnx.ReduceMin", "i64[2]={N, N + 1}", "keepdims=0", "i64[]={N}"},
      {"onnx.ReduceMin", "i64[0]={}", "keepdims=0", "i64[]"},
  }));
}

TEST(OnnxReduceTest, Reduce_InvalidAxes_AreErrors) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.ReduceSum", "f32[2, 3]; i64[1]={2}", "",
       "error[DW0103]: axes [2] are not all axes of a tensor of rank 2"},
      {"onnx.ReduceMean@13", "f32[N, 3]", "axes=-3",
       "error[DW0103]: axes [-3] are not all axes of a tensor of rank 2"},
      {"onnx.ReduceSum", "f32[2, 3]; i64[1, 1]={0}", "",
       "error[DW0101]: axes of ReduceSum has rank 2; it needs rank 1"},
      {"onnx.ReduceSum", "f32[2, 3]; f32[1]", "", "error[DW0108]: axes of ReduceSum is f32; it must be i64"},
  }));
}

TEST(OnnxReduceTest, ArgMax_Axis_IsReduced) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.ArgMax", "f32[N, 3]", "axis=1", "i64[N, 1]"},
      {"onnx.ArgMin", "f32[N, 3]", "keepdims=0", "i64[3]"},
      {"onnx.ArgMax", "f32[*]", "", "i64[*]"},
      {"onnx.ArgMax", "f32[*]", "keepdims=0", "i64[*]"},
      {"onnx.ArgMax", "f32[N]", "axis=1",
       "error[DW0103]: axis 1 is not an axis of a tensor of rank 1"},
  }));
}

}  // namespace
}  // namespace dimwise
