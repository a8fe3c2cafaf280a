#include <gtest/gtest.h>

#include "infer/engine/inference_testing.h"
#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxEinsumTest, Einsum_Letters_GiveSizes) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Einsum", "f32[B, I, 8]; f32[B, 8, K]", "equation=bij,bjk->bik", "f32[B, I, K]"},
      {"onnx.Einsum", "f32[N, 3]; f32[3, M]", "equation=ij,jk", "f32[N, M]"},
      {"onnx.Einsum", "f32[N, 3]", "equation=ij->ji", "f32[3, N]"},
      {"onnx.Einsum", "f32[N, 3]", "equation=ij->", "f32[]"},
      {"onnx.Einsum", "f32[N, N]", "equation=ii->i", "f32[N]"},
      {"onnx.Einsum", "f32[N, M]", "equation=ii->i",
       "f32[N]\n"
       "check: N == M"},
      {"onnx.Einsum", "f32[1, 3]", "equation=ii->i",
       "error[DW0104]: Einsum has the sizes 1 and 3 for the axis 'i' of one operand; they must be equal"},
      {"onnx.Einsum", "f32[0, 3]; f32[3]", "equation=ij,j->i", "f32[0]"},
      {"onnx.Einsum", "f32[N, 3]; f32[M, 4]", "equation=ij,kl->ik", "f32[N, M]"},
      {"onnx.Einsum", "f32[2, 1]; f32[3, 4]", "equation=ij,jk->ijk", "f32[2, 3, 4]"},
  }));
}

TEST(OnnxEinsumTest, Einsum_Dots_Broadcast) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Einsum", "f32[N, H, S, 64]; f32[N, H, 64, T]", "equation=...ij,...jk->...ik", "f32[N, H, S, T]"},
      {"onnx.Einsum", "f32[N, H, S, 64]; f32[64, T]", "equation=...ij,...jk->...ik", "f32[N, H, S, T]"},
      {"onnx.Einsum", "f32[N, 1, S]; f32[4, S]", "equation=...s,...s", "f32[N, 4]"},
      {"onnx.Einsum", "f32[2, 3, 4]", "equation=i...->...i", "f32[3, 4, 2]"},
  }));
}

TEST(OnnxEinsumTest, Einsum_UnknownRanks_KeepKnownSizes) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Einsum", "f32[*]; f32[8, K]", "equation=ij,jk->ik", "f32[u1, K]"},
      {"onnx.Einsum", "f32[*]; f32[8, K]", "equation=ij,jk->jk", "f32[8, K]"},
      {"onnx.Einsum", "f32[*]; f32[J, K]", "equation=ij,jk->j", "f32[u1]"},
      {"onnx.Einsum", "f32[*]; f32[8, K]", "equation=...j,jk->...k", "f32[*] of rank 1 or more"},
  }));
}

TEST(OnnxEinsumTest, Einsum_InvalidEquation_IsAnError) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Einsum", "f32[2, 3]; f32[4, 5]", "equation=ij,jk->ik",
       "error[DW0104]: Einsum has the sizes 3 and 4 for the axis 'j'; they must be equal, or one of them 1"},
      {"onnx.Einsum", "f32[2, 3]", "equation=ijk->i",
       "error[DW0101]: Einsum has \"ijk\" for Inputs[0] [2, 3], which has rank 2"},
      {"onnx.Einsum", "f32[2, 3]", "equation=ij,jk->ik",
       "error[DW0301]: Einsum has the equation \"ij,jk->ik\" for 2 operands; 1 are given"},
      {"onnx.Einsum", "f32[2, 3]", "equation=ij->k",
       "error[DW0303]: Einsum has the equation \"ij->k\"; 'k' of the result is in no operand"},
      {"onnx.Einsum", "f32[2, 3]", "equation=i1->i",
       "error[DW0303]: Einsum has the equation \"i1->i\"; \"i1\" is not made of letters and one \"...\""},
  }));
}

// The Concat requires H >= 4. This holds only while the Einsum has the 4 rows of w and not those of t.
TEST(OnnxEinsumTest, Einsum_ResultWithLaterGuard_DoesNotDependOnIt) {
  EXPECT_EQ(InferText(R"(
opset onnx 20
graph g(x: f32[H, K], w: f32[4], v: f32[M]) {
  const zero: i64[1] = {0}
  const four: i64[1] = {4}
  t = onnx.Slice(x, zero, four, zero)
  a = onnx.Einsum(t, w; equation="xy,x->xy")
  b = onnx.Concat(a, t; axis=1)
  c = onnx.Einsum(x, v; equation="xy,x->xy")
  d = onnx.Concat(c, x; axis=1)
  return b, d
})"),
            "t: f32[4, K]\n"
            "a: f32[4, K]\n"
            "b: f32[4, 2*K]\n"
            "c: f32[H, K]\n"
            "d: f32[H, 2*K]\n"
            "check: H >= 4\n"
            "check: H == M or M == 1\n");
}

}  // namespace
}  // namespace dimwise
