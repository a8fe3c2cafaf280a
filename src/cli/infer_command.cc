#include "cli/infer_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "cli/exit_code.h"
#include "cli/model_output.h"
#include "cli/model_run.h"
#include "cli/printing.h"
#include "cli/terminal.h"
#include "cli/usage_formatter.h"
#include "core/base/failure.h"
#include "dimwise/result_macros.h"
#include "report/models/github.h"
#include "report/models/model_json.h"
#include "report/models/model_text.h"
#include "report/models/sarif.h"
#include "report/text/wrap.h"

namespace dimwise {
namespace {

constexpr std::string_view kInferFooter =
    R"(MODEL is a file, - (standard input), or a folder of models. The results of several models are printed as a table,
or, with -v, model by model. Results go to standard output, errors and warnings to standard error. Of a folder, files
named .onnx and .graph are read; hidden folders are not entered. -o changes the locations of external data if
OUT is in another folder.

Exit codes: 0: no errors; 1: the model has errors; 2: it could not be read.

Examples:
  dimwise infer bert.onnx
  dimwise infer bert.onnx --shape input_ids=N,S --assume 'S <= 512, S % 8 == 0'
  dimwise infer bert.onnx --set N=1 --format json
  dimwise infer bert.onnx -o bert_with_shapes.onnx
  dimwise infer models/ --output-dir out/ --external-data copy
)";

struct InferOptions {
  ModelOptions model;
  std::string output;      // a file, or "-"
  std::string output_dir;  // a directory; each model is written under its own name
  OutputOptions writing;
  bool nodes = false;      // in JSON: also the nodes
};

// Writes the model with its shapes if an option requests it.
Status WriteModelFile(const InferOptions& options, const InferredModel& model, const ModelPath& path) {
  if (options.output.empty() && options.output_dir.empty()) return {};
  std::string target = options.output;
  DIMWISE_RETURN_IF_ERROR(CheckNameFor(*model.file, target));
  if (target.empty()) {
    const std::filesystem::path file = std::filesystem::path(options.output_dir) / path.below;
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error) {
      return Failure(Code::kNotSupported, fmt::format("cannot create the folder '{}': {}",
                                                      file.parent_path().string(), error.message()));
    }
    target = file.string();
  }
  return WriteInferred(model, path.path, target, options.writing, OutputSizes::kDeclared);
}

CommandOutput RenderReport(const InferOptions& all, const InferredModel& model, const ModelPath& path) {
  const ModelOptions& options = all.model;
  const ModelReport& report = *model.report;
  CommandOutput output;
  output.exit_code = report.has_errors() ? kFound : kDone;
  if (options.format == "json" || options.format == "jsonl") {
    JsonWriter json(&output.out);
    WriteModel(json, report, kAllParts | (all.nodes ? kNodesPart : 0u));
    return output;
  }
  if (options.format == "sarif") {
    output.out = SarifResults(report.findings);
    return output;
  }
  if (options.format == "github") {
    output.out = GithubText(report.findings);
    return output;
  }
  for (const Diagnostic& finding : report.findings) {
    if (options.quiet && finding.severity != Severity::kError) continue;
    output.err += DiagnosticText(finding, stderr) + "\n\n";
  }
  if (options.quiet) return output;
  // Files in several folders may have the same name.
  if (!options.verbose) output.row = RowOf(report, options.models.size() > 1 ? report.file : path.below);
  // When the model is written to standard output, the summary goes to standard error.
  (all.output == "-" ? output.err : output.out) =
      Wrapped(ModelSummary(report, CommandAbout("guards", path.path, options), ColourOf(stdout),
                           DeclaredOutputs::kPrinted),
              WidthOf(stdout));
  return output;
}

CommandOutput Render(const InferOptions& all, const InferredModel& model, const ModelPath& path) {
  // Writing replaces the declarations that the report compares with.
  CommandOutput output = RenderReport(all, model, path);
  const Status written = WriteModelFile(all, model, path);
  return written ? output : Failed(written.error());
}

// Throws an error if the options for the output do not fit the models or each other.
void CheckOutput(const InferOptions& options) {
  const std::vector<std::string>& models = options.model.models;
  if (std::ranges::find(models, "-") != models.end() && !options.output_dir.empty()) {
    throw CLI::ValidationError("--output-dir",
                               "needs the name of a file, and standard input has none; use -o");
  }
  const OutputOptions& writing = options.writing;
  if ((!writing.external_data.empty() || writing.keep_declared) && options.output.empty() &&
      options.output_dir.empty()) {
    throw CLI::ValidationError(writing.keep_declared ? "--keep-declared" : "--external-data",
                               "changes how a model is written, so it needs -o or --output-dir");
  }
  std::error_code error;
  if (!options.output.empty() && (models.size() > 1 || std::filesystem::is_directory(models[0], error))) {
    throw CLI::ValidationError("-o", "is for one model; use --output-dir for several models or a folder");
  }
  if (options.output == "-" && options.model.format != "human") {
    throw CLI::ValidationError(
        "-o -",
        "writes the model to standard output and cannot be combined with --format " + options.model.format);
  }
  if (options.output_dir.empty() || models.size() == 1) return;
  const Result<ModelPaths> paths = FindModels(models);  // a failure is reported when the models are read
  std::map<std::string, std::string> sources;
  for (const ModelPath& path : paths ? paths->found : std::vector<ModelPath>()) {
    const auto [it, added] = sources.insert({path.below, path.path});
    if (added) continue;
    throw CLI::ValidationError("--output-dir", fmt::format("would contain '{}' twice, from '{}' and '{}'",
                                                           path.below, it->second, path.path));
  }
}

}  // namespace

void AddInferCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<InferOptions>();
  CLI::App* infer = app.add_subcommand("infer", "infer all shapes of a model");
  infer->formatter(std::make_shared<UsageFormatter>("dimwise infer MODEL... [-o OUT] [options]"));
  AddModelsArgument(*infer, &options->model);
  CLI::Option* output = infer
                            ->add_option("-o,--output", options->output,
                                         "write the model with all inferred shapes; - is standard output")
                            ->type_name("OUT");
  CLI::Option* output_dir =
      infer->add_option("--output-dir", options->output_dir, "write each model under its name to this folder")
          ->type_name("DIR")
          ->excludes(output);
  AddOutputOptions(*infer, &options->writing);
  infer->add_flag("--nodes", options->nodes, "in JSON: also write the nodes with their attributes");
  AddModelOptions(*infer, &options->model);
  AddWideOption(*infer);
  AddFormatOption(*infer, &options->model, {"human", "json", "jsonl", "sarif", "github"});
  infer->footer(std::string(kInferFooter));
  infer->callback([options, output, output_dir, exit_code] {
    if (options->nodes && !options->model.format.starts_with("json"))
      throw CLI::ValidationError("--nodes",
                                 "is for --format json and jsonl; `dimwise show` prints the nodes");
    if (output->count() > 0 && options->output.empty())
      throw CLI::ValidationError("-o", "is empty; it must be the name of a file");
    if (output_dir->count() > 0 && options->output_dir.empty()) {
      throw CLI::ValidationError("--output-dir", "is empty; it must be the name of a folder");
    }
    CheckOutput(*options);
    *exit_code = RunOverModels(options->model, [&](const InferredModel& model, const ModelPath& path) {
      return Render(*options, model, path);
    });
  });
}

}  // namespace dimwise
