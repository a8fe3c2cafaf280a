// The words for each mistake, whole: message, place, line, caret, help.
#include <gtest/gtest.h>

#include <string>

#include "dimwise/graph_text.h"

namespace dimwise {
namespace {

struct Case {
  const char* text;
  const char* message;
};

TEST(GraphTextMistakes, AreSaidWithTheirPlace) {
  constexpr Case kCases[] = {
      {"", ""},
      {"grph main() {}", ""},
      {"graph main {}", ""},
      {"graph main(x f32[N]) { return x }", ""},
      {"graph main(x: f32[N) { return x }", ""},
      {"graph main(x: f32) { return x }", ""},
      {"graph main(x:) { return x }", ""},
      {"graph main(x, x) { }", ""},
      {"graph main(x) {\n  y = onnx.Relu(x)\n  y = onnx.Neg(x)\n  return y\n}", ""},
      {"graph main(input) {\n  y = onnx.Relu(inptu)\n  return y\n}", ""},
      {"graph main(x) {\n  return zzzzzz\n}", ""},
      {"graph main(x) {\n  y = onnx.Relu(x\n  return y\n}", ""},
      {"graph main(x) {\n  y = onnx.Relu x\n}", ""},
      {"graph main(x) {\n  y onnx.Relu(x)\n}", ""},
      {"graph main(x) {\n  return x\n  y = onnx.Relu(x)\n}", ""},
      {"graph main(x) {\n  (x)\n}", ""},
      {"graph main(x) {\n  const = onnx.Relu(x)\n}", ""},
      {"graph main(x) {\n  return = onnx.Relu(x)\n}", ""},
      {"graph main(x) {\n  y = onnx.Relu(x: f32[2])\n}", ""},
      {"graph main(x) {\n  y = onnx.Relu(x; axis)\n}", ""},
      {"graph main(x) {\n  y = onnx.Relu(x; axis=[1, 2)\n}", ""},
      {"graph main(x) {\n  y = onnx.Relu(x; axis=1, axis=2)\n}", ""},
      {"graph main(x) {\n  y = onnx.Relu(x; axis: in = 1)\n}", ""},
      {"graph main(x) {\n  y = onnx.Relu(x; axis: int = 0.5)\n}", ""},
      {"graph main(x) {\n  y = onnx.Relu@x(x)\n}", ""},
      {"graph main(x) {\n  y = onnx.Relu@99999999999(x)\n}", ""},
      {"graph main(x) {\n  y = onnx.Relu(x) @r\n  z = onnx.Relu(x) after q\n}", ""},
      {"graph main(x) {\n  y = onnx.Relu(x) @r\n  z = onnx.Relu(x) @r\n  w = onnx.Relu(x) after r\n}", ""},
      {"graph main(x) {\n  y = onnx.Relu(x) @r%2\n  z = onnx.Relu(x) @r%2\n}", ""},
      {"graph main(x) {\n  y = onnx.If(x) { then_branch: grap() { return x } }\n}", ""},
      {"graph main(x) {\n  y = onnx.If(x) { then_branch: graph() { z = onnx.Neg(x) return z } }\n  return "
       "z\n}",
       ""},
      {"graph main(x) {\n  const s: i64[2] = {0, 0.5}\n}", ""},
      {"graph main(x) {\n  const s: i64[2] =\n}", ""},
      {"graph main(x) {\n  y = onnx.Relu(`x)\n}", ""},
      {"graph main(x) {\n  y = onnx.Relu(\"\\xzz\")\n}", ""},
      {"graph main(x) {\n  y = onnx.Relu(x%)\n}", ""},
      {"opset onnx\ngraph main(x) { }", ""},
      {"opset onnx 1 opset onnx 2\ngraph main(x) { }", ""},
      {"function f.F(x; a=$b) { }\ngraph main(x) { }", ""},
      {"function f.F(x) { }\nfunction f.F(x) { }\ngraph main(x) { }", ""},
      {"graph main(x) { return x }\ngraph other(x) { return x }", ""},
      {"graph main(x) { return x", ""},
      {"graph main(é) { }", ""},
  };
  for (const Case& c : kCases) {
    Analysis analysis;
    const auto graph = ParseGraph(analysis, c.text, "t.graph");
    EXPECT_EQ(graph ? "no mistake" : "\n" + ToString(graph.error()) + "\n", c.message) << c.text;
  }
}

}  // namespace
}  // namespace dimwise
