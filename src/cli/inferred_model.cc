#include "cli/inferred_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "cli/size_words.h"
#include "core/base/failure.h"
#include "core/dims/condition_logic.h"
#include "dimwise/result_macros.h"
#include "infer/context/check_facts.h"
#include "report/models/newer_opsets.h"

namespace dimwise {
namespace {

constexpr std::string_view kNeverHolds = "can never hold";

// Applies the options of the command line to the inputs of a model.
class Inputs {
 public:
  Inputs(const Graph& graph, const ModelOptions& options)
      : graph_(graph), analysis_(graph.analysis()), options_(options) {
    for (const ValueId input : graph.inputs(graph.body())) types_.push_back(graph.declared(input));
    given_.resize(types_.size());
  }

  Status Apply(Inference& inference) {
    for (const std::string& text : options_.shapes) DIMWISE_RETURN_IF_ERROR(SetShape(text, "--shape"));
    for (const std::string& text : options_.side) {
      if (IsForInput(text)) DIMWISE_RETURN_IF_ERROR(SetShape(text, options_.side_option));
    }
    for (const std::string& text : options_.sets) DIMWISE_RETURN_IF_ERROR(SetSymbol(text, "--set"));
    for (const std::string& text : options_.side) {
      if (!IsForInput(text)) DIMWISE_RETURN_IF_ERROR(SetSymbol(text, options_.side_option));
    }
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
    if (const Status status = CheckFacts(analysis_, kNeverHolds, "cannot both hold"); !status)
      return Contradicts(status.error().message);
    return {};
  }

 private:
  DimTable& dims() { return analysis_.dims(); }

  // Returns whether `name=value` gives sizes to an input, rather than a number to a symbol.
  bool IsForInput(std::string_view text) const {
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view name = text.substr(0, equals);
    if (NamesAxis(graph_, name) || !IsDigits(text.substr(equals + 1))) return true;
    return std::ranges::any_of(graph_.inputs(graph_.body()),
                               [&](ValueId v) { return graph_.name(v) == name; });
  }

  // Applies `x=N,3,224,224` or `x[0]=N`. The size `_` keeps the size of an axis.
  Status SetShape(const std::string& text, const std::string& option) {
    const std::string word = option + " " + text;
    DIMWISE_ASSIGN_OR_RETURN(const Assignment given, TakeApart(text, option, option + " x=N,3,224,224"));
    if (NamesAxis(graph_, given.name)) return SetAxis(text, option);
    DIMWISE_ASSIGN_OR_RETURN(const ValueId input, FindInput(graph_, given.name, word));
    std::string_view sizes = given.value;
    if (sizes.starts_with('[') && sizes.ends_with(']')) sizes = sizes.substr(1, sizes.size() - 2);
    DIMWISE_ASSIGN_OR_RETURN(const Shape shape, ParseSizes(sizes, word));
    const size_t place = PlaceOf(input);
    Type& type = types_[place];
    if (type.kind == TypeKind::kUnknown) type.kind = TypeKind::kTensor;
    if (!type.is_tensor())
      return BadUsage(fmt::format("input '{}' is not a tensor, so it has no shape", given.name), {});
    if (!shape.has_rank()) {
      type.shape = shape;
      return {};
    }
    const Shape named = Named(shape, type.shape, given.name);
    std::vector<Dim> dims_of_input(named.dims().begin(), named.dims().end());
    DIMWISE_RETURN_IF_ERROR(Give(place, dims_of_input, word));
    if (std::ranges::any_of(dims_of_input, [&](Dim size) { return Stays(size); })) {
      if (type.shape.is_none() || !type.shape.has_rank() ||
          type.shape.dims().size() != dims_of_input.size()) {
        return BadUsage(
            fmt::format("{}: _ keeps a size, but '{}' is {}", word, given.name, ToString(dims(), type)), {});
      }
      for (size_t axis = 0; axis < dims_of_input.size(); ++axis) {
        if (Stays(dims_of_input[axis])) dims_of_input[axis] = type.shape.dims()[axis];
      }
    }
    type.shape = analysis_.shapes().Make(dims_of_input);
    return {};
  }

  Status SetAxis(const std::string& text, const std::string& option) {
    const std::string word = option + " " + text;
    DIMWISE_ASSIGN_OR_RETURN(const std::vector<InputAxis> axes,
                             ReadInputAxes(graph_, text, option, option + " 'x[0]=4'"));
    for (const InputAxis& axis : axes) {
      DIMWISE_ASSIGN_OR_RETURN(const Shape parsed, ParseSizes(axis.value, word));
      if (!parsed.has_rank() || parsed.rank() != 1) {
        return BadUsage(fmt::format("{}: one size is required, not '{}'", word, axis.value), {});
      }
      if (Stays(parsed[0])) continue;
      const size_t place = PlaceOf(axis.input);
      Shape& shape = types_[place].shape;
      if (axis.axis >= shape.rank()) {
        return BadUsage(
            fmt::format("{}: another --shape sets fewer axes of '{}'", word, graph_.name(axis.input)), {});
      }
      std::vector<Dim> sizes(shape.dims().begin(), shape.dims().end());
      std::vector<Dim> given(sizes.size(), dims().Symbol("_"));
      const size_t at = static_cast<size_t>(axis.axis);
      given[at] = parsed[0];
      sizes[at] = given[at] =
          Named(analysis_.shapes().Make(given), shape, graph_.name(axis.input))[axis.axis];
      DIMWISE_RETURN_IF_ERROR(Give(place, given, word));
      shape = analysis_.shapes().Make(sizes);
    }
    return {};
  }

