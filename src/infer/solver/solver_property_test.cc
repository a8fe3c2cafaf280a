// Tests the solver on random programs with known true shapes, of which only a part is given:
// - The inferred types are true, and there are no errors.
// - The worklist reaches the same fixed point as alternating forward and backward sweeps over all nodes. The
//   sweeps are implemented here as simply as possible.
// - The solver infers at least what the refiner infers.
//
// A size counts as known if the facts prove it. Facts are sound, not complete (facts.h), so in rare programs
// different orders could prove different equalities. None of these programs is such a case.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/refiner.h"
#include "dimwise/solver.h"
#include "infer/context/op_call.h"
#include "infer/operators/registry_with_rules.h"

namespace dimwise {
namespace {

constexpr const char* kPropertyRules = R"(set p
op Relu(x: T[...s]) -> (y: T[...s])
op Same(a: T[...s], b: T[...s]) -> (y: T[...s])
op Add(a: T[...s], b: T[...t]) -> (y: T[...broadcast(s, t)])
op Turn(x: T[...s]) -> (y: T[...reverse(s)])
op Join(a: T[n, ...s], b: T[m, ...s]) -> (y: T[n + m, ...s])
op Dot(a: T[m, k], b: T[k, n]) -> (y: T[m, n])
op Flat(x: T[n, ...s]) -> (y: T[n, product(s)])
op Split(x: T[n, ...s]) -> (y: T[n//2, ...s], z: T[n//2, ...s])
  require n % 2 == 0 else "{n} is odd"
op Grow(x: T[n, ...s]) -> (y: T[n + 1, ...s])
op Wide(x: T[...s]) -> (y: T[1, ...s])
op Rows(x: _[n, ...s], like: T[n]) -> (y: T[n])
)";

const OpRegistry& Registry() {
  static const OpRegistry registry = [] {
    const RuleSource source = {"rules", kPropertyRules};
    RegistryWithRules loaded = LoadRules(BuiltinRegistry(), {&source, 1});
    for (const Diagnostic& d : loaded.mistakes) ADD_FAILURE() << ToString(d);
    return loaded.registry;
  }();
  return registry;
}

using Sizes = std::vector<int64_t>;

struct Truth {
  std::string element;
  Sizes sizes;
};

// Builds the text of a program in which each node has suitable operands.
class RandomProgram {
 public:
  explicit RandomProgram(unsigned seed) : random_(seed) {
    NewInput({"f32", RandomSizes()});
    for (int i = 0; i < 12; ++i) AddNode();
    std::string inputs;
    for (const auto& [name, type] : inputs_) inputs += (inputs.empty() ? "" : ", ") + name + type;
    text_ = fmt::format("graph g({}) {{\n{}  return {}\n}}\n", inputs, nodes_, names_.back());
  }

  const std::string& text() const { return text_; }
  const std::map<std::string, Truth>& truth() const { return truth_; }

 private:
  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }
  Sizes RandomSizes() {
    Sizes sizes(Below(3) + 1);
    for (int64_t& n : sizes) n = static_cast<int64_t>(Below(5) + 1);
    return sizes;
  }

  // Returns the given part of a type: all of it, some of it, or nothing.
  std::string GivenPart(const Truth& truth) {
    if (Below(3) == 0) return "";
    std::string sizes;
    for (const int64_t n : truth.sizes)
      sizes += (sizes.empty() ? "" : ", ") + (Below(2) == 0 ? "?" : std::to_string(n));
    if (Below(4) == 0) sizes = "*";
    return fmt::format(": {}[{}]", Below(2) == 0 ? "?" : truth.element, sizes);
  }

  std::string NewInput(const Truth& truth) {
    const std::string name = "i" + std::to_string(names_.size());
    inputs_.emplace_back(name, GivenPart(truth));
    names_.push_back(name);
    truth_[name] = truth;
    return name;
  }
  // Returns a value of this type, existing or new.
  std::string Like(const Truth& wanted) {
    for (const auto& [name, truth] : truth_) {
      if (truth.element == wanted.element && truth.sizes == wanted.sizes && Below(2) == 0) return name;
    }
    return NewInput(wanted);
  }

  void Node(std::string_view op, std::string_view operands, const std::vector<Truth>& results) {
    std::string names;
    for (const Truth& truth : results) {
      const std::string name = "v" + std::to_string(names_.size());
      names += (names.empty() ? "" : ", ") + name + (Below(5) == 0 ? GivenPart(truth) : "");
      names_.push_back(name);
      truth_[name] = truth;
    }
    nodes_ += fmt::format("  {} = p.{}({})\n", names, op, operands);
  }

  void AddNode() {
    const std::string x = names_[Below(names_.size())];
    const Truth t = truth_[x];
    const Sizes& s = t.sizes;
    const auto with = [&](Sizes sizes) { return Truth{t.element, std::move(sizes)}; };
    const Sizes rest(s.begin() + (s.empty() ? 0 : 1), s.end());
    const auto first = [&](int64_t n) {
      Sizes sizes = {n};
      sizes.insert(sizes.end(), rest.begin(), rest.end());
      return sizes;
    };
    switch (Below(11)) {
      case 0:
        return Node("Relu", x, {t});
      case 1:
        return Node("Same", x + ", " + Like(t), {t});
      case 2: {
        Sizes other = s;
        for (int64_t& n : other) n = Below(2) == 0 ? 1 : n;
        return Node("Add", x + ", " + Like(with(other)), {t});
      }
      case 3:
        return Node("Turn", x, {with({s.rbegin(), s.rend()})});
      case 4: {
        const auto more = static_cast<int64_t>(Below(4));
        return Node("Join", x + ", " + Like(with(first(more))), {with(first(s[0] + more))});
      }
      case 5: {
        if (s.size() != 2) return;
        const auto n = static_cast<int64_t>(Below(4) + 1);
        return Node("Dot", x + ", " + Like(with({s[1], n})), {with({s[0], n})});
      }
      case 6: {
        int64_t product = 1;
        for (const int64_t n : rest) product *= n;
        return Node("Flat", x, {with({s[0], product})});
      }
      case 7:
        if (s[0] % 2 != 0) return;
        return Node("Split", x, {with(first(s[0] / 2)), with(first(s[0] / 2))});
      case 8:
        return Node("Grow", x, {with(first(s[0] + 1))});
      case 9: {
        Sizes sizes = {1};
        sizes.insert(sizes.end(), s.begin(), s.end());
        if (sizes.size() > 4) return;
        return Node("Wide", x, {with(sizes)});
      }
      default: {
        const Truth like = {Below(2) == 0 ? "f16" : "i64", {s[0]}};
        return Node("Rows", x + ", " + Like(like), {like});
      }
    }
  }

  std::mt19937 random_;
  std::vector<std::pair<std::string, std::string>> inputs_;
  std::string nodes_, text_;
  std::vector<std::string> names_;
  std::map<std::string, Truth> truth_;
};

// Prints the known types of all values. Equal symbols are printed as one name.
std::string Known(const Graph& graph, const std::function<Type(ValueId)>& type_of) {
  std::string text;
  for (uint32_t v = 0; v < graph.value_count(); ++v) {
    const Type type = type_of(ValueId{v});
    text += fmt::format("{}: {}", graph.name(ValueId{v}), ToString(type.element));
    if (type.shape.is_none() || !type.shape.has_rank()) {
      text += "[*]\n";
      continue;
    }
    text += '[';
    for (const Dim d : type.shape.dims())
      text += (d.is_expression() ? "?" : std::to_string(d.constant())) + ", ";
    text += "]\n";
  }
  return text;
}

// Simplifies a size as the solver does.
Dim Simple(Facts& facts, Dim d) {
  const Dim simple = facts.Simplify(d);
  return simple.is_constant() ? simple
                              : facts.Simplify(d, ScopeId::kRoot, FactFilter::kEverything, /*solve=*/true);
}

Type Simplified(Analysis& analysis, Type type) {
  if (!type.is_tensor() || type.shape.is_none() || !type.shape.has_rank()) return type;
  std::vector<Dim> sizes;
  for (const Dim d : type.shape.dims()) sizes.push_back(Simple(analysis.facts(), d));
  type.shape = analysis.shapes().Make(sizes);
  return type;
}

// Visits all nodes in order, then all in reverse order, and so on, until nothing changes.
class Sweeps {
 public:
  explicit Sweeps(const Graph& graph)
      : graph_(graph), analysis_(graph.analysis()), types_(graph.value_count()) {
    for (uint32_t v = 0; v < graph.value_count(); ++v) types_[v] = graph.declared(ValueId{v});
  }

