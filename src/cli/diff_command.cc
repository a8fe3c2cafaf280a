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
    R"(Values with the same name are compared. The output lists values with another shape or type, and values that only
one model has. --left and --right set a symbol (N=8) or the sizes of an input (x=8,3,224,224) for one side only.
--set, --shape and --assume apply to both sides.

Exit codes: 0: compared; 1: a model has errors, or, with --exit-code, the models differ; 2: bad usage, or a file
cannot be read.

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
    Print(stdout, DiffText(sides, diff, TableWidthOf(stdout), ColourOf(stdout)));
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
      app.add_subcommand("diff", "compare the shapes of two models, or of one model at different sizes");
  diff->formatter(std::make_shared<UsageFormatter>(
      "dimwise diff A B [options]\n       dimwise diff MODEL --left N=8 --right N=16 [options]"));
  diff->add_option("A", options->model.models[0], "the first model: a file, or -")->required();
  diff->add_option("B", options->other, "the second model (default: A)");
  diff->add_option("--left", options->left,
                   "for the first model: a number for a symbol, or sizes for an input")
      ->allow_extra_args(false)
      ->type_name("NAME=SIZES");
  diff->add_option("--right", options->right, "for the second model: as --left")
      ->allow_extra_args(false)
      ->type_name("NAME=SIZES");
  diff->add_flag("--exit-code", options->exit_code, "exit with 1 if the models differ");
  AddModelOptions(*diff, &options->model);
  AddWideOption(*diff);
  AddFormatOption(*diff, &options->model, {"human", "json"});
  diff->footer(std::string(kDiffFooter));
  diff->callback([options, exit_code] {
    if (options->other.empty() && options->left.empty() && options->right.empty()) {
      throw CLI::ValidationError(
          "B", "is missing: give a second model, or --left and --right for two assignments of one model");
    }
    if (options->model.models[0] == "-" && (options->other.empty() || options->other == "-")) {
      throw CLI::ValidationError("-", "can be read only once");
    }
    *exit_code = RunWithRules(options->model.models[0], options->model.rules,
                              [&](const OpRegistry& registry) { return Diff(*options, registry); });
  });
}

}  // namespace dimwise
