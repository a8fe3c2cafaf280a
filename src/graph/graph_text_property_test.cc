// Tests that random graphs, with all features of the text form, parse back from their text.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "core/base/rounds_testing.h"
#include "dimwise/graph_text.h"
#include "graph/graph_equal_testing.h"

namespace dimwise {
namespace {

class RandomGraph {
 public:
  RandomGraph(unsigned seed, Graph& graph) : random_(seed), graph_(graph), analysis_(graph.analysis()) {}

  void Fill(bool is_function) {
    if (is_function) {
      graph_.function_attrs.push_back(
          {"alpha", graph_.attrs(graph_.AddAttrs({{"alpha", Attr()}})).Find("alpha")});
      if (Chance(2)) graph_.function_attrs.push_back({"required", nullptr});
    } else {
      graph_.set_name(Name());
    }
    Region(graph_.body(), 0, {});
    for (int i = 0; i < 3; ++i) {
      if (nodes_.size() > 1 && Chance(2)) graph_.AddControlEdge(Pick(nodes_), Pick(nodes_));
    }
    if (is_function) graph_.ReferToAttr(Pick(nodes_), "a name", "alpha");
    for (int i = 0; i < 2; ++i) {
      if (Chance(3) && graph_.Has(Pick(nodes_))) (void)graph_.RemoveNode(Pick(nodes_));
    }
  }

 private:
  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(random_()) % n; }
  bool Chance(uint32_t one_in) { return Below(one_in) == 0; }
  template <typename T>
  const T& Pick(const std::vector<T>& list) {
    return list[Below(static_cast<uint32_t>(list.size()))];
  }

  std::string_view Name() {
    static constexpr std::string_view kNames[] = {
        "",      "x",     "y",  "y",   "a.b",       "model/layer 1", "return", "_",
        "after", "q`q``", "\"", "\\n", "new\nline", "\xff\x01",      "h",      "é",
        "0x",    "a.",    "%1", "#",   "z"};
    return kNames[Below(std::size(kNames))];
  }

  Type RandomType() {
    static constexpr const char* kTypes[] = {"?",
                                             "f32[N, 3]",
                                             "f32[*]",
                                             "?[2]",
                                             "i64[2] csr",
                                             "seq(f32[N, ?])",
                                             "optional(f32[])",
                                             "map(i64, f32[2])",
                                             "f32[(N + 1)//2, `a b`]",
                                             "seq(f32[2], f32[3])",
                                             "handle(f32[M])"};
    return ParseType(analysis_, kTypes[Below(std::size(kTypes))]).value();
  }

  AttrValue Attr() {
    switch (Below(12)) {
      case 0:
        return static_cast<int64_t>(random_());
      case 1:
        return -0.25 * Below(100);
      case 2:
        return Chance(2);
      case 3:
        return std::string(Name());
      case 4:
        return ElementType::kBF16;
      case 5:
        return ShapeProto{.unknown_rank = false, .dims = {2, -1}};
      case 6:
        return TensorValue{.type = ElementType::kF32,
                           .shape = {.unknown_rank = false, .dims = {40}},
                           .contents = std::vector<double>(40, 0.5)};
      case 7:
        return FunctionValue{std::string(Name()), {{std::string(Name()), 1}}};
      case 8:
        return AttrValue::Ints(Below(100), 3);
      case 9:
        return AttrValue::Strings{"a", "b, c)"};
      case 10:
        return std::vector<ShapeProto>{{.unknown_rank = true, .dims = {}},
                                       {.unknown_rank = false, .dims = {1}}};
      default:
        return AttrValue();
    }
  }

  AttrsId Attrs() {
    AttrMap attrs;
    for (uint32_t i = Below(3); i > 0; --i) attrs.Set(std::string(Name()), Attr());
    return graph_.AddAttrs(std::move(attrs));
  }

