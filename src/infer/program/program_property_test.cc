// Tests that a shape program agrees with inference over constants. A guard fails exactly if that inference
// reports an error, or if a formula for a size is not valid; if all guards hold, the sizes are equal.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "core/base/rounds_testing.h"
#include "core/dims/condition_logic.h"
#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/program.h"

namespace dimwise {
namespace {

using SizesByName = std::map<std::string, int64_t, std::less<>>;

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  int64_t Between(int64_t low, int64_t high) { return std::uniform_int_distribution(low, high)(engine_); }
  template <typename T>
  const T& Of(const std::vector<T>& items) {
    return items[static_cast<size_t>(Between(0, static_cast<int64_t>(items.size()) - 1))];
  }

 private:
  std::mt19937 engine_;
};

// Builds a program of a few nodes over inputs with sizes such as N, M, 2*N and 3. Ranks are tracked, so that
// most nodes are valid.
class RandomGraphText {
 public:
  explicit RandomGraphText(uint32_t seed) : random_(seed) {}

  std::string Text() {
    std::string inputs;
    const int64_t count = random_.Between(2, 3);
    for (int64_t i = 0; i < count; ++i) {
      const std::string name = fmt::format("x{}", i);
      const int64_t rank = random_.Between(1, 3);
      std::string sizes;
      for (int64_t axis = 0; axis < rank; ++axis) {
        sizes += (axis > 0 ? ", " : "") +
                 random_.Of<std::string>({"N", "M", "K", "N", "M", "1", "2", "4", "2*N", "N + M"});
      }
      inputs += fmt::format("{}{}: f32[{}]", i > 0 ? ", " : "", name, sizes);
      values_.push_back({name, rank});
    }
    const int64_t nodes = random_.Between(2, 7);
    for (int64_t i = 0; i < nodes; ++i) AddNode();
    std::string outputs = values_.back().name;
    if (random_.Between(0, 1) == 1) outputs += ", " + random_.Of(values_).name;
    return fmt::format("opset onnx 17\ngraph g({}) {{\n{}  return {}\n}}\n", inputs, body_, outputs);
  }

 private:
  struct Made {
    std::string name;
    int64_t rank;
  };

  std::string NewName() { return fmt::format("v{}", next_++); }
  std::string Const(const std::vector<int64_t>& numbers) {
    const std::string name = fmt::format("c{}", next_++);
    body_ += fmt::format("  const {}: i64[{}] = {{{}}}\n", name, numbers.size(), fmt::join(numbers, ", "));
    return name;
  }
  void Add(int64_t rank, std::string_view op, const std::string& operands, const std::string& attrs = "") {
    const std::string name = NewName();
    body_ += fmt::format("  {} = onnx.{}({}{}{})\n", name, op, operands, attrs.empty() ? "" : "; ", attrs);
    values_.push_back({name, rank});
  }
  int64_t Axis(const Made& value) { return random_.Between(0, value.rank - 1); }

