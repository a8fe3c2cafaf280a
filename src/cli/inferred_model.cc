#include "cli/inferred_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "cli/size_words.h"
#include "core/condition_logic.h"
#include "dimwise/result_macros.h"

namespace dimwise {
namespace {

// What the command line says, put into the inputs of one model.
class Inputs {
 public:
  Inputs(const Graph& graph, const ModelOptions& options)
      : graph_(graph), analysis_(graph.analysis()), options_(options) {
    for (const ValueId input : graph.inputs(graph.body())) types_.push_back(graph.declared(input));
  }

  Status Apply(Inference& inference) {
    for (const std::string& text : options_.shapes) DIMWISE_RETURN_IF_ERROR(SetShape(text));
    for (const std::string& text : options_.sets) DIMWISE_RETURN_IF_ERROR(SetSymbol(text));
    Substitute();
    const std::span<const ValueId> inputs = graph_.inputs(graph_.body());
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (types_[i] != graph_.declared(inputs[i]))
        inference.SetInput(inputs[i], types_[i], graph_.contents(inputs[i]));
    }
    for (const auto& [symbol, number] : numbers_) {
      inference.Assume(Condition{{Clause{Equal(dims(), symbol, number)}}});
    }
    for (const std::string& text : options_.assume) DIMWISE_RETURN_IF_ERROR(Assume(text, inference));
    return CheckAssumptions();
  }

 private:
  DimTable& dims() { return analysis_.dims(); }

  Status SetShape(const std::string& text) {
    DIMWISE_ASSIGN_OR_RETURN(const Assignment given, TakeApart(text, "--shape", "--shape x=N,3,224,224"));
    const std::span<const ValueId> inputs = graph_.inputs(graph_.body());
    DIMWISE_ASSIGN_OR_RETURN(const ValueId input, FindInput(graph_, given.name, "--shape " + text));
    std::string_view sizes = given.value;
    if (sizes.starts_with('[') && sizes.ends_with(']')) sizes = sizes.substr(1, sizes.size() - 2);
    Result<Shape> shape = ParseShape(dims(), analysis_.shapes(), fmt::format("[{}]", sizes));
    if (!shape)
      return BadUsage(fmt::format("--shape {}: {}", text, shape.error().message), shape.error().help);
    Type& type = types_[static_cast<size_t>(std::ranges::find(inputs, input) - inputs.begin())];
    if (type.kind == TypeKind::kUnknown) type.kind = TypeKind::kTensor;
    if (!type.is_tensor())
      return BadUsage(fmt::format("input '{}' is no tensor, and has no shape", given.name), {});
    type.shape = Named(*shape, type.shape, given.name);
    return {};
  }

  // With a name for each size that has none yet: the one it was given before, as `old` has it.
  Shape Named(Shape shape, Shape old, std::string_view input) {
    if (!shape.has_rank()) return shape;
    std::vector<Dim> sizes(shape.dims().begin(), shape.dims().end());
    for (size_t axis = 0; axis < sizes.size(); ++axis) {
      if (!sizes[axis].is_expression()) continue;
      const std::string origin = fmt::format("input {}, axis {}", input, axis);
      if (dims().Kind(sizes[axis]) != DimKind::kSymbol) continue;
      const SymbolInfo info = dims().GetSymbol(sizes[axis]);
      if (info.of_user) {
        sizes[axis] = dims().Symbol(info.name, origin);
      } else if (IsNameless(old, axis)) {
        sizes[axis] = old.dims()[axis];
      } else {
        sizes[axis] = dims().NamelessSymbol(fmt::format("{}_d{}", input, axis), origin);
      }
    }
    return analysis_.shapes().Make(sizes);
  }

  bool IsNameless(Shape shape, size_t axis) {
    if (shape.is_none() || !shape.has_rank() || axis >= shape.dims().size()) return false;
    const Dim size = shape.dims()[axis];
    return size.is_expression() && dims().Kind(size) == DimKind::kSymbol &&
           dims().GetSymbol(size).is_nameless;
  }

  // The symbols of the inputs, by name.
  std::vector<Dim> Symbols() const {
    std::vector<Dim> symbols;
    for (const Type& type : types_) {
      if (!type.is_tensor() || type.shape.is_none()) continue;
      for (const Dim size : type.shape.dims()) {
        if (!size.is_expression()) continue;
        for (const Dim symbol : analysis_.dims().SymbolsOf(size)) {
          if (std::ranges::find(symbols, symbol) == symbols.end()) symbols.push_back(symbol);
        }
      }
    }
    return symbols;
  }

