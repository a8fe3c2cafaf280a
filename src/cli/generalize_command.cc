#include "cli/generalize_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
#include "core/base/failure.h"
#include "dimwise/result_macros.h"
#include "formats/onnx/onnx_patch.h"
#include "formats/onnx/patch_writer.h"
#include "infer/generalize/generalize.h"
#include "report/models/model_diff.h"
#include "report/models/model_json.h"
#include "report/models/size_changes.h"

namespace dimwise {
namespace {

constexpr std::string_view kGeneralizeFooter =
    R"(Some constants of the graph fix the size, such as the 1 of a Reshape to [1, 16, 768] or the sizes of a constant
initial state. The command finds these constants and changes them if it is certain that they represent the size.
If the new contents are not constant, nodes that compute them from the input are added. Constants that only
broadcast stay. The changed model is inferred again: at the old size, all shapes must be the old ones.

Exit codes: 0: written; 1: the size cannot be made symbolic, so nothing is written, or the model has other
errors; 2: bad usage, or a file cannot be read or written.

Examples:
  dimwise generalize resnet.onnx --input 'x[0]=batch' -o resnet_batch.onnx
  dimwise generalize bert.onnx --input 'input_ids[0]=batch' --input 'mask[0]=batch' -o bert_batch.onnx
  dimwise generalize bert.onnx --all 0=batch -o bert_batch.onnx
)";

struct GeneralizeOptions {
  ChangeOptions change;
  std::vector<std::string> inputs;  // "x[0]=batch"
  std::vector<std::string> all;     // "0=batch"
};

Status AddSymbol(const Graph& graph, const InputAxis& axis, std::vector<InputSymbol>* symbols) {
  const Dim size = graph.declared(axis.input).shape[axis.axis];
  const std::string place = fmt::format("{}[{}]", graph.name(axis.input), axis.axis);
  if (axis.value.empty() || SizeOf(axis.value) ||
      axis.value.find_first_of(" +-*/%()?`") != std::string_view::npos) {
    return BadUsage(
        fmt::format("{}={}: a symbol must be a name such as batch, not '{}'", place, axis.value, axis.value),
        SizeOf(axis.value) ? "`dimwise set` gives a size another number" : "");
  }
  if (!size.is_constant()) {
    return BadUsage(fmt::format("{} is already symbolic: {}", place, graph.analysis().dims().ToString(size)),
                    "only a constant size can be made symbolic");
  }
  for (const InputSymbol& other : *symbols) {
    if (other.input == axis.input && other.axis == axis.axis) {
      return BadUsage(fmt::format("{} is given twice, as {} and {}", place, other.symbol, axis.value), {});
    }
    if (other.symbol == axis.value && other.was != size.constant()) {
      return BadUsage(fmt::format("{} would be {} at {}[{}] and {} at {}", axis.value, other.was,
                                  graph.name(other.input), other.axis, size.constant(), place),
                      "sizes with the same symbol are equal; use another name for one of them");
    }
  }
  symbols->push_back({axis.input, axis.axis, std::string(axis.value), size.constant()});
  return {};
}

Result<std::vector<InputSymbol>> ReadSymbols(const Graph& graph, const GeneralizeOptions& options) {
  std::vector<InputSymbol> symbols;
  for (const std::string& word : options.inputs) {
    DIMWISE_ASSIGN_OR_RETURN(const std::vector<InputAxis> axes,
                             ReadInputAxes(graph, word, "--input", "--input 'x[0]=batch'"));
    for (const InputAxis& axis : axes) DIMWISE_RETURN_IF_ERROR(AddSymbol(graph, axis, &symbols));
  }
  for (const std::string& word : options.all) {
    DIMWISE_ASSIGN_OR_RETURN(const Assignment given, TakeApart(word, "--all", "--all 0=batch"));
    const std::optional<int64_t> axis = SizeOf(given.name);
    if (!axis)
      return BadUsage(fmt::format("--all {}: '{}' is not an axis", word, given.name),
                      "for example: --all 0=batch");
    bool any = false;
    for (const ValueId input : graph.inputs(graph.body())) {
      const Type type = graph.declared(input);
      if (!type.is_tensor() || type.shape.is_none() ||
          *axis >= static_cast<int64_t>(type.shape.dims().size()))
        continue;
      if (!type.shape[static_cast<int>(*axis)].is_constant()) continue;
      DIMWISE_RETURN_IF_ERROR(AddSymbol(graph, {input, static_cast<int>(*axis), given.value}, &symbols));
      any = true;
    }
    if (!any)
      return BadUsage(fmt::format("--all {}: no input has a constant size at axis {}", word, *axis), {});
  }
  return symbols;
}

class GeneralizeRun {
 public:
  GeneralizeRun(const GeneralizeOptions& options, const OpRegistry& registry)
      : options_(options), registry_(registry) {}

