#include "cli/checks_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/exit_code.h"
#include "cli/model_run.h"
#include "cli/terminal.h"
#include "cli/usage_formatter.h"
#include "report/models/model_checks.h"
#include "report/models/model_json.h"

namespace dimwise {
namespace {

constexpr std::string_view kChecksFooter =
    R"(What was inferred holds in every run that passes the checks; a run that fails one is an error of its inputs.

Examples:
  dimwise checks bert.onnx
  dimwise checks bert.onnx --assume 'S <= 512'
  dimwise checks bert.onnx --format json
)";

CommandOutput Render(const ModelOptions& options, const InferredModel& model, const ModelPath& path) {
  CommandOutput output;
  output.exit_code = model.report->has_errors() ? kFound : kDone;
  output.err = ErrorInShort(model, path, options);
  if (options.format == "human") {
    output.out = ModelChecks(*model.report, ColourOf(stdout));
  } else {
    JsonWriter json(&output.out);
    WriteModel(json, *model.report, kSymbolsPart | kChecksPart | kAssumptionsPart);
  }
  return output;
}

}  // namespace

void AddChecksCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<ModelOptions>();
  options->models.resize(1);
  options->used_assumptions = true;
  CLI::App* checks = app.add_subcommand("checks", "list what a model leaves to its run");
  checks->formatter(std::make_shared<UsageFormatter>("dimwise checks MODEL [options]"));
  checks->add_option("MODEL", options->models[0], "the model: a file, a folder, or -")->required();
  AddModelOptions(*checks, options.get());
  AddFormatOption(*checks, options.get(), {"human", "json", "jsonl"});
  checks->footer(std::string(kChecksFooter));
  checks->callback([options, exit_code] {
    *exit_code = RunOverModels(*options, [&](const InferredModel& model, const ModelPath& path) {
      return Render(*options, model, path);
    });
  });
}

}  // namespace dimwise
