#include "cli/data_sizes.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/size_words.h"
#include "dimwise/result_macros.h"

namespace dimwise {
namespace {

constexpr Listed kAllSymbols{"the only symbol is", "the symbols are", "the model has no symbols"};

// A symbol that inference created, and a scope in which it is known.
struct CreatedSymbol {
  Dim symbol;
  ScopeId scope;
};

std::vector<CreatedSymbol> CreatedSymbols(const ModelReport& report) {
  const Graph& graph = report.graph();
  const DimTable& dims = report.dims();
  std::vector<CreatedSymbol> created;
  for (uint32_t v = 0; v < graph.value_count(); ++v) {
    const Type whole = report.type(ValueId{v});
    const Type& type = CountedType(whole);
    if (!type.is_tensor() || !HasRank(type)) continue;
    for (const Dim size : type.shape.dims()) {
      if (!size.is_expression()) continue;
      for (const Dim symbol : dims.SymbolsOf(size)) {
        if (dims.GetSymbol(symbol).of_user || dims.GetDefinition(symbol) != nullptr) continue;
        if (std::ranges::find(created, symbol, &CreatedSymbol::symbol) != created.end()) continue;
        created.push_back({symbol, report.inference.scope(graph.region(ValueId{v}))});
      }
    }
  }
  return created;
}

// Returns the bounds of a size in words: "between 0 and N*M", "at least 1".
std::string BoundsText(Analysis& analysis, const CreatedSymbol& created) {
  DimTable& dims = analysis.dims();
  Facts& facts = analysis.facts();
  const SizeBounds bounds = facts.Bounds(created.symbol, created.scope);
  const Dim most = facts.Simplify(facts.SymbolicMax(created.symbol, created.scope), created.scope);
  const std::string least = std::to_string(bounds.min.value_or(0));
  if (bounds.max) return fmt::format("between {} and {}", least, *bounds.max);
  if (!most.is_none()) return fmt::format("between {} and {}", least, dims.ToString(most));
  return "at least " + least;
}

}  // namespace

Status AssumeDataSizes(const std::vector<DataSize>& sizes, const ModelReport& report,
                       std::vector<std::string> others, Inference* inference) {
  Analysis& analysis = report.graph().analysis();
  const std::vector<CreatedSymbol> created = CreatedSymbols(report);
  const auto name_of = [&](const CreatedSymbol& c) { return analysis.dims().NameOf(c.symbol); };
  for (const DataSize& size : sizes) {
    const auto found = std::ranges::find(created, size.name, name_of);
    if (found == created.end()) {
      for (const CreatedSymbol& c : created) others.emplace_back(name_of(c));
      return BadUsage(fmt::format("no size is named {}, as in {}", size.name, size.word),
                      Suggestion(size.name, {others.begin(), others.end()}, kAllSymbols));
    }
    const Clause clause{Equal(analysis.dims(), found->symbol, size.number)};
    if (analysis.facts().Holds(clause, found->scope) == Truth::kNo) {
      return BadUsage(fmt::format("{}: {} is {}", size.word, size.name, BoundsText(analysis, *found)), {});
    }
    inference->Assume(Condition{{clause}});
  }
  return {};
}

}  // namespace dimwise