  Result<int> Run() {
    const ModelOptions& model = options_.change.model;
    DIMWISE_ASSIGN_OR_RETURN(contents_, MappedFile::Open(model.models[0]));
    path_ = model.models[0] == "-" ? "standard input" : model.models[0];
    DIMWISE_ASSIGN_OR_RETURN(std::unique_ptr<ModelFile> file, Read());
    DIMWISE_RETURN_IF_ERROR(CheckNameFor(*file, options_.change.output));
    DIMWISE_ASSIGN_OR_RETURN(const InferredModel before, InferModel(std::move(file), registry_, model));
    DIMWISE_ASSIGN_OR_RETURN(const std::vector<InputSymbol> symbols,
                             ReadSymbols(before.file->graph(), options_));
    FindNotInferred(*before.report);
    DIMWISE_ASSIGN_OR_RETURN(const Generalization found,
                             Generalize([this] { return Load(); }, registry_, symbols));
    if (found.refusal) return Refuse(*found.refusal, symbols);

    const Graph& graph = before.file->graph();
    DIMWISE_ASSIGN_OR_RETURN(const Patch patch, MakePatch(graph, found.changes, symbols));
    DIMWISE_ASSIGN_OR_RETURN(MappedFile contents, Changed(graph, patch, symbols));
    DIMWISE_ASSIGN_OR_RETURN(std::unique_ptr<ModelFile> changed,
                             ReadModel(options_.change.output == "-" ? path_ : options_.change.output,
                                       std::move(contents), before.file->format));
    DIMWISE_ASSIGN_OR_RETURN(InferredModel after, InferModel(std::move(changed), registry_, model));
    if (Status verified = Verify(before, after, symbols, patch); !verified) {
      return Refuse(verified.error(), symbols);
    }
    return WriteAndReportChanges(before, after, {found.changes, patch, symbols});
  }

 private:
  Result<std::unique_ptr<ModelFile>> Read() {
    // Each copy of the model views the same mapped bytes.
    return ReadModel(path_, MappedFile::Viewing(contents_.bytes()), options_.change.model.from);
  }

  // Finds values whose shape is known only from the file. It may be wrong at other sizes.
  void FindNotInferred(const ModelReport& report) {
    for (uint32_t v = 0; v < report.graph().value_count(); ++v) {
      const Type declared = report.graph().declared(ValueId{v});
      const bool result = report.graph().role(ValueId{v}) == ValueRole::kResult;
      if (result && declared.is_tensor() && HasRank(declared) && !HasRank(report.type(ValueId{v}))) {
        not_inferred_.push_back(ValueId{v});
      }
    }
  }

  Result<LoadedProgram> Load() { return Loaded(Read()); }
  static Result<LoadedProgram> Loaded(Result<std::unique_ptr<ModelFile>> file) {
    if (!file) return std::move(file).TakeError();
    std::shared_ptr<ModelFile> owner = std::move(*file);
    Graph* graph = &owner->graph();
    return LoadedProgram{owner, graph};
  }

  // Returns the bytes of the changed model. Its input sizes are the symbols, or the old numbers.
  Result<MappedFile> Changed(const Graph& graph, const Patch& patch, const std::vector<InputSymbol>& symbols,
                             bool old_sizes = false) {
    DIMWISE_ASSIGN_OR_RETURN(std::unique_ptr<ModelFile> file, Read());
    OnnxEdits edits;
    if (file->onnx != nullptr) {
      edits = WritePatch(*file->onnx, patch);
    } else {
      ApplyPatch(*file->text, patch);
    }
    if (!old_sizes) edits.open_sizes = not_inferred_;
    for (const InputSymbol& s : symbols) {
      const WrittenSize size = old_sizes ? WrittenSize(s.was) : WrittenSize(s.symbol);
      edits.input_sizes.push_back({std::string(graph.name(s.input)), s.axis, size});
    }
    return WithSizes(*file, edits);
  }

