// Infers programs with each optional analysis switched off. The results may be less precise, but never wrong:
// they must agree with the shapes of a run, which inference with the contents of all inputs computes.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/inference.h"
#include "infer/engine/inference_testing.h"

namespace dimwise {
namespace {

struct Switch {
  std::string_view name;
  bool AnalysisSwitches::*is_on;
};
constexpr Switch kSwitches[] = {
    {"value_numbering", &AnalysisSwitches::value_numbering},
    {"element_intervals", &AnalysisSwitches::element_intervals},
    {"counted_indices", &AnalysisSwitches::counted_indices},
    {"data_dependent_sizes", &AnalysisSwitches::data_dependent_sizes},
    {"branch_trials", &AnalysisSwitches::branch_trials},
};

// Each program uses what one analysis or several of them infer.
constexpr std::string_view kPrograms[] = {
    // One mask is computed twice and selects elements in two forms.
    R"(
opset onnx 21
graph masks(x: i64[5] = {3, -1, 4, -1, 5}) {
  const zero: i64[] = {0}
  const another_zero: i64[] = {0}
  a = onnx.Greater(x, zero)
  b = onnx.Less(another_zero, x)
  k = onnx.Compress(x, a; axis=0)
  places = onnx.NonZero(b)
  l = onnx.GatherND(x, places)
  rows = onnx.Transpose(places)
  m = onnx.GatherND(x, rows)
  y = onnx.Add(k, m)
  return y, k, rows
})",
    // Two sizes come from the largest of some lengths.
    R"(
opset onnx 21
graph lengths(lengths: i64[3] = {2, 7, 4}) {
  const zero: i64[] = {0}
  const one: i64[] = {1}
  const front: i64[1] = {0}
  longest = onnx.ReduceMax(lengths; keepdims=0)
  positions = onnx.Range(zero, longest, one)
  row = onnx.Unsqueeze(longest, front)
  zeros = onnx.ConstantOfShape(row; value=i64[1]{0})
  y = onnx.Add(positions, zeros)
  least = onnx.Clip(longest, one, one)
  short = onnx.Range(zero, least, one)
  return y, short
})",
    // Indices are positions, and lie in an interval.
    R"(
opset onnx 21
graph indices(x: f32[4], m: bool[6] = {1, 0, 1, 1, 0, 0}, table: f32[9, 2]) {
  const zero: i64[] = {0}
  const one: i64[] = {1}
  numbers = onnx.Cast(m; to=i64)
  marked = onnx.ReduceSum(numbers; keepdims=0)
  more = onnx.Add(marked, one)
  head = onnx.Range(zero, more, one)
  s = onnx.Shape(x)
  n = onnx.Squeeze(s)
  positions = onnx.Range(zero, n, one)
  picked = onnx.Gather(table, positions; axis=0)
  return head, picked
})",
    // The rest of the program requires a matrix.
    R"(
opset onnx 21
graph ranks(c: bool[] = {1}, x: f32[1, 6], w: f32[6, 2]) {
  const front: i64[1] = {0}
  squeezed = onnx.If(c) {
    then_branch: graph() {
      a = onnx.Identity(x)
      return a
    }
    else_branch: graph() {
      b = onnx.Squeeze(x, front)
      return b
    }
  }
  y = onnx.Gemm(squeezed, w)
  return y
})",
    // Two branches with opposite conditions select one length.
    R"(
opset onnx 21
graph choices(t: i64[] = {5}, x: f32[2], p: f32[3]) {
  const three: i64[] = {3}
  more = onnx.Greater(t, three)
  less = onnx.LessOrEqual(t, three)
  first = onnx.If(more) {
    then_branch: graph() {
      a = onnx.Concat(p, x; axis=0)
      return a
    }
    else_branch: graph() {
      b = onnx.Identity(x)
      return b
    }
  }
  second = onnx.If(less) {
    then_branch: graph() {
      d = onnx.Identity(x)
      return d
    }
    else_branch: graph() {
      e = onnx.Concat(x, p; axis=0)
      return e
    }
  }
  y = onnx.Add(first, second)
  return y
})",
};

// The positions must be inside the table: N <= 9 or N == 0.
constexpr std::string_view kPositions = R"(
opset onnx 21
graph positions(x: f32[N], table: f32[9, 2]) {
  const zero: i64[] = {0}
  const one: i64[] = {1}
  n = onnx.Size(x)
  positions = onnx.Range(zero, n, one)
  picked = onnx.Gather(table, positions; axis=0)
  return picked
})";

// Returns whether a type may describe a tensor of the constant type `real`.
bool Agrees(const Type& type, const Type& real) {
  if (!real.is_tensor() || !type.is_tensor() || type.shape.is_none() || !type.shape.has_rank()) return true;
  if (!real.shape.has_rank() || type.shape.rank() != real.shape.rank()) return false;
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    const Dim size = type.shape[axis], expected = real.shape[axis];
    if (size.is_constant() && expected.is_constant() && size != expected) return false;
  }
  return true;
}

// Returns the types of the outputs. Without contents, inputs may have any elements.
std::vector<Type> OutputTypes(Analysis& analysis, std::string_view program, bool contents,
                              AnalysisSwitches switches) {
  const auto graph = *ParseGraph(analysis, program);
  if (!contents) {
    for (const ValueId input : graph->inputs(graph->body())) graph->SetContents(input, {});
  }
  InferenceOptions options;
  options.analyses = switches;
  Inference inference(*graph, BuiltinRegistry(), options);
  inference.Run();
  for (const Diagnostic& d : inference.findings())
    EXPECT_NE(d.severity, Severity::kError) << graph->name() << ": " << d.message;
  std::vector<Type> types;
  for (const ValueId v : graph->outputs(graph->body())) types.push_back(inference.type(v));
  return types;
}

TEST(AnalysisSwitchesTest, EachAnalysisOff_ResultsAgreeWithARun) {
  for (const std::string_view program : kPrograms) {
    Analysis run;
    const std::vector<Type> real = OutputTypes(run, program, /*contents=*/true, {});
    for (const Type& type : real) EXPECT_TRUE(type.shape.is_constant()) << program;
    for (const Switch& analysis : kSwitches) {
      AnalysisSwitches switches;
      switches.*analysis.is_on = false;
      Analysis symbolic;
      const std::vector<Type> types = OutputTypes(symbolic, program, /*contents=*/false, switches);
      for (size_t i = 0; i < types.size(); ++i) {
        EXPECT_TRUE(Agrees(types[i], real[i]))
            << analysis.name << program << "\noutput " << i << ": " << ToString(symbolic.dims(), types[i]);
      }
    }
  }
}

// A switch that changes nothing would make the test above useless.
TEST(AnalysisSwitchesTest, EachAnalysisOff_SomeResultIsLessPrecise) {
  const auto infer_all = [](AnalysisSwitches switches) {
    InferenceOptions options;
    options.analyses = switches;
    std::string text = InferText(kPositions, options);
    for (const std::string_view program : kPrograms) {
      std::string without_contents(program);
      const size_t contents = without_contents.find(" = {");
      if (contents < without_contents.find("const")) {
        without_contents.erase(contents, without_contents.find('}', contents) + 1 - contents);
      }
      text += InferText(without_contents, options);
    }
    return text;
  };
  const std::string all = infer_all({});
  for (const Switch& analysis : kSwitches) {
    AnalysisSwitches switches;
    switches.*analysis.is_on = false;
    EXPECT_NE(infer_all(switches), all) << analysis.name;
  }
}

}  // namespace
}  // namespace dimwise