  void AddNode() {
    const Made a = random_.Of(values_);
    const Made b = random_.Of(values_);
    if (a.rank < 1) return Add(0, "Relu", a.name);
    switch (random_.Between(0, 18)) {
      case 0:
      case 1:
        return Add(std::max(a.rank, b.rank), random_.Of<std::string_view>({"Add", "Mul"}),
                   a.name + ", " + b.name);
      case 2:
        if (a.rank < 2 || b.rank < 2) return Add(a.rank, "Relu", a.name);
        return Add(std::max(a.rank, b.rank), "MatMul", a.name + ", " + b.name);
      case 3:
        if (a.rank != b.rank) return Add(a.rank, "Transpose", a.name);
        return Add(a.rank, "Concat", a.name + ", " + b.name, fmt::format("axis={}", Axis(a)));
      case 4: {
        const std::string shape = Const({-1, random_.Between(1, 4)});
        return Add(2, "Reshape", a.name + ", " + shape);
      }
      case 5: {  // reshape to the shape of another value
        Add(1, "Shape", b.name);
        const std::string shape = values_.back().name;
        values_.pop_back();
        if (random_.Between(0, 1) == 0) return Add(b.rank, "Expand", a.name + ", " + shape);
        return Add(b.rank, "Reshape", a.name + ", " + shape, "allowzero=1");
      }
      case 6: {
        const std::string starts = Const({random_.Between(-3, 3)}), ends = Const({random_.Between(-3, 5)}),
                          axes = Const({Axis(a)}), steps = Const({random_.Of<int64_t>({1, 2, -1})});
        return Add(a.rank, "Slice", fmt::format("{}, {}, {}, {}, {}", a.name, starts, ends, axes, steps));
      }
      case 7: {
        const std::string axes = Const({Axis(a)});
        return Add(a.rank - 1, "Squeeze", a.name + ", " + axes);
      }
      case 8: {
        if (a.rank > 3) return Add(a.rank, "Relu", a.name);
        const std::string axes = Const({random_.Between(0, a.rank)});
        return Add(a.rank + 1, "Unsqueeze", a.name + ", " + axes);
      }
      case 9:
        return Add(2, "Flatten", a.name, fmt::format("axis={}", random_.Between(0, a.rank)));
      case 10: {
        const std::string rows = Const({random_.Between(-2, 3), random_.Between(0, 3)});
        return Add(a.rank, "Gather", a.name + ", " + rows, fmt::format("axis={}", Axis(a)));
      }
      case 11:
        if (a.rank != 3) return Add(a.rank, "Softmax", a.name);
        return Add(3, random_.Of<std::string_view>({"MaxPool", "AveragePool"}), a.name,
                   fmt::format("kernel_shape=[{}], strides=[{}]", random_.Between(1, 3),
                               random_.Of<int64_t>({1, 1, 2, 3})));
      case 12: {
        std::vector<int64_t> repeats;
        for (int64_t i = 0; i < a.rank; ++i) repeats.push_back(random_.Between(0, 3));
        return Add(a.rank, "Tile", a.name + ", " + Const(repeats));
      }
      case 13: {  // two equal parts
        const std::string first = NewName(), second = NewName();
        body_ += fmt::format("  {}, {} = onnx.Split({}; axis={})\n", first, second, a.name, Axis(a));
        values_.push_back({first, a.rank});
        return values_.push_back({second, a.rank});
      }
      case 14: {
        Add(1, "Shape", a.name);
        const std::string shape = values_.back().name;
        values_.pop_back();
        return Add(a.rank, "ConstantOfShape", shape);
      }
      case 15: {
        const Made c = random_.Of(values_);
        Add(std::max(a.rank, b.rank), "Greater", a.name + ", " + b.name);
        const std::string condition = values_.back().name;
        values_.pop_back();
        return Add(std::max({a.rank, b.rank, c.rank}), "Where",
                   fmt::format("{}, {}, {}", condition, a.name, c.name));
      }
      case 16: {
        const std::string k = Const({random_.Between(1, 3)}), values = NewName(), indices = NewName();
        body_ += fmt::format("  {}, {} = onnx.TopK({}, {}; axis={})\n", values, indices, a.name, k, Axis(a));
        return values_.push_back({values, a.rank});
      }
      case 17: {
        if (a.rank != 3) return Add(a.rank, "Relu", a.name);
        const std::string weights = NewName();
        body_ += fmt::format("  const {}: f32[2, {}, {}]\n", weights, random_.Between(1, 4),
                             random_.Between(1, 3));
        return Add(3, "Conv", a.name + ", " + weights,
                   fmt::format("strides=[{}], pads=[{}, {}]", random_.Between(1, 2), random_.Between(0, 1),
                               random_.Between(0, 1)));
      }
      default: {
        std::vector<int64_t> pads;
        for (int64_t i = 0; i < 2 * a.rank; ++i) pads.push_back(random_.Between(-1, 2));
        return Add(a.rank, "Pad", a.name + ", " + Const(pads));
      }
    }
  }

  Random random_;
  std::string body_;
  std::vector<Made> values_;
  int next_ = 0;
};

// The same program, inferred with constants for the symbols of its inputs.
struct Concrete {
  Concrete(std::string_view text, const SizesByName& sizes) {
    graph = ParseGraph(analysis, text).value();
    inference = std::make_unique<Inference>(*graph, BuiltinRegistry());
    DimTable& dims = analysis.dims();
    for (const ValueId input : graph->inputs(graph->body())) {
      Type type = graph->declared(input);
      std::vector<Dim> numbers;
      for (const Dim d : type.shape.dims()) {
        numbers.push_back(dims.Substitute(d, [&](Dim atom) {
          return dims.Kind(atom) == DimKind::kSymbol ? Dim(sizes.find(dims.NameOf(atom))->second) : Dim();
        }));
      }
      type.shape = analysis.shapes().Make(numbers);
      inference->SetInput(input, type);
    }
    inference->Run();
  }
  std::string Error() const {
    for (const Diagnostic& finding : inference->findings()) {
      if (finding.severity == Severity::kError) return finding.message;
    }
    return {};
  }

