// Tests the complete text of each error: message, position, line, caret and help.
#include <gtest/gtest.h>

#include <string>

#include "dimwise/graph_text.h"

namespace dimwise {
namespace {

struct Case {
  const char* text;
  const char* message;
};

TEST(GraphTextMistakes, ParseGraph_InvalidTexts_ReportMessageAndPosition) {
  constexpr Case kCases[] = {
      {"", R"(
error[DW0510]: expected `graph`, `function` or `opset`, found the end
  --> t.graph:1:1
  help: for example: graph main(x: f32[N, 3]) { return x }
)"},
      {"grph main() {}", R"(
error[DW0510]: expected `graph`, `function` or `opset`, found `grph`
  --> t.graph:1:1
   |  grph main() {}
   |  ^^^^
  help: for example: graph main(x: f32[N, 3]) { return x }
)"},
      {"graph main {}", R"(
error[DW0510]: expected `(` before the inputs, found `{`
  --> t.graph:1:12
   |  graph main {}
   |             ^
)"},
      {"graph main(x f32[N]) { return x }", R"(
error[DW0510]: expected `,` or `)` after an input, found `f32`
  --> t.graph:1:14
   |  graph main(x f32[N]) { return x }
   |               ^^^
)"},
      {"graph main(x: f32[N) { return x }", R"(
error[DW0510]: this `[` is not closed by a `]`
  --> t.graph:1:18
   |  graph main(x: f32[N) { return x }
   |                   ^
)"},
      {"graph main(x: f32) { return x }", R"(
error[DW0004]: 'f32' has no shape at column 1 of 'f32'
  --> t.graph:1:15
   |  graph main(x: f32) { return x }
   |                ^^^
  help: write f32[] for a scalar, f32[*] for an unknown rank
)"},
      {"graph main(x with [2]) { return x }", R"(
error[DW0510]: expected `(` before the attributes of a value, found `[`
  --> t.graph:1:19
   |  graph main(x with [2]) { return x }
   |                    ^
)"},
      {"graph main(x with (a=1) { return x }", R"(
error[DW0510]: expected `,` or `)` after an input, found `{`
  --> t.graph:1:25
   |  graph main(x with (a=1) { return x }
   |                          ^
)"},
      {"graph main() {\n  missing x with (a=1)\n}", R"(
error[DW0510]: `x` is missing; only inputs and constants have attributes
  --> t.graph:2:11
   |    missing x with (a=1)
   |            ^
)"},
      {"graph main(x:) { return x }", R"(
error[DW0510]: expected a type, found `)`
  --> t.graph:1:14
   |  graph main(x:) { return x }
   |               ^
  help: for example: x: f32[N, 3]
)"},
      {"graph main(x, x) { }", R"(
error[DW0510]: `x` is defined twice in this region, first in line 1
  --> t.graph:1:15
   |  graph main(x, x) { }
   |                ^
  help: rename one; values that share a name are distinguished by a number: y, y%2
)"},
      {"graph main(x) {\n  y = onnx.Relu(x)\n  y = onnx.Neg(x)\n  return y\n}", R"(
error[DW0510]: `y` is defined twice in this region, first in line 2
  --> t.graph:3:3
   |    y = onnx.Neg(x)
   |    ^
  help: rename one; values that share a name are distinguished by a number: y, y%2
)"},
      {"graph main(input) {\n  y = onnx.Relu(inptu)\n  return y\n}", R"(
error[DW0510]: there is no value `inptu` here
  --> t.graph:2:17
   |    y = onnx.Relu(inptu)
   |                  ^^^^^
  help: did you mean `input`?
)"},
      {"graph main(x) {\n  return zzzzzz\n}", R"(
error[DW0510]: there is no value `zzzzzz` here
  --> t.graph:2:10
   |    return zzzzzz
   |           ^^^^^^
  help: declare a value that no node computes: missing x
)"},
      {"graph main(x) {\n  y = onnx.Relu(x\n  return y\n}", R"(
error[DW0510]: expected `,`, `;` or `)` after an operand, found `return`
  --> t.graph:3:3
   |    return y
   |    ^^^^^^
)"},
      {"graph main(x) {\n  y = onnx.Relu x\n}", R"(
error[DW0510]: expected `(` before the operands, found `x`
  --> t.graph:2:17
   |    y = onnx.Relu x
   |                  ^
)"},
      {"graph main(x) {\n  y onnx.Relu(x)\n}", R"(
error[DW0510]: expected `=` after the results of a node, found `onnx`
  --> t.graph:2:5
   |    y onnx.Relu(x)
   |      ^^^^
  help: for example: y = my.Op(x)
)"},
      {"graph main(x) {\n  return x\n  y = onnx.Relu(x)\n}", R"(
error[DW0510]: expected `}` after the returned values, found `y`
  --> t.graph:3:3
   |    y = onnx.Relu(x)
   |    ^
)"},
      {"graph main(x) {\n  (x)\n}", R"(
error[DW0510]: expected a node, `const`, `missing`, `return` or `}`, found `(`
  --> t.graph:2:3
   |    (x)
   |    ^
  help: for example: y = my.Op(x)
)"},
      {"graph main(x) {\n  const = onnx.Relu(x)\n}", R"(
error[DW0510]: expected the name of a constant, found `=`
  --> t.graph:2:9
   |    const = onnx.Relu(x)
   |          ^
  help: a name that is no identifier is written in backquotes
)"},
      {"graph main(x) {\n  return = onnx.Relu(x)\n}", R"(
error[DW0510]: expected the name of a value after `return`, found `=`
  --> t.graph:2:10
   |    return = onnx.Relu(x)
   |           ^
  help: a name that is no identifier is written in backquotes
)"},
      {"graph main(x) {\n  y = onnx.Relu(x: f32[2])\n}", R"(
error[DW0510]: expected `const` after the type of an operand, found `)`
  --> t.graph:2:26
   |    y = onnx.Relu(x: f32[2])
   |                           ^
  help: an operand with a type defines a constant: w: f32[2] const
)"},
      {"graph main(x) {\n  y = onnx.Relu(x; axis)\n}", R"(
error[DW0510]: expected `=` after the attribute `axis`, found `)`
  --> t.graph:2:24
   |    y = onnx.Relu(x; axis)
   |                         ^
  help: for example: axis=1
)"},
      {"graph main(x) {\n  y = onnx.Relu(x; axis=[1, 2)\n}", R"(
error[DW0510]: `[1, 2)` is no value of an attribute
  --> t.graph:2:25
   |    y = onnx.Relu(x; axis=[1, 2)
   |                          ^^^^^^
  help: a value is 3, 0.5, true, "a text", f32, [2, 2], f32[2]{1.0, 2.0}, my.body[T=f32] or none
)"},
      {"graph main(x) {\n  y = onnx.Relu(x; axis=1, axis=2)\n}", R"(
error[DW0510]: the attribute `axis` is given twice
  --> t.graph:2:28
   |    y = onnx.Relu(x; axis=1, axis=2)
   |                             ^^^^
)"},
      {"graph main(x) {\n  y = onnx.Relu(x; axis: in = 1)\n}", R"(
error[DW0510]: `in` is no kind of attribute
  --> t.graph:2:26
   |    y = onnx.Relu(x; axis: in = 1)
   |                           ^^
  help: the kinds are int, float, bool, string, type, shape, tensor, func, and list(...) of each
)"},
      {"graph main(x) {\n  y = onnx.Relu(x; axis: int = 0.5)\n}", R"(
error[DW0510]: `0.5` is no int
  --> t.graph:2:32
   |    y = onnx.Relu(x; axis: int = 0.5)
   |                                 ^^^
)"},
      {"graph main(x) {\n  y = onnx.Relu@x(x)\n}", R"(
error[DW0510]: expected the version of the operator, found `x`
  --> t.graph:2:17
   |    y = onnx.Relu@x(x)
   |                  ^
)"},
      {"graph main(x) {\n  y = onnx.Relu@99999999999(x)\n}", R"(
error[DW0510]: the version of the operator is at most 2147483647
  --> t.graph:2:17
   |    y = onnx.Relu@99999999999(x)
   |                  ^^^^^^^^^^^
)"},
      {"graph main(x) {\n  y = onnx.Relu(x) @r\n  z = onnx.Relu(x) after q\n}", R"(
error[DW0510]: there is no node `q`
  --> t.graph:3:26
   |    z = onnx.Relu(x) after q
   |                           ^
  help: did you mean `r`?
)"},
      {"graph main(x) {\n  y = onnx.Relu(x) @r\n  z = onnx.Relu(x) @r\n  w = onnx.Relu(x) after r\n}", R"(
error[DW0510]: several nodes are called `r`
  --> t.graph:4:26
   |    w = onnx.Relu(x) after r
   |                           ^
  help: distinguish them by a number: @relu, @relu%2
)"},
      {"graph main(x) {\n  y = onnx.Relu(x) @r%2\n  z = onnx.Relu(x) @r%2\n}", R"(
error[DW0510]: there are two nodes `r%2`, the first in line 2
  --> t.graph:3:21
   |    z = onnx.Relu(x) @r%2
   |                      ^^^
)"},
      {"graph main(x) {\n  y = onnx.If(x) { then_branch: grap() { return x } }\n}", R"(
error[DW0510]: expected `graph`, found `grap`
  --> t.graph:2:33
   |    y = onnx.If(x) { then_branch: grap() { return x } }
   |                                  ^^^^
  help: for example: then_branch: graph() { return x }
)"},
      {"graph main(x) {\n  y = onnx.If(x) { then_branch: graph() { z = onnx.Neg(x) return z } }\n  return "
       "z\n}",
       R"(
error[DW0510]: there is no value `z` here
  --> t.graph:3:10
   |    return z
   |           ^
  help: did you mean `y`?
)"},
      {"graph main(x) {\n  const s: i64[2] = {0, 0.5}\n}", R"(
error[DW0002]: element 1 of the contents is 0.5, which is no i64
  --> t.graph:2:21
   |    const s: i64[2] = {0, 0.5}
   |                      ^^^^^^^^
)"},
      {"graph main(x) {\n  const s: i64[2] =\n}", R"(
error[DW0510]: expected contents such as {0, -1} after `=`, found `}`
  --> t.graph:3:1
   |  }
   |  ^
)"},
      {"graph main(x) {\n  y = onnx.Relu(`x)\n}", R"(
error[DW0510]: the line ends before the closing backquote of this name
  --> t.graph:2:17
   |    y = onnx.Relu(`x)
   |                  ^^^
)"},
      {"graph main(x) {\n  y = onnx.Relu(\"\\xzz\")\n}", R"(
error[DW0510]: an escape of this name cannot be read
  --> t.graph:2:17
   |    y = onnx.Relu("\xzz")
   |                  ^^^^^^
  help: write \xHH, \n, \t, \r, \" or \\
)"},
      {"graph main(x) {\n  y = onnx.Relu(x%)\n}", R"(
error[DW0510]: expected a number after `%`, found `)`
  --> t.graph:2:19
   |    y = onnx.Relu(x%)
   |                    ^
)"},
      {"opset onnx\ngraph main(x) { }", R"(
error[DW0510]: expected the version of the operator set, found `graph`
  --> t.graph:2:1
   |  graph main(x) { }
   |  ^^^^^
)"},
      {"opset onnx 1 opset onnx 2\ngraph main(x) { }", R"(
error[DW0510]: the version of `onnx` is given twice
  --> t.graph:1:20
   |  opset onnx 1 opset onnx 2
   |                     ^^^^
)"},
      {"function f.F(x; a=$b) { }\ngraph main(x) { }", R"(
error[DW0510]: the default of an attribute cannot refer to another attribute
  --> t.graph:1:20
   |  function f.F(x; a=$b) { }
   |                     ^
)"},
      {"function f.F(x) { }\nfunction f.F(x) { }\ngraph main(x) { }", R"(
error[DW0510]: there are two functions `f.F`
  --> t.graph:2:10
   |  function f.F(x) { }
   |           ^^^
)"},
      {"graph main(x) { return x }\ngraph other(x) { return x }", R"(
error[DW0510]: expected the end after the graph, found `graph`
  --> t.graph:2:1
   |  graph other(x) { return x }
   |  ^^^^^
)"},
      {"graph main(x) { return x", R"(
error[DW0510]: expected `}` after the returned values, found the end
  --> t.graph:1:25
   |  graph main(x) { return x
   |                          ^
)"},
      {"graph main(é) { }", R"(
error[DW0510]: expected the name of an input, found `é`
  --> t.graph:1:12
   |  graph main(é) { }
   |             ^
  help: a name that is no identifier is written in backquotes
)"},
  };
  for (const Case& c : kCases) {
    Analysis analysis;
    const auto graph = ParseGraph(analysis, c.text, "t.graph");
    EXPECT_EQ(graph ? "no mistake" : "\n" + ToString(graph.error()) + "\n", c.message) << c.text;
  }
}

}  // namespace
}  // namespace dimwise
