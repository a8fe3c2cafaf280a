#include "infer/program/program_memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "core/base/rounds_testing.h"
#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/program.h"
#include "infer/program/program_code.h"

namespace dimwise {
namespace {

// A program as the test sees it: which values each node reads and writes.
struct TextNode;
struct TextRegion {
  std::vector<std::string> inputs, outputs;
  std::vector<TextNode> nodes;
};
struct TextNode {
  std::string op, name;
  std::vector<std::string> operands, results;
  std::string attrs;
  std::vector<std::pair<std::string, TextRegion>> branches;
};

std::string TextOf(const TextRegion& body, int depth) {
  std::string text;
  const std::string indent(static_cast<size_t>(2 * depth), ' ');
  for (const TextNode& node : body.nodes) {
    text += fmt::format("{}{} = onnx.{}({}{}) @{}", indent, fmt::join(node.results, ", "), node.op,
                        fmt::join(node.operands, ", "), node.attrs, node.name);
    if (!node.branches.empty()) {
      text += " {\n";
      for (const auto& [name, branch] : node.branches) {
        text +=
            fmt::format("{}  {}: graph() {{\n{}{}  }}\n", indent, name, TextOf(branch, depth + 2), indent);
      }
      text += indent + "}";
    }
    text += "\n";
  }
  return text + fmt::format("{}return {}\n", indent, fmt::join(body.outputs, ", "));
}

// Builds valid programs over vectors f32[size] with sizes of any order of magnitude relative to each other.
class RandomSchedule {
 public:
  explicit RandomSchedule(uint32_t seed) : engine_(seed) {
    body_.inputs = {"x0", "x1", "x2", "c"};
    std::vector<std::string> vectors{"x0", "x1", "x2"};
    const int64_t count = Between(2, Between(0, 1) == 0 ? 8 : 40);
    for (int64_t i = 0; i < count; ++i) AddNode(body_, vectors, 0);
    body_.outputs = {vectors.back()};
    for (const TextNode& node : body_.nodes) {  // all nodes run
      for (const std::string& result : node.results) {
        if (!IsUsed(body_, result)) body_.outputs.push_back(result);
      }
    }
    std::ranges::sort(body_.outputs);
    body_.outputs.erase(std::unique(body_.outputs.begin(), body_.outputs.end()), body_.outputs.end());
  }

  const TextRegion& body() const { return body_; }
  // Returns the vector that has as many elements as a data-dependent size has at most.
  const std::string& LargestOf(const std::string& value) const { return largest_.at(value); }
  std::string Text() const {
    return "opset onnx 17\ngraph g(x0: f32[N], x1: f32[M], x2: f32[2*N + 3], c: bool[]) {\n"
           "  const zero: i64[1] = {0}\n  const one: i64[1] = {1}\n  const two: i64[1] = {2}\n"
           "  const end: i64[1] = {9223372036854775807}\n" +
           TextOf(body_, 1) + "}\n";
  }

  int64_t Between(int64_t low, int64_t high) { return std::uniform_int_distribution(low, high)(engine_); }

  static bool Reads(const TextNode& node, const std::string& value) {
    return std::ranges::find(node.operands, value) != node.operands.end() ||
           std::ranges::any_of(node.branches, [&](const auto& b) { return IsUsed(b.second, value); });
  }
  static bool IsUsed(const TextRegion& body, const std::string& value) {
    return std::ranges::find(body.outputs, value) != body.outputs.end() ||
           std::ranges::any_of(body.nodes, [&](const TextNode& node) { return Reads(node, value); });
  }

 private:
  std::string Add(TextRegion& body, std::string op, std::vector<std::string> operands,
                  std::string attrs = "") {
    const std::string result = fmt::format("v{}", count_++);
    body.nodes.push_back(
        {std::move(op), "at_" + result, std::move(operands), {result}, std::move(attrs), {}});
    return result;
  }

