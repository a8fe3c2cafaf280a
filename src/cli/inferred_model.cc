#include "cli/inferred_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "cli/config_file.h"
#include "cli/data_sizes.h"
#include "cli/input_contents.h"
#include "cli/input_names.h"
#include "cli/size_words.h"
#include "core/base/failure.h"
#include "core/dims/condition_logic.h"
#include "core/types/known_parts.h"
#include "dimwise/result_macros.h"
#include "infer/context/check_facts.h"
#include "report/models/newer_opsets.h"

namespace dimwise {
namespace {

constexpr std::string_view kNeverHolds = "can never hold";

// Applies the options of the command line to the inputs of a model.
class Inputs {
 public:
  Inputs(ModelFile& file, const ModelOptions& options)
      : file_(file), graph_(file.graph()), analysis_(graph_.analysis()), options_(options) {
    for (const ValueId input : graph_.inputs(graph_.body())) {
      types_.push_back(graph_.declared(input));
      contents_.push_back(graph_.contents(input));
    }
    given_.resize(types_.size());
  }

  Status Apply(Inference& inference) {
    for (const std::string& text : options_.shapes) DIMWISE_RETURN_IF_ERROR(SetShape(text, "--shape"));
    for (const std::string& text : options_.side) {
      if (IsForInput(text)) DIMWISE_RETURN_IF_ERROR(SetShape(text, options_.side_option));
    }
    KeepSharedNames();
    for (const std::string& text : options_.values) DIMWISE_RETURN_IF_ERROR(SetContents(text));
    for (const std::string& text : options_.sets) DIMWISE_RETURN_IF_ERROR(SetSymbol(text, "--set"));
    for (const std::string& text : options_.side) {
      if (!IsForInput(text)) DIMWISE_RETURN_IF_ERROR(SetSymbol(text, options_.side_option));
    }
    Substitute();
    const std::span<const ValueId> inputs = graph_.inputs(graph_.body());
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (types_[i] != graph_.declared(inputs[i]) || contents_[i] != graph_.contents(inputs[i]))
        inference.SetInput(inputs[i], types_[i], contents_[i]);
    }
    for (const Clause& size : sizes_of_contents_) inference.Assume(Condition{{size}});
    for (const auto& [symbol, number] : numbers_) {
      inference.Assume(Condition{{Clause{Equal(dims(), symbol, number)}}});
    }
    for (const std::string& text : options_.assume) DIMWISE_RETURN_IF_ERROR(Assume(text, inference));
    DIMWISE_ASSIGN_OR_RETURN(const std::vector<Dim> may_be_0,
                             SymbolsAllowedEmpty(options_.allow_empty, graph_, types_));
    for (const Dim symbol : may_be_0) inference.Assume(Condition{{Clause{AtLeast(dims(), symbol, 0)}}});
    if (const Status status = CheckFacts(analysis_, kNeverHolds, "cannot both hold"); !status)
      return Contradicts(status.error().message);
    return {};
  }

  // Applies the numbers for sizes that depend on data, and infers again. `report` names these sizes.
  Status ApplyToData(const ModelReport& report, Inference& inference) {
    if (data_sizes_.empty()) return {};
    std::vector<std::string> names;
    for (const Dim symbol : Symbols()) names.emplace_back(dims().NameOf(symbol));
    DIMWISE_RETURN_IF_ERROR(AssumeDataSizes(data_sizes_, report, std::move(names), &inference));
    inference.Run();
    return {};
  }

  bool sets_data_sizes() const { return !data_sizes_.empty(); }

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

