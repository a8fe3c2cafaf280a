#include "dimwise/program.h"

#include <gtest/gtest.h>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "infer/program_testing.h"

namespace dimwise {
namespace {

struct CompileCase {
  const char* graph;
  const char* program;
};

TEST(ProgramTest, SaysWhatRunsWhen) {
  const CompileCase cases[] = {
      // One stage for the sizes of the inputs.
      {R"(opset onnx 17
graph g(x: f32[N, S, 8], y: f32[M, 1, 8]) {
  z = onnx.Add(x, y) @add
  return z
})",
       R"(stage 0: N = x[0] S = x[1] M = y[0]
  need N >= 1
  need S >= 1
  need M >= 1
  need N == 1 or N == M or M == 1  @add
  x: [N, S, 8]
  y: [M, 1, 8]
  z: [broadcast(N, M), S, 8]
)"},
      // What data decides begins a stage; what does not wait for it does not.
      {R"(opset onnx 17
graph g(x: f32[N, S], y: f32[N]) {
  nz = onnx.NonZero(x) @nz
  t = onnx.Transpose(nz) @t
  a = onnx.Add(y, x) @add
  return t, a
})",
       R"(stage 0: N = x[0] S = x[1]
  need N >= 1
  need S >= 1
  need N == 1 or N == S or S == 1  @add
  x: [N, S]
  y: [N]
  a: [N, broadcast(N, S)]
stage 1 after stage 0 and nz: u1 = nz[1]
  need u1 >= 0
  nz: [2, u1]
  t: [u1, 2]
)"},
      // What a later stage checks is not used before: a is [N] there, but z is [M] in stage 0.
      {R"(opset onnx 17
graph g(x: f32[N], y: f32[M]) {
  const flat: i64[1] = {-1}
  nz = onnx.NonZero(x) @nz
  i = onnx.Reshape(nz, flat) @flatten
  c = onnx.Cast(i; to=1) @cast
  stacked = onnx.SequenceConstruct(c, y) @sequence
  a = onnx.Gemm(u, c) @gemm
  z = onnx.Relu(y) @relu
  return a, z
})",
       ""},
      // Branches have stages of their own.
      {R"(opset onnx 17
graph g(x: f32[N], y: f32[M], c: bool[]) {
  z = onnx.If(c) @if {
    then_branch: graph() {
      t = onnx.Add(x, y) @add
      return t
    }
    else_branch: graph() {
      e = onnx.Relu(x) @relu
      return e
    }
  }
  return z
})",
       ""},
      // Nobody uses the result: a runtime may drop the node, and its check.
      {R"(opset onnx 17
graph g(x: f32[N], y: f32[M]) {
  t = onnx.Add(x, y) @add
  z = onnx.Relu(x) @relu
  return z
})",
       ""},
  };
  for (const CompileCase& c : cases) EXPECT_EQ(CompileText(c.graph), c.program) << c.graph;
}

}  // namespace
}  // namespace dimwise
