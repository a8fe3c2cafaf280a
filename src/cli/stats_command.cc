#include "cli/stats_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <mutex>

#include "cli/exit_code.h"
#include "cli/model_run.h"
#include "cli/terminal.h"
#include "cli/usage_formatter.h"
#include "report/models/model_counts.h"

namespace dimwise {
namespace {

constexpr std::string_view kStatsFooter =
    R"(A shape is static if all sizes are numbers, symbolic if a size is an expression, and unknown if its rank is
unknown.

Examples:
  dimwise stats bert.onnx
  dimwise stats models/ --format jsonl
)";

// The totals over several models. Commands render models on several threads.
class Total {
 public:
  void Add(const ModelStats& stats) {
    const std::lock_guard lock(mutex_);
    sum_.nodes += stats.nodes;
    sum_.values += stats.values;
    sum_.constant += stats.constant;
    sum_.symbolic += stats.symbolic;
    sum_.unknown += stats.unknown;
  }

  CommandOutput RenderSummary(size_t models) const {
    if (models < 2) return {};
    return {fmt::format("{}: {}, {}: {} static, {} symbolic, {} unknown\n", Counted(models, "model"),
                        Counted(sum_.nodes, "node"), Counted(sum_.values, "value"), sum_.constant,
                        sum_.symbolic, sum_.unknown),
            ""};
  }

 private:
  std::mutex mutex_;
  ModelStats sum_;
};

CommandOutput Render(const ModelOptions& options, const InferredModel& model, const ModelPath& path,
                     Total& total) {
  CommandOutput output;
  output.exit_code = model.report->has_errors() ? kFound : kDone;
  output.err = ErrorInShort(model, path, options);
  total.Add(model.report->stats);
  if (options.format == "human") {
    output.out = ModelCounts(*model.report, TableWidthOf(stdout), ColourOf(stdout));
  } else {
    JsonWriter json(&output.out);
    WriteModelCounts(json, *model.report);
  }
  return output;
}

}  // namespace

void AddStatsCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<ModelOptions>();
  CLI::App* stats =
      app.add_subcommand("stats", "print statistics: known shapes, parameters, bytes and multiply-adds");
  stats->formatter(std::make_shared<UsageFormatter>("dimwise stats MODEL... [options]"));
  AddModelsArgument(*stats, options.get());
  AddModelOptions(*stats, options.get());
  AddWideOption(*stats);
  AddFormatOption(*stats, options.get(), {"human", "json", "jsonl"});
  stats->footer(std::string(kStatsFooter));
  stats->callback([options, exit_code] {
    Total total;
    *exit_code = RunOverModels(
        *options,
        [&](const InferredModel& model, const ModelPath& path) {
          return Render(*options, model, path, total);
        },
        [&](size_t models, size_t failed) { return total.RenderSummary(models - failed); });
  });
}

}  // namespace dimwise
