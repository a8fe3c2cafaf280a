#include "cli/rules_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "cli/exit_code.h"
#include "cli/printing.h"
#include "cli/rule_files.h"
#include "cli/usage_formatter.h"
#include "cli/whole_number.h"
#include "core/base/failure.h"
#include "dimwise/builtin.h"
#include "ops/rule_preludes.h"
#include "report/operators/rule_json.h"
#include "report/text/text_style.h"

namespace dimwise {
namespace {

struct RulesOptions {
  std::string set;
  std::string format = "human";
  TestOptions test;
};

int Flush(int exit_code, const std::string& out, const std::string& err) {
  Print(stderr, err);
  Print(stdout, out);
  return exit_code;
}

int Complain(const Diagnostic& diagnostic, int exit_code, std::string* err) {
  *err += DiagnosticText(diagnostic, stderr) + "\n";
  return exit_code;
}

// Returns "2 rules, 4 examples, 400 samples: all agree" for the rules that could be read.
std::string Summary(const std::vector<RuleReport>& reports, size_t mistakes) {
  size_t examples = 0, samples = 0, wrong = 0;
  for (const RuleReport& report : reports) {
    examples += report.examples.size();
    samples += static_cast<size_t>(report.samples);
    if (!report.ok()) ++wrong;
  }
  std::string text = Counted(reports.size(), "rule");
  if (!reports.empty()) {
    text += fmt::format(", {}, {}: ", Counted(examples, "example"), Counted(samples, "sample"));
    text += wrong == 0 ? "all agree" : fmt::format("{} {} wrong", wrong, wrong == 1 ? "is" : "are");
  }
  if (mistakes > 0) text += (reports.empty() ? ", " : "; ") + Counted(mistakes, "mistake");
  return text + "\n";
}

}  // namespace

int ListRules(const std::string& set, std::string* out, std::string* err, const std::string& format) {
  const std::vector<const OpRegistrationData*> all =
      set.empty() ? BuiltinRegistry().List() : BuiltinRegistry().List(set);
  if (all.empty()) {
    Diagnostic d = MakeDiagnostic(Code::kBadUsage, fmt::format("there is no operator set '{}'", set));
    std::string sets;
    for (const std::string_view s : BuiltinRegistry().sets())
      sets += (sets.empty() ? "" : ", ") + std::string(s);
    d.help = "the operator sets are " + sets;
    return Complain(d, kCouldNotDo, err);
  }
  if (format == "human") {
    for (const OpRegistrationData* op : all) *out += op->def.FullName() + "\n";
    return kDone;
  }
  std::vector<const OpDef*> defs;
  for (const OpRegistrationData* op : all) defs.push_back(&op->def);
  JsonWriter json(out);
  WriteOperators(json, defs);
  *out += "\n";
  return kDone;
}

int TestRules(const TestOptions& options, std::string* out, std::string* err) {
  rules::RuleLibrary library;
  LoadPreludes(&library);
  size_t mistakes = 0;
  for (const std::string& file : options.files) {
    const std::optional<std::string> text = ReadRuleFile(file, err);
    if (!text) return kCouldNotDo;
    if (IsPrelude(*text)) continue;  // LoadPreludes has loaded it
    for (const Diagnostic& mistake : library.Load(*text, file)) {
      Complain(mistake, kFound, err);
      ++mistakes;
    }
  }
  std::vector<RuleReport> reports;
  bool failed = false;
  for (const rules::Rule& rule : library.rules()) {
    RuleReport report = DriveRule(rule, options.driver);
    failed = failed || !report.ok();
    *out += FailuresOf(report);
    reports.push_back(std::move(report));
  }
  if (!options.quiet) {
    if (failed) *out += "\n";
    if (!reports.empty()) *out += TableOf(reports);
    *out += Summary(reports, mistakes);
  }
  return mistakes > 0 || failed ? kFound : kDone;
}

void AddRulesCommands(CLI::App& app, int* exit_code) {
  const auto options = std::make_shared<RulesOptions>();
  CLI::App* list = app.add_subcommand("rules", "list the known operators, one per line");
  list->formatter(std::make_shared<UsageFormatter>("dimwise rules [--set SET] [--format json]"));
  list->add_option("--set", options->set, "only operators of this set: onnx, ai.onnx.ml, com.microsoft");
  list->add_option("--format", options->format, "human or json")
      ->check(CLI::IsMember({"human", "json"}))
      ->type_name("FORMAT");
  list->footer("Example:\n  dimwise rules --set onnx");
  list->callback([options, exit_code] {
    std::string out, err;
    *exit_code = Flush(ListRules(options->set, &out, &err, options->format), out, err);
  });

  CLI::App* test =
      app.add_subcommand("test", "test rule files: their examples, and the agreement of all uses of a rule");
  test->formatter(
      std::make_shared<UsageFormatter>("dimwise test FILE.shape ... [--cases N] [--seed N] [-q]"));
  test->add_option("FILE", options->test.files, "rule files; see docs/rules.md")->required();
  test->add_option("--cases", options->test.driver.samples,
                   "the number of sample calls for each rule (default: 200)")
      ->check(WholeNumber());
  test->add_option("--seed", options->test.driver.seed, "the seed that selects the samples (default: 1)");
  test->add_flag("-q,--quiet", options->test.quiet, "print only failures");
  test->footer("Example:\n  dimwise test my_operators.shape");
  test->callback([options, exit_code] {
    std::string out, err;
    *exit_code = Flush(TestRules(options->test, &out, &err), out, err);
  });
}

}  // namespace dimwise