  bool Run() {
    std::vector<NodeId> order = graph_.Order(graph_.body());
    std::string before;
    for (int round = 0; round < 50; ++round) {
      for (const NodeId n : order) Visit(n);
      std::ranges::reverse(order);
      for (const NodeId n : order) Visit(n);
      std::ranges::reverse(order);
      const std::string now = Known(graph_, [&](ValueId v) { return type(v); });
      if (now == before) return true;
      before = now;
    }
    return false;
  }
  Type type(ValueId v) const { return Simplified(analysis_, types_[Index(v)]); }
  bool failed() const { return failed_; }

 private:
  static Type Tensor(Type type) {
    if (type.kind == TypeKind::kUnknown) type.kind = TypeKind::kTensor;
    return type;
  }

  void Visit(NodeId node) {
    const OpRegistrationData* op = Registry().Find(graph_.op_name(node));
    NodeDescription description;
    description.op = &op->def;
    description.num_outputs = static_cast<int>(graph_.results(node).size());
    description.owner = Index(node) + 1;
    std::vector<Type> operands, results;
    for (const ValueId v : graph_.operands(node)) {
      Type type = Tensor(types_[Index(v)]);
      if (type.shape.is_none()) type.shape = analysis_.shapes().Unknown(SymbolKey{1, Index(v), 0});
      operands.push_back(type);
    }
    for (const ValueId v : graph_.results(node)) results.push_back(types_[Index(v)]);
    InferenceContext context(analysis_, description, operands);
    context.set_known_outputs(results);
    if (!context.Run(op->shape_fn)) {
      failed_ = true;
      return;
    }
    for (size_t i = 0; i < operands.size(); ++i) {
      Assign(graph_.operands(node)[i], context.refined_input_type(static_cast<int64_t>(i)));
    }
    for (size_t i = 0; i < results.size(); ++i) {
      const Type found = context.full_output_type(static_cast<int64_t>(i));
      Assign(graph_.results(node)[i], found);
      if (!found.shape.is_none() && found.shape.has_rank())
        types_[Index(graph_.results(node)[i])].shape = found.shape;
    }
  }

