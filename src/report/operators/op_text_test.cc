#include "report/operators/op_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "infer/context/sample_ops_testing.h"

namespace dimwise {
namespace {

// Evaluates a sample operator on operands given as types; "none" is an absent operand.
std::string AnswerText(const std::string& op, const std::vector<std::string>& operands,
                       Colour colour = Colour::kNever) {
  Analysis analysis;
  std::vector<OpOperand> list;
  for (const std::string& text : operands) {
    OpOperand operand;
    operand.given = text != "none";
    if (operand.given) operand.type = ParseType(analysis, text).value();
    list.push_back(operand);
  }
  OpCall call;
  call.op = SampleRegistry().LookUp("test." + op).value();
  call.operands = list;
  const Result<OpAnswer> answer = CallOp(analysis, call);
  return answer ? OpAnswerText(analysis, *answer, colour) : DiagnosticText(answer.error(), colour);
}

TEST(OpText, Answer_AnyOperator_AlignsColumns) {
  EXPECT_EQ(AnswerText("Same", {"f32[N, 3]"}),
            "test.Same\n"
            "  in     X  f32[N, 3]\n"
            "  out    Y  f32[N, 3]\n");
  EXPECT_EQ(AnswerText("Join", {"f32[N, 3, 8]", "f32[M, K, 8]", "none"}),
            "test.Join\n"
            "  in     A  f32[N, 3, 8]\n"
            "         B  f32[M, K, 8]\n"
            "         C  not given\n"
            "  out    Y  f32[N, 3, 8]\n"
            "  guard  N == M   sizes N and M must be equal\n"
            "         K == 3   sizes 3 and K must be equal\n");
}

TEST(OpText, Facts_NotInChecks_ArePrinted) {
  EXPECT_EQ(AnswerText("Some", {"f32[N, W - 5]"}),
            "test.Some\n"
            "  in     X  f32[N, W - 5]\n"
            "  out    Y  i64[u1]\n"
            "  where  W >= 5\n"
            "         u1 <= N*W - 5*N\n");
  EXPECT_EQ(AnswerText("Join", {"f32[N]", "f32[M]", "f32[8]"}),
            "test.Join\n"
            "  in     A  f32[N]\n"
            "         B  f32[M]\n"
            "         C  f32[8]\n"
            "  out    Y  f32[8]\n"
            "  guard  N == M   sizes N and M must be equal\n"
            "         N == 8   sizes N and 8 must be equal\n"
            "  where  M == 8\n");
}

TEST(OpText, ContentsAndUnknownSizes_Given_ArePrinted) {
  EXPECT_EQ(AnswerText("ShapeOf", {"f32[N, ?, 2]"}),
            "test.ShapeOf\n"
            "  in     X  f32[N, X_d1, 2]\n"
            "  out    Y  i64[3] = [N, X_d1, 2]\n");
}

TEST(OpText, Colours_Enabled_AreEmitted) {
  EXPECT_EQ(AnswerText("Cut", {"f32[N]"}, Colour::kAlways),
            "\x1b[1mtest.Cut\x1b[0m\n"
            "  \x1b[2min\x1b[0m     X  f32[N]\n"
            "  \x1b[2mout\x1b[0m    Y  \x1b[1m?[N - 3]\x1b[0m\n"
            "  \x1b[2mguard\x1b[0m  \x1b[36mN >= 3\x1b[0m   3 are cut from the last axis, which has N\n");
  Diagnostic diagnostic;
  diagnostic.message = "no: good";
  diagnostic.help = "do: better";
  EXPECT_EQ(DiagnosticText(diagnostic, Colour::kAlways),
            "\x1b[1;31merror[DW0002]\x1b[0m: no: good\n  \x1b[36mhelp:\x1b[0m do: better");
  EXPECT_EQ(DiagnosticText(diagnostic), "error[DW0002]: no: good\n  help: do: better");
}

}  // namespace
}  // namespace dimwise
