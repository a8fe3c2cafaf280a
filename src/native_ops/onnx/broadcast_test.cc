#include <gtest/gtest.h>

#include <array>

#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxBroadcastTest, Broadcast_ConstantSizes_AreCombined) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Add", "f32[2, 3]; f32[3]", "", "f32[2, 3]"},
      {"onnx.Add", "f32[2, 1]; f32[1, 3]", "", "f32[2, 3]"},
      {"onnx.Add", "f32[]; f32[2, 3]", "", "f32[2, 3]"},
      {"onnx.Add", "f32[0]; f32[1]", "", "f32[0]"},
      {"onnx.Add", "f32[0]; f32[0]", "", "f32[0]"},
      {"onnx.Max", "f32[2, 1]; f32[3]; f32[4, 1, 1]", "", "f32[4, 2, 3]"},
      {"onnx.Sum", "f32[2, 3]", "", "f32[2, 3]"},
  }));
}

TEST(OnnxBroadcastTest, Broadcast_SymbolicSizes_LeaveGuards) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Add", "f32[N, S]; f32[N, S]", "", "f32[N, S]"},
      {"onnx.Add", "f32[N, S]; f32[1, S]", "", "f32[N, S]"},
      {"onnx.Add", "f32[N]; f32[M]", "",
       "f32[broadcast(N, M)]\n"
       "check: N == M or N == 1 or M == 1"},
      {"onnx.Add", "f32[N, 3]; f32[3]", "", "f32[N, 3]"},
      {"onnx.Add", "f32[N]; f32[8]", "",
       "f32[8]\n"
       "check: N == 1 or N == 8"},
      {"onnx.Add", "f32[8]; f32[N]", "",
       "f32[8]\n"
       "check: N == 1 or N == 8"},
      {"onnx.Add", "f32[N]; f32[0]", "",
       "f32[0]\n"
       "check: N == 1 or N == 0"},
      {"onnx.Add", "f32[N]; f32[N + 1]", "",
       "f32[broadcast(N, N + 1)]\n"
       "check: N == 1 or N == 0"},
      {"onnx.Add", "f32[N]; f32[?]", "",
       "f32[broadcast(N, u1)]\n"
       "check: N == u1 or N == 1 or u1 == 1"},
      {"onnx.Max", "f32[N]; f32[M]; f32[P]", "",
       "f32[broadcast(N, M, P)]\n"
       "check: broadcastable(N, M, P)"},
      {"onnx.Max", "f32[N]; f32[M]; f32[5]", "",
       "f32[5]\n"
       "check: N == 1 or N == 5\n"
       "check: M == 1 or M == 5"},
      {"onnx.Max", "f32[N]; f32[N]; f32[1]", "", "f32[N]"},
      {"onnx.PRelu", "f32[N, C, H]; f32[C, 1]", "", "f32[N, C, H]"},
  }));
}

TEST(OnnxBroadcastTest, Broadcast_DecidedByFacts_IsExact) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Add", "f32[N]; f32[N + 1]", "",
       "f32[N + 1]\n"
       "check: N == 1",
       "N >= 1"},
      {"onnx.Add", "f32[N]; f32[M]", "",
       "f32[M]\n"
       "check: N == 1 or N == M",
       "M >= 2"},
      {"onnx.Add", "f32[N]; f32[M]", "",
       "f32[N]\n"
       "check: M == N",
       "N >= 2, M >= 2"},
      {"onnx.Add", "f32[N]; f32[M]", "", "f32[N]", "N == M"},
      {"onnx.Add", "f32[N]; f32[M]", "", "f32[M]", "N == 1"},
      {"onnx.Add", "f32[N]; f32[M]", "", "f32[1]", "N == 1, M == 1"},
      {"onnx.Add", "f32[N]; f32[8]", "", "f32[8]", "N == 8"},
      {"onnx.Add", "f32[N]; f32[8]", "",
       "f32[8]\n"
       "check: N == 8",
       "N >= 2"},
      {"onnx.Add", "f32[N]; f32[8]", "",
       "error[DW0104]: Add cannot broadcast N with 8 at axis -1: they must be equal, or one of them "
       "1",
       "N >= 9"},
      {"onnx.Add", "f32[N]; f32[M]", "",
       "error[DW0104]: Add cannot broadcast N with M at axis -1: they must be equal, or one of them "
       "1",
       "N >= 2, M > N"},
  }));
}

TEST(OnnxBroadcastTest, Broadcast_UnknownRank_KeepsKnownParts) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Add", "f32[*]; f32[*]", "", "f32[*]"},
      {"onnx.Add", "f32[*]; f32[]", "", "f32[*]"},
      {"onnx.Add", "f32[*]; f32[1]", "", "f32[*] of rank 1 or more"},
      {"onnx.Add", "f32[*]; f32[2, 3]", "", "f32[*] of rank 2 or more"},
      {"onnx.Max", "f32[*]; f32[2, N]; f32[5]", "",
       "f32[*] of rank 2 or more\n"
       "check: N == 1 or N == 5"},
      {"onnx.Max", "f32[*]; f32[2]; f32[3]", "",
       "error[DW0104]: Max cannot broadcast 2 with 3 at axis -1: they must be equal, or one of them "
       "1"},
  }));
}

TEST(OnnxBroadcastTest, Broadcast_ConflictingSizes_IsAnError) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Add", "f32[N, 3]; f32[N, 4]", "",
       "error[DW0104]: Add cannot broadcast 3 with 4 at axis -1: they must be equal, or one of them "
       "1"},
      {"onnx.Add", "f32[2, 3, 4]; f32[5, 1]", "",
       "error[DW0104]: Add cannot broadcast 3 with 5 at axis -2: they must be equal, or one of them "
       "1"},
      {"onnx.Add", "f32[0]; f32[2]", "",
       "error[DW0104]: Add cannot broadcast 0 with 2 at axis -1: they must be equal, or one of them "
       "1"},
      {"onnx.Max", "f32[3]; f32[1]; f32[4]", "",
       "error[DW0104]: Max cannot broadcast 3 with 4 at axis -1: they must be equal, or one of them "
       "1"},
  }));
}

}  // namespace
}  // namespace dimwise
