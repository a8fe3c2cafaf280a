#include "cli/diff_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "cli/exit_code.h"
#include "cli/inferred_model.h"
#include "cli/printing.h"
#include "cli/rule_files.h"
#include "cli/terminal.h"
#include "cli/usage_formatter.h"
#include "dimwise/result_macros.h"
#include "report/models/model_diff.h"

namespace dimwise {
namespace {

constexpr std::string_view kDiffFooter =
    R"(Values are compared by their names: those whose shape or type changed, and those that only one model has. --left and
--right say what holds of one side only, as a number for a symbol (N=8) or sizes for an input (x=8,3,224,224); --set,
--shape and --assume hold for both.

Exit 0: compared, whether they differ or not; 1: a model has errors, or, with --exit-code, they differ; 2: bad usage,
or a file that cannot be read.

Examples:
  dimwise diff bert.onnx bert_simplified.onnx
  dimwise diff bert.onnx --left batch=1 --right batch=8
  dimwise diff old.onnx new.onnx --set N=1 --format json
)";

struct DiffOptions {
  ModelOptions model;
  std::string other;                     // the second model; empty: the first model again
  std::vector<std::string> left, right;  // "N=8", "x=8,3"
  bool exit_code = false;
};

Result<InferredModel> InferSide(const std::string& path, const std::vector<std::string>& words,
                                std::string_view option, const DiffOptions& options,
                                const OpRegistry& registry) {
  ModelOptions own = options.model;
  own.side = words;
  own.side_option = option;
  return InferModel({path, {}}, registry, own);
}

std::string SideName(const ModelReport& report, const std::vector<std::string>& words) {
  return words.empty() ? report.file : fmt::format("{} with {}", report.file, fmt::join(words, ", "));
}

Result<int> Diff(const DiffOptions& options, const OpRegistry& registry) {
  const std::string& first = options.model.models[0];
  const std::string& second = options.other.empty() ? first : options.other;
  DIMWISE_ASSIGN_OR_RETURN(const InferredModel left,
                           InferSide(first, options.left, "--left", options, registry));
  DIMWISE_ASSIGN_OR_RETURN(const InferredModel right,
                           InferSide(second, options.right, "--right", options, registry));
  const DiffSides sides{*left.report, *right.report, SideName(*left.report, options.left),
                        SideName(*right.report, options.right)};
  const ModelDiff diff = Compare(*left.report, *right.report);
  if (options.model.format == "json") {
    std::string out;
    JsonWriter json(&out);
    WriteDiff(json, sides, diff);
    Print(stdout, out + "\n");
  } else if (!options.model.quiet || !diff.empty()) {
    Print(stdout, DiffText(sides, diff, ColourOf(stdout)));
  }
  bool errors = false;
  for (const ModelReport* report : {left.report.get(), right.report.get()}) {
    if (!report->has_errors()) continue;
    errors = true;
    Print(stderr, fmt::format("{} has errors; `dimwise check` lists them\n", report->file));
  }
  return errors || (options.exit_code && !diff.empty()) ? kFound : kDone;
}

}  // namespace

void AddDiffCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<DiffOptions>();
  options->model.models.resize(1);
  CLI::App* diff =
      app.add_subcommand("diff", "show which shapes changed between two models, or two assignments");
  diff->formatter(std::make_shared<UsageFormatter>(
      "dimwise diff A B [options]\n       dimwise diff MODEL --left N=8 --right N=16 [options]"));
  diff->add_option("A", options->model.models[0], "a model: a file, or -")->required();
  diff->add_option("B", options->other, "another; the same one where it is left out");
  diff->add_option("--left", options->left, "of the first: a number for a symbol, or sizes for an input")
      ->allow_extra_args(false)
      ->type_name("NAME=SIZES");
  diff->add_option("--right", options->right, "the same of the second")
      ->allow_extra_args(false)
      ->type_name("NAME=SIZES");
  diff->add_flag("--exit-code", options->exit_code, "exit with 1 where they differ");
  AddModelOptions(*diff, &options->model);
  AddFormatOption(*diff, &options->model, {"human", "json"});
  diff->footer(std::string(kDiffFooter));
  diff->callback([options, exit_code] {
    if (options->other.empty() && options->left.empty() && options->right.empty()) {
      throw CLI::ValidationError(
          "B", "is missing: another model, or --left and --right for two assignments of one");
    }
    if (options->model.models[0] == "-" && (options->other.empty() || options->other == "-")) {
      throw CLI::ValidationError("-", "can be read only once");
    }
    *exit_code = RunWithRules(options->model.rules,
                              [&](const OpRegistry& registry) { return Diff(*options, registry); });
  });
}

}  // namespace dimwise
