#include "dimwise/program.h"

#include <gtest/gtest.h>

#include <string>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "infer/program/program_testing.h"

namespace dimwise {
namespace {

struct CompileCase {
  const char* graph;
  const char* program;
};

TEST(ProgramTest, Compile_TableOfGraphs_GivesStages) {
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
      // A data-dependent size starts a stage; values that do not depend on it stay in the stage before.
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
      // The guards of a stage simplify later stages, not earlier ones.
      {R"(opset onnx 17
graph g(x: f32[N], k: i64[3, M], w: i64[3, 5]) {
  nz = onnx.NonZero(x) @nz
  a = onnx.Concat(nz, k; axis=0) @concat
  b = onnx.Concat(nz, w; axis=0) @concat_5
  z = onnx.Identity(k) @copy
  return a, b, z
})",
       R"(stage 0: N = x[0] M = k[1]
  need N >= 1
  need M >= 1
  x: [N]
  k: [3, M]
  w: [3, 5]
  z: [3, M]
stage 1 after stage 0 and nz: u1 = nz[1]
  need u1 >= 0
  need M == u1  @concat
  need u1 == 5  @concat_5
  nz: [1, 5]
  a: [4, 5]
  b: [4, 5]
)"},
      // Branches have separate stages.
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
       R"(stage 0: N = x[0] M = y[0]
  need N >= 1
  need M >= 1
  x: [N]
  y: [M]
  c: []
stage 1 after stage 0 and if: u1 = z[0]
  need u1 >= 0
  z: [u1]
stage 2 in if.then_branch after stage 0:
  need N == 1 or N == M or M == 1  @add
  if.then_branch/t: [broadcast(N, M)]
stage 3 in if.else_branch after stage 0:
  if.else_branch/e: [N]
)"},
      // The result is unused: a runtime may drop the node and its guard.
      {R"(opset onnx 17
graph g(x: f32[N], y: f32[M]) {
  t = onnx.Add(x, y) @add
  z = onnx.Relu(x) @relu
  return z
})",
       R"(stage 0: N = x[0] M = y[0]
  need N >= 1
  need M >= 1
  x: [N]
  y: [M]
  z: [N]
stage 1 in unused after stage 0:
  need N == 1 or N == M or M == 1  @add
  t: [broadcast(N, M)]
)"},
      // A node that always fails has a false guard in its own stage only.
      {R"(opset onnx 17
graph g(x: f32[3], y: f32[4], c: bool[]) {
  z = onnx.If(c) @if {
    then_branch: graph() {
      t = onnx.Add(x, y) @add
      return t
    }
    else_branch: graph() {
      return x
    }
  }
  u = onnx.Add(x, y) @unused
  return z
})",
       R"(stage 0:
  x: [3]
  y: [4]
  c: []
  z: ?
stage 1 in unused after stage 0:
  need 1 == 0  @unused
  u: ?
stage 2 in if.then_branch after stage 0:
  need 1 == 0  @add
  if.then_branch/t: ?
)"},
  };
  for (const CompileCase& c : cases) EXPECT_EQ(CompileText(c.graph), c.program) << c.graph;
}

ShapeProgram Compile(std::string_view text, std::string_view assume = {}) {
  Analysis analysis;
  const auto graph = ParseGraph(analysis, text).value();
  Inference inference(*graph, BuiltinRegistry());
  if (!assume.empty()) inference.Assume(ParseCondition(analysis.dims(), assume).value());
  inference.Run();
  return ShapeProgram(inference);
}

// Returns the message of the first stage for these sizes of the symbols.
std::string RunAt(const ShapeProgram& program, std::vector<std::pair<std::string, int64_t>> sizes) {
  std::vector<int64_t> table = program.NewTable();
  for (const auto& [name, size] : sizes) table[program.FindSymbol(name)->index] = size;
  return program.Message(program.Run(0, table));
}

