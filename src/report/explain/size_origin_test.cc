#include "report/explain/size_origin.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"

namespace dimwise {
namespace {

std::string LocationText(const ModelReport& report, const SizeLocation& location) {
  return fmt::format("{}{}[{}]", location.in_contents ? "=" : "", report.names.Value(location.value),
                     location.index);
}

// Returns "a[1]" for a copied size, and "from a[1], =b[0]; by strides" for a computed size; "=" marks
// contents.
std::string OriginText(const ModelReport& report, const SizeLocation& location) {
  const std::optional<SizeOrigin> origin = OriginOfSize(report, location);
  if (!origin) return "no origin";
  if (origin->taken) return LocationText(report, *origin->taken);
  std::vector<std::string> from;
  for (const SizeLocation& source : origin->from) from.push_back(LocationText(report, source));
  for (const ValueId value : origin->ranks) from.push_back("rank of " + report.names.Value(value));
  std::string text = fmt::format("from {}", fmt::join(from, ", "));
  if (!origin->attrs.empty()) text += fmt::format("; by {}", fmt::join(origin->attrs, ", "));
  return text + (origin->is_made ? "; at run time" : "");
}

struct OriginCase {
  std::string_view inputs, node;
  int64_t index;  // an axis of y; from 100 on an element of its contents
  std::string_view origin;
};

TEST(SizeOrigin, Size_OfEachOperator_HasExpectedOrigin) {
  const OriginCase cases[] = {
      // Equal sizes have different origins.
      {"a: f32[N, N], b: f32[N, N]", "onnx.MatMul(a, b)", 0, "a[0]"},
      {"a: f32[N, N], b: f32[N, N]", "onnx.MatMul(a, b)", 1, "b[1]"},
      {"a: f32[N, N], b: f32[N, N]", "onnx.Concat(a, b; axis=1)", 0, "a[0]"},
      {"a: f32[N, N], b: f32[N, N]", "onnx.Concat(a, b; axis=1)", 1, "from a[1], b[1]; by axis"},
      {"a: f32[N, N]", "onnx.Transpose(a; perm=[1, 0])", 0, "a[1]"},
      {"a: f32[4, 4], b: f32[4]", "onnx.Add(a, b)", 1, "a[1]"},
      {"a: f32[4, 1], b: f32[4]", "onnx.Add(a, b)", 1, "b[0]"},
      {"a: f32[N, S], b: f32[N, T]", "onnx.Add(a, b)", 1, "from a[1], b[1]"},
      {"c: bool[N, T], a: f32[S, S], b: f32[]", "onnx.Where(c, a, b)", 1, "from c[1], a[1]"},
      // Constant elements are reported if they matter.
      {"a: f32[N, 8]", "onnx.Reshape(a, l: i64[2] const = {0, 8})", 0, "a[0]"},
      {"a: f32[N, 8]", "onnx.Reshape(a, l: i64[2] const = {-1, 8})", 1, "=l[1]"},
      {"a: f32[N, 8]", "onnx.Reshape(a, l: i64[2] const = {-1, 4})", 0, "from a[0], a[1], =l[1]"},
      {"a: f32[N, 8]", "onnx.Gather(a, i: i64[] const = {3}; axis=1)", 0, "a[0]"},
      // Attributes are reported unless they have their default.
      {"a: f32[1, 3, H, W], w: f32[8, 3, 3, 3], b: f32[8]",
       "onnx.Conv(a, w, b; strides=[2, 2], dilations=[1, 1], group=1)", 2, "from a[2], w[2]; by strides"},
      {"a: f32[1, 3, H, W], w: f32[8, 3, 3, 3], b: f32[8]", "onnx.Conv(a, w, b)", 1, "w[0]"},
      // Ranks, and data known only at run time.
      {"a: f32[N, 3, 4]", "onnx.Shape(a)", 0, "from rank of a"},
      {"a: f32[N, 3, 4]", "onnx.Shape(a)", 101, "a[1]"},
      {"a: f32[N, 3]", "onnx.NonZero(a)", 1, "from ; at run time"},
      {"a: f32[N, 3]", "onnx.ReduceMean(a; axes=[1])", 1, "from "},
      {"a: f32[N]", "my.Own(a)", 0, "no origin"},
  };
  for (const OriginCase& c : cases) {
    SCOPED_TRACE(fmt::format("{} of {} [{}]", c.node, c.inputs, c.index));
    Analysis analysis;
    const auto graph = ParseGraph(
        analysis,
        fmt::format("opset onnx 17\ngraph g({}) {{\n  y: f32[K] = {}\n  return y\n}}", c.inputs, c.node));
    ASSERT_TRUE(graph) << graph.error().message;
    Inference inference(**graph, BuiltinRegistry());
    inference.Run();
    const ModelReport report("g", "text", inference);
    const bool in_contents = c.index >= 100;
    EXPECT_EQ(OriginText(report, {report.names.FindValue("y"), in_contents, c.index % 100}), c.origin);
  }
}

}  // namespace
}  // namespace dimwise
