#include "cli/rule_command.h"

#include <gtest/gtest.h>

#include "core/base/golden_testing.h"

namespace dimwise {
namespace {

constexpr const char* kFile = DIMWISE_SOURCE_DIR "/examples/rules/chop.shape";

// Runs a command. Returns its output without the path of the sources.
std::string Printed(int (*command)(const RuleRequest&, std::string*, std::string*),
                    const RuleRequest& request, int code) {
  std::string out, err;
  EXPECT_EQ(command(request, &out, &err), code);
  EXPECT_TRUE(out.empty() || err.empty());
  std::string text = out + err;
  for (size_t at; (at = text.find(DIMWISE_SOURCE_DIR "/")) != std::string::npos;)
    text.erase(at, sizeof(DIMWISE_SOURCE_DIR));
  return text;
}

TEST(RuleCommandTest, Show_RuleFromFile_PrintsDocumentation) {
  ExpectGolden("src/cli/testdata/rule_chop.txt", Printed(ShowRule, {.name = "my.Chop", .files = {kFile}}, 0));
}

TEST(RuleCommandTest, Show_MisspelledName_SuggestsNearest) {
  EXPECT_EQ(Printed(ShowRule, {.name = "onnx.LSMT", .files = {}}, 2),
            "error[DW0003]: there is no operator onnx.LSMT\n  help: did you mean onnx.LSTM?\n");
  EXPECT_EQ(Printed(ShowRule, {.name = "my.Chop", .files = {"no/such.shape"}}, 2),
            "error[DW0501]: cannot read 'no/such.shape': No such file or directory\n");
}

TEST(RuleCommandTest, Show_NameWithoutSet_IsCompletedIfUnambiguous) {
  EXPECT_EQ(Printed(ShowRule, {.name = "HardSwish", .files = {}}, 0),
            Printed(ShowRule, {.name = "onnx.HardSwish", .files = {}}, 0));
  const std::string text = "error[DW0003]: there is no operator ";
  const std::string help = "; an operator is named with its set, as onnx.Relu\n  help: did you mean ";
  EXPECT_EQ(Printed(ShowRule, {.name = "Conv", .files = {}}, 2),
            text + "Conv" + help + "onnx.Conv, tensorflow.Conv or com.microsoft.nchwc.Conv?\n");
  EXPECT_EQ(Printed(ShowRule, {.name = "hardswish", .files = {}}, 2), text + "hardswish" + help + "onnx.HardSwish?\n");
}

TEST(RuleCommandTest, Show_OperatorWithSubGraphs_PrintsTheirSignatures) {
  const std::string loop = Printed(ShowRule, {.name = "onnx.Loop", .files = {}}, 0);
  EXPECT_NE(loop.find("  body  graph  optional\n\nsub-graphs\n"
                      "  body(trip, condition, state) -> (condition, state, stacked)\n"),
            std::string::npos)
      << loop;
  const std::string branch = Printed(ShowRule, {.name = "onnx.If", .files = {}}, 0);
  EXPECT_NE(branch.find("  then_branch() -> (results)\n  else_branch() -> (results)\n"), std::string::npos)
      << branch;
}

TEST(RuleCommandTest, Show_FunctionInCpp_PrintsDescriptionAndSignature) {
  const std::string text = Printed(ShowRule, {.name = "onnx.Einsum", .files = {}}, 0);
  EXPECT_TRUE(text.starts_with("onnx.Einsum\n  The sum of products")) << text;
  EXPECT_TRUE(
      text.ends_with("\nsignature\n  Einsum(Inputs+: T; T?: type, equation: string) -> (Output: T)\n\n"
                     "This operator is implemented in C++, not as a rule.\n"))
      << text;
}

TEST(RuleCommandTest, EmitMlir_BuiltinRule_PrintsFunction) {
  EXPECT_EQ(Printed(EmitRule, {.name = "onnx.Add", .files = {}}, 0), R"(// onnx.Add: The sum of both operands.
func.func @onnx.Add(%A: tensor<?xindex>, %B: tensor<?xindex>) -> (tensor<?xindex>) {
  %0 = shape.is_broadcastable %A, %B : tensor<?xindex>, tensor<?xindex>
  cf.assert %0, "Add cannot broadcast these shapes"
  %1 = shape.broadcast %A, %B : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  return %1 : tensor<?xindex>
}
)");
}

TEST(RuleCommandTest, EmitMlir_UnsupportedFunction_IsAnErrorWithItsName) {
  EXPECT_EQ(Printed(EmitRule, {.name = "my.Picked", .files = {kFile}}, 2),
            R"(error[DW0005]: my.Picked: unknown(0, n) has no counterpart in MLIR
  --> examples/rules/chop.shape:12:42
   |  op Picked(X: T[n], by: bool[n]) -> (Y: T[unknown(0, n)])
   |                                           ^^^^^^^^^^^^^
  help: its value depends on data; `dimwise op my.Picked` infers it
)");
}

}  // namespace
}  // namespace dimwise
