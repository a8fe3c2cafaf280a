#include "cli/set_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "cli/changed_model.h"
#include "cli/exit_code.h"
#include "cli/printing.h"
#include "cli/rule_files.h"
#include "cli/size_words.h"
#include "cli/usage_formatter.h"
#include "dimwise/result_macros.h"

namespace dimwise {
namespace {

constexpr std::string_view kSetFooter =
    R"(A symbol is replaced in the sizes of all values, also inside expressions such as N + 1. --input changes a size
that is a number or has no name. The model is inferred again and written with its shapes. All other bytes of the
file stay unchanged, except locations of external data if OUT is in another folder.

Exit codes: 0: written; 1: a guard fails at these sizes, so nothing is written, or the model had errors before;
2: bad usage, or a file cannot be read or written.

Examples:
  dimwise set bert.onnx batch=8 seq=128 -o bert_8x128.onnx
  dimwise set resnet.onnx --input 'x[0]=4' -o resnet_4.onnx
  dimwise set resnet.onnx --input x=4,3,256,256 -o resnet_4x256.onnx
)";

constexpr std::string_view kInputExample = "--input 'x[0]=8'";

struct SetOptions {
  ChangeOptions change;
  std::vector<std::string> numbers;  // "N=8"
  std::vector<std::string> inputs;   // "x[0]=8", "x=8,3,224,224"
};

// Returns the names in the sizes of inputs: symbols, and expressions, which ONNX stores as names.
std::vector<std::string> NamesOfSizes(const Graph& graph) {
  std::vector<std::string> names;
  const auto add = [&](std::string_view name) {
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  };
  DimTable& dims = graph.analysis().dims();
  for (const Dim symbol : SymbolsOfInputs(graph)) add(dims.NameOf(symbol));
  for (const std::string& name : std::vector(names)) {
    DimTable own;
    const Result<Dim> parsed = own.Parse(name);
    if (!parsed || !parsed->is_expression() || own.Kind(*parsed) == DimKind::kSymbol) continue;
    for (const Dim symbol : own.SymbolsOf(*parsed)) add(own.NameOf(symbol));
  }
  return names;
}

// Finds the unnamed size of an input that the reader called x_d0.
std::optional<OnnxEdits::InputSize> PlaceOf(const Graph& graph, std::string_view name) {
  DimTable& dims = graph.analysis().dims();
  for (const ValueId input : graph.inputs(graph.body())) {
    const Type type = graph.declared(input);
    if (!type.is_tensor() || type.shape.is_none()) continue;
    for (int axis = 0; axis < static_cast<int>(type.shape.dims().size()); ++axis) {
      const Dim size = type.shape[axis];
      if (!size.is_expression() || dims.Kind(size) != DimKind::kSymbol || dims.NameOf(size) != name) continue;
      if (!dims.GetSymbol(size).is_nameless) return std::nullopt;
      return OnnxEdits::InputSize{std::string(graph.name(input)), axis, {}};
    }
  }
  return std::nullopt;
}

Result<OnnxEdits> ReadSizes(const Graph& graph, const SetOptions& options) {
  OnnxEdits sizes;
  const std::vector<std::string> names = NamesOfSizes(graph);
  for (const std::string& word : options.numbers) {
    DIMWISE_ASSIGN_OR_RETURN(const Assignment given, TakeApart(word, "", "dimwise set MODEL N=8 -o OUT"));
    if (std::ranges::find(names, given.name) == names.end()) {
      return BadUsage(fmt::format("no size of an input is named {}, as in {}", given.name, word),
                      Suggestion(given.name, {names.begin(), names.end()}, kSymbols));
    }
    DIMWISE_ASSIGN_OR_RETURN(const int64_t number, ReadSize(given.value, word, "N=8"));
    const auto [it, added] = sizes.numbers.insert({std::string(given.name), number});
    if (!added && it->second != number) {
      return BadUsage(fmt::format("{} gets two numbers, {} and {}", given.name, it->second, number), {});
    }
    if (std::optional<OnnxEdits::InputSize> place = PlaceOf(graph, given.name)) {
      place->size = number;
      sizes.input_sizes.push_back(std::move(*place));
    }
  }
  for (const std::string& word : options.inputs) {
    DIMWISE_ASSIGN_OR_RETURN(const std::vector<InputAxis> axes,
                             ReadInputAxes(graph, word, "--input", kInputExample));
    for (const InputAxis& axis : axes) {
      DIMWISE_ASSIGN_OR_RETURN(const int64_t number, ReadSize(axis.value, "--input " + word, kInputExample));
      const std::string input(graph.name(axis.input));
      for (const OnnxEdits::InputSize& other : sizes.input_sizes) {
        if (other.input != input || other.axis != axis.axis || other.size == WrittenSize(number)) continue;
        return BadUsage(
            fmt::format("--input {}: axis {} of '{}' got another size before", word, axis.axis, input), {});
      }
      sizes.input_sizes.push_back({input, axis.axis, number});
    }
  }
  return sizes;
}

// Returns the new errors with these numbers: the guards of the model that fail, and the errors that no guard
// explains. Where only the condition for the validity of a size fails, the model has no error.
std::vector<Diagnostic> Contradictions(const InferredModel& before, const InferredModel& after,
                                       const SymbolNumbers& numbers) {
  std::vector<Diagnostic> errors = NewErrors(*before.report, *after.report);
  std::vector<Diagnostic> all;
  if (errors.empty()) return all;
  const Graph& graph = before.file->graph();
  DimTable& dims = graph.analysis().dims();
  const auto number_of = [&](Dim atom) {
    if (dims.Kind(atom) != DimKind::kSymbol) return Dim();
    const auto it = numbers.find(dims.NameOf(atom));
    return it == numbers.end() ? Dim() : Dim(it->second);
  };
  for (const ResidualGuard& guard : before.inference->guards()) {
    if (!before.inference->certain(guard.node) || IsValidityCondition(guard.code)) continue;
    for (const Clause& clause : guard.condition.clauses) {
      Clause with_numbers = clause;
      std::string given;
      for (Literal& literal : with_numbers) {
        for (const Dim symbol : dims.SymbolsOf(literal.value)) {
          const Dim number = number_of(symbol);
          const std::string text =
              number.is_none() ? "" : fmt::format("{} = {}", dims.NameOf(symbol), number.constant());
          if (!text.empty() && given.find(text) == std::string::npos)
            given += (given.empty() ? "" : ", ") + text;
        }
        literal.value = dims.Substitute(literal.value, number_of);
      }
      if (!Normalize(dims, with_numbers).empty()) continue;
      Diagnostic failed;
      failed.code = guard.code;
      failed.node = before.report->names.Node(guard.node);
      failed.op = ShortName(graph.op_name(guard.node));
      failed.index = graph.position(guard.node);
      failed.source.file = before.report->file;
      failed.message = fmt::format("with {}, a guard of {} fails", given, failed.op);
      failed.sides = {{"requires", ToString(dims, clause), guard.message}, {"given", given, ""}};
      for (const Diagnostic& error : errors) {
        if (error.node == failed.node) failed.notes.push_back("with these sizes: " + error.message);
      }
      std::erase_if(errors, [&](const Diagnostic& error) { return error.node == failed.node; });
      failed.help = "nothing is written; `dimwise guards` lists the guards of a model";
      all.push_back(std::move(failed));
    }
  }
  for (Diagnostic& error : errors) {
    error.source.file = before.report->file;  // the changed model is not written
    all.push_back(std::move(error));
  }
  return all;
}

Result<int> Set(const SetOptions& options, const OpRegistry& registry) {
  const ModelOptions& model = options.change.model;
  DIMWISE_ASSIGN_OR_RETURN(InferredModel before, InferModel({model.models[0], {}}, registry, model));
  DIMWISE_RETURN_IF_ERROR(CheckNameFor(*before.file, options.change.output));
  DIMWISE_ASSIGN_OR_RETURN(const OnnxEdits sizes, ReadSizes(before.file->graph(), options));
  DIMWISE_ASSIGN_OR_RETURN(std::unique_ptr<ModelFile> changed,
                           ReadModel(options.change.output == "-" ? before.file->path : options.change.output,
                                     WithSizes(*before.file, sizes), before.file->format));
  DIMWISE_ASSIGN_OR_RETURN(InferredModel after, InferModel(std::move(changed), registry, model));
  const std::vector<Diagnostic> wrong = Contradictions(before, after, sizes.numbers);
  for (const Diagnostic& error : wrong) Print(stderr, DiagnosticText(error, stderr) + "\n");
  return wrong.empty() ? WriteAndReport(after, options.change) : kFound;
}

}  // namespace

void AddSetCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<SetOptions>();
  options->change.model.models.resize(1);
  CLI::App* set = app.add_subcommand("set", "fix sizes of a model and write the model");
  set->formatter(std::make_shared<UsageFormatter>("dimwise set MODEL SYMBOL=NUMBER... -o OUT [options]"));
  set->add_option("MODEL", options->change.model.models[0], "the model: a file, or -")->required();
  set->add_option("SYMBOL=NUMBER", options->numbers, "a number for a symbol of the inputs: N=8");
  set->add_option("--input", options->inputs,
                  "sizes of an input: 'x[0]=8', or x=8,3,_,_ where _ keeps a size")
      ->allow_extra_args(false)
      ->type_name("INPUT=SIZES");
  AddChangeOptions(*set, &options->change);
  set->footer(std::string(kSetFooter));
  set->callback([options, exit_code] {
    if (options->numbers.empty() && options->inputs.empty()) {
      throw CLI::RequiredError("SYMBOL=NUMBER or --input");
    }
    *exit_code = RunWithRules(options->change.model.models[0], options->change.model.rules,
                              [&](const OpRegistry& registry) { return Set(*options, registry); });
  });
}

}  // namespace dimwise
