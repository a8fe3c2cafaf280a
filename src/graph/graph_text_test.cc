#include "dimwise/graph_text.h"

#include <gtest/gtest.h>

#include <string>

namespace dimwise {
namespace {

// Parses and prints a text; returns the error if it does not parse.
std::string Reprinted(Analysis& analysis, std::string_view text, const GraphTextOptions& options = {}) {
  const Result<std::unique_ptr<Graph>> graph = ParseGraph(analysis, text, "t");
  return graph ? ToString(**graph, options) : ToString(graph.error());
}

// Expects that a text in canonical form prints identically.
void ExpectCanonical(std::string_view text) {
  Analysis analysis;
  EXPECT_EQ(Reprinted(analysis, text), text);
}

TEST(GraphText, ToString_CanonicalText_IsUnchanged) {
  ExpectCanonical("graph() {\n}\n");
  ExpectCanonical(R"(opset onnx 21

graph mlp(x: f32[N, 784]) {
  const w1: f32[784, 128]
  const b1: f32[128]
  h = onnx.Gemm(x, w1, b1)
  y: f32[N, 128] = onnx.Relu(h) @relu1
  return y
}
)");
}

TEST(GraphText, ToString_TypesAndContents_AreKept) {
  ExpectCanonical(
      R"(graph types(a: f32[*], b: seq(f32[N, k], length=T, each=k), c: optional(i64[]), d: f32[2, 3] csr, e, f: map(i64, f32[2]), g: handle(f32[2], i32[])) {
  const s: i64[2] = {0, -1}
  const t: i64[3] = {N, N + 1, ?}
  const u: f32[2] = {0.1, inf}
  const v: bool[2] = {true, false}
  const w: i64[] = {3}
  const z: i64[0] = {}
  return a
}
)");
}

TEST(GraphText, ToString_AttributesOfInputsAndConstants_AreKept) {
  ExpectCanonical(
      R"(graph vars(a: f32[*] with (__shape__=[2, 3], __storage_type__="csr"), b with (__dtype__=f16), `with`) {
  const s: i64[2] = {0, -1} with (lr_mult=0.5)
  y = my.Add(a, b)
  return y, s
}
)");
}

TEST(GraphText, ToString_ResultsOperandsAttributes_AreKept) {
  ExpectCanonical(R"text(graph attrs(x: f32[N, 4]) {
  a, b = onnx.Split(x, _; axis=1)
  c, _, _: f32[N] = onnx.Dropout(a, _, _)
  onnx.Print(c, _)
  d = onnx.Cast(b; to=f16)
  e = x.All(x; b=true, f=0.5, g=my.body[T=f32], i=-3, l=[1, 2], m=[none, 2], n=none, s="a, b)", t=f32[2]{1.0, 2.0}, z=[])
  f = x.Kinds(x; s: shape = [2, ?], ss: list(shape) = [[2], [*]], t: type = ?, u: shape = [2, 3])
  return d, d, x
}
)text");
}

TEST(GraphText, ToString_VersionsAndNames_AreKept) {
  ExpectCanonical(R"(opset com.microsoft 1
opset onnx 13

graph `a b`(`x 1`: f32[2], "tab\x09": f32[2], `b``q`: f32[2], layers.0.weight: f32[2], `graph`: f32[2], `_`: f32[2]) {
  y = onnx.Add(`x 1`, "tab\x09") @`node/1`
  z = onnx.Relu@14(`b``q`) @layers.0
  w = com.microsoft.Gelu(layers.0.weight)
  v = onnx.Relu@0(`graph`)
  u = `tensorflow.Addons>Resample`(`_`)
  t = NoSet@3(y)
  s = onnx.Neg(z)
  return w, v, u, t, s
}
)");
}