TEST(ProgramTest, Run_InvalidSizes_ReturnsMessage) {
  const ShapeProgram program = Compile(R"(opset onnx 17
graph g(x: f32[N, S], y: f32[M, S]) {
  const flat: i64[1] = {-1}
  z = onnx.Add(x, y) @add
  r = onnx.Reshape(z, flat) @flatten
  return r
})",
                                       "S >= 0, S <= 512");
  EXPECT_EQ(RunAt(program, {{"N", 2}, {"M", 2}, {"S", 8}}), "all guards hold");
  EXPECT_EQ(RunAt(program, {{"N", 0}, {"M", 2}, {"S", 8}}),
            "N >= 1 does not hold: sizes of the model's inputs are assumed to be at least 1");
  EXPECT_EQ(RunAt(program, {{"N", INT64_MIN}, {"M", 2}, {"S", 8}}),
            "N >= 1 does not hold: sizes of the model's inputs are assumed to be at least 1");
  EXPECT_EQ(RunAt(program, {{"N", 2}, {"M", 2}, {"S", -8}}),
            "S >= 0 does not hold: this was assumed of the model's inputs");
  EXPECT_EQ(RunAt(program, {{"N", 2}, {"M", 2}, {"S", 0}}), "all guards hold");
  EXPECT_EQ(RunAt(program, {{"N", 2}, {"M", 2}, {"S", 513}}),
            "S <= 512 does not hold: this was assumed of the model's inputs");
  EXPECT_EQ(RunAt(program, {{"N", 2}, {"M", 3}, {"S", 8}}),
            "N == 1 or N == M or M == 1 does not hold: Add cannot broadcast N with M at axis -2: they must "
            "be equal, or one "
            "of them 1 (Add 'add')");
  EXPECT_EQ(RunAt(program, {{"N", INT64_MAX}, {"M", INT64_MAX}, {"S", 8}}), "a number exceeds 64 bits");
  EXPECT_EQ(program.Message(1000), "unknown code");
}

struct BindCase {
  std::vector<int64_t> sizes;
  const char* message;
};

TEST(ProgramTest, BindInputs_ContradictorySizes_ReturnsMessage) {
  const ShapeProgram program = Compile(R"(opset onnx 17
graph g(x: f32[N, 3], y: f32[2*K + 1, N], z: f32[N + K]) {
  a = onnx.Relu(x)
  return a
})");
  ASSERT_EQ(program.input_sizes().size(), 5u);
  const BindCase cases[] = {
      {{4, 3, 7, 4, 7}, "all guards hold"},
      {{4, 2, 7, 4, 7},
       "size of x along axis 1 == 3 does not hold: input 'x' has another size than 3 along axis 1"},
      {{4, 3, 6, 4, 7},
       "size of y along axis 0 == 2*K + 1 does not hold: input 'y' has another size than 2*K + 1 along axis "
       "0"},
      {{4, 3, 7, 5, 7},
       "size of y along axis 1 == N does not hold: input 'y' has another size than N along axis 1"},
      {{4, 3, 7, 4, 8},
       "size of z along axis 0 == N + K does not hold: input 'z' has another size than N + K along axis 0"},
      {{4, 3, INT64_MIN, 4, 8}, "a number exceeds 64 bits"},
  };
  for (const BindCase& c : cases) {
    std::vector<int64_t> table = program.NewTable();
    for (size_t i = 0; i < c.sizes.size(); ++i) table[program.input_sizes()[i].index] = c.sizes[i];
    const int code = program.BindInputs(table);
    EXPECT_EQ(program.Message(code), c.message);
    if (code != 0) continue;
    EXPECT_EQ(table[program.FindSymbol("N")->index], 4);
    EXPECT_EQ(table[program.FindSymbol("K")->index], 3);
  }
}

struct PeakCase {
  const char* graph;
  const char* peak;
};