  int Refuse(Diagnostic refusal, const std::vector<InputSymbol>& symbols) const {
    std::vector<std::string> names;
    for (const InputSymbol& s : symbols) {
      if (std::ranges::find(names, s.symbol) == names.end()) names.push_back(s.symbol);
    }
    refusal.message =
        fmt::format("{} cannot be made symbolic: {}", fmt::join(names, " and "), refusal.message);
    refusal.source.file = path_;
    Print(stderr, DiagnosticText(refusal, stderr) + "\n");
    return kFound;
  }

  static Unexpected VerificationFailed(std::string message, std::string note) {
    Diagnostic wrong = MakeDiagnostic(Code::kNotSupported, std::move(message));
    wrong.notes.push_back(std::move(note));
    return Unexpected(std::move(wrong));
  }

  // Checks the changed model. At the old sizes each shape must equal that of the model. At other sizes no
  // node may fail, and no value may lose its rank.
  Status Verify(const InferredModel& before, const InferredModel& after,
                const std::vector<InputSymbol>& symbols, const Patch& patch) {
    DIMWISE_ASSIGN_OR_RETURN(MappedFile contents,
                             Changed(before.file->graph(), patch, symbols, /*old_sizes=*/true));
    DIMWISE_ASSIGN_OR_RETURN(std::unique_ptr<ModelFile> copy,
                             ReadModel(path_, std::move(contents), before.file->format));
    DIMWISE_ASSIGN_OR_RETURN(const InferredModel there,
                             InferModel(std::move(copy), registry_, ModelOptions()));
    if (const std::vector<Diagnostic> errors = NewErrors(*before.report, *there.report); !errors.empty()) {
      return VerificationFailed("the changed model would fail at the old size; nothing is written",
                                errors[0].message);
    }
    ModelDiff diff = Compare(*before.report, *there.report);
    if (!diff.changed.empty() || !diff.removed.empty()) {
      diff.added.clear();
      return VerificationFailed(
          "the changed model would have other shapes at the old size; nothing is written",
          DiffText({*before.report, *there.report, "now", "changed"}, diff));
    }
    DIMWISE_ASSIGN_OR_RETURN(const std::vector<Diagnostic> problems,
                             FindProblems(
                                 [&]() -> Result<LoadedProgram> {
                                   DIMWISE_ASSIGN_OR_RETURN(MappedFile bytes,
                                                            Changed(before.file->graph(), patch, symbols));
                                   return Loaded(ReadModel(path_, std::move(bytes), before.file->format));
                                 },
                                 registry_, symbols));
    for (const Diagnostic& problem : problems) {
      const bool old = std::ranges::any_of(before.report->findings, [&](const Diagnostic& other) {
        return other.severity == Severity::kError && other.op == problem.op &&
               other.message == problem.message;
      });
      if (!old)
        return VerificationFailed("the changed model would fail at other sizes; nothing is written",
                                  problem.message);
    }
    for (const ModelDiff::Changed& value : Compare(*before.report, *after.report).changed) {
      if (!HasRank(CountedType(before.report->type(value.left)))) continue;
      if (HasRank(CountedType(after.report->type(value.right)))) continue;
      return VerificationFailed(
          fmt::format("the rank of '{}' would be unknown at other sizes; nothing is written",
                      before.report->names.Value(value.left)),
          "it depends on a size that would become symbolic");
    }
    return {};
  }

  struct Generalized {
    const std::vector<SizeChange>& changes;
    const Patch& patch;
    const std::vector<InputSymbol>& symbols;
  };

  // Returns the guards on the new symbols, such as "seq <= 64".
  static std::vector<std::string> Requirements(const InferredModel& after,
                                               const std::vector<InputSymbol>& symbols) {
    std::vector<std::string> texts;
    DimTable& dims = after.report->dims();
    for (const ResidualGuard& guard : after.inference->guards()) {
      for (const Clause& clause : guard.condition.clauses) {
        bool mentions = false;
        for (const Literal& literal : clause) {
          for (const Dim symbol : dims.SymbolsOf(literal.value)) {
            mentions = mentions ||
                       std::ranges::find(symbols, dims.NameOf(symbol), &InputSymbol::symbol) != symbols.end();
          }
        }
        if (mentions) texts.push_back(ToString(dims, clause));
      }
    }
    return texts;
  }

