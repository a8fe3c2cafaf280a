// Tests the solver with text files that contain programs and the expected results. In
// src/infer/testdata/*.solve a case is
//
//   === title
//   graph g(a: f32[?, 10], b: f32[12, ?]) {
//     c = mx.elemwise_add(a, b)
//     return c
//   }
//   ---
//   a: f32[12, 10]
//   ...
//
// with a line for each input and result, where `?` is unknown. The dispatch mode follows if storage was
// requested. Then come errors, warnings, and causes of unknown entries. The case `rules` of a file has rules
// for all its cases. Options may precede the graph:
//
//   parts storage                  only these parts
//   device gpu
//   inputs f32[2, 3]; ; ?[4]       by position
//   input a: f32[5, 6]             by name
//   hint c: f32[2]                 of any value
//   nodes 0 2, entries 0 2         ranges
//   zero is unknown
//
// DIMWISE_UPDATE=1 writes the current results into the files: read the difference before committing it.
#include "dimwise/solver.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "infer/operators/registry_with_rules.h"

namespace dimwise {
namespace {

std::string TypeText(DimTable& dims, const Type& type, const SolverParts& parts) {
  if (type.container != nullptr) return ToString(dims, type);
  std::string text(parts.element_type ? ToString(type.element) : "");
  if (parts.shape && (type.shape.is_none() || !type.shape.has_rank())) {
    text += "[*]";
  } else if (parts.shape) {
    text += '[';
    for (const Dim d : type.shape.dims()) {
      const auto is_ours = [&](Dim s) { return !dims.GetSymbol(s).of_user; };
      const bool unknown = d.is_expression() && std::ranges::any_of(dims.SymbolsOf(d), is_ours);
      text += fmt::format("{}{}", text.back() == '[' ? "" : ", ", unknown ? "?" : dims.ToString(d));
    }
    text += ']';
  }
  if (parts.storage) text += fmt::format("{}{}", text.empty() ? "" : " ", ToString(type.storage));
  return text;
}

// Returns the text after `key` if the line starts with it.
std::optional<std::string> After(const std::string& line, std::string_view key) {
  if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ' ') return std::nullopt;
  return line.substr(key.size() + 1);
}

class SolverRequest {
 public:
  explicit SolverRequest(const OpRegistry& registry) : registry_(registry) {}

  std::string Answer(const std::string& text) {
    std::stringstream lines(text);
    std::string program;
    for (std::string line; std::getline(lines, line);) {
      if (!program.empty() || !Directive(line)) program += line + "\n";
    }
    Result<std::unique_ptr<Graph>> read = ParseGraph(analysis_, program);
    if (!read) return ToString(read.error());
    graph_ = *std::move(read);
    return Solve();
  }

 private:
  bool Directive(const std::string& line) {
    if (const auto parts = After(line, "parts")) {
      const auto has = [&](const char* word) { return parts->find(word) != std::string::npos; };
      options_.parts = {has("shape"), has("type"), has("storage")};
    } else if (const auto device = After(line, "device")) {
      options_.device = *device;
    } else if (const auto inputs = After(line, "inputs")) {
      std::stringstream types(*inputs);
      for (std::string type; std::getline(types, type, ';');) inputs_.push_back(type);
    } else if (const auto input = After(line, "input")) {
      named_.push_back(*input);
    } else if (const auto hint = After(line, "hint")) {
      hints_.push_back(*hint);
    } else if (const auto nodes = After(line, "nodes")) {
      std::stringstream(*nodes) >> options_.nodes.first >> options_.nodes.second;
    } else if (const auto entries = After(line, "entries")) {
      std::stringstream(*entries) >> options_.entries.first >> options_.entries.second;
    } else if (line == "zero is unknown") {
      options_.zero_is_unknown = true;
    } else {
      return false;
    }
    return true;
  }

  void SetStatus(const Status& status) {
    if (!status) out_ += fmt::format("refused: {}\n", status.error().message);
  }
  Type ReadType(const std::string& text) {
    if (text.find_first_not_of(' ') == std::string::npos) return {};
    const Result<Type> type = ParseType(analysis_, text);
    if (!type) out_ += type.error().message + "\n";
    return type ? *type : Type();
  }
  // Parses `name: type`.
  std::pair<std::string, Type> Named(const std::string& text) {
    const size_t colon = text.find(':');
    return {text.substr(0, colon), ReadType(text.substr(colon + 1))};
  }

  void SetInputs(Solver* solver) {
    std::vector<Shape> shapes;
    std::vector<ElementType> elements;
    std::vector<Storage> storages;
    for (const std::string& input : inputs_) {
      const Type type = ReadType(input);
      shapes.push_back(type.shape);
      elements.push_back(type.element);
      storages.push_back(type.storage);
    }
    SetStatus(solver->SetShapeInputs(shapes));
    SetStatus(solver->SetElementTypeInputs(elements));
    SetStatus(solver->SetStorageInputs(storages));
    for (const std::string& input : named_) {
      const auto [name, type] = Named(input);
      SetStatus(solver->SetInput(name, type));
    }
    for (const std::string& hint : hints_) {
      const auto [name, type] = Named(hint);
      ValueId value = kNoValue;
      for (uint32_t v = 0; v < graph_->value_count(); ++v) {
        if (graph_->name(ValueId{v}) == name) value = ValueId{v};
      }
      SetStatus(solver->AddHint(value, type));
    }
  }

