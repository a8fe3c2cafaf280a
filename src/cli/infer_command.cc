#include "cli/infer_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/exit_code.h"
#include "cli/model_run.h"
#include "cli/terminal.h"
#include "cli/usage_formatter.h"
#include "report/github.h"
#include "report/model_json.h"
#include "report/model_text.h"
#include "report/op_text.h"
#include "report/sarif.h"

namespace dimwise {
namespace {

constexpr std::string_view kFooter =
    R"(MODEL is a file, - (standard input), or a folder with models. Data goes to standard output, what is wrong to
standard error. Exit 0: nothing is wrong; 1: the model has errors; 2: it could not be read.

Examples:
  dimwise infer bert.onnx
  dimwise infer bert.onnx --shape input_ids=N,S --assume 'S <= 512, S % 8 == 0'
  dimwise infer bert.onnx --set N=1 --format json
)";

Told Tell(const ModelOptions& options, const InferredModel& model) {
  const ModelReport& report = *model.report;
  Told told;
  told.exit_code = report.has_errors() ? kFound : kDone;
  if (options.format == "json" || options.format == "jsonl") {
    JsonWriter json(&told.out);
    WriteModel(json, report);
    return told;
  }
  if (options.format == "sarif") {
    told.out = SarifResults(report.findings);
    return told;
  }
  if (options.format == "github") {
    told.out = GithubText(report.findings);
    return told;
  }
  for (const Diagnostic& finding : report.findings) {
    if (options.quiet && finding.severity != Severity::kError) continue;
    told.err += DiagnosticText(finding, ColourOf(stderr)) + "\n\n";
  }
  if (!options.quiet) told.out = ModelSummary(report, ColourOf(stdout));
  return told;
}

}  // namespace

void AddInferCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<ModelOptions>();
  options->models.resize(1);
  CLI::App* infer = app.add_subcommand("infer", "infer every shape of a model");
  infer->formatter(std::make_shared<UsageFormatter>("dimwise infer MODEL [options]"));
  infer->add_option("MODEL", options->models[0], "the model: a file, a folder, or -")->required();
  AddModelOptions(*infer, options.get());
  AddFormatOption(*infer, options.get(), {"human", "json", "jsonl", "sarif", "github"});
  infer->footer(std::string(kFooter));
  infer->callback([options, exit_code] {
    *exit_code = RunOverModels(
        *options, [&](const InferredModel& model, const ModelPath&) { return Tell(*options, model); });
  });
}

}  // namespace dimwise
