#include <gtest/gtest.h>

#include <array>

#include "infer/functions/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxConcatTest, Joins) {
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
      {"onnx.Concat", "f32[2, 3]; f32[*]; f32[2, 4]", "axis=1", "f32[2, u1]"},
      {"onnx.Concat", "f32[?, 3]; f32[4, U]", "axis=1",
       "f32[4, U + 3]\n"
       "check: u1 == 4"},
      {"onnx.Concat", "f32[*]; f32[*]", "axis=1", "f32[*] of rank 1 or more"},
  }));
}

TEST(OnnxConcatTest, JoinsContents) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Concat", "i64[1]={N}; i64[2]; i64[1]={-1}", "axis=0", "i64[4]={N, u1, u2, -1}"},
      {"onnx.Concat", "i64[1]; i64[1]", "axis=0", "i64[2]"},
      {"onnx.Concat", "i64[1]={N}; i64[K]", "axis=0", "i64[K + 1]"},
      {"onnx.Concat", "f32[1]={0.5}; f32[1]={2}", "axis=0", "f32[2]={0.5, 2}"},
  }));
}

TEST(OnnxConcatTest, Errors) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Concat", "f32[2, 3]; f32[2, 4]", "axis=0",
       "error[DW0102]: Concat joins inputs[0] [2, 3] and inputs[1] [2, 4], whose sizes 3 and 4 at axis 1 "
       "must be equal"},
      {"onnx.Concat", "f32[N, 3]; f32[4, 3]; f32[5, 3]", "axis=1",
       "error[DW0102]: Concat joins inputs[1] [4, 3] and inputs[2] [5, 3], whose sizes 4 and 5 at axis 0 "
       "must be equal"},
      {"onnx.Concat", "f32[2]; f32[2, 4]", "axis=0",
       "error[DW0101]: Concat joins inputs[0] [2] of rank 1 and inputs[1] [2, 4] of rank 2; all must have "
       "the same rank"},
      {"onnx.Concat", "f32[2]; f32[2]", "", "error[DW0302]: attribute 'axis' is missing"},
      {"onnx.Concat", "f32[2]; f32[2]", "axis=x",
       "error[DW0303]: attribute 'axis' must be an int, not \"x\""},
      {"onnx.Concat", "f32[]; f32[]", "axis=0",
       "error[DW0107]: Concat names axis 0, but a scalar has no axes"},
      {"onnx.Concat", "f32[2, 3]", "axis=2",
       "error[DW0107]: Concat names axis 2, but a tensor of rank 2 has the axes -2 .. 1"},
      {"onnx.Concat", "f32[2]; i64[2]", "axis=0",
       "error[DW0108]: Concat has inputs[0] of f32 and inputs[1] of i64; both must have the same element "
       "type"},
      {"onnx.Concat", "f32[9223372036854775807]; f32[1]", "axis=0",
       "error[DW0106]: the size 9223372036854775807 + 1 is more than a 64-bit integer can say"},
      {"onnx.Concat", "", "axis=0",
       "error[DW0301]: onnx.Concat takes 1 or more inputs (inputs+); none is given"},
  }));
}

TEST(OnnxConcatTest, SplitsIntoEqualParts) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Split@13", "f32[6, 2] -> 3", "", "f32[2, 2]; f32[2, 2]; f32[2, 2]"},
      {"onnx.Split@13", "f32[N] -> 2", "",
       "f32[N//2]; f32[N//2]\n"
       "check: N % 2 == 0"},
      {"onnx.Split@13", "f32[5] -> 2", "", "error[DW0103]: Split cuts an axis of size 5 into 2 equal parts"},
      {"onnx.Split@13", "f32[0] -> 2", "", "f32[0]; f32[0]"},
  }));
}

TEST(OnnxConcatTest, TheLastPartMayBeSmaller) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Split", "f32[N, 6] -> 3", "axis=1 num_outputs=3", "f32[N, 2]; f32[N, 2]; f32[N, 2]"},
      {"onnx.Split", "f32[7] -> 3", "num_outputs=3", "f32[3]; f32[3]; f32[1]"},
      {"onnx.Split", "f32[N] -> 2", "num_outputs=2", "f32[(N + 1)//2]; f32[N - (N + 1)//2]"},
      {"onnx.Split", "f32[N] -> 3", "num_outputs=3",
       "f32[(N + 2)//3]; f32[(N + 2)//3]; f32[N - 2*((N + 2)//3)]\n"
       "check: N >= 2*((N + 2)//3)"},
      {"onnx.Split", "f32[6] -> 3", "", "f32[2]; f32[2]; f32[2]"},
      {"onnx.Split", "f32[6] -> 1", "num_outputs=2", "f32[3]"},
      {"onnx.Split", "f32[5] -> 4", "num_outputs=4",
       "error[DW0105]: Split cuts an axis of size 5 into 4 parts of 2, which leaves -1 for the last"},
      {"onnx.Split", "f32[4] -> 2", "num_outputs=0",
       "error[DW0303]: Split has num_outputs 0; there must be at least 1"},
      {"onnx.Split", "f32[4] -> 3", "num_outputs=2", "error[DW0301]: Split has num_outputs 2 and 3 results"},
      {"onnx.Split", "f32[*] -> 2", "num_outputs=2", "f32[*] of rank 1 or more; f32[*] of rank 1 or more"},
      {"onnx.Split", "f32[4] -> 2", "axis=1 num_outputs=2",
       "error[DW0107]: Split names axis 1, but a tensor of rank 1 has the axes -1 .. 0"},
  }));
}

TEST(OnnxConcatTest, SplitsBySizes) {
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
       "check: u1 >= 0\n"
       "check: u1 + 2 == N"},
      {"onnx.Split", "f32[5]; i64[2] -> 2", "", "f32[u1]; f32[u2]"},
      {"onnx.Split", "f32[N]; i64[K] -> 2", "",
       "f32[u1]; f32[u2]\n"
       "u1 <= N\n"
       "u2 <= N"},
      {"onnx.Split", "f32[*]; i64[2]={2, 3} -> 2", "", "f32[*] of rank 1 or more; f32[*] of rank 1 or more"},
      {"onnx.Split", "f32[5]; i64[2]={2, 2} -> 2", "",
       "error[DW0102]: Split has the sizes [2, 2] in split, 4 in all, for an axis of size 5"},
      {"onnx.Split", "f32[5]; i64[2]={6, -1} -> 2", "",
       "error[DW0105]: Split has -1 among the sizes in split, which cannot be negative"},
      {"onnx.Split", "f32[N]; i64[2] -> 3", "", "error[DW0301]: Split has 2 sizes in split and 3 results"},
      {"onnx.Split", "i64[3]={N, 2, M}; i64[2]={2, 1} -> 2", "", "i64[2]={N, 2}; i64[1]={M}"},
  }));
}

}  // namespace
}  // namespace dimwise
