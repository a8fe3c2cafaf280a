#include "cli/check_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <memory>

#include "cli/config_file.h"
#include "cli/exit_code.h"
#include "cli/model_run.h"
#include "cli/printing.h"
#include "cli/usage_formatter.h"
#include "report/models/finding_filter.h"
#include "report/models/github.h"
#include "report/models/model_json.h"
#include "report/models/sarif.h"

namespace dimwise {
namespace {

constexpr std::string_view kCheckFooter =
    R"(An error is certain: it occurs in every run of the model. A wrong declaration of a shape is a warning. A code is a full code (DW0102), a prefix (DW01) or a
name (size-mismatch). `dimwise explain CODE` describes a code. The table [check] in dimwise.toml sets select,
ignore and require, and `files` in the table [rules] names rule files. The file is in the folder of the model or in a
folder above; the nearest one counts.

Exit codes: 0: no errors; 1: errors; 2: a model could not be read.

Examples:
  dimwise check model.onnx
  dimwise check models/ --require complete --format github
  dimwise check a.onnx b.onnx --ignore declared-type
)";

struct CheckOptions {
  ModelOptions model;
  FindingFilter filter;
  std::vector<std::string> require;  // "complete", "declarations"
};

// The totals over several models. Commands render models on several threads.
struct Found {
  std::atomic<size_t> errors = 0, warnings = 0;

  CommandOutput RenderSummary(size_t models, size_t failed) const {
    if (models == failed) return {};
    std::string text = Counted(models, "model") + ": ";
    if (errors == 0 && warnings == 0) text += "nothing is wrong";
    if (errors > 0) text += Counted(errors, "error");
    if (warnings > 0) text += (errors > 0 ? ", " : "") + Counted(warnings, "warning");
    if (failed > 0) text += fmt::format(", but {} could not be checked", failed);
    return {text + "\n", ""};
  }
};

CommandOutput Render(const CheckOptions& options, const InferredModel& model, const ModelPath& path,
                     Found& found) {
  // --ignore extends the setting of the project; --select replaces it.
  Result<CheckConfig> config = ConfigFor(path.path);
  if (!config) return Failed(config.error());
  FindingFilter filter = options.filter;
  if (filter.select.empty()) filter.select = config->select;
  filter.ignore.insert(filter.ignore.end(), config->ignore.begin(), config->ignore.end());
  const auto requires_it = [&](std::string_view word) {
    const auto contains = [&](const std::vector<std::string>& words) {
      return std::ranges::find(words, word) != words.end();
    };
    return contains(options.require) || contains(config->require);
  };
  const FindingRequirements required{.complete = requires_it("complete"),
                                     .declarations = requires_it("declarations")};

  const std::vector<Diagnostic> wrong = WhatIsWrong(*model.report, filter, required);
  const auto count = [&](Severity severity) {
    return static_cast<size_t>(std::ranges::count(wrong, severity, &Diagnostic::severity));
  };
  const size_t errors = count(Severity::kError);
  found.errors += errors;
  found.warnings += count(Severity::kWarning);
  CommandOutput output;
  output.exit_code = errors > 0 ? kFound : kDone;
  const std::string& format = options.model.format;
  if (format == "json" || format == "jsonl") {
    JsonWriter json(&output.out);
    WriteModel(json, *model.report, kStatsPart, &wrong);
  } else if (format == "sarif") {
    output.out = SarifResults(wrong);
  } else if (format == "github") {
    output.out = GithubText(wrong);
  } else {
    for (const Diagnostic& finding : wrong) {
      if (options.model.quiet && finding.severity != Severity::kError) continue;
      if (!output.out.empty()) output.out += "\n";
      output.out += DiagnosticText(finding, stdout) + "\n";
    }
    if (wrong.empty() && options.model.verbose) output.err = model.report->file + ": nothing is wrong\n";
  }
  return output;
}

}  // namespace

void AddCheckCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<CheckOptions>();
  options->model.reads_config = true;
  CLI::App* check = app.add_subcommand("check", "report what is wrong with models");
  check->formatter(std::make_shared<UsageFormatter>("dimwise check MODEL... [options]"));
  AddModelsArgument(*check, &options->model);
  check
      ->add_option("--require", options->require,
                   "complete: an unknown rank is an error; declarations: a wrong declaration is an error")
      ->check(CLI::IsMember({"complete", "declarations"}))
      ->allow_extra_args(false)
      ->delimiter(',');
  check->add_option("--select", options->filter.select, "report only findings with these codes")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->type_name("CODES");
  check->add_option("--ignore", options->filter.ignore, "omit findings with these codes")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->type_name("CODES");
  AddModelOptions(*check, &options->model);
  AddFormatOption(*check, &options->model, {"human", "json", "jsonl", "sarif", "github"});
  check->footer(std::string(kCheckFooter));
  check->callback([options, exit_code] {
    for (const auto& [words, where] :
         {std::pair(&options->filter.select, "--select"), std::pair(&options->filter.ignore, "--ignore")}) {
      if (const Status status = CheckCodeWords(*words, where); !status) {
        Print(stderr, DiagnosticText(status.error(), stderr) + "\n");
        *exit_code = kCouldNotDo;
        return;
      }
    }
    Found found;
    *exit_code = RunOverModels(
        options->model,
        [&](const InferredModel& model, const ModelPath& path) {
          return Render(*options, model, path, found);
        },
        [&](size_t models, size_t failed) { return found.RenderSummary(models, failed); });
  });
}

}  // namespace dimwise