  // Applies `hw=[224, 224]`. A symbolic size of the input equals the number of elements that are given.
  Status SetContents(const std::string& text) {
    const std::string word = "--value " + text;
    DIMWISE_ASSIGN_OR_RETURN(const Assignment given, TakeApart(text, "--value", "--value 'hw=[224, 224]'"));
    DIMWISE_ASSIGN_OR_RETURN(const ValueId input, FindInput(graph_, given.name, word));
    const size_t place = PlaceOf(input);
    Type& type = types_[place];
    if (type.kind == TypeKind::kUnknown) type.kind = TypeKind::kTensor;
    if (!type.is_tensor()) {
      return BadUsage(fmt::format("{}: input '{}' is not a tensor, so it has no contents", word, given.name),
                      {});
    }
    const Shape before = type.shape;
    Result<Value> contents =
        ReadInputContents(analysis_, given.value, &type, &file_.given_contents.emplace_back());
    if (!contents) {
      return BadUsage(fmt::format("{}: {}", word, contents.error().message), contents.error().help);
    }
    if (const auto [it, added] = values_.insert({place, *contents}); !added && it->second != *contents) {
      return BadUsage(fmt::format("{}: input '{}' gets contents twice", word, given.name), {});
    }
    contents_[place] = *contents;
    for (const SymbolInContents& part : SymbolsOfContents(dims(), *contents)) {
      const SymbolInfo info = dims().GetSymbol(part.symbol);
      if (!info.of_user) continue;
      const std::string origin = fmt::format("input {}, element {}", given.name, part.element);
      more_symbols_.push_back(dims().Symbol(info.name, origin));
    }
    if (before.is_none() || !before.has_rank()) return {};
    for (int axis = 0; axis < before.rank(); ++axis) {
      if (before[axis].is_constant()) continue;
      sizes_of_contents_.push_back({Equal(dims(), before[axis], type.shape[axis])});
      const std::span<const Dim> symbols = dims().SymbolsOf(before[axis]);
      more_symbols_.insert(more_symbols_.end(), symbols.begin(), symbols.end());
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

  // Renames the symbols that --shape renames also in the inputs that --shape leaves as they are: sizes that
  // share a name in the model stay equal.
  void KeepSharedNames() {
    const std::vector<Dim> declared = SymbolsOfInputs(graph_);
    std::unordered_map<Dim, Dim> renamed;  // none: to several names
    for (size_t place = 0; place < types_.size(); ++place) {
      const Type before = graph_.declared(graph_.inputs(graph_.body())[place]);
      if (!IsRanked(before) || before.shape.dims().size() != given_[place].size()) continue;
      for (size_t axis = 0; axis < given_[place].size(); ++axis) {
        const Dim from = before.shape.dims()[axis], to = given_[place][axis];
        if (!IsUserSymbol(from) || !IsUserSymbol(to) || Stays(to)) continue;
        if (std::ranges::find(declared, to) != declared.end() || IsNameless(before.shape, axis)) continue;
        const auto [it, added] = renamed.insert({from, to});
        if (!added && it->second != to) it->second = Dim();
      }
    }
    if (renamed.empty()) return;
    for (size_t place = 0; place < types_.size(); ++place) {
      if (!IsRanked(types_[place])) continue;
      std::vector<Dim> sizes(types_[place].shape.dims().begin(), types_[place].shape.dims().end());
      for (size_t axis = 0; axis < sizes.size(); ++axis) {
        if (axis < given_[place].size() && !given_[place][axis].is_none()) continue;
        sizes[axis] = dims().Substitute(sizes[axis], [&](Dim atom) {
          const auto it = renamed.find(atom);
          return it == renamed.end() ? Dim() : it->second;
        });
      }
      types_[place].shape = analysis_.shapes().Make(sizes);
    }
  }

  bool IsUserSymbol(Dim size) {
    return !size.is_none() && size.is_expression() && dims().Kind(size) == DimKind::kSymbol &&
           dims().GetSymbol(size).of_user;
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

  // Returns the symbols of the inputs, including those of contents.
  std::vector<Dim> Symbols() const {
    std::vector<Dim> symbols;
    const auto add = [&](Dim symbol) {
      if (std::ranges::find(symbols, symbol) == symbols.end()) symbols.push_back(symbol);
    };
    for (const Type& type : types_) {
      if (!type.is_tensor() || type.shape.is_none()) continue;
      for (const Dim size : type.shape.dims()) {
        if (!size.is_expression()) continue;
        for (const Dim symbol : analysis_.dims().SymbolsOf(size)) add(symbol);
      }
    }
    for (const Dim symbol : more_symbols_) add(symbol);
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
    data_sizes_.push_back({std::string(given.name), number, word});
    return {};
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
    return Failure(Code::kContradiction, std::move(message),
                   "remove or correct one of --set, --value and --assume");
  }

  ModelFile& file_;
  const Graph& graph_;
  Analysis& analysis_;
  const ModelOptions& options_;
  std::vector<Type> types_;                   // of the inputs, in order
  std::vector<Value> contents_;               // of the inputs, in order
  std::unordered_map<size_t, Value> values_;  // from --value, by input
  std::vector<Clause> sizes_of_contents_;     // what --value states about sizes
  std::vector<Dim> more_symbols_;             // of contents, and of sizes that contents replace
  std::vector<DataSize> data_sizes_;          // from --set, for no symbol of the inputs
  std::unordered_map<Dim, int64_t> numbers_;  // from --set
  std::vector<std::vector<Dim>> given_;  // from --shape: by input and axis; none if the size is not given
};

// Adds the contents that dimwise.toml gives inputs of this model, unless the command line gives others.
void AddValues(const std::vector<std::string>& words, const Graph& graph, std::vector<std::string>* values) {
  const auto name_of = [](std::string_view word) { return word.substr(0, word.find('=')); };
  const std::vector<std::string> given = *values;
  for (const std::string& word : words) {
    const bool is_input = std::ranges::any_of(
        graph.inputs(graph.body()), [&](ValueId input) { return graph.name(input) == name_of(word); });
    if (is_input && std::ranges::find(given, name_of(word), name_of) == given.end()) values->push_back(word);
  }
}

}  // namespace

Result<InferredModel> InferModel(const ModelPath& path, const OpRegistry& registry,
                                 const ModelOptions& options) {
  DIMWISE_ASSIGN_OR_RETURN(std::unique_ptr<ModelFile> file, ReadModel(path.path, options.from));
  if (!options.reads_config) return InferModel(std::move(file), registry, options);
  DIMWISE_ASSIGN_OR_RETURN(const CheckConfig config, ConfigFor(path.path));
  ModelOptions with_config = options;
  AddValues(config.value, file->graph(), &with_config.values);
  return InferModel(std::move(file), registry, with_config);
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
  DIMWISE_RETURN_IF_ERROR(RenameSymbols(options.renames, *model.file));
  Inputs inputs(*model.file, options);
  DIMWISE_RETURN_IF_ERROR(inputs.Apply(*model.inference));
  model.inference->Run();
  const auto report = [&] {
    return std::make_unique<ModelReport>(model.file->path, model.file->format, *model.inference,
                                         model.file->distinct_values());
  };
  model.report = report();
  if (inputs.sets_data_sizes()) {
    DIMWISE_RETURN_IF_ERROR(inputs.ApplyToData(*model.report, *model.inference));
    model.report = report();
  }
  AddReaderFindings(*model.report, NewerOpsets(model.file->graph()));
  AddReaderFindings(*model.report, std::move(model.file->findings));
  return model;
}

}  // namespace dimwise
