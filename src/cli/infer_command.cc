#include "cli/infer_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/exit_code.h"
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
    R"(MODEL is a file, - (standard input), or a folder of models. The results of a folder are printed as a table, or,
with -v, model by model. Results go to standard output, errors and warnings to standard error.

Exit codes: 0: no errors; 1: the model has errors; 2: it could not be read.

Examples:
  dimwise infer bert.onnx
  dimwise infer bert.onnx --shape input_ids=N,S --assume 'S <= 512, S % 8 == 0'
  dimwise infer bert.onnx --set N=1 --format json
  dimwise infer bert.onnx -o bert_with_shapes.onnx
  dimwise infer models/ --output-dir out/
)";

struct InferOptions {
  ModelOptions model;
  std::string output;      // a file, or "-"
  std::string output_dir;  // a directory; each model is written under its own name
};

Unexpected CannotWrite(std::string message, std::string help = {}) {
  return Failure(Code::kNotSupported, std::move(message), std::move(help));
}

// Writes the model with its shapes if an option requests it.
Status WriteModelFile(const InferOptions& options, const InferredModel& model, const ModelPath& path) {
  if (options.output.empty() && options.output_dir.empty()) return {};
  if (model.file->onnx == nullptr) {
    return CannotWrite(
        fmt::format("'{}' is a text graph, which cannot be written with shapes", model.file->path),
        "only ONNX models are written");
  }
  std::string target = options.output;
  DIMWISE_RETURN_IF_ERROR(CheckNameFor(*model.file, target));
  if (target.empty()) {
    const std::filesystem::path file = std::filesystem::path(options.output_dir) / path.below;
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error) {
      return CannotWrite(
          fmt::format("cannot create the folder '{}': {}", file.parent_path().string(), error.message()));
    }
    target = file.string();
  }
  const ModelReport& report = *model.report;
  return WriteOnnxFile(
      *model.file->onnx, [&](ValueId value) { return report.type(value); }, target);
}

CommandOutput Render(const InferOptions& all, const InferredModel& model, const ModelPath& path) {
  const ModelOptions& options = all.model;
  const ModelReport& report = *model.report;
  CommandOutput output;
  if (const Status written = WriteModelFile(all, model, path); !written) {
    return Failed(written.error());
  }
  output.exit_code = report.has_errors() ? kFound : kDone;
  if (options.format == "json" || options.format == "jsonl") {
    JsonWriter json(&output.out);
    WriteModel(json, report);
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
  if (!options.verbose) output.row = RowOf(report, path.below);
  // When the model is written to standard output, the summary goes to standard error.
  (all.output == "-" ? output.err : output.out) = Wrapped(
      ModelSummary(report, CommandAbout("guards", path.path, options), ColourOf(stdout)), WidthOf(stdout));
  return output;
}

}  // namespace

void AddInferCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<InferOptions>();
  options->model.models.resize(1);
  CLI::App* infer = app.add_subcommand("infer", "infer all shapes of a model");
  infer->formatter(std::make_shared<UsageFormatter>("dimwise infer MODEL [-o OUT] [options]"));
  infer->add_option("MODEL", options->model.models[0], "the model: a file, a folder, or -")->required();
  CLI::Option* output = infer
                            ->add_option("-o,--output", options->output,
                                         "write the model with all inferred shapes; - is standard output")
                            ->type_name("OUT");
  CLI::Option* output_dir =
      infer->add_option("--output-dir", options->output_dir, "write each model of a folder to this folder")
          ->type_name("DIR")
          ->excludes(output);
  AddModelOptions(*infer, &options->model);
  AddWideOption(*infer);
  AddFormatOption(*infer, &options->model, {"human", "json", "jsonl", "sarif", "github"});
  infer->footer(std::string(kInferFooter));
  infer->callback([options, output, output_dir, exit_code] {
    if (output->count() > 0 && options->output.empty())
      throw CLI::ValidationError("-o", "is empty; it must be the name of a file");
    if (output_dir->count() > 0 && options->output_dir.empty()) {
      throw CLI::ValidationError("--output-dir", "is empty; it must be the name of a folder");
    }
    if (options->model.models[0] == "-" && !options->output_dir.empty()) {
      throw CLI::ValidationError("--output-dir",
                                 "needs the name of a file, and standard input has none; use -o");
    }
    std::error_code error;
    if (!options->output.empty() && std::filesystem::is_directory(options->model.models[0], error)) {
      throw CLI::ValidationError("-o", "is for one model; use --output-dir for a folder");
    }
    if (options->output == "-" && options->model.format != "human") {
      throw CLI::ValidationError("-o -",
                                 "writes the model to standard output and cannot be combined with --format " +
                                     options->model.format);
    }
    *exit_code = RunOverModels(options->model, [&](const InferredModel& model, const ModelPath& path) {
      return Render(*options, model, path);
    });
  });
}

}  // namespace dimwise
