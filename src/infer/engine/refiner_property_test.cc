// A graph that is edited at random: the refiner, told of each edit, knows the same as one that meets the
// graph for the first time; and so does one that was told of the nodes in another order, unless the program
// contradicts itself (it needs K == 2 here and K == 4 there): then the order decides which of the two nodes
// gets the error.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "dimwise/builtin.h"
#include "dimwise/refiner.h"

namespace dimwise {
namespace {

struct Operator {
  const char* name;
  size_t operands;
  AttrMap attrs;
};

const std::vector<Operator>& Operators() {
  static const std::vector<Operator> operators = {
      {"onnx.Relu", 1, {}},
      {"onnx.Add", 2, {}},
      {"onnx.Mul", 2, {}},
      {"onnx.MatMul", 2, {}},
      {"onnx.Transpose", 1, {}},
      {"onnx.Concat", 2, {{"axis", 0}}},
      {"onnx.Shape", 1, {}},
      {"onnx.Reshape", 2, {}},
      {"onnx.Flatten", 1, {}},
      {"onnx.ReduceSum", 1, {{"keepdims", 0}}},
      {"onnx.Softmax", 1, {{"axis", -1}}},
      {"onnx.NonZero", 1, {}},
  };
  return operators;
}

class RandomGraph {
 public:
  explicit RandomGraph(unsigned seed) : random_(seed), graph_(analysis_) {
    for (const char* type : {"f32[N, 4]", "f32[M, 4]", "f32[4, K]", "f32[2, 3]", "f32[*]", "i64[2]"}) {
      values_.push_back(graph_.AddInput(graph_.body(),
                                        graph_.Keep(std::string("x") + std::to_string(values_.size())),
                                        *ParseType(analysis_, type)));
    }
  }

  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }
  // One made by a node before `node`, so that the graph has no cycle.
  ValueId AnyValueBefore(NodeId node) {
    for (;;) {
      const ValueId v = values_[Below(values_.size())];
      const NodeId maker = graph_.maker(v);
      if (maker == kNoNode || Index(maker) < Index(node)) return v;
    }
  }
  NodeId AddNode() {
    const Operator& op = Operators()[Below(Operators().size())];
    std::vector<ValueId> operands;
    for (size_t i = 0; i < op.operands; ++i) operands.push_back(values_[Below(values_.size())]);
    const std::string_view name = graph_.Keep("y" + std::to_string(values_.size()));
    const NodeId node = graph_.AddNode(
        graph_.body(), {.op = graph_.UseOp(op.name, 21), .name = name, .attrs = graph_.AddAttrs(op.attrs)},
        operands, std::span(&name, 1));
    values_.push_back(graph_.results(node)[0]);
    nodes_.push_back(node);
    return node;
  }

  Graph& graph() { return graph_; }
  Analysis& analysis() { return analysis_; }
  std::vector<NodeId>& nodes() { return nodes_; }

 private:
  std::mt19937 random_;
  Analysis analysis_;
  Graph graph_;
  std::vector<ValueId> values_;
  std::vector<NodeId> nodes_;
};

// What is known of a value, up to the names of unknowns.
std::string Known(Analysis& analysis, const Type& type) {
  if (!type.is_tensor() || type.shape.is_none() || !type.shape.has_rank()) return "*";
  std::string text;
  for (const Dim d : type.shape.dims()) {
    const Dim simple = analysis.facts().Simplify(d, ScopeId::kRoot);
    bool ours = false;
    if (simple.is_expression()) {
      for (const Dim s : analysis.dims().SymbolsOf(simple)) ours |= !analysis.dims().GetSymbol(s).of_user;
    }
    text += ours ? "?, " : analysis.dims().ToString(simple) + ", ";
  }
  return text;
}

std::string Known(Refiner& refiner, Graph& graph) {
  std::string text;
  for (uint32_t v = 0; v < graph.value_count(); ++v) {
    if (graph.role(ValueId{v}) == ValueRole::kMissing) continue;
    text +=
        std::string(graph.name(ValueId{v})) + ": " + Known(graph.analysis(), refiner.type(ValueId{v})) + "\n";
  }
  return text;
}

bool ContradictsItself(Refiner& refiner, Graph& graph) {
  for (uint32_t n = 0; n < graph.node_count(); ++n) {
    const Status status = refiner.status(NodeId{n});
    if (!status && status.error().code != Code::kElementType && status.error().code != Code::kRankMismatch)
      return true;
  }
  return false;
}

TEST(RefinerProperty, EditsEndWhereAFreshStartWould) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    RandomGraph random(seed);
    Graph& graph = random.graph();
    RefinerOptions options;
    options.require_shape_functions = false;
    Refiner refiner(graph, BuiltinRegistry(), options);
    for (int edit = 0; edit < 40; ++edit) {
      const size_t kind = random.nodes().empty() ? 0 : random.Below(10);
      if (kind < 6) {
        (void)refiner.AddNode(random.AddNode());
      } else {
        const NodeId node = random.nodes()[random.Below(random.nodes().size())];
        if (!graph.Has(node)) continue;
        if (kind < 9) {
          (void)refiner.SetInput(node, 0, random.AnyValueBefore(node));
        } else {
          ASSERT_TRUE(refiner.RemoveNode(node).has_value());
        }
      }
    }
    const std::string incremental = Known(refiner, graph);
    // From scratch, without the facts of the first refiner, which all belong to nodes.
    for (OwnerId owner = 0; owner <= graph.node_count(); ++owner) random.analysis().facts().RetractAll(owner);
    Refiner second(graph, BuiltinRegistry(), options);
    second.AddAll();
    ASSERT_EQ(incremental, Known(second, graph)) << "seed " << seed;
  }
}

TEST(RefinerProperty, TheOrderOfVisitsDoesNotMatter) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 80; ++seed) {
    RandomGraph random(seed);
    Graph& graph = random.graph();
    for (int i = 0; i < 16; ++i) random.AddNode();
    RefinerOptions options;
    options.require_shape_functions = false;
    std::string in_order;
    {
      Refiner refiner(graph, BuiltinRegistry(), options);
      refiner.AddAll();
      if (ContradictsItself(refiner, graph)) continue;
      in_order = Known(refiner, graph);
    }
    ++compared;
    for (OwnerId owner = 0; owner <= graph.node_count(); ++owner) random.analysis().facts().RetractAll(owner);
    std::vector<NodeId> shuffled = random.nodes();
    std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(seed));
    Refiner refiner(graph, BuiltinRegistry(), options);
    for (const NodeId n : shuffled) (void)refiner.AddNode(n);
    ASSERT_EQ(Known(refiner, graph), in_order) << "seed " << seed;
  }
  EXPECT_GT(compared, 20);
}

}  // namespace
}  // namespace dimwise