  Analysis analysis;
  std::unique_ptr<Graph> graph;
  std::unique_ptr<Inference> inference;
};

struct Tally {
  int held = 0, failed = 0, not_valid = 0, compared = 0, wrong_always = 0, unknown = 0;
};

// Compares the program of a graph with inference at some sizes.
void Compare(const std::string& text, Random& random, int runs, Tally* tally) {
  Analysis analysis;
  const auto graph = ParseGraph(analysis, text).value();
  Inference inference(*graph, BuiltinRegistry());
  inference.Run();
  bool wrong = false;
  for (const Diagnostic& finding : inference.findings()) wrong |= finding.severity == Severity::kError;
  const ShapeProgram program(inference);
  // If a size is unknown although nothing is data-dependent, there is nothing to compare.
  if (!wrong && program.model_stage_count() > 1) return void(++tally->unknown);
  for (int run = 0; run < runs; ++run) {
    std::vector<int64_t> table = program.NewTable();
    SizesByName sizes;
    for (const ShapeProgram::Symbol& symbol : program.symbols()) {
      if (!symbol.of_inputs) continue;
      table[symbol.index] = sizes[symbol.name] = random.Between(1, random.Between(0, 1) == 0 ? 4 : 9);
    }
    const int code = program.Run(0, table);
    const Concrete concrete(text, sizes);
    const std::string error = concrete.Error();
    const auto at = [&] {
      std::string where = text;
      for (const auto& [name, size] : sizes) where += fmt::format("{} = {}  ", name, size);
      return where + "\nprogram: " + program.Message(code) + "\ninference: " + error;
    };
    if (wrong) {
      ASSERT_FALSE(error.empty()) << at();
      ++tally->wrong_always;
      return;
    }
    if (code > 0 &&
        program.guards()[static_cast<size_t>(code - 1)].kind == ShapeProgram::GuardKind::kValidity) {
      tally->not_valid += error.empty();
      continue;
    }
    ASSERT_EQ(code == 0, error.empty()) << at();
    ++(code == 0 ? tally->held : tally->failed);
    if (code != 0) continue;
    for (uint32_t v = 0; v < graph->value_count(); ++v) {
      const Type type = concrete.inference->type(ValueId{v});
      const ShapeProgram::Value* value = program.FindValue(graph->name(ValueId{v}));
      if (value == nullptr || value->stage != 0 || value->rank < 0) continue;
      ASSERT_EQ(type.shape.rank(), value->rank) << value->name << at();
      for (int axis = 0; axis < value->rank; ++axis) {
        if (!type.shape[axis].is_constant()) continue;
        ASSERT_EQ(type.shape[axis].constant(), program.Size(*value, axis, table)) << value->name << at();
        ++tally->compared;
      }
    }
  }
}

TEST(ProgramPropertyTest, Run_RandomPrograms_AgreesWithInferenceOverConstants) {
  Tally tally;
  for (uint32_t seed = 0; seed < Rounds(900u) && !HasFatalFailure(); ++seed) {
    Random random(seed + 77);
    Compare(RandomGraphText(seed).Text(), random, 8, &tally);
  }
  EXPECT_GT(tally.held, Rounds(1000));
  EXPECT_GT(tally.failed, Rounds(500));
  EXPECT_GE(tally.not_valid, Rounds(2));
  EXPECT_GT(tally.compared, Rounds(10000));
  EXPECT_GT(tally.wrong_always, Rounds(30));
  EXPECT_LT(tally.unknown, 50);
}

// Prints all types and findings of an inference.
std::string PrintTypes(const Inference& inference) {
  const Graph& graph = inference.graph();
  DimTable& dims = graph.analysis().dims();
  std::string text;
  for (uint32_t v = 0; v < graph.value_count(); ++v) {
    text += fmt::format("{}: {}\n", graph.name(ValueId{v}), ToString(dims, inference.type(ValueId{v})));
  }
  for (const Diagnostic& d : inference.findings()) text += d.message + "\n";
  return text;
}

std::string PrintGuards(const Inference& inference) {
  std::string text;
  for (const ResidualGuard& guard : inference.guards())
    text += ToString(inference.graph().analysis().dims(), guard.condition) + "\n";
  return text;
}

// An inference with only the used assumptions of another one.
struct WithUsedOnly {
  Analysis analyses[2];
  std::unique_ptr<Graph> graphs[2];
  std::optional<Inference> tried, with_used;
};

// Expects that the used assumptions alone give the same types, and that determining them changes nothing
// else. Counts used and unused ones. Programs with contradictions are excluded: their findings depend on
// which of two contradictory facts is found first. Returns false for them.
bool ExpectUsedAssumptionsSuffice(const std::string& text, WithUsedOnly* result, int* used, int* unused) {
  Analysis analysis;
  const std::unique_ptr<Graph> graph = ParseGraph(analysis, text).value();
  Inference plain(*graph, BuiltinRegistry());
  plain.Run();
  if (!plain.findings().empty()) return false;
  for (int i = 0; i < 2; ++i) result->graphs[i] = ParseGraph(result->analyses[i], text).value();
  Inference& tried = result->tried.emplace(*result->graphs[0], BuiltinRegistry(),
                                           InferenceOptions{.used_assumptions = true});
  tried.Run();
  EXPECT_EQ(PrintTypes(tried), PrintTypes(plain)) << text;
  EXPECT_EQ(PrintGuards(tried), PrintGuards(plain)) << text;
  Inference& with_used = result->with_used.emplace(*result->graphs[1], BuiltinRegistry(),
                                                   InferenceOptions{.assume_not_empty = false});
  for (const Assumption& a : tried.assumptions()) {
    ++*(a.is_used ? used : unused);
    const std::string clause = ToString(result->analyses[0].dims(), a.clause);
    if (a.is_used) with_used.Assume(ParseCondition(result->analyses[1].dims(), clause).value());
  }
  with_used.Run();
  EXPECT_EQ(PrintTypes(with_used), PrintTypes(plain)) << text;
  return true;
}

// Returns whether a clause holds for these sizes; nullopt if it contains other symbols or has no value.
std::optional<bool> HoldsAt(DimTable& dims, const Clause& clause, const SizesByName& sizes) {
  bool is_known = true;
  for (const Literal& literal : clause) {
    const Dim value = dims.Substitute(literal.value, [&](Dim atom) {
      const auto size = dims.Kind(atom) == DimKind::kSymbol ? sizes.find(dims.NameOf(atom)) : sizes.end();
      return size == sizes.end() ? Dim() : Dim(size->second);
    });
    if (value.is_constant() && IsTrueFor(literal.relation, value.constant())) return true;
    is_known = is_known && value.is_constant();
  }
  return is_known ? std::optional(false) : std::nullopt;
}

// Returns the first guard that fails for these sizes; an empty text if all hold, or nullopt if that is
// unknown.
std::optional<std::string> FailingGuard(const Inference& inference, const SizesByName& sizes) {
  DimTable& dims = inference.graph().analysis().dims();
  bool is_known = true;
  for (const ResidualGuard& guard : inference.guards()) {
    for (const Clause& clause : guard.condition.clauses) {
      const std::optional<bool> holds = HoldsAt(dims, clause, sizes);
      if (holds == false) return ToString(dims, guard.condition);
      is_known = is_known && holds;
    }
  }
  return is_known ? std::optional(std::string()) : std::nullopt;
}

// Where the used assumptions and the reported guards hold, all guards hold that are left without the other
// assumptions. Sizes may be 0.
TEST(ProgramPropertyTest, UsedAssumptions_RandomPrograms_Suffice) {
  int used = 0, unused = 0, compared = 0;
  for (uint32_t seed = 0; seed < Rounds(900u); ++seed) {
    const std::string text = RandomGraphText(seed).Text();
    WithUsedOnly result;
    if (!ExpectUsedAssumptionsSuffice(text, &result, &used, &unused)) continue;
    DimTable& dims = result.analyses[0].dims();
    for (int64_t point = 0; point < 125; ++point) {
      const SizesByName sizes{{"N", point % 5}, {"M", point / 5 % 5}, {"K", point / 25}};
      const bool is_assumed = std::ranges::all_of(result.tried->assumptions(), [&](const Assumption& a) {
        return !a.is_used || HoldsAt(dims, a.clause, sizes) == true;
      });
      if (!is_assumed || FailingGuard(*result.tried, sizes) != "") continue;
      ++compared;
      ASSERT_EQ(FailingGuard(*result.with_used, sizes).value_or(""), "")
          << text << fmt::format("{}", fmt::join(sizes, ", "));
    }
  }
  EXPECT_GT(used, Rounds(100));
  EXPECT_GT(unused, Rounds(100));
  EXPECT_GT(compared, Rounds(1000));
}

std::string ReadText(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  EXPECT_FALSE(text.str().empty()) << file;
  return text.str();
}

TEST(ProgramPropertyTest, UsedAssumptions_SampleModels_Suffice) {
  int used = 0, unused = 0;
  for (const char* folder : {"examples/models", "src/cli/testdata", "src/cli/testdata/models"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(DIMWISE_SOURCE_DIR "/" + std::string(folder))) {
      WithUsedOnly result;
      if (entry.path().extension() == ".graph")
        ExpectUsedAssumptionsSuffice(ReadText(entry.path()), &result, &used, &unused);
    }
  }
  EXPECT_GE(used, 5);
  EXPECT_GE(unused, 5);
}

TEST(ProgramPropertyTest, Run_ExampleModels_AgreesWithInferenceOverConstants) {
  for (const char* file : {"examples/models/transformer.graph", "examples/models/broken_heads.graph"}) {
    Tally tally;
    Random random(5);
    Compare(ReadText(file), random, 200, &tally);
    EXPECT_GT(tally.wrong_always + tally.held, 0) << file;
  }
}

}  // namespace
}  // namespace dimwise
