// Tests the functions of report.h on built graphs, including invalid ones.
#include <gtest/gtest.h>

#include <string>

#include "dimwise/builtin.h"
#include "dimwise/report.h"

namespace dimwise {
namespace {

class InferenceReportTest : public testing::Test {
 protected:
  ValueId Add(std::string_view op, std::initializer_list<ValueId> operands) {
    return graph_.results(graph_.AddNode(graph_.body(), {.op = graph_.UseOp(op, 17)}, operands, {"y"}))[0];
  }
  const Inference& Infer(ValueId output) {
    graph_.AddOutput(graph_.body(), output);
    inference_.Run();
    return inference_;
  }

  Analysis analysis_;
  Graph graph_{analysis_};
  Inference inference_{graph_, BuiltinRegistry()};
  ValueId x_ = graph_.AddInput(graph_.body(), "x", *ParseType(analysis_, "f32[N, 3]"));
};

TEST_F(InferenceReportTest, Explain_Result_TracesItToInputs) {
  const ValueId y = Add("onnx.Transpose", {x_});
  const Inference& inference = Infer(y);
  const std::string last =
      "y[1] is N: axis 1 of 'y' f32[3, N]\n"
      "  Transpose (#0) takes it from axis 0 of 'x' f32[N, 3]\n"
      "  'x' is an input\n";
  EXPECT_EQ(Explain(inference, y, 1).value_or(""), last);
  EXPECT_EQ(Explain(inference, y, -1).value_or(""), last);
  EXPECT_EQ(Explain(inference, y, 2).error().message, "'y' is f32[3, N] and has no axis 2");
  EXPECT_EQ(Explain(inference, ValueId{99}, 0).error().message, "there is no value 99 in the graph");
}

TEST_F(InferenceReportTest, Json_SimpleGraph_HasAllParts) {
  EXPECT_EQ(InferenceAsJson(Infer(Add("onnx.Relu", {x_}))),
            R"({"dimwise": 1, "model": {"format": "graph", "name": "", "file": "the graph", "nodes": 1}, )"
            R"("inputs": ["x"], "outputs": ["y"], )"
            R"("symbols": {"N": {"min": 1, "max": null, "multiple_of": 1, "origin": "input x, axis 0"}}, )"
            R"("values": {"x": {"kind": "tensor", "dtype": "f32", "shape": ["N", 3]}, )"
            R"("y": {"kind": "tensor", "dtype": "f32", "shape": ["N", 3]}}, )"
            R"("diagnostics": [], "checks": [], "conditional_checks": [], )"
            R"("stats": {"values": 2, "ranked": 2, "static": 0, "symbolic": 2, "unknown": 0}})"
            "\n");
}

TEST_F(InferenceReportTest, Json_HandleInput_CountsAsStatic) {
  const ValueId handle = graph_.AddInput(graph_.body(), "h", *ParseType(analysis_, "handle(f32[2], i32[])"));
  const std::string json = InferenceAsJson(Infer(handle));
  EXPECT_NE(json.find(R"("stats": {"values": 2, "ranked": 2, "static": 1, "symbolic": 1, "unknown": 0})"),
            std::string::npos)
      << json;
}

TEST_F(InferenceReportTest, Findings_InvalidValueId_IsReported) {
  const Inference& inference = Infer(Add("onnx.Relu", {ValueId{99}}));
  ASSERT_FALSE(inference.findings().empty());
  EXPECT_EQ(inference.findings()[0].message, "operand 0 is value 99, which the graph does not have");
  EXPECT_EQ(inference.findings()[0].severity, Severity::kError);
  const std::string json = InferenceAsJson(inference);
  EXPECT_NE(json.find("operand 0 is value 99"), std::string::npos) << json;
}

}  // namespace
}  // namespace dimwise
