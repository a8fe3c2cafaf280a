#include "cli/stats_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/exit_code.h"
#include "cli/model_run.h"
#include "cli/terminal.h"
#include "cli/usage_formatter.h"
#include "report/model_counts.h"

namespace dimwise {
namespace {

constexpr std::string_view kStatsFooter =
    R"(A shape is static where every size is a number, symbolic where some is an expression, unknown where its rank is.

Examples:
  dimwise stats bert.onnx
  dimwise stats models/ --format jsonl
)";

Told TellCounts(const ModelOptions& options, const InferredModel& model) {
  Told told;
  told.exit_code = model.report->has_errors() ? kFound : kDone;
  if (options.format == "human") {
    told.out = ModelCounts(*model.report, ColourOf(stdout));
  } else {
    JsonWriter json(&told.out);
    WriteModelCounts(json, *model.report);
  }
  return told;
}

}  // namespace

void AddStatsCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<ModelOptions>();
  options->models.resize(1);
  CLI::App* stats = app.add_subcommand("stats", "count how much is known of what");
  stats->formatter(std::make_shared<UsageFormatter>("dimwise stats MODEL [options]"));
  stats->add_option("MODEL", options->models[0], "the model: a file, a folder, or -")->required();
  AddModelOptions(*stats, options.get());
  AddFormatOption(*stats, options.get(), {"human", "json", "jsonl"});
  stats->footer(std::string(kStatsFooter));
  stats->callback([options, exit_code] {
    *exit_code = RunOverModels(
        *options, [&](const InferredModel& model, const ModelPath&) { return TellCounts(*options, model); });
  });
}

}  // namespace dimwise