  // Returns the outputs whose shape does not contain the new symbols.
  static std::vector<std::string> FixedOutputs(const InferredModel& after,
                                               const std::vector<InputSymbol>& symbols) {
    std::vector<std::string> names;
    const Graph& graph = after.file->graph();
    DimTable& dims = after.report->dims();
    for (const ValueId output : graph.outputs(graph.body())) {
      const Type type = after.report->type(output);
      if (!type.is_tensor() || !HasRank(type)) continue;
      bool mentions = false;
      for (const Dim size : type.shape.dims()) {
        if (!size.is_expression()) continue;
        for (const Dim symbol : dims.SymbolsOf(size)) {
          mentions = mentions ||
                     std::ranges::find(symbols, dims.NameOf(symbol), &InputSymbol::symbol) != symbols.end();
        }
      }
      if (!mentions) names.emplace_back(graph.name(output));
    }
    return names;
  }

  int WriteAndReportChanges(const InferredModel& before, const InferredModel& after,
                            const Generalized& done) {
    std::FILE* stream = options_.change.output == "-" ? stderr : stdout;
    const size_t new_nodes = done.patch.new_node_count();
    const std::vector<std::string> requirements = Requirements(after, done.symbols);
    if (options_.change.model.format == "json") {
      if (const Status written = WriteChanged(after, options_.change); !written) {
        Print(stderr, DiagnosticText(written.error(), stderr) + "\n");
        return kCouldNotDo;
      }
      std::string out;
      JsonWriter json(&out);
      json.BeginObject();
      WriteModelHead(json, *after.report);
      json.Key("changes");
      WriteSizeChanges(json, *before.report, done.changes);
      json.Key("new_nodes");
      json.Int(static_cast<int64_t>(new_nodes));
      json.Key("requires");
      json.BeginArray();
      for (const std::string& text : requirements) json.String(text);
      json.EndArray();
      json.EndObject();
      Print(stream, out + "\n");
      return after.report->has_errors() ? kFound : kDone;
    }
    if (!options_.change.model.quiet) {
      Print(stream, fmt::format("{}: {}{}\n", path_,
                                done.changes.empty() ? "no constant must change"
                                                     : Counted(done.changes.size(), "operand") + " changed",
                                new_nodes == 0 ? "" : ", " + Counted(new_nodes, "node") + " added"));
      for (const SizeChange& change : done.changes) Print(stream, SizeChangeText(*before.report, change));
      for (const std::string& text : requirements) Print(stream, fmt::format("  guard: {}\n", text));
      for (const std::string& name : FixedOutputs(after, done.symbols)) {
        Print(stream, fmt::format("  output '{}' has the same shape at every size\n", Printable(name)));
      }
    }
    return WriteAndReport(after, options_.change);
  }

  const GeneralizeOptions& options_;
  const OpRegistry& registry_;
  MappedFile contents_;
  std::string path_;
  std::vector<ValueId> not_inferred_;
};

}  // namespace

void AddGeneralizeCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<GeneralizeOptions>();
  options->change.model.models.resize(1);
  CLI::App* generalize =
      app.add_subcommand("generalize", "make constant sizes of inputs symbolic and write the model");
  generalize->formatter(
      std::make_shared<UsageFormatter>("dimwise generalize MODEL --input 'x[0]=batch' -o OUT [options]"));
  generalize->add_option("MODEL", options->change.model.models[0], "the model: a file, or -")->required();
  generalize
      ->add_option("--input", options->inputs,
                   "symbols for sizes of an input: 'x[0]=batch', or x=batch,_,h,w")
      ->allow_extra_args(false)
      ->type_name("INPUT=NAME");
  generalize
      ->add_option("--all", options->all,
                   "a symbol for this axis of each input with a constant size there: 0=batch")
      ->allow_extra_args(false)
      ->type_name("AXIS=NAME");
  AddChangeOptions(*generalize, &options->change);
  generalize->footer(std::string(kGeneralizeFooter));
  generalize->callback([options, exit_code] {
    if (options->inputs.empty() && options->all.empty()) throw CLI::RequiredError("--input or --all");
    *exit_code =
        RunWithRules(options->change.model.models[0], options->change.model.rules,
                     [&](const OpRegistry& registry) { return GeneralizeRun(*options, registry).Run(); });
  });
}

}  // namespace dimwise
