// Infers the node tests of ONNX's backend, recorded as text (tools/record_backend_corpus.py), once without
// the contents of the inputs and once with the contents of small inputs. A shape that differs from the
// recorded run, or an error, fails the test. The head of each file contains the number of exact results, so
// that a loss is found; DIMWISE_UPDATE=1 rewrites the numbers.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/inference.h"
#include "gtest/gtest.h"

namespace dimwise {
namespace {

using Sizes = std::vector<int64_t>;

// The result of a run: a shape, the shapes of a sequence's elements, or a value without a shape.
struct RealResult {
  bool is_sequence = false, has_shape = true;
  std::vector<Sizes> shapes;
};

struct Program {
  std::string text;
  std::vector<RealResult> results;
};

RealResult ParseReal(std::string_view text) {
  RealResult real;
  real.is_sequence = text.starts_with("seq");
  real.has_shape = real.is_sequence || text.starts_with('[');
  size_t at = 0;
  while ((at = text.find('[', at)) != std::string_view::npos) {
    Sizes& sizes = real.shapes.emplace_back();
    const size_t end = text.find(']', at);
    while (at < end) {
      int64_t size = 0;
      const auto [next, error] = std::from_chars(text.data() + at + 1, text.data() + end, size);
      if (error == std::errc()) sizes.push_back(size);
      at = std::min(end, text.find_first_of(", ", static_cast<size_t>(next - text.data())));
    }
  }
  return real;
}

std::vector<Program> ReadPrograms(const std::string& text) {
  std::vector<Program> programs(1);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("real ")) {
      programs.back().text += line + "\n";
      continue;
    }
    std::string_view rest = std::string_view(line).substr(5);
    while (!rest.empty()) {
      const size_t end = std::min(rest.find(';'), rest.size());
      std::string_view one = rest.substr(0, end);
      one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
      programs.back().results.push_back(ParseReal(one));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    programs.emplace_back();
  }
  programs.pop_back();
  return programs;
}

enum class Verdict { kExact, kOpen, kWrong };

// Compares a type with tensors of all these shapes. If the shapes differ, the type must be open there.
Verdict Judge(const Type& type, const std::vector<Sizes>& shapes) {
  const auto differ = [&](auto&& part) {
    return std::ranges::any_of(shapes, [&](const Sizes& s) { return part(s) != part(shapes[0]); });
  };
  const bool ranks_differ = differ([](const Sizes& s) { return s.size(); });
  if (!type.is_tensor() && type.kind != TypeKind::kUnknown) return Verdict::kWrong;
  if (type.shape.is_none() || !type.shape.has_rank()) {
    return ranks_differ ? Verdict::kExact : Verdict::kOpen;
  }
  if (ranks_differ || type.shape.dims().size() != shapes[0].size()) return Verdict::kWrong;
  Verdict verdict = Verdict::kExact;
  for (size_t i = 0; i < shapes[0].size(); ++i) {
    const bool sizes_differ = differ([&](const Sizes& s) { return s[i]; });
    const Dim dim = type.shape.dims()[i];
    if (dim.is_constant()) {
      if (sizes_differ || dim.constant() != shapes[0][i]) return Verdict::kWrong;
    } else if (!sizes_differ) {
      verdict = Verdict::kOpen;
    }
  }
  return verdict;
}

// A value without any information counts as a tensor of unknown rank and element type.
bool NothingIsKnown(const Type& type) {
  return type.kind == TypeKind::kUnknown || (type.is_tensor() && type.element == ElementType::kUnknown &&
                                             (type.shape.is_none() || !type.shape.has_rank()));
}

Verdict Judge(Type type, const RealResult& real) {
  if (!real.has_shape) return Verdict::kExact;
  while (type.kind == TypeKind::kOptional) type = type.container->elements[0];
  if (!real.is_sequence) return Judge(type, real.shapes);
  if (NothingIsKnown(type)) return Verdict::kOpen;
  if (type.kind != TypeKind::kSequence) return Verdict::kWrong;
  const Container& inside = *type.container;
  const size_t length = real.shapes.size();
  if (inside.length.is_constant() && static_cast<size_t>(inside.length.constant()) != length) {
    return Verdict::kWrong;
  }
  if (length == 0) return Verdict::kExact;
  if (inside.elements.size() == 1) return Judge(inside.elements[0], real.shapes);
  Verdict worst = Verdict::kExact;
  for (size_t i = 0; i < length; ++i) worst = std::max(worst, Judge(inside.elements[i], {real.shapes[i]}));
  return worst;
}

// Returns the number of exact results. Wrong results and errors are failures of the test.
size_t CountExact(const Program& program, bool contents, std::string* open) {
  Analysis analysis;
  const Result<std::unique_ptr<Graph>> parsed = ParseGraph(analysis, program.text);
  if (!parsed) {
    ADD_FAILURE() << ToString(parsed.error());
    return 0;
  }
  Graph& graph = **parsed;
  if (!contents) {
    for (const ValueId input : graph.inputs(graph.body())) graph.SetContents(input, {});
  }
  Inference inference(graph, BuiltinRegistry());
  inference.Run();
  const std::string name = fmt::format("{}, {} contents", graph.name(), contents ? "with" : "without");
  for (const Diagnostic& d : inference.findings()) {
    if (d.severity == Severity::kError) ADD_FAILURE() << name << ": " << d.message;
  }
  const auto outputs = graph.outputs(graph.body());
  if (outputs.size() != program.results.size()) {
    ADD_FAILURE() << name << " has " << outputs.size() << " outputs";
    return 0;
  }
  size_t exact = 0;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Type type = inference.type(outputs[i]);
    const std::string found =
        fmt::format("{}: {} {}\n", name, graph.name(outputs[i]), ToString(analysis.dims(), type));
    switch (Judge(type, program.results[i])) {
      case Verdict::kExact:
        ++exact;
        break;
      case Verdict::kOpen:
        *open += found;
        break;
      case Verdict::kWrong:
        ADD_FAILURE() << "wrong: " << found;
        break;
    }
  }
  return exact;
}

class OnnxBackend : public testing::TestWithParam<std::string> {};

TEST_P(OnnxBackend, Shapes_OfRecordedRuns_AreInferred) {
  std::ifstream file(GetParam());
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  size_t without = 0, with = 0;
  std::string open;
  for (const Program& program : ReadPrograms(text)) {
    without += CountExact(program, /*contents=*/false, &open);
    with += CountExact(program, /*contents=*/true, &open);
  }
  const size_t start = text.find("# exact: ");
  ASSERT_NE(start, std::string::npos);
  const size_t end = text.find('\n', start);
  const std::string counts =
      fmt::format("# exact: {} without contents of inputs, {} with them", without, with);
  if (std::getenv("DIMWISE_UPDATE") != nullptr) {
    std::ofstream(GetParam()) << text.substr(0, start) << counts << text.substr(end);
    return;
  }
  EXPECT_EQ(text.substr(start, end - start), counts) << "open:\n" << open;
}

std::vector<std::string> Files() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(DIMWISE_SOURCE_DIR "/src/infer/testdata/onnx_backend")) {
    files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  return files;
}

INSTANTIATE_TEST_SUITE_P(All, OnnxBackend, testing::ValuesIn(Files()), [](const auto& file) {
  std::string name = std::filesystem::path(file.param).stem().string();
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace dimwise