TEST(ProgramTest, Peak_TableOfGraphs_GivesExpression) {
  const PeakCase cases[] = {
      // At y, x and y are live; at z, y and z.
      {"opset onnx 17\ngraph g(x: f32[N, 4]) {\n  y = onnx.Relu(x)\n  z = onnx.Relu(y)\n  return z\n}",
       "32*N"},
      // x is live to the end.
      {"opset onnx 17\ngraph g(x: f32[N, 4]) {\n  y = onnx.Relu(x)\n  z = onnx.Relu(y)\n  w = onnx.Add(z, "
       "x)\n  return w\n}",
       "48*N"},
      // Half a byte per element, rounded up; a byte for a bool; weights do not count.
      {"opset onnx 17\ngraph g(x: u4[N], b: bool[N]) {\n  const c: f32[1000]\n  y = onnx.Identity(x)\n  z = "
       "onnx.Not(b)\n  return y, z\n}",
       "2*N + (N + 1)//2"},
      // The sizes decide which sum is larger.
      {R"(opset onnx 17
graph g(x: f32[N], y: f32[M]) {
  a = onnx.Concat(x, x; axis=0)
  s = onnx.ReduceSum(a; keepdims=0)
  b = onnx.Concat(y, y; axis=0)
  return s, b
})",
       "max(12*N + 4*M, 12*M + 4)"},
      // A branch has its own live values.
      {R"(opset onnx 17
graph g(x: f32[N], c: bool[]) {
  z = onnx.If(c) {
    then_branch: graph() {
      t = onnx.Relu(x)
      t2 = onnx.Relu(t)
      return t2
    }
    else_branch: graph() {
      return x
    }
  }
  return z
})",
       "16*N + 1"},
      {"opset onnx 17\ngraph g(x: f32[2, 3]) {\n  y = onnx.Relu(x)\n  return y\n}", "48"},
  };
  for (const PeakCase& c : cases) EXPECT_EQ(Compile(c.graph).peak().expression, c.peak) << c.graph;
}

// The program owns its data: it outlives the inference, and threads share it (program_threads_test.cc).
TEST(ProgramTest, RunMemory_Values_GivesBytes) {
  const ShapeProgram program =
      Compile("opset onnx 17\ngraph g(x: f16[N, 3]) {\n  y = onnx.Shape(x)\n  return y\n}");
  std::vector<int64_t> table = program.NewTable();
  table[program.FindSymbol("N")->index] = 5;
  ASSERT_EQ(program.Run(0, table), 0);
  ASSERT_EQ(program.RunMemory(0, table), 0);
  EXPECT_EQ(table[*program.FindValue("x")->bytes], 30);
  EXPECT_EQ(table[*program.FindValue("y")->bytes], 16);
  EXPECT_EQ(program.FindValue("no"), nullptr);
  // Bytes may overflow even if sizes do not.
  table[program.FindSymbol("N")->index] = INT64_MAX / 4;
  ASSERT_EQ(program.Run(0, table), 0);
  EXPECT_EQ(program.Message(program.RunMemory(0, table)), "a number exceeds 64 bits");
}

// A branch that always fails is rejected when execution reaches it, with the message of the failure.
TEST(ProgramTest, Run_FalseGuardInBranch_FailsItsStageOnly) {
  const ShapeProgram program = Compile(R"(opset onnx 17
graph g(x: f32[3], y: f32[4], c: bool[]) {
  z = onnx.If(c) @if {
    then_branch: graph() {
      t = onnx.Add(x, y) @add
      return t
    }
    else_branch: graph() {
      return x
    }
  }
  return z
})");
  std::vector<int64_t> table = program.NewTable();
  EXPECT_EQ(program.Run(0, table), 0);
  ASSERT_EQ(program.stages().size(), 2u);
  EXPECT_EQ(program.stages()[1].where, "if.then_branch");
  EXPECT_EQ(
      program.Message(program.Run(1, table)),
      "1 == 0 does not hold: Add cannot broadcast 3 with 4 at axis -1: they must be equal, or one of them "
      "1 (Add 'add')");
}

}  // namespace
}  // namespace dimwise