  size_t PlaceOf(ValueId input) const {
    const std::span<const ValueId> inputs = graph_.inputs(graph_.body());
    return static_cast<size_t>(std::ranges::find(inputs, input) - inputs.begin());
  }

  bool Stays(Dim size) {
    return size.is_expression() && dims().Kind(size) == DimKind::kSymbol && dims().NameOf(size) == "_";
  }

  Result<Shape> ParseSizes(std::string_view sizes, const std::string& word) {
    Result<Shape> shape = ParseShape(dims(), analysis_.shapes(), fmt::format("[{}]", sizes));
    if (!shape) return BadUsage(fmt::format("{}: {}", word, shape.error().message), shape.error().help);
    return shape;
  }

  // Records the sizes that `word` gives an input. Returns an error if an earlier word gave it other sizes.
  Status Give(size_t place, const std::vector<Dim>& sizes, const std::string& word) {
    std::vector<Dim>& given = given_[place];
    const std::string_view input = graph_.name(graph_.inputs(graph_.body())[place]);
    if (!given.empty() && given.size() != sizes.size()) {
      return BadUsage(
          fmt::format("{}: '{}' gets {} sizes and {} sizes", word, input, given.size(), sizes.size()), {});
    }
    given.resize(sizes.size());
    for (size_t axis = 0; axis < sizes.size(); ++axis) {
      if (Stays(sizes[axis])) continue;
      if (!given[axis].is_none() && given[axis] != sizes[axis]) {
        return BadUsage(fmt::format("{}: axis {} of '{}' gets two sizes, {} and {}", word, axis, input,
                                    dims().ToString(given[axis]), dims().ToString(sizes[axis])),
                        {});
      }
      given[axis] = sizes[axis];
    }
    return {};
  }

  // Gives each unnamed size the symbol that `old` has for the axis, or the default symbol of the axis.
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

  // Returns the symbols of the inputs.
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
    return Suggestion(name, {names.begin(), names.end()}, kSymbols);
  }

  Status SetSymbol(const std::string& text, const std::string& option) {
    const std::string example = option + " N=8";
    const std::string word = option + " " + text;
    DIMWISE_ASSIGN_OR_RETURN(const Assignment given, TakeApart(text, option, example));
    DIMWISE_ASSIGN_OR_RETURN(const int64_t number, ReadSize(given.value, word, example));
    for (const Dim symbol : Symbols()) {
      if (dims().NameOf(symbol) != given.name) continue;
      const auto [it, added] = numbers_.insert({symbol, number});
      if (added || it->second == number) return {};
      return BadUsage(fmt::format("{} gets two numbers, {} and {}", given.name, it->second, number), {});
    }
    return BadUsage(fmt::format("no size of an input is named {}, as in {}", given.name, word),
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
          return BadUsage(fmt::format("no size of an input is named {}, as in --assume '{}'", name, text),
                          SuggestSymbol(name));
        }
      }
    }
    for (const Clause& clause : condition->clauses) {
      const Clause normal = Normalize(dims(), clause);
      if (normal.empty() || normal == Clause{kFalseLiteral})
        return Contradicts(fmt::format("--assume '{}' {}", text, kNeverHolds));
    }
    inference.Assume(*condition);
    return {};
  }

  static Status Contradicts(std::string message) {
    return Failure(Code::kContradiction, std::move(message), "remove or correct one of --set and --assume");
  }

  const Graph& graph_;
  Analysis& analysis_;
  const ModelOptions& options_;
  std::vector<Type> types_;                   // of the inputs, in order
  std::unordered_map<Dim, int64_t> numbers_;  // from --set
  std::vector<std::vector<Dim>> given_;  // from --shape: by input and axis; none if the size is not given
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
  constexpr uint64_t kFactor = 16;  // between one effort and the next
  InferenceOptions inference_options{.used_assumptions = options.used_assumptions};
  if (options.effort == "low") inference_options.max_query_steps /= kFactor;
  if (options.effort == "high") inference_options.max_query_steps *= kFactor;
  model.inference = std::make_unique<Inference>(model.file->graph(), registry, inference_options);
  DIMWISE_RETURN_IF_ERROR(Inputs(model.file->graph(), options).Apply(*model.inference));
  model.inference->Run();
  model.report = std::make_unique<ModelReport>(model.file->path, model.file->format, *model.inference,
                                               model.file->distinct_values());
  AddReaderFindings(*model.report, NewerOpsets(model.file->graph()));
  AddReaderFindings(*model.report, std::move(model.file->findings));
  return model;
}

}  // namespace dimwise