  void AddNode(TextRegion& body, std::vector<std::string>& vectors, int depth) {
    const auto any = [&] {
      return vectors[static_cast<size_t>(Between(0, static_cast<int64_t>(vectors.size()) - 1))];
    };
    const std::string a = any(), b = any();
    switch (Between(0, depth == 0 ? 7 : 5)) {
      case 0:
      case 1:
        return vectors.push_back(Add(body, "Relu", {a}));
      case 2:
        return vectors.push_back(Add(body, "Concat", {a, b}, "; axis=0"));
      case 3:
        return vectors.push_back(Add(body, "Slice", {a, "zero", "end", "zero", "two"}));  // every second
      case 4: {
        const std::string column = Add(body, "Unsqueeze", {a, "one"});
        const std::string matrix = Add(body, "Mul", {column, b});
        return vectors.push_back(Add(body, "ReduceSum", {matrix, "zero"}, "; keepdims=0"));
      }
      case 5:
        if (depth < 2) return AddBranches(body, vectors, depth);
        return vectors.push_back(Add(body, "Relu", {b}));
      default: {
        const std::string indices = Add(body, "NonZero", {a});
        largest_[indices] = a;
        return vectors.push_back(
            Add(body, "Gather", {a, Add(body, "Squeeze", {indices, "zero"})}, "; axis=0"));
      }
    }
  }

  void AddBranches(TextRegion& body, std::vector<std::string>& vectors, int depth) {
    const std::string result_size = vectors[0];  // of both branches
    std::vector<std::pair<std::string, TextRegion>> branches{{"then_branch", {}}, {"else_branch", {}}};
    for (auto& [name, branch] : branches) {
      std::vector<std::string> inner = vectors;
      const int64_t count = Between(0, 4);
      for (int64_t i = 0; i < count; ++i) AddNode(branch, inner, depth + 1);
      const std::string last = Add(branch, "Relu", {result_size});
      branch.outputs = {last};
      for (const TextNode& node : std::vector<TextNode>(branch.nodes)) {  // all nodes run
        for (const std::string& value : node.results) {
          if (IsUsed(branch, value)) continue;
          const std::string sum = Add(branch, "ReduceSum", {value, "zero"}, "; keepdims=1");
          branch.outputs = {Add(branch, "Add", {branch.outputs[0], sum})};
        }
      }
    }
    vectors.push_back(Add(body, "If", {"c"}));
    body.nodes.back().branches = std::move(branches);
  }