  std::string SuggestSymbol(std::string_view name) {
    std::vector<std::string> names;
    for (const Dim symbol : Symbols()) names.emplace_back(dims().NameOf(symbol));
    return Suggestion(name, {names.begin(), names.end()}, "symbols of the inputs");
  }

  Status SetSymbol(const std::string& text) {
    DIMWISE_ASSIGN_OR_RETURN(const Assignment given, TakeApart(text, "--set", "--set N=8"));
    const std::optional<int64_t> number = SizeOf(given.value);
    if (!number) {
      return BadUsage(fmt::format("--set {}: a size is a number >= 0, not '{}'", text, given.value),
                      "for example: --set N=8");
    }
    for (const Dim symbol : Symbols()) {
      if (dims().NameOf(symbol) != given.name) continue;
      numbers_[symbol] = *number;
      return {};
    }
    return BadUsage(fmt::format("no size of an input is called {}, as in --set {}", given.name, text),
                    SuggestSymbol(given.name));
  }

  void Substitute() {
    if (numbers_.empty()) return;
    for (Type& type : types_) {
      if (!type.is_tensor() || type.shape.is_none() || !type.shape.has_rank()) continue;
      std::vector<Dim> sizes;
      for (const Dim size : type.shape.dims()) {
        sizes.push_back(dims().Substitute(size, [&](Dim atom) {
          const auto it = numbers_.find(atom);
          return it == numbers_.end() ? Dim() : Dim(it->second);
        }));
      }
      type.shape = analysis_.shapes().Make(sizes);
    }
  }

  Status Assume(const std::string& text, Inference& inference) {
    Result<Condition> condition = ParseCondition(dims(), text);
    if (!condition)
      return BadUsage(fmt::format("--assume '{}': {}", text, condition.error().message),
                      condition.error().help);
    const std::vector<Dim> symbols = Symbols();
    for (const Clause& clause : condition->clauses) {
      for (const Literal& literal : clause) {
        for (const Dim symbol : dims().SymbolsOf(literal.value)) {
          if (std::ranges::find(symbols, symbol) != symbols.end() || numbers_.contains(symbol)) continue;
          const std::string name(dims().NameOf(symbol));
          return BadUsage(fmt::format("no size of an input is called {}, as in --assume '{}'", name, text),
                          SuggestSymbol(name));
        }
      }
    }
    for (const Clause& clause : condition->clauses) {
      const Clause normal = Normalize(dims(), clause);
      if (normal.empty() || normal == Clause{kFalseLiteral})
        return Contradicts(fmt::format("--assume '{}' can never hold", text));
    }
    inference.Assume(*condition);
    return {};
  }

  // What is asked for must be possible: from what cannot be, anything would follow.
  Status CheckAssumptions() {
    const std::optional<Contradiction> conflict = analysis_.facts().FindContradiction(ScopeId::kRoot);
    if (!conflict) return {};
    if (conflict->first_text == conflict->second_text)
      return Contradicts(fmt::format("{} can never hold", conflict->first_text));
    return Contradicts(
        fmt::format("{} and {} cannot both hold", conflict->first_text, conflict->second_text));
  }

  static Status Contradicts(std::string message) {
    Diagnostic diagnostic;
    diagnostic.code = Code::kContradiction;
    diagnostic.message = std::move(message);
    diagnostic.help = "drop or correct one of --set and --assume";
    return Unexpected(std::move(diagnostic));
  }

  const Graph& graph_;
  Analysis& analysis_;
  const ModelOptions& options_;
  std::vector<Type> types_;                   // of the inputs, in their order
  std::unordered_map<Dim, int64_t> numbers_;  // of --set
};

}  // namespace

Result<InferredModel> InferModel(const ModelPath& path, const OpRegistry& registry,
                                 const ModelOptions& options) {
  DIMWISE_ASSIGN_OR_RETURN(std::unique_ptr<ModelFile> file, ReadModel(path.path, options.from));
  return InferModel(std::move(file), registry, options);
}

Result<InferredModel> InferModel(std::unique_ptr<ModelFile> file, const OpRegistry& registry,
                                 const ModelOptions& options) {
  InferredModel model;
  model.file = std::move(file);
  model.inference = std::make_unique<Inference>(
      model.file->graph(), registry, InferenceOptions{.used_assumptions = options.used_assumptions});
  DIMWISE_RETURN_IF_ERROR(Inputs(model.file->graph(), options).Apply(*model.inference));
  model.inference->Run();
  model.report = std::make_unique<ModelReport>(model.file->path, model.file->format, *model.inference,
                                               model.file->distinct_values());
  AddReaderFindings(*model.report, std::move(model.file->findings));
  return model;
}

}  // namespace dimwise
