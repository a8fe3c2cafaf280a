#include <gtest/gtest.h>

#include <array>

#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(ShortSequencesTest, Sequence_OfDifferentTensors_KeepsEachType) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.SequenceConstruct", "f32[N]; f32[M]", "", "seq(f32[N], f32[M])"},
      {"onnx.SequenceConstruct", "f32[N]; f32[N]", "", "seq(f32[N], length=2)"},
      {"onnx.SequenceConstruct", "f32[N]; f32[M, 2]", "", "seq(f32[N], f32[M, 2])"},
      {"onnx.SequenceInsert", "seq(f32[N], f32[M]); f32[3]", "", "seq(f32[N], f32[M], f32[3])"},
      {"onnx.SequenceInsert", "seq(f32[N], f32[M]); f32[3]; i64[]={-1}", "", "seq(f32[N], f32[3], f32[M])"},
      {"onnx.SequenceInsert", "seq(f32[N], f32[M]); f32[3]; i64[]={2}", "", "seq(f32[N], f32[M], f32[3])"},
      {"onnx.SequenceInsert", "seq(f32[N], length=1); f32[3]; i64[]={0}", "", "seq(f32[3], f32[N])"},
      {"onnx.SequenceErase", "seq(f32[N], f32[M], f32[3]); i64[]={0}", "", "seq(f32[M], f32[3])"},
      {"onnx.SequenceErase", "seq(f32[N], f32[M])", "", "seq(f32[N], length=1)"},
      {"onnx.SplitToSequence", "f32[N, 5]; i64[]={2}", "axis=1", "seq(f32[N, 2], f32[N, 2], f32[N, 1])"},
      {"onnx.SplitToSequence", "f32[N, 6]; i64[2]={2, 4}", "axis=-1", "seq(f32[N, 2], f32[N, 4])"},
      {"onnx.SplitToSequence", "f32[N]; i64[2]={P, N - P}", "", "seq(f32[P], f32[N - P])\ncheck: N >= P"},
  }));
}

TEST(ShortSequencesTest, SequenceAt_KnownOrUnknownPosition_GivesElement) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.SequenceAt", "seq(f32[N], f32[M]); i64[]={1}", "", "f32[M]"},
      {"onnx.SequenceAt", "seq(f32[N], f32[M, 2]); i64[]={-1}", "", "f32[M, 2]"},
      {"onnx.SequenceAt", "seq(f32[N, 4], f32[M, 4]); i64[]", "", "f32[u1, 4]\nu1 <= max(N, M)"},
      {"onnx.SequenceAt", "seq(f32[N], f32[M, 2]); i64[]", "", "f32[*] of rank 1 .. 2"},
      {"onnx.SequenceAt", "seq(f32[N], f32[M]); i64[]={2}", "",
       "error[DW0103]: position 2 is outside the 2 elements of the sequence"},
  }));
}

TEST(ShortSequencesTest, ConcatFromSequence_DifferentElements_AddsSizes) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.ConcatFromSequence", "seq(f32[N, 2], f32[M, 2], f32[3, 2])", "axis=0", "f32[N + M + 3, 2]"},
      {"onnx.ConcatFromSequence", "seq(f32[N, 2], f32[M, 3])", "axis=-1", "f32[N, 5]\ncheck: N == M"},
      {"onnx.ConcatFromSequence", "seq(f32[N], f32[M])", "axis=0 new_axis=1", "f32[2, N]\ncheck: N == M"},
      {"onnx.ConcatFromSequence", "seq(f32[N], f32[M])", "axis=-1 new_axis=1", "f32[N, 2]\ncheck: N == M"},
      {"onnx.ConcatFromSequence", "seq(f32[2], f32[3])", "axis=0 new_axis=1",
       "error[DW0102]: sizes 2 and 3 must be equal"},
  }));
}

}  // namespace
}  // namespace dimwise
