#include "cli/rule_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/exit_code.h"
#include "cli/operator_name.h"
#include "cli/printing.h"
#include "cli/rule_files.h"
#include "cli/usage_formatter.h"
#include "cli/whole_number.h"
#include "core/base/function_ref.h"
#include "dimwise/builtin.h"
#include "ops/builtin_rules.h"
#include "ops/rule_preludes.h"
#include "report/mlir/rule_mlir.h"
#include "report/operators/rule_json.h"
#include "report/operators/rule_text.h"

namespace dimwise {
namespace {

struct RuleOptions {
  RuleRequest request;
  std::string emit;
};

int Complain(const Diagnostic& diagnostic, std::string* err) {
  *err += DiagnosticText(diagnostic, stderr) + "\n";
  return kCouldNotDo;
}

// Loads rule files, after the preludes of the built-in ones.
bool LoadFiles(const std::vector<std::string>& files, rules::RuleLibrary* library, std::string* err) {
  LoadPreludes(library);
  for (const std::string& file : files) {
    const std::optional<std::string> text = ReadRuleFile(file, err);
    if (!text) return false;
    const std::vector<Diagnostic> mistakes = library->Load(*text, file);
    for (const Diagnostic& mistake : mistakes) Complain(mistake, err);
    if (!mistakes.empty()) return false;
  }
  return true;
}

// Finds the rule and calls `with_rule` with its library. An operator written in C++ is passed to
// `with_function`.
int Answer(const RuleRequest& request, std::string* err,
           FunctionRef<int(const rules::RuleLibrary&, const rules::Rule&)> with_rule,
           FunctionRef<int(const OpDef&)> with_function) {
  rules::RuleLibrary own;
  if (!LoadFiles(request.files, &own, err)) return kCouldNotDo;
  RuleRequest q = request;
  if (own.Find(q.name, q.opset) == nullptr) q.name = FullOperatorName(BuiltinRegistry(), q.name);
  if (const rules::Rule* rule = own.Find(q.name, q.opset)) return with_rule(own, *rule);
  const Result<const OpRegistrationData*> op = BuiltinRegistry().LookUp(q.name, q.opset);
  if (!op) return Complain(op.error(), err);
  // A page about a rule also shows its functions and other versions. That needs the whole library.
  rules::RuleLibrary builtin;
  for (const RuleText& text : BuiltinRuleTexts()) (void)builtin.Load(text.text, text.file);
  const rules::Rule* rule = builtin.Find(q.name, q.opset);
  return rule != nullptr ? with_rule(builtin, *rule) : with_function((*op)->def);
}

std::string InFormat(const std::string& format, const RuleDocument& document) {
  if (format != "json") return ToString(document);
  std::string text;
  JsonWriter json(&text);
  WriteRule(json, document);
  return text + "\n";
}

}  // namespace

int ShowRule(const RuleRequest& request, std::string* out, std::string* err) {
  return Answer(
      request, err,
      [&](const rules::RuleLibrary& library, const rules::Rule& rule) {
        *out += InFormat(request.format, DocumentRule(library, rule));
        return kDone;
      },
      [&](const OpDef& def) {
        *out += InFormat(request.format, DocumentFunction(def));
        return kDone;
      });
}

int EmitRule(const RuleRequest& request, std::string* out, std::string* err) {
  return Answer(
      request, err,
      [&](const rules::RuleLibrary&, const rules::Rule& rule) {
        const Result<std::string> text =
            RuleMlir(rule, {.version = request.opset, .repeated = request.repeated});
        if (!text) return Complain(text.error(), err);
        *out += *text;
        return static_cast<int>(kDone);
      },
      [&](const OpDef&) {
        Diagnostic d;
        d.code = Code::kNotSupported;
        d.message =
            fmt::format("{} is implemented in C++, not as a rule, so it has no MLIR form", request.name);
        return Complain(d, err);
      });
}

void AddRuleCommand(CLI::App& app, int* exit_code) {
  const auto options = std::make_shared<RuleOptions>();
  CLI::App* show =
      app.add_subcommand("rule", "document an operator: signature, attributes, requirements, examples");
  show->formatter(std::make_shared<UsageFormatter>(
      "dimwise rule NAME [--opset N] [--rules FILE.shape] [--emit mlir] [--format json]"));
  show->add_option("NAME", options->request.name, "the operator, such as onnx.LSTM")->required();
  show->add_option("--opset", options->request.opset, "the version of the operator set (default: the newest)")
      ->check(WholeNumber());
  AddRulesOption(*show, &options->request.files);
  CLI::Option* emit = show->add_option("--emit", options->emit,
                                       "mlir: print an MLIR function that computes the sizes of the results");
  emit->check(CLI::IsMember({"mlir"}));
  show->add_option("--repeat", options->request.repeated,
                   "with --emit: the number of operands for a variadic operand (default: 2)")
      ->check(CLI::Range(1, 64));
  show->add_option("--format", options->request.format, "human or json")
      ->check(CLI::IsMember({"human", "json"}))
      ->excludes(emit)
      ->type_name("FORMAT");
  show->footer(
      "Example:\n  dimwise rule onnx.LSTM\n  dimwise rule onnx.LSTM --format json\n  dimwise rule onnx.Conv "
      "--emit mlir");
  show->callback([options, exit_code] {
    std::string out, err;
    *exit_code = options->emit.empty() ? ShowRule(options->request, &out, &err)
                                       : EmitRule(options->request, &out, &err);
    Print(stderr, err);
    Print(stdout, out);
  });
}

}  // namespace dimwise
