#include "cli/input_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/size_words.h"
#include "core/types/known_parts.h"
#include "dimwise/result_macros.h"
#include "report/models/model_table.h"

namespace dimwise {
namespace {

// Returns the symbols of a size: itself, or those in an expression.
std::span<const Dim> SymbolsIn(const DimTable& dims, const Dim& size) {
  return size.is_expression() ? dims.SymbolsOf(size) : std::span<const Dim>();
}

void ReplaceInDeclarations(Graph& graph, Dim symbol, Dim by) {
  DimTable& dims = graph.analysis().dims();
  for (uint32_t v = 0; v < graph.value_count(); ++v) {
    Type type = graph.declared(ValueId{v});
    if (!IsRanked(type) || type.shape.is_constant()) continue;
    std::vector<Dim> sizes;
    for (const Dim size : type.shape.dims()) {
      sizes.push_back(dims.Substitute(size, [&](Dim atom) { return atom == symbol ? by : Dim(); }));
    }
    type.shape = graph.analysis().shapes().Make(sizes);
    if (type != graph.declared(ValueId{v})) graph.Declare(ValueId{v}, type);
  }
}

}  // namespace

Status RenameSymbols(const std::vector<std::string>& words, ModelFile& file) {
  Graph& graph = file.graph();
  DimTable& dims = graph.analysis().dims();
  for (const std::string& text : words) {
    const std::string word = "--rename " + text;
    DIMWISE_ASSIGN_OR_RETURN(const Assignment given, TakeApart(text, "--rename", "--rename batch=N"));
    const std::vector<Dim> symbols = SymbolsOfInputs(graph);
    const auto named = [&](std::string_view name) {
      return std::ranges::find(symbols, name, [&](Dim s) { return dims.NameOf(s); });
    };
    if (named(given.name) == symbols.end()) {
      std::vector<std::string_view> names;
      for (const Dim symbol : symbols) names.push_back(dims.NameOf(symbol));
      return BadUsage(fmt::format("no size of an input is named {}, as in {}", given.name, word),
                      Suggestion(given.name, names, kSymbols));
    }
    if (given.value.empty() || IsDigits(given.value)) {
      return BadUsage(fmt::format("{}: '{}' is no name", word, given.value),
                      fmt::format("a number is set by --set {}", text));
    }
    if (named(given.value) != symbols.end()) {
      return BadUsage(fmt::format("{}: another size is named {}", word, given.value),
                      fmt::format("if both are equal: --assume '{} == {}'", given.name, given.value));
    }
    const Dim symbol = *named(given.name);
    ReplaceInDeclarations(graph, symbol, dims.Symbol(given.value, dims.GetSymbol(symbol).origin));
  }
  return {};
}

Result<std::vector<Dim>> SymbolsAllowedEmpty(const std::vector<std::string>& patterns, const Graph& graph,
                                             std::span<const Type> types) {
  const std::span<const ValueId> inputs = graph.inputs(graph.body());
  const DimTable& dims = graph.analysis().dims();
  std::vector<bool> may_be_empty(inputs.size(), false);
  for (const std::string& pattern : patterns) {
    bool found = false;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!MatchesPattern(graph.name(inputs[i]), pattern)) continue;
      found = may_be_empty[i] = true;
    }
    if (found) continue;
    std::vector<std::string_view> names;
    for (const ValueId input : inputs) names.push_back(graph.name(input));
    return BadUsage(fmt::format("the model has no input '{}', as in --allow-empty '{}'", pattern, pattern),
                    Suggestion(pattern, names, kInputs));
  }
  std::vector<Dim> allowed, required;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!IsRanked(types[i])) continue;
    for (const Dim size : types[i].shape.dims()) {
      if (!may_be_empty[i]) required.push_back(size);
      const std::span<const Dim> symbols = SymbolsIn(dims, size);
      if (may_be_empty[i]) allowed.insert(allowed.end(), symbols.begin(), symbols.end());
    }
  }
  std::erase_if(allowed, [&](Dim symbol) { return std::ranges::find(required, symbol) != required.end(); });
  return allowed;
}

}  // namespace dimwise
