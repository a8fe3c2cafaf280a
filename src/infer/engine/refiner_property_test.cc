// Edits a graph at random and notifies the refiner of each edit. Its state must equal that of a new refiner.
// It must also equal that of a refiner that is notified of the nodes in another order, unless the program
// contradicts itself (K == 2 here and K == 4 there): then the order decides which node gets the error.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "dimwise/builtin.h"
#include "dimwise/refiner.h"
#include "infer/engine/engine.h"

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
                                        graph_.StoreCopy(std::string("x") + std::to_string(values_.size())),
                                        *ParseType(analysis_, type)));
    }
  }

  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }
  // Returns a value that is computed before `node`, so that the graph has no cycle.
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
    const std::string_view name = graph_.StoreCopy("y" + std::to_string(values_.size()));
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

// Returns what is known of a value, up to the names of generated symbols.
std::string Known(Analysis& analysis, const Type& type) {
  if (!type.is_tensor() || type.shape.is_none() || !type.shape.has_rank()) return "*";
  std::string text;
  for (const Dim d : type.shape.dims()) {
    const Dim simple = analysis.facts().Simplify(d, ScopeId::kRoot);
    bool ours = false;
    if (simple.is_expression()) {
      for (const Dim s : analysis.dims().SymbolsOf(simple)) ours |= !analysis.dims().GetSymbol(s).of_user;
    }
    text += (ours ? "?" : analysis.dims().ToString(simple)) + "; ";
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

TEST(RefinerProperty, RandomEdits_ComparedWithNewRefiner_AreEqual) {
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
    // Infers from scratch without the facts of the first refiner, which all belong to nodes.
    for (OwnerId owner = 0; owner <= graph.node_count(); ++owner) random.analysis().facts().RetractAll(owner);
    Refiner second(graph, BuiltinRegistry(), options);
    second.AddAll();
    ASSERT_EQ(incremental, Known(second, graph)) << "seed " << seed;
  }
}

TEST(RefinerProperty, VisitOrder_Random_GivesEqualResults) {
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

// Returns whether a text of Known() contains at most the information of another and does not contradict it.
bool IsWeaker(const std::string& less, const std::string& more) {
  if (less == "*" || less == more) return true;
  if (more == "*") return false;
  const auto sizes = [](const std::string& text) {
    std::vector<std::string> parts;
    for (size_t at = 0; at < text.size(); at = text.find("; ", at) + 2)
      parts.push_back(text.substr(at, text.find("; ", at) - at));
    return parts;
  };
  const std::vector<std::string> a = sizes(less), b = sizes(more);
  if (a.size() != b.size()) return false;
  const auto is_number = [](const std::string& s) {
    return s.find_first_not_of("0123456789") == std::string::npos;
  };
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && is_number(a[i])) return false;
  }
  return true;
}

// The result of inference with a limit on visits per node.
struct Outcome {
  std::vector<std::string> known;
  bool gave_up = false;
  bool has_errors = false;  // then the order of visits decides
};

Outcome InferWithin(uint32_t visits_per_node, Graph& graph) {
  EngineOptions options;
  options.visits_per_node = visits_per_node;
  options.backward = true;
  Engine engine(graph, BuiltinRegistry(), options);
  engine.InferAll();
  Outcome outcome;
  for (uint32_t v = 0; v < graph.value_count(); ++v) {
    outcome.known.push_back(Known(graph.analysis(), engine.state().type(ValueId{v})));
  }
  for (uint32_t n = 0; n < graph.node_count(); ++n) {
    if (engine.state().effects_of(NodeId{n}) == nullptr) continue;
    for (const Diagnostic& d : engine.state().effects_of(NodeId{n})->findings) {
      outcome.gave_up |= d.message.find("still change after") != std::string::npos;
      outcome.has_errors |= d.severity == Severity::kError;
    }
  }
  return outcome;
}

TEST(RefinerProperty, VisitLimit_Exceeded_LosesInformationOnly) {
  int gave_up = 0, less = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    RandomGraph random(seed);
    Graph& graph = random.graph();
    for (int i = 0; i < 8; ++i) random.AddNode();
    const Outcome cut = InferWithin(0, graph);
    for (OwnerId owner = 0; owner <= graph.node_count(); ++owner) random.analysis().facts().RetractAll(owner);
    const Outcome whole = InferWithin(64, graph);
    EXPECT_FALSE(whole.gave_up) << "seed " << seed;
    if (whole.has_errors) continue;
    gave_up += cut.gave_up;
    for (size_t v = 0; v < whole.known.size(); ++v) {
      EXPECT_TRUE(IsWeaker(cut.known[v], whole.known[v]))
          << "seed " << seed << ", value " << v << ": " << cut.known[v] << "is not less than "
          << whole.known[v];
      less += cut.known[v] != whole.known[v];
    }
  }
  EXPECT_GT(gave_up, 10);
  EXPECT_GT(less, 10);
}

}  // namespace
}  // namespace dimwise