TEST(GraphText, ParseGraph_NestedRegion_SeesEnclosingValues) {
  ExpectCanonical(R"(opset onnx 16

graph nested(c: bool[], x: f32[N]) {
  y, n = onnx.If(c) @if1 {
    then_branch: graph() {
      a = onnx.Neg(x)
      m = onnx.Loop(_, c, a; k=1) {
        body: graph(i: i64[], cond: bool[], s) {
          a%2 = onnx.Add(s, a)
          return cond, a%2, late
        }
      }
      return m, x
    }
    else_branch: graph() {
      a = onnx.Abs(x)
      return a, a
    }
  }
  late = onnx.Relu(x)
  return y
}
)");
}

TEST(GraphText, ToString_ControlEdgesAndMissingValues_AreKept) {
  ExpectCanonical(R"(graph loop(x: f32[N]) {
  missing v: f32[2]
  m = tf.Merge(x, n) @merge after %1, next%2
  %1 = tf.Enter(v, %1) @%1
  n = tf.NextIteration(m) @next%2 after merge
  o = tf.Other(m, m%2) @next
  m%2 = tf.Other(m)
  return o
}
)");
}

TEST(GraphText, ToString_Functions_AreKept) {
  ExpectCanonical(R"(opset my 1
opset onnx 20

function my.Gelu(x, y: f32[N]; alpha: float = 1.0, mode, axes: list(int) = [1, 2], s: shape = [2, ?]) {
  a = onnx.Elu(x; beta=2, alpha=$alpha, m=$mode)
  return a
}

function my.Twice(x) {
  y = my.Gelu(x; mode="tanh")
  return y
}

graph main(x: f32[N]) {
  y = my.Twice(x)
  return y
}
)");
}

