#include <gtest/gtest.h>

#include <array>

#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxWhereTest, Where_Operands_Broadcast) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Where", "bool[2]; f32[2]; f32[2]", "", "f32[2]"},
      {"onnx.Where", "bool[N, 1]; f32[M]; f32[]", "", "f32[N, M]"},
      {"onnx.Where", "bool[N]; f32[M]; f32[M]", "",
       "f32[broadcast(N, M)]\n"
       "check: N == M or N == 1 or M == 1"},
      {"onnx.Where", "bool[*]; f32[M]; f32[]", "", "f32[*] of rank 1 or more"},
      {"onnx.Where", "bool[2]; f32[3]; f32[]", "",
       "error[DW0104]: Where cannot broadcast 2 with 3 at axis -1: they must be equal, or one of "
       "them 1"},
      {"onnx.Where", "f32[2]; f32[3]; f32[]", "",
       "error[DW0108]: condition of Where is f32; it must be bool"},
      {"onnx.Where", "bool[2]; f32[2]; i64[2]", "",
       "error[DW0108]: Y of Where is i64; it must be f32, like the other operands of type T"},
  }));
}

TEST(OnnxWhereTest, Where_KnownContents_AreSelected) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Where", "bool[2]={1, 0}; i64[2]={N, M}; i64[1]={4}", "", "i64[2]={N, 4}"},
      {"onnx.Where", "bool[2]; i64[2]={N, M}; i64[2]={N, 2}", "", "i64[2]={N, u1}"},
      {"onnx.Where", "bool[1]={min(N, 1)}; i64[1]={M}; i64[1]={M}", "", "i64[1]={M}"},
      {"onnx.Where", "bool[1]={min(N, 1)}; i64[1]={2}; i64[1]={M}", "", "i64[1]={u1}"},
  }));
}

}  // namespace
}  // namespace dimwise
