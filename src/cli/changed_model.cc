#include "cli/changed_model.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/exit_code.h"
#include "cli/printing.h"
#include "cli/rule_files.h"
#include "cli/terminal.h"
#include "core/types/known_parts.h"
#include "dimwise/graph_text.h"
#include "report/models/model_json.h"
#include "report/models/model_text.h"

namespace dimwise {
namespace {

// Converts a new size to the number or symbol of a text graph.
Dim ToDim(DimTable& dims, const WrittenSize& size) {
  if (const int64_t* number = std::get_if<int64_t>(&size)) return *number;
  return dims.Symbol(std::get<std::string>(size));
}

void ChangeDeclaration(Graph& graph, ValueId value, const OnnxEdits& sizes) {
  Type type = graph.declared(value);
  if (!IsRanked(type)) return;
  DimTable& dims = graph.analysis().dims();
  std::vector<Dim> changed(type.shape.dims().begin(), type.shape.dims().end());
  for (Dim& size : changed) {
    size = dims.Substitute(size, [&](Dim atom) {
      if (dims.Kind(atom) != DimKind::kSymbol) return Dim();
      const auto it = sizes.numbers.find(dims.NameOf(atom));
      return it == sizes.numbers.end() ? Dim() : Dim(it->second);
    });
  }
  if (graph.role(value) == ValueRole::kInput && graph.region(value) == graph.body()) {
    for (const OnnxEdits::InputSize& size : sizes.input_sizes) {
      if (size.input == graph.name(value)) changed[static_cast<size_t>(size.axis)] = ToDim(dims, size.size);
    }
  }
  type.shape = graph.analysis().shapes().Make(changed);
  graph.Declare(value, type);
}

std::vector<std::byte> BytesOf(std::string_view text) {
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

}  // namespace

void AddChangeOptions(CLI::App& command, ChangeOptions* options) {
  command.add_option("-o,--output", options->output, "the output file; - is standard output")
      ->required()
      ->type_name("OUT");
  AddRulesOption(command, &options->model.rules);
  command
      .add_option("--from", options->model.from,
                  "the format of the model, if its contents do not determine it")
      ->check(CLI::IsMember(ModelFormatNames()))
      ->type_name("FORMAT");
  AddOutputOptions(command, &options->writing);
  AddFormatOption(command, &options->model, {"human", "json"});
  command.add_flag("-q,--quiet", options->model.quiet, "print only errors");
}

MappedFile WithSizes(ModelFile& file, const OnnxEdits& sizes) {
  if (file.onnx != nullptr) return MappedFile::Holding(EditOnnx(*file.onnx, sizes));
  for (uint32_t v = 0; v < file.text->value_count(); ++v) ChangeDeclaration(*file.text, ValueId{v}, sizes);
  return MappedFile::Holding(BytesOf(ToString(*file.text)));
}

std::vector<Diagnostic> NewErrors(const ModelReport& before, const ModelReport& after) {
  std::vector<Diagnostic> fresh;
  for (const Diagnostic& error : after.findings) {
    if (error.severity != Severity::kError) continue;
    const bool old = std::ranges::any_of(before.findings, [&](const Diagnostic& other) {
      return other.severity == Severity::kError && other.node == error.node && other.code == error.code;
    });
    if (!old) fresh.push_back(error);
  }
  return fresh;
}

Status WriteChanged(const InferredModel& model, const ChangeOptions& options) {
  return WriteInferred(model, options.model.models[0], options.output, options.writing, OutputSizes::kNames);
}

int WriteAndReport(const InferredModel& model, const ChangeOptions& options) {
  if (const Status written = WriteChanged(model, options); !written) {
    Print(stderr, DiagnosticText(written.error(), stderr) + "\n");
    return kCouldNotDo;
  }
  const ModelReport& report = *model.report;
  // When the model is written to standard output, the summary goes to standard error.
  std::FILE* stream = options.output == "-" ? stderr : stdout;
  if (options.model.format == "json") {
    std::string out;
    JsonWriter json(&out);
    WriteModel(json, report);
    Print(stream, out + "\n");
  } else {
    for (const Diagnostic& finding : report.findings) {
      if (options.model.quiet && finding.severity != Severity::kError) continue;
      Print(stderr, fmt::format("{}\n\n", DiagnosticText(finding, stderr)));
    }
    if (!options.model.quiet)
      Print(stream,
            ModelSummary(report, CommandAbout("guards", options.output, options.model), ColourOf(stream)));
  }
  return report.has_errors() ? kFound : kDone;
}

}  // namespace dimwise