TEST(GraphText, ParseGraph_EquivalentSpellings_PrintCanonically) {
  Analysis analysis;
  EXPECT_EQ(Reprinted(analysis, R"(
# a comment with `quotes" and 'brackets (
opset onnx 21
graph g (x :f32 [N,784] , # inside
 s: i64[2] =[0,-1]) { h=onnx . )"),
            R"(error[DW0510]: expected `(` before the operands, found `.`
  --> t:5:30
   |   s: i64[2] =[0,-1]) { h=onnx .
   |                               ^)");
  EXPECT_EQ(Reprinted(analysis, R"(
# a comment with `quotes" and 'brackets (
opset onnx 21
graph g (x :f32 [N,784] , # inside
 s: i64[2] =[0,-1], t: f32[2] default) { h=onnx.Gemm ( x,w: float32[784, 128]const,
   "w\x31" : FLOAT[128] const = 3 ;alpha = 1. , l=(1,  # one
   2), perm: shape = (1, None)) y%1:f32[N]=
 onnx.Relu@21( h )@r const c:i64[]=7 z = onnx.Add(y, y%2) y%2 = onnx.Neg(y%1) return y
,h
})"),
            "error[DW0002]: 1 elements are given as contents of the shape [128], which has 128\n"
            "  --> t:6:33\n"
            "   |     \"w\\x31\" : FLOAT[128] const = 3 ;alpha = 1. , l=(1,  # one\n"
            "   |                                  ^");
  EXPECT_EQ(Reprinted(analysis, R"(
opset onnx 21
graph g (x :f32 [N,784] , # inside
 s: i64[2] =[0,-1], t: f32[2] default) { h=onnx.Gemm ( x,w: float32[784, 128]const,
   "w\x31" : FLOAT[] const = 3 ;alpha = 1. , l=(1,  # one
   2), perm: shape = (1, None)) y%1:f32[N]=
 onnx.Relu@21( h )@r const c:i64[]=7 z = onnx.Add(y, y%2) y%2 = onnx.Neg(y%1) return y
,h
})"),
            R"(opset onnx 21

graph g(x: f32[N, 784], s: i64[2] = {0, -1}, t: f32[2] dense) {
  const c: i64[] = {7}
  const w: f32[784, 128]
  const w1: f32[] = {3.0}
  h = onnx.Gemm(x, w, w1; alpha=1.0, l=[1, 2], perm: shape = [1, ?])
  y: f32[N] = onnx.Relu(h) @r
  z = onnx.Add(y, y%2)
  y%2 = onnx.Neg(y)
  return y, h
}
)");
}

TEST(GraphText, ParseGraph_SymbolOfSameName_IsSameSymbol) {
  Analysis analysis;
  const auto graph = ParseGraph(analysis, "graph(x: f32[N, M], y: f32[M, ?]) { }").value();
  const RegionId body = graph->body();
  const Shape x = graph->declared(graph->inputs(body)[0]).shape;
  const Shape y = graph->declared(graph->inputs(body)[1]).shape;
  EXPECT_EQ(x[1], y[0]);
  EXPECT_EQ(x[0], analysis.dims().Symbol("N"));
  EXPECT_NE(y[1], y[0]);
}

TEST(GraphText, ToString_LongContents_AreOmittedByDefault) {
  Analysis analysis;
  std::string text = "graph() {\n  const c: i64[65] = {0";
  for (int i = 1; i < 65; ++i) text += ", " + std::to_string(i);
  text += "}\n}\n";
  EXPECT_EQ(Reprinted(analysis, text), "graph() {\n  const c: i64[65]\n}\n");
  EXPECT_EQ(Reprinted(analysis, text, {.max_contents = 65}), text);
}

TEST(GraphText, ToString_ContentsWithoutType_PrintsTheirType) {
  Analysis analysis;
  Graph graph(analysis);
  const int64_t sizes[] = {2};
  const Value contents = analysis.values().Integers(ElementType::kI64, sizes, std::vector<Dim>{4, 5});
  graph.AddConstant(graph.body(), "a", Type(), contents);
  graph.AddConstant(graph.body(), "b", *ParseType(analysis, "i64[N]"), contents);
  graph.AddConstant(graph.body(), "c", *ParseType(analysis, "i64[3]"), contents);
  EXPECT_EQ(ToString(graph),
            "graph() {\n  const a: i64[2] = {4, 5}\n  const b: i64[2] = {4, 5}\n  const c: i64[3]\n}\n");
}

TEST(GraphText, ToString_RemovedNodes_AreOmitted) {
  Analysis analysis;
  const auto graph = ParseGraph(analysis, R"(graph(x) {
    a = onnx.Neg(x) @a
    b = onnx.If(a) after a { then_branch: graph() { c = onnx.Neg(a) return c } }
    d = onnx.Neg(b)
    return d, a
  })")
                         .value();
  EXPECT_TRUE(graph->RemoveNode(graph->nodes(graph->body())[0]));
  EXPECT_TRUE(graph->RemoveNode(graph->nodes(graph->body())[1]));
  EXPECT_EQ(ToString(*graph), R"(graph(x) {
  missing a
  missing b
  d = onnx.Neg(b)
  return d, a
}
)");
}

TEST(GraphText, ToString_DeepNesting_PrintsButDoesNotParse) {
  Analysis analysis;
  Graph graph(analysis);
  const OpId op = graph.UseOp("onnx.If", 0);
  RegionId region = graph.body();
  for (int i = 0; i < 100000; ++i) {
    region = graph.AddRegion(graph.AddNode(region, {.op = op}, {}, {"y"}), "r");
  }
  const std::string text = ToString(graph);
  EXPECT_LT(text.size(), 100000u * 4 * 150);
  const auto again = ParseGraph(analysis, text);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().message, "regions are nested more than 200 deep");
  for (const char* hostile : {"graph(x: ", "graph() { y = o.O(; a=", "graph() { const c: i64[1] = "}) {
    for (const char* open : {"[", "(", "{", "seq(", "`", "\""}) {
      std::string deep = hostile;
      for (int i = 0; i < 100000; ++i) deep += open;
      EXPECT_FALSE(ParseGraph(analysis, deep));
    }
  }
}

}  // namespace
}  // namespace dimwise
