#include <gtest/gtest.h>

#include <array>

#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxExpandTest, Expand_KnownShape_Broadcasts) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Expand", "f32[3, 1]; i64[3]={2, 1, 4}", "", "f32[2, 3, 4]"},
      {"onnx.Expand", "f32[1, S]; i64[2]={N, S}", "", "f32[N, S]"},
      {"onnx.Expand", "f32[3, 1]; i64[1]={1}", "", "f32[3, 1]"},
      {"onnx.Expand", "f32[3, 1]; i64[2]={1, 0}", "", "f32[3, 0]"},
      {"onnx.Expand", "f32[3, 1]; i64[0]={}", "", "f32[3, 1]"},
      {"onnx.Expand", "f32[N]; i64[1]={M}", "",
       "f32[broadcast(N, M)]\n"
       "check: N == M or N == 1 or M == 1"},
      {"onnx.Expand", "f32[3]; i64[1]={M}", "",
       "f32[3]\n"
       "check: M == 1 or M == 3"},
      {"onnx.Expand", "f32[1]; i64[1]={M - 1}", "",
       "f32[M - 1]\n"
       "check: M >= 1"},
      {"onnx.Expand", "f32[*]; i64[2]={4, 5}", "", "f32[*] of rank 2 or more"},
      {"onnx.Expand", "i64[1]={N}; i64[1]={3}", "", "i64[3]={N, N, N}"},
      {"onnx.Expand", "i64[]={N}; i64[2]={1, 2}", "", "i64[1, 2]={N, N}"},
  }));
}

TEST(OnnxExpandTest, Expand_UnknownShape_KeepsKnownSizes) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Expand", "f32[N, 3, 1]; i64[2]", "", "f32[N, 3, u1]"},
      {"onnx.Expand", "f32[N, 3]; i64[3]", "", "f32[u1, u2, 3]"},
      {"onnx.Expand", "f32[N, 3]; i64[K]", "", "f32[*] of rank 2 or more"},
      {"onnx.Expand", "f32[*]; i64[2]", "", "f32[*] of rank 2 or more"},
      {"onnx.Expand", "f32[1]; i64[2]={?, 3}", "",
       "f32[u1, 3]\n"
       "check: u1 >= 0"},
  }));
}

TEST(OnnxExpandTest, Expand_InvalidShape_IsAnError) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Expand", "f32[3, 1]; i64[2]={-1, 4}", "", "error[DW0103]: shape [-1, 4] has a negative size"},
      {"onnx.Expand", "f32[3]; i64[1]={0}", "",
       "error[DW0104]: Expand cannot broadcast 3 with 0 at axis -1: they must be equal, or one of "
       "them 1"},
      {"onnx.Expand", "f32[3]; i64[1, 1]={3}", "",
       "error[DW0103]: shape is a vector of sizes; it has rank 2"},
  }));
}

TEST(OnnxExpandTest, Tile_Repeats_MultiplySizes) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Tile", "f32[2, 3]; i64[2]={2, 0}", "", "f32[4, 0]"},
      {"onnx.Tile", "f32[N, S]; i64[2]={2, 3}", "", "f32[2*N, 3*S]"},
      {"onnx.Tile", "f32[N, S]; i64[2]={M, 1}", "", "f32[N*M, S]"},
      {"onnx.Tile", "f32[N, S]; i64[2]={M - 1, 1}", "",
       "f32[N*M - N, S]\n"
       "check: M >= 1"},
      {"onnx.Tile", "f32[N, S]; i64[2]", "", "f32[u1, u2]"},
      {"onnx.Tile", "f32[N, S]; i64[K]", "", "f32[u1, u2]\ncheck: K == 2"},
      {"onnx.Tile", "f32[*]; i64[2]={1, 2}", "", "f32[u1, 2*u2]"},
      {"onnx.Tile", "f32[*]; i64[K]", "", "f32[*]"},
      {"onnx.Tile", "i64[2]={N, 3}; i64[1]={2}", "", "i64[4]={N, 3, N, 3}"},
      {"onnx.Tile", "f32[N, S]; i64[2]={-1, 1}", "", "error[DW0103]: repeats [-1, 1] has a negative number"},
      {"onnx.Tile", "f32[N, S]; i64[3]={1, 1, 1}", "",
       "error[DW0103]: there are 3 repeats for the 2 axes of input, not one for each"},
      {"onnx.Tile", "f32[4294967296]; i64[1]={4294967296}", "",
       "error[DW0106]: a size of Tile does not fit 64 bits"},
  }));
}

}  // namespace
}  // namespace dimwise
