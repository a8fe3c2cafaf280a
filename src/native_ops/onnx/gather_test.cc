#include <gtest/gtest.h>

#include <array>

#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxGatherTest, Gather_Indices_ReplaceAxis) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Gather", "f32[5, 3]; i64[2, 2]", "", "f32[2, 2, 3]"},
      {"onnx.Gather", "f32[N, 3]; i64[A, B]", "axis=1", "f32[N, A, B]"},
      {"onnx.Gather", "f32[N, 3]; i32[]", "axis=-1", "f32[N]"},
      {"onnx.Gather", "f32[N, 3]; i64[0]", "", "f32[0, 3]"},
      {"onnx.Gather", "f32[N, 3]; i64[]={5}", "",
       "f32[3]\n"
       "check: N >= 6"},
      {"onnx.Gather", "f32[N, 3]; i64[2]={-4, 1}", "",
       "f32[2, 3]\n"
       "check: N >= 4"},
      {"onnx.Gather", "f32[*]; i64[B]", "", "f32[*] of rank 1 or more"},
      {"onnx.Gather", "f32[N, 3]; i64[*]", "", "f32[*] of rank 1 or more"},
  }));
}

TEST(OnnxGatherTest, Gather_KnownContents_AreSelected) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Gather", "i64[3]={N, 3, M}; i64[]={0}", "", "i64[]={N}"},
      {"onnx.Gather", "i64[3]={N, 3, M}; i64[2]={-1, 0}", "", "i64[2]={M, N}"},
      {"onnx.Gather", "i64[3]={N, 3, M}; i64[2]={1, ?}", "",
       "i64[2]={3, ?}\n"
       "check: max(max(-u1, 2), max(u1 + 1, -1)) <= 3"},
      {"onnx.Gather", "i64[3]; i64[]={0}", "", "i64[]"},
  }));
}

TEST(OnnxGatherTest, Gather_InvalidOperands_AreErrors) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Gather", "f32[N, 3]; i64[]={3}", "axis=1",
       "error[DW0103]: indices [3] are not all inside axis 1 of data, which has 3 elements"},
      {"onnx.Gather", "f32[N, 3]; i64[]={-4}", "axis=1",
       "error[DW0103]: indices [-4] are not all inside axis 1 of data, which has 3 elements"},
      {"onnx.Gather", "f32[N, 3]; i64[]={9223372036854775807}", "",
       "error[DW0106]: a size of Gather does not fit 64 bits"},
      {"onnx.Gather", "f32[N, 3]; i64[]={-9223372036854775808}", "",
       "error[DW0106]: a size of Gather does not fit 64 bits"},
      {"onnx.Gather", "f32[N, 3]; i64[*]", "axis=2",
       "error[DW0101]: data of Gather has rank 2; axis 2 needs at least rank 3"},
      {"onnx.Gather", "f32[]; i64[]", "",
       "error[DW0101]: data of Gather has rank 0; axis 0 needs at least rank 1"},
      {"onnx.Gather", "f32[N]; f32[]", "", "error[DW0108]: indices of Gather is f32; it must be i32, i64"},
  }));
}

TEST(OnnxGatherTest, GatherElements_Indices_GiveShape) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.GatherElements", "f32[3, 3]; i64[2, 5]", "axis=1", "f32[2, 5]"},
      {"onnx.GatherElements", "f32[N, 3]; i64[M, 5]", "axis=1",
       "f32[M, 5]\n"
       "check: N >= M"},
      {"onnx.GatherElements", "f32[3, 3]; i64[*]", "",
       "f32[u1, u2]\n"
       "check: u2 <= 3"},
      {"onnx.GatherElements", "f32[*]; i64[N, 2]", "", "f32[N, 2]"},
      {"onnx.GatherElements", "f32[3, 3]; i64[4, 2]", "axis=1",
       "error[DW0103]: indices [4, 2] reach outside data [3, 3] on another axis than 1"},
      {"onnx.GatherElements", "f32[3, 3]; i64[4]", "axis=1",
       "error[DW0107]: index 2 is not inside indices of GatherElements, which has rank 1"},
      {"onnx.GatherElements", "f32[3, 3]; i64[3, 3]", "axis=2",
       "error[DW0103]: axis 2 is not an axis of a tensor of rank 2"},
  }));
}

}  // namespace
}  // namespace dimwise