  // Adds the parts that were unknown.
  void Assign(ValueId value, const Type& found) {
    Type& type = types_[Index(value)];
    type = Tensor(type);
    if (type.element == ElementType::kUnknown) type.element = found.element;
    if (!found.shape.is_none() && (type.shape.is_none() || !type.shape.has_rank())) type.shape = found.shape;
  }

  const Graph& graph_;
  Analysis& analysis_;
  std::vector<Type> types_;
  bool failed_ = false;
};

TEST(SolverProperty, Run_RandomPrograms_IsTrueAndEqualsSweeps) {
  size_t found = 0, open = 0;
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const RandomProgram program(seed);
    Analysis analysis;
    const Result<std::unique_ptr<Graph>> graph = ParseGraph(analysis, program.text());
    ASSERT_TRUE(graph) << ToString(graph.error());
    Solver solver(**graph, Registry());
    solver.Run();
    for (const Diagnostic& d : solver.findings()) ADD_FAILURE() << seed << ToString(d) << program.text();
    for (uint32_t v = 0; v < (*graph)->value_count(); ++v) {
      const Truth& truth = program.truth().at(std::string((*graph)->name(ValueId{v})));
      const Type type = solver.type(ValueId{v});
      if (type.element != ElementType::kUnknown) {
        ASSERT_EQ(ToString(type.element), truth.element) << seed;
      }
      if (type.shape.is_none() || !type.shape.has_rank()) {
        ++open;
        continue;
      }
      ASSERT_EQ(type.shape.dims().size(), truth.sizes.size()) << seed << program.text();
      for (size_t i = 0; i < truth.sizes.size(); ++i) {
        const Dim d = type.shape.dims()[i];
        ++(d.is_constant() ? found : open);
        if (d.is_constant()) {
          ASSERT_EQ(d.constant(), truth.sizes[i]) << seed << program.text();
        }
      }
    }

    Analysis other;
    const Result<std::unique_ptr<Graph>> again = ParseGraph(other, program.text());
    Sweeps sweeps(**again);
    ASSERT_TRUE(sweeps.Run()) << seed << program.text();
    ASSERT_FALSE(sweeps.failed()) << seed << program.text();
    ASSERT_EQ(Known(**graph, [&](ValueId v) { return solver.type(v); }),
              Known(**again, [&](ValueId v) { return sweeps.type(v); }))
        << seed << '\n'
        << program.text();
  }
  // The programs are useful: much was inferred, but not everything.
  EXPECT_GT(found, 500u);
  EXPECT_GT(open, 100u);
}

TEST(SolverProperty, Run_RandomPrograms_InfersAtLeastAsRefiner) {
  size_t more = 0;
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const RandomProgram program(seed);
    Analysis analysis, other;
    const Result<std::unique_ptr<Graph>> graph = ParseGraph(analysis, program.text()),
                                         again = ParseGraph(other, program.text());
    ASSERT_TRUE(graph && again);
    Solver solver(**graph, Registry());
    solver.Run();
    Refiner refiner(**again, Registry());
    refiner.AddAll();
    for (uint32_t v = 0; v < (*graph)->value_count(); ++v) {
      const Type ours = solver.type(ValueId{v});
      const Type theirs = Simplified(other, refiner.type(ValueId{v}));
      if (theirs.element != ElementType::kUnknown) {
        ASSERT_EQ(ours.element, theirs.element) << seed;
      }
      more += theirs.element == ElementType::kUnknown && ours.element != ElementType::kUnknown;
      if (!theirs.is_tensor() || theirs.shape.is_none() || !theirs.shape.has_rank()) {
        more += ours.is_tensor() && !ours.shape.is_none() && ours.shape.has_rank();
        continue;
      }
      ASSERT_EQ(ours.shape.rank(), theirs.shape.rank()) << seed << program.text();
      for (int i = 0; i < ours.shape.rank(); ++i) {
        if (theirs.shape[i].is_constant()) {
          ASSERT_EQ(ours.shape[i], theirs.shape[i]) << seed << program.text();
        }
      }
    }
  }
  EXPECT_GT(more, 100u);
}

}  // namespace
}  // namespace dimwise
