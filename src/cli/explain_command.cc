#include "cli/explain_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/exit_code.h"
#include "cli/model_run.h"
#include "cli/printing.h"
#include "cli/terminal.h"
#include "cli/usage_formatter.h"
#include "core/base/failure.h"
#include "report/explain/explanation.h"
#include "report/models/finding_filter.h"

namespace dimwise {
namespace {

constexpr std::string_view kExplainFooter =
    R"(Examples:
  dimwise explain bert.onnx 'k[2]'
  dimwise explain bert.onnx logits
  dimwise explain bert.onnx u1
  dimwise explain DW0102
  dimwise explain bert.onnx logits --format json
)";

struct ExplainOptions {
  ModelOptions model;
  std::string tensor;
  bool codes = false;  // list them
};

// Prints codes as JSON.
int PrintCodes(std::span<const CodeInfo> codes) {
  std::string text;
  JsonWriter json(&text);
  WriteCodes(json, codes);
  Print(stdout, text + "\n");
  return kDone;
}

int ListCodes(const std::string& format) {
  if (format != "human") return PrintCodes(AllCodes());
  for (const CodeInfo& code : AllCodes())
    Print(stdout, fmt::format("{}  {}\n", CodeName(code.code), code.name));
  return kDone;
}

int ExplainWord(const std::string& word, const std::string& format) {
  const std::span<const CodeInfo> codes = AllCodes();
  const auto code = std::ranges::find_if(
      codes, [&](const CodeInfo& c) { return CodeName(c.code) == word || c.name == word; });
  if (code != codes.end()) {
    if (format != "human") return PrintCodes({&*code, 1});
    Print(stdout, ExplainCode(*code, ColourOf(stdout)));
    return kDone;
  }
  // A single word is a code. If it looks like a file, the user may have meant a model.
  const Status status = CheckCodeWords({word}, "explain");
  Diagnostic diagnostic =
      MakeDiagnostic(Code::kBadUsage, fmt::format("there is no code {}", word),
                     status ? "`dimwise explain --codes` lists them" : status.error().help);
  if (word.find_first_of("./") != std::string::npos) {
    diagnostic.message = fmt::format("{} looks like a model, but no value of it is given", word);
    diagnostic.help = fmt::format("for example: dimwise explain {} 'x[0]'", word);
  }
  Print(stderr, DiagnosticText(diagnostic, stderr) + "\n");
  return kCouldNotDo;
}

CommandOutput Render(const ExplainOptions& options, const InferredModel& model) {
  const ModelReport& report = *model.report;
  const Result<std::vector<ExplainedSize>> explained = Explain(report, options.tensor);
  if (!explained) return Failed(explained.error());
  CommandOutput output;
  if (options.model.format != "human") {
    JsonWriter json(&output.out);
    WriteExplanations(json, report, *explained);
    return output;
  }
  for (const ExplainedSize& one : *explained)
    output.out += (output.out.empty() ? "" : "\n") + ToString(report.dims(), one, ColourOf(stdout));
  return output;
}

}  // namespace

void AddExplainCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<ExplainOptions>();
  options->model.models.resize(1);
  CLI::App* explain = app.add_subcommand("explain", "explain why a size has its value, or what a code means");
  explain->formatter(std::make_shared<UsageFormatter>(
      "dimwise explain MODEL TENSOR[AXIS] [options]\n       dimwise explain CODE"));
  explain->add_option("MODEL", options->model.models[0], "the model (a file, or -), or a code");
  explain->add_option("TENSOR", options->tensor,
                      "a value of the model, one of its sizes (VALUE[AXIS]), or a symbol such as u1");
  explain->add_flag("--codes", options->codes, "list the codes of all diagnostics");
  AddModelOptions(*explain, &options->model);
  AddFormatOption(*explain, &options->model, {"human", "json"});
  explain->footer(std::string(kExplainFooter));
  explain->callback([options, exit_code] {
    if (options->codes) {
      *exit_code = ListCodes(options->model.format);
    } else if (options->model.models[0].empty()) {
      throw CLI::RequiredError("CODE, or MODEL and TENSOR,");
    } else if (options->tensor.empty()) {
      *exit_code = ExplainWord(options->model.models[0], options->model.format);
    } else {
      std::error_code error;
      if (std::filesystem::is_directory(options->model.models[0], error)) {
        throw CLI::ValidationError("MODEL", "is a folder; one model is required");
      }
      *exit_code = RunOverModels(options->model, [&](const InferredModel& model, const ModelPath&) {
        return Render(*options, model);
      });
    }
  });
}

}  // namespace dimwise
