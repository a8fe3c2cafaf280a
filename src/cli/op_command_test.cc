#include "cli/op_command.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "dimwise/builtin.h"
#include "infer/context/sample_ops_testing.h"

namespace dimwise {
namespace {

// Runs the command. Returns the output of both streams and the exit code.
std::string Printed(OpOptions options) {
  std::string out, err;
  const int code = RunOp(SampleRegistry(), options, &out, &err);
  return (out.empty() ? "" : "out: " + out) + (err.empty() ? "" : "err: " + err) + "exit " +
         std::to_string(code);
}

OpOptions Typed(std::string name, std::vector<std::string> words) {
  OpOptions options;
  options.name = std::move(name);
  options.words = std::move(words);
  return options;
}

TEST(OpCommand, HumanFormat_AnyOperator_PrintsResults) {
  EXPECT_EQ(Printed(Typed("test.Half", {"f32[N, H + 1]", "by=3"})),
            "out: test.Half\n"
            "  in     X  f32[N, H + 1]\n"
            "  out    Y  ?[N, (H + 1)//3]\n"
            "exit 0");
}

TEST(OpCommand, JsonFormat_AnyOperator_EqualsBatchAnswer) {
  OpOptions options = Typed("test.Read", {"i64[2]={N, 3}", "to=f16"});
  options.format = "json";
  EXPECT_EQ(Printed(options),
            "out: {\"id\": null, \"ok\": true, \"inputs\": [{\"dtype\": \"i64\", \"shape\": [2]}], "
            "\"outputs\": [{\"dtype\": \"f16\", "
            "\"shape\": [\"N\", 3]}], \"symbols\": {\"N\": {\"min\": 0, \"max\": null, \"multiple_of\": 1, "
            "\"origin\": "
            "\"input S, element 0\"}}, \"checks\": []}\nexit 0");
  options.name = "test.Red";
  EXPECT_EQ(
      Printed(options),
      "out: {\"id\": null, \"ok\": false, \"diagnostics\": [{\"severity\": \"error\", \"code\": \"DW0003\", "
      "\"message\": "
      "\"there is no operator test.Red\", \"notes\": [], \"help\": \"did you mean test.Read?\"}]}\nexit 2");
}

TEST(OpCommand, OperatorWithSubGraphs_IsRefusedWithItsSignature) {
  for (const auto& [name, graphs] :
       {std::pair("onnx.Loop", "body"), std::pair("onnx.If", "then_branch, else_branch"),
        std::pair("onnx.Scan", "body"), std::pair("onnx.SequenceMap", "body")}) {
    OpOptions options = Typed(name, {});
    std::string out, err;
    EXPECT_EQ(RunOp(BuiltinRegistry(), options, &out, &err), kCouldNotDo);
    EXPECT_NE(err.find(fmt::format("{} takes sub-graphs ({}), so", name, graphs)), std::string::npos) << err;
    EXPECT_NE(err.find(fmt::format("note: its signature is {}(", name)), std::string::npos) << err;
  }
}

TEST(OpCommand, NameWithoutSet_Unambiguous_IsCompleted) {
  EXPECT_EQ(Printed(Typed("Same", {"f32[4]"})), Printed(Typed("test.Same", {"f32[4]"})));
}

TEST(OpCommand, OperatorError_AnyFormat_ExitsWith1) {
  EXPECT_EQ(Printed(Typed("test.Cut", {"f32[N, 2]"})),
            "err: error[DW0105]: 3 are cut from the last axis, which has 2\n"
            "  --> test.Cut\n"
            "   |  X  f32[N, 2]\n"
            "exit 1");
  EXPECT_TRUE(Printed(Typed("test.Cut", {})).ends_with("exit 1"));
  EXPECT_TRUE(Printed(Typed("test.Half", {"f32[4]", "by=x"})).ends_with("exit 1"));
}

TEST(OpCommand, BadUsage_AnyMistake_ExitsWith2) {
  EXPECT_EQ(Printed(OpOptions()),
            "err: error[DW0001]: no operator is given\n  help: for example: dimwise op onnx.Relu 'f32[N, "
            "3]'\nexit 2");
  EXPECT_EQ(Printed(Typed("test.Sme", {})),
            "err: error[DW0003]: there is no operator test.Sme\n  help: did you mean test.Same?\nexit 2");
  EXPECT_EQ(Printed(Typed("test.Half", {"f32[4]", "bye=2"})),
            "err: error[DW0001]: test.Half has no attribute 'bye'\n  help: did you mean by?\nexit 2");
  EXPECT_TRUE(Printed(Typed("test.Same", {"f32[N"})).ends_with("exit 2"));
  OpOptions batch;
  batch.batch = "no/such/file";
  EXPECT_EQ(Printed(batch),
            "err: error[DW0501]: cannot open 'no/such/file': No such file or directory\nexit 2");
  batch.name = "test.Same";
  EXPECT_EQ(Printed(batch),
            "err: error[DW0001]: --batch reads requests from 'no/such/file', but the operator 'test.Same' is "
            "given too\n"
            "  help: give either --batch or an operator\nexit 2");
}

TEST(OpCommand, Assume_OnSymbols_IsUsedOrRejected) {
  OpOptions options = Typed("test.Half", {"f32[N]"});
  options.assume = {"N >= 1, N % 8 == 0"};
  EXPECT_EQ(Printed(options),
            "out: test.Half\n"
            "  in     X  f32[N]\n"
            "  out    Y  ?[N//2]\n"
            "  where  N >= 8 and N % 8 == 0\n"
            "exit 0");
  options.assume = {"N > 3", "N < 2"};
  EXPECT_EQ(Printed(options),
            "err: error[DW0201]: N >= 4 and N <= 1 are both given and cannot both hold\nexit 1");
  options.assume = {"M > 3"};
  EXPECT_EQ(Printed(options),
            "err: error[DW0001]: no size is called M, as in --assume 'M > 3'\n"
            "  help: assumptions can use only the names in the operands\nexit 2");
}

TEST(OpCommand, OpsetAndOutputs_Given_SelectSignature) {
  OpOptions options = Typed("test.Echo", {"old=1"});
  EXPECT_TRUE(Printed(options).starts_with("err: error[DW0001]: test.Echo has no attribute 'old'"));
  options.opset = 6;
  EXPECT_EQ(Printed(options), "out: test.Echo\nexit 0");
  OpOptions split = Typed("test.Split", {"f32[2]"});
  split.outputs = 2;
  EXPECT_EQ(Printed(split),
            "out: test.Split\n"
            "  in     X      f32[2]\n"
            "  out    Ys[0]  ?[2]\n"
            "         Ys[1]  ?[2]\n"
            "exit 0");
}

}  // namespace
}  // namespace dimwise
