#include "cli/guards_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/exit_code.h"
#include "cli/model_run.h"
#include "cli/terminal.h"
#include "cli/usage_formatter.h"
#include "report/models/model_guards.h"
#include "report/models/model_json.h"
#include "report/text/wrap.h"

namespace dimwise {
namespace {

constexpr std::string_view kGuardsFooter =
    R"(A guard is a condition that inference relies on and could not prove. The inferred shapes hold in every run in
which all guards hold. If a guard fails, the inputs of that run are invalid.

Examples:
  dimwise guards bert.onnx
  dimwise guards bert.onnx --assume 'S <= 512'
  dimwise guards bert.onnx --format json
)";

CommandOutput Render(const ModelOptions& options, const InferredModel& model, const ModelPath& path) {
  CommandOutput output;
  output.exit_code = model.report->has_errors() ? kFound : kDone;
  output.err = ErrorInShort(model, path, options);
  if (options.format == "human") {
    output.out = Wrapped(ModelGuards(*model.report, ColourOf(stdout)), WidthOf(stdout));
  } else {
    JsonWriter json(&output.out);
    WriteModel(json, *model.report, kSymbolsPart | kGuardsPart | kAssumptionsPart);
  }
  return output;
}

}  // namespace

void AddGuardsCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<ModelOptions>();
  options->used_assumptions = true;
  CLI::App* guards = app.add_subcommand("guards", "list the conditions left for run time");
  guards->formatter(std::make_shared<UsageFormatter>("dimwise guards MODEL... [options]"));
  AddModelsArgument(*guards, options.get());
  AddModelOptions(*guards, options.get());
  AddFormatOption(*guards, options.get(), {"human", "json", "jsonl"});
  guards->footer(std::string(kGuardsFooter));
  guards->callback([options, exit_code] {
    *exit_code = RunOverModels(*options, [&](const InferredModel& model, const ModelPath& path) {
      return Render(*options, model, path);
    });
  });
}

}  // namespace dimwise