  ValueId Constant(RegionId region) {
    if (Chance(2)) return graph_.AddConstant(region, Name(), RandomType());
    const int64_t sizes[] = {2};
    ValueTable& values = analysis_.values();
    const Dim n = analysis_.dims().Symbol("N");
    switch (Below(3)) {
      case 0:
        return graph_.AddConstant(
            region, Name(), *ParseType(analysis_, "i64[2]"),
            values.Integers(ElementType::kI64, sizes, std::vector<Dim>{n, Dim(Below(9))}));
      case 1:
        return graph_.AddConstant(
            region, Name(), *ParseType(analysis_, "f32[2]"),
            values.Floats(ElementType::kF32, sizes, std::vector<Float>{Float::Of(0.5), Float::Of(-1e30)}));
      default:
        return graph_.AddConstant(region, Name(), *ParseType(analysis_, "bool[2]"),
                                  values.Booleans(sizes, std::vector<Boolean>{{Dim(0)}, {Dim(1)}}));
    }
  }

  void Region(RegionId region, int depth, std::vector<ValueId> seen) {
    for (uint32_t i = Below(3); i > 0; --i) seen.push_back(graph_.AddInput(region, Name(), RandomType()));
    for (uint32_t i = Below(3); i > 0; --i) seen.push_back(Constant(region));
    if (!seen.empty() && Chance(2)) (void)graph_.SetAttrs(seen.back(), Attrs());
    std::vector<ValueId> later;  // computed by a later node, or by none
    for (uint32_t i = Below(3); i > 0; --i) later.push_back(graph_.AddValue(region, Name()));
    seen.insert(seen.end(), later.begin(), later.end());
    for (uint32_t i = Below(6) + 1; i > 0; --i) {
      std::vector<ValueId> operands;
      for (uint32_t k = Below(4); k > 0; --k)
        operands.push_back(seen.empty() || Chance(6) ? kNoValue : Pick(seen));
      const Graph::NodeSpec spec = {.op = graph_.UseOp(Chance(9)   ? Name()
                                                       : Chance(2) ? "onnx.Foo"
                                                                   : "my.set.Bar",
                                                       static_cast<int>(Below(3))),
                                    .name = Name(),
                                    .attrs = Attrs()};
      std::vector<std::string_view> names;
      for (uint32_t k = Below(3); k > 0; --k) names.push_back(Name());
      const NodeId node = !later.empty() && Chance(3)
                              ? graph_.AddNodeFor(region, spec, operands, {{Pick(later)}})
                              : graph_.AddNode(region, spec, operands, names);
      nodes_.push_back(node);
      for (const ValueId result : graph_.results(node)) {
        seen.push_back(result);
        if (Chance(3)) graph_.Declare(result, RandomType());
      }
      for (uint32_t k = depth < 3 && Chance(3) ? Below(3) : 0; k > 0; --k) {
        Region(graph_.AddRegion(node, Name()), depth + 1, seen);
      }
    }
    for (uint32_t i = Below(3); i > 0 && !seen.empty(); --i) graph_.AddOutput(region, Pick(seen));
  }

  std::mt19937 random_;
  Graph& graph_;
  Analysis& analysis_;
  std::vector<NodeId> nodes_;
};

TEST(GraphTextProperty, ToString_RandomGraph_ParsesBack) {
  for (unsigned seed = 0; seed < Rounds(3000u); ++seed) {
    Analysis analysis;
    Graph graph(analysis);
    RandomGraph(seed, graph).Fill(false);
    for (unsigned f = 0; f < seed % 3; ++f)
      RandomGraph(seed + f, *graph.AddFunction("my.F" + std::to_string(f))).Fill(true);
    const std::string text = ToString(graph);
    const auto again = ParseGraph(analysis, text);
    ASSERT_TRUE(again) << seed << '\n' << text << ToString(again.error());
    ASSERT_EQ(GraphDifference(graph, **again), "") << seed << '\n' << text;
    ASSERT_EQ(ToString(**again), text) << seed;
    Analysis other;
    const auto elsewhere = ParseGraph(other, text);
    ASSERT_TRUE(elsewhere) << seed << '\n' << text << ToString(elsewhere.error());
    ASSERT_EQ(ToString(**elsewhere), text) << seed;
  }
}

}  // namespace
}  // namespace dimwise
