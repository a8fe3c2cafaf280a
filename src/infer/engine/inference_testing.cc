#include "infer/engine/inference_testing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "dimwise/graph_text.h"
#include "native_ops/neutral_operators_testing.h"

namespace dimwise {
namespace {

void AddSymbols(DimTable& dims, const Type& type, std::set<std::string>* names, std::vector<Dim>* symbols) {
  if (type.container != nullptr) {
    for (const Type& t : type.container->elements) AddSymbols(dims, t, names, symbols);
    return;
  }
  if (!type.is_tensor() || type.shape.is_none()) return;
  for (const Dim d : type.shape.dims()) {
    if (!d.is_expression()) continue;
    for (const Dim s : dims.SymbolsOf(d)) {
      if (!dims.GetSymbol(s).of_user && names->insert(std::string(dims.NameOf(s))).second)
        symbols->push_back(s);
    }
  }
}

std::string BoundsText(DimTable& dims, Facts& facts, Dim symbol) {
  const SizeBounds bounds = facts.Bounds(symbol);
  const auto number = [](std::optional<int64_t> n, Dim d, DimTable& table) {
    if (!d.is_none()) return table.ToString(d);
    return n ? std::to_string(*n) : std::string("?");
  };
  return fmt::format("{} in {} .. {}\n", dims.NameOf(symbol),
                     number(bounds.min, facts.SymbolicMin(symbol), dims),
                     number(bounds.max, facts.SymbolicMax(symbol), dims));
}

std::string InferWith(std::string_view program, InferenceOptions options, const OpRegistry& registry) {
  Analysis analysis;
  Result<std::unique_ptr<Graph>> graph = ParseGraph(analysis, program);
  if (!graph) return ToString(graph.error());
  Inference inference(**graph, registry, options);
  inference.Run();
  std::string text;
  std::set<std::string> names;
  std::vector<Dim> symbols;
  const Graph& g = **graph;
  for (uint32_t r = 0; r < g.region_count(); ++r) {
    const std::string indent(g.parent(RegionId{r}) == kNoRegion ? 0 : 2, ' ');
    for (const NodeId n : g.Order(RegionId{r})) {
      for (const ValueId v : g.results(n)) {
        const Type type = inference.type(v);
        text += fmt::format("{}{}: {}\n", indent, g.name(v), ToString(analysis.dims(), type));
        AddSymbols(analysis.dims(), type, &names, &symbols);
      }
    }
  }
  for (const Diagnostic& d : inference.findings()) {
    text += fmt::format("{}: {}\n", d.severity == Severity::kError ? "error" : "warning", d.message);
  }
  for (const ResidualGuard& c : inference.guards()) {
    text += fmt::format("check: {}\n", ToString(analysis.dims(), c.condition));
  }
  for (const Dim s : symbols) text += BoundsText(analysis.dims(), analysis.facts(), s);
  return text;
}

}  // namespace

std::string InferText(std::string_view program, InferenceOptions options, const OpRegistry& registry) {
  std::string text = InferWith(program, options, registry);
  if (&registry == &BuiltinRegistry()) {
    const std::string neutral = InferWith(NeutralProgram(program), options, NeutralRegistry());
    EXPECT_EQ(WithOnnxNames(neutral), text) << "with other names of operators";
  }
  return text;
}

std::string FoundOf(std::string_view program, std::string_view value) {
  const std::string infer = "\n" + InferText(program);
  const auto line = [&](const std::string& start) {
    const size_t begin = infer.find("\n" + start);
    return begin == std::string::npos ? std::string()
                                      : infer.substr(begin + 1, infer.find('\n', begin + 1) - begin - 1);
  };
  std::string found = line(fmt::format("{}: ", value));
  for (const char* more : {"u1 in ", "check: ", "warning: ", "error: "}) {
    if (const std::string next = line(more); !next.empty()) found += "; " + next;
  }
  return found;
}

}  // namespace dimwise
