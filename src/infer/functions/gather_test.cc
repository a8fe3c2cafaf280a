#include <gtest/gtest.h>

#include <array>

#include "infer/functions/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxGatherTest, Gather) {
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

TEST(OnnxGatherTest, Contents) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Gather", "i64[3]={N, 3, M}; i64[]={0}", "", "i64[]={N}"},
      {"onnx.Gather", "i64[3]={N, 3, M}; i64[2]={-1, 0}", "", "i64[2]={M, N}"},
      {"onnx.Gather", "i64[3]={N, 3, M}; i64[2]={1, ?}", "", "i64[2]={3, u1}"},
      {"onnx.Gather", "i64[3]; i64[]={0}", "", "i64[]"},
  }));
}

TEST(OnnxGatherTest, Errors) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Gather", "f32[N, 3]; i64[]={3}", "axis=1",
       "error[DW0107]: Gather reads index 3 of axis 1 of data [N, 3], which has size 3"},
      {"onnx.Gather", "f32[N, 3]; i64[]={-4}", "axis=1",
       "error[DW0107]: Gather reads index -4 of axis 1 of data [N, 3], which has size 3"},
      {"onnx.Gather", "f32[N, 3]; i64[]={9223372036854775807}", "",
       "error[DW0107]: Gather reads index 9223372036854775807, which no tensor has"},
      {"onnx.Gather", "f32[N, 3]; i64[]={-9223372036854775808}", "",
       "error[DW0107]: Gather reads index -9223372036854775808, which no tensor has"},
      {"onnx.Gather", "f32[N, 3]; i64[*]", "axis=2",
       "error[DW0107]: Gather names axis 2, but a tensor of rank 2 has the axes -2 .. 1"},
      {"onnx.Gather", "f32[]; i64[]", "", "error[DW0101]: Gather picks along an axis, and data is a scalar"},
      {"onnx.Gather", "f32[N]; f32[]", "", "error[DW0108]: Gather takes indices of i32, i64, not f32"},
  }));
}

TEST(OnnxGatherTest, GatherElements) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.GatherElements", "f32[3, 3]; i64[2, 5]", "axis=1", "f32[2, 5]"},
      {"onnx.GatherElements", "f32[N, 3]; i64[M, 5]", "axis=1",
       "f32[M, 5]\n"
       "check: N >= M"},
      {"onnx.GatherElements", "f32[3, 3]; i64[*]", "", "f32[u1, u2]"},
      {"onnx.GatherElements", "f32[*]; i64[N, 2]", "", "f32[N, 2]"},
      {"onnx.GatherElements", "f32[3, 3]; i64[4, 2]", "axis=1",
       "error[DW0102]: GatherElements has 4 indices along axis 0, where data has 3 elements; there must be "
       "no more"},
      {"onnx.GatherElements", "f32[3, 3]; i64[4]", "axis=1",
       "error[DW0101]: GatherElements has data [3, 3] of rank 2 and indices [4] of rank 1; both must have "
       "the same rank"},
      {"onnx.GatherElements", "f32[3, 3]; i64[3, 3]", "axis=2",
       "error[DW0107]: GatherElements names axis 2, but a tensor of rank 2 has the axes -2 .. 1"},
  }));
}

}  // namespace
}  // namespace dimwise