  std::mt19937 engine_;
  TextRegion body_;
  std::map<std::string, std::string> largest_;
  int count_ = 0;
};

// Returns the largest number of live bytes, from the definition of liveness.
int64_t SimulatedPeak(const TextRegion& body, const std::string& prefix,
                      const std::function<int64_t(const std::string&)>& bytes_of) {
  const auto count = static_cast<int64_t>(body.nodes.size());
  const auto dies_after = [&](const std::string& value, int64_t maker) {
    if (std::ranges::find(body.outputs, value) != body.outputs.end()) return count;
    int64_t last = maker < 0 ? count : maker;
    bool is_read = false;
    for (int64_t i = 0; i < count; ++i) {
      if (!RandomSchedule::Reads(body.nodes[static_cast<size_t>(i)], value)) continue;
      last = is_read ? std::max(last, i) : i;
      is_read = true;
    }
    return last;
  };
  std::vector<int64_t> live(static_cast<size_t>(count) + 2);  // from before the first node
  const auto add = [&](const std::string& value, int64_t maker) {
    const int64_t bytes = bytes_of(prefix + value), end = dies_after(value, maker);
    for (int64_t i = maker; i <= end; ++i) live[static_cast<size_t>(i + 1)] += bytes;
  };
  for (const std::string& input : body.inputs) add(input, -1);
  for (int64_t i = 0; i < count; ++i) {
    const TextNode& node = body.nodes[static_cast<size_t>(i)];
    for (const std::string& result : node.results) add(result, i);
  }
  for (int64_t i = 0; i < count; ++i) {
    const TextNode& node = body.nodes[static_cast<size_t>(i)];
    int64_t inside = 0;
    for (const auto& [name, branch] : node.branches) {
      inside =
          std::max(inside, SimulatedPeak(branch, fmt::format("{}{}.{}/", prefix, node.name, name), bytes_of));
    }
    live[static_cast<size_t>(i + 1)] += inside;
  }
  return *std::ranges::max_element(live);
}

// Runs all stages at random sizes. Returns false if a guard fails.
bool RunAtRandomSizes(const ShapeProgram& program, RandomSchedule& random, std::vector<int64_t>& table) {
  for (const ShapeProgram::Symbol& symbol : program.symbols()) {
    const int64_t magnitude = int64_t{1} << random.Between(0, 10);
    if (symbol.of_inputs) table[symbol.index] = random.Between(1, magnitude);
  }
  for (size_t stage = 0; stage < program.stages().size(); ++stage) {
    for (const uint32_t s : program.stages()[stage].needs) {
      const ShapeProgram::Symbol& symbol = program.symbols()[s];
      if (symbol.of_inputs) continue;
      const ShapeProgram::Value* operand = program.FindValue(random.LargestOf(symbol.value));
      table[symbol.index] = random.Between(0, program.Size(*operand, 0, table));
    }
    if (program.Run(stage, table) != 0 || program.RunMemory(stage, table) != 0) return false;
  }
  return true;
}

TEST(ProgramMemoryTest, Peak_RandomPrograms_EqualsSimulatedPeak) {
  int with_text = 0, without_text = 0;
  for (uint32_t seed = 0; seed < Rounds(400u) && !HasFatalFailure(); ++seed) {
    RandomSchedule random(seed);
    const std::string text = random.Text();
    Analysis analysis;
    auto graph = ParseGraph(analysis, text);
    ASSERT_TRUE(graph.has_value()) << text << ToString(graph.error());
    Inference inference(**graph, BuiltinRegistry());
    inference.Run();
    const ShapeProgram program(inference);
    ASSERT_EQ(program.peak().not_counted, 0u) << text;
    ++(program.peak().expression.empty() ? without_text : with_text);
    for (int round = 0; round < 10; ++round) {
      std::vector<int64_t> table = program.NewTable();
      ASSERT_TRUE(RunAtRandomSizes(program, random, table)) << text;
      const int64_t simulated = SimulatedPeak(random.body(), "", [&](const std::string& value) {
        return table[program.FindValue(value)->bytes.value()];
      });
      ASSERT_EQ(table[program.peak().index.value()], simulated) << text << program.peak().expression;
      if (program.peak().expression.empty()) continue;
      DimTable dims;
      const Dim peak = dims.Parse(program.peak().expression).value();
      const auto size_of = [&](Dim symbol) -> std::optional<int64_t> {
        if (dims.GetDefinition(symbol) != nullptr) return std::nullopt;  // a part of a long expression
        return table[program.FindSymbol(dims.NameOf(symbol))->index];
      };
      ASSERT_EQ(dims.Evaluate(peak, size_of), simulated) << text << program.peak().expression;
    }
  }
  EXPECT_GT(with_text, Rounds(100));
  EXPECT_GT(without_text, Rounds(50));
}

// ---- Growth ----

// Unrelated sizes that are all live in the end.
std::string Concats(int count) {
  std::string inputs = "x: f32[N]", nodes, results;
  for (int i = 0; i < count; ++i) {
    inputs += fmt::format(", x{0}: f32[M{0}]", i);
    nodes += fmt::format("  y{0} = onnx.Concat(x{0}, x; axis=0)\n", i);
    results += fmt::format("{}y{}", i == 0 ? "" : ", ", i);
  }
  return fmt::format("opset onnx 17\ngraph g({}) {{\n{}  return {}\n}}", inputs, nodes, results);
}

// `count` sizes that depend on data, of vectors that stay live to the end.
std::string NonZeros(int count) {
  std::string inputs = "x: f32[N]", nodes, results;
  for (int i = 0; i < count; ++i) {
    inputs += fmt::format(", m{}: f32[N]", i);
    nodes += fmt::format(
        "  n{0} = onnx.NonZero(m{0})\n  s{0} = onnx.Squeeze(n{0})\n  g{0} = onnx.Gather(x, s{0}; axis=0)\n",
        i);
    results += fmt::format("{}g{}", i == 0 ? "" : ", ", i);
  }
  return fmt::format("opset onnx 17\ngraph g({}) {{\n{}  return {}\n}}", inputs, nodes, results);
}

// A chain of branches, each with a size of its own.
std::string Branches(int count) {
  std::string inputs = "c: bool[], x0: f32[N]", nodes;
  for (int i = 0; i < count; ++i) {
    inputs += fmt::format(", y{0}: f32[M{0}]", i);
    nodes += fmt::format(
        "  x{1} = onnx.If(c) @if{0} {{\n    then_branch: graph() {{\n      a{0} = onnx.Concat(y{0}, y{0}; "
        "axis=0)\n      b{0} = onnx.ReduceSum(a{0}; keepdims=1)\n      t{0} = onnx.Add(x{0}, b{0})\n      "
        "return t{0}\n    }}\n    else_branch: graph() {{\n      e{0} = onnx.Relu(x{0})\n      return e{0}\n "
        "   "
        "}}\n  }}\n",
        i, i + 1);
  }
  return fmt::format("opset onnx 17\ngraph g({}) {{\n{}  return x{}\n}}", inputs, nodes, count);
}

// Image pyramids of five levels; the last level of each stays live.
std::string Pyramids(int count) {
  std::string nodes, results;
  for (int i = 0; i < count; ++i) {
    nodes +=
        fmt::format("  x{} = onnx.MaxPool(x{}; kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])\n",
                    i + 1, i % 5 == 0 ? 0 : i);
    if (i % 5 == 4) results += fmt::format("{}x{}", results.empty() ? "" : ", ", i + 1);
  }
  return fmt::format("opset onnx 17\ngraph g(x0: f32[N, 3, H, W]) {{\n{}  return {}\n}}", nodes, results);
}

// Layers that reach the same few sums again and again.
std::string Layers(int count) {
  std::string nodes, results;
  for (int i = 0; i < count; ++i) {
    nodes += fmt::format(
        "  a{0} = onnx.Concat(x{0}, y; axis=0)\n  s{0} = onnx.ReduceSum(a{0}; keepdims=1)\n  b{0} = "
        "onnx.Concat(y, y; axis=0)\n  r{0} = onnx.ReduceSum(b{0}; keepdims=1)\n  t{0} = onnx.Add(s{0}, "
        "r{0})\n  x{1} = onnx.Add(x{0}, t{0})\n",
        i, i + 1);
  }
  return fmt::format("opset onnx 17\ngraph g(x0: f32[N], y: f32[M]) {{\n{}  return x{}\n}}", nodes, count);
}

struct PeakWork {
  size_t steps, expressions, instructions;
};

PeakWork PeakWorkOf(const std::string& text) {
  Analysis analysis;
  const auto graph = ParseGraph(analysis, text).value();
  Inference inference(*graph, BuiltinRegistry());
  inference.Run();
  const size_t before = analysis.dims().size();
  const MemoryPeak peak = PeakOf(
      inference, [&](ValueId v) { return inference.type(v); }, [](Dim) { return true; });
  const size_t expressions = analysis.dims().size() - before;
  return {peak.step_count, expressions, ShapeProgram(inference).code().instructions.size()};
}

struct PeakGrowthCase {
  const char* name;
  std::string (*program)(int count);
};

TEST(ProgramMemoryTest, Peak_LargePrograms_WorkGrowsLinearly) {
  const PeakGrowthCase cases[] = {{"Concats", Concats},
                                  {"NonZeros", NonZeros},
                                  {"Branches", Branches},
                                  {"Pyramids", Pyramids},
                                  {"Layers", Layers}};
  for (const auto& [name, program] : cases) {
    const PeakWork small = PeakWorkOf(program(60)), large = PeakWorkOf(program(240));
    EXPECT_GT(small.steps, 0u) << name;
    EXPECT_LE(large.steps, 5 * small.steps) << name;
    EXPECT_LE(large.expressions, 5 * small.expressions) << name;
    EXPECT_LE(large.instructions, 5 * small.instructions) << name;
  }
}

}  // namespace
}  // namespace dimwise