  std::string Solve() {
    Solver solver(*graph_, registry_, options_);
    SetInputs(&solver);
    solver.Run();
    const auto line = [&](ValueId v) {
      out_ +=
          fmt::format("{}: {}", graph_->name(v), TypeText(analysis_.dims(), solver.type(v), options_.parts));
      if (options_.parts.storage) out_ += fmt::format("  {}", ToString(solver.dispatch(v)));
      out_ += '\n';
    };
    for (const ValueId v : graph_->inputs(graph_->body())) line(v);
    for (const NodeId n : graph_->Order(graph_->body())) {
      for (const ValueId v : graph_->results(n)) line(v);
    }
    for (const Diagnostic& d : solver.findings()) {
      out_ += fmt::format("{}: {}{}\n", d.severity == Severity::kError ? "error" : "warning",
                          d.op.empty() ? "" : fmt::format("{} '{}': ", d.op, d.node), d.message);
    }
    for (const UnknownEntry& u : solver.unknown()) out_ += u.reason + "\n";
    EXPECT_EQ(solver.complete(), solver.unknown().empty());
    return out_;
  }

  const OpRegistry& registry_;
  Analysis analysis_;
  std::unique_ptr<Graph> graph_;
  SolverOptions options_;
  std::vector<std::string> inputs_, named_, hints_;
  std::string out_;
};

std::string SolveFile(const std::string& text) {
  std::string out, title, program;
  bool answers = false;
  OpRegistry registry = BuiltinRegistry();
  const auto finish = [&] {
    if (title.empty()) return;
    if (title == "rules") {
      out += "=== " + title + "\n" + program;
      const RuleSource source = {"rules", program};
      RegistryWithRules loaded = LoadRules(BuiltinRegistry(), {&source, 1});
      for (const Diagnostic& d : loaded.mistakes) ADD_FAILURE() << ToString(d);
      registry = loaded.registry;
      return;
    }
    while (program.ends_with("\n\n")) program.pop_back();
    out += "=== " + title + "\n" + program + "---\n" + SolverRequest(registry).Answer(program) + "\n";
  };
  std::stringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("=== ")) {
      finish();
      title = line.substr(4);
      program.clear();
      answers = false;
    } else if (title.empty()) {
      out += line + "\n";  // the head of the file
    } else if (line == "---") {
      answers = true;
    } else if (!answers) {
      program += line + "\n";
    }
  }
  finish();
  return out;
}

// A user-defined gradient function: the gradient of the second operand only, from the last operand.
TEST(SolverTest, Run_CustomGradientFunction_LinksTypes) {
  Analysis analysis;
  const std::unique_ptr<Graph> graph = *ParseGraph(analysis, R"(
opset onnx 21
graph g(a: f32[2, 3], b: f32[3, 4], other: f32[7], head) {
  y = onnx.MatMul(a, b) @forward
  db = my.MatMulGrad(other, head) @gradient after forward
  return db
})");
  SolverOptions options;
  options.gradient = [](const Graph& g, NodeId gradient, NodeId) -> std::optional<GradientLinks> {
    if (g.op_name(gradient) != "my.MatMulGrad") return std::nullopt;
    return GradientLinks{{-1, 0, 99}, {1, 5}};  // with indices that do not exist
  };
  Solver solver(*graph, BuiltinRegistry(), options);
  solver.Run();
  std::string found;
  for (uint32_t v = 0; v < graph->value_count(); ++v) {
    found +=
        fmt::format("{}: {}\n", graph->name(ValueId{v}), ToString(analysis.dims(), solver.type(ValueId{v})));
  }
  EXPECT_EQ(found,
            "a: f32[2, 3]\nb: f32[3, 4]\nother: f32[7]\nhead: f32[2, 4]\ny: f32[2, 4]\ndb: f32[3, 4]\n");
  EXPECT_TRUE(solver.complete());
}

TEST(SolverTest, Run_CasesInFiles_GiveExpectedOutput) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(DIMWISE_SOURCE_DIR) /
                                                               "src/infer/testdata")) {
    if (entry.path().extension() != ".solve") continue;
    ++files;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    const std::string found = SolveFile(text.str());
    if (std::getenv("DIMWISE_UPDATE") != nullptr && found != text.str()) {
      std::ofstream(entry.path()) << found;
      continue;
    }
    EXPECT_EQ(found, text.str()) << entry.path();
  }
  EXPECT_GT(files, 0);
}

TEST(SolverTest, Checks_UnprovedRequirements_AreListed) {
  Analysis analysis;
  const auto graph = *ParseGraph(analysis, R"(opset onnx 21
graph g(a: f32[N, 4], b: f32[M, 4], w: f32[K, 3]) {
  x = onnx.Add(a, b)
  y = onnx.MatMul(x, w)
  z = onnx.Add(y, y)
  return z
})");
  Solver solver(*graph, BuiltinRegistry());
  solver.Run();
  std::string guards;
  for (const ResidualGuard& guard : solver.guards())
    guards += ToString(analysis.dims(), guard.condition) + "\n";
  EXPECT_EQ(guards, "N == 1 or N == M or M == 1\nK == 4\n");
}

}  // namespace
}  // namespace dimwise
