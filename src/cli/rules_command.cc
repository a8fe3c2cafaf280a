#include "cli/rules_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "cli/usage_formatter.h"
#include "dimwise/builtin.h"
#include "infer/rule_examples.h"
#include "ops/builtin_rules.h"
#include "report/op_text.h"

namespace dimwise {
namespace {

struct Options {
  std::string set;
  std::vector<std::string> files;
};

int Flush(int exit_code, const std::string& out, const std::string& err) {
  std::fwrite(out.data(), 1, out.size(), stdout);
  std::fwrite(err.data(), 1, err.size(), stderr);
  return exit_code;
}

int Complain(const Diagnostic& diagnostic, int exit_code, std::string* err) {
  *err += DiagnosticText(diagnostic, ColourOf(stderr)) + "\n";
  return exit_code;
}

}  // namespace

int ListRules(const std::string& set, std::string* out, std::string* err) {
  const std::vector<const OpRegistrationData*> all = set.empty() ? BuiltinRegistry().List() : BuiltinRegistry().List(set);
  if (all.empty()) {
    Diagnostic d;
    d.code = Code::kBadUsage;
    d.message = fmt::format("there is no set of operators '{}'", set);
    std::string sets;
    for (const std::string_view s : BuiltinRegistry().sets()) sets += (sets.empty() ? "" : ", ") + std::string(s);
    d.help = "the sets are " + sets;
    return Complain(d, kCouldNotDo, err);
  }
  for (const OpRegistrationData* op : all) *out += op->def.FullName() + "\n";
  return kDone;
}

int TestRules(const std::vector<std::string>& files, std::string* out, std::string* err) {
  rules::RuleLibrary library;
  for (const RuleText& text : BuiltinRuleTexts()) {
    if (text.file.ends_with("/prelude.shape")) (void)library.Load(text.text, text.file);
  }
  bool wrong = false;
  for (const std::string& file : files) {
    std::ifstream stream(file, std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    if (!stream) {
      Diagnostic d;
      d.code = Code::kBadUsage;
      d.message = fmt::format("cannot read {}", file);
      return Complain(d, kCouldNotDo, err);
    }
    for (const Diagnostic& mistake : library.Load(text.str(), file)) {
      Complain(mistake, kFound, err);
      wrong = true;
    }
  }
  size_t count = 0, failed = 0, rules = 0;
  for (const rules::Rule& rule : library.rules()) {
    ++rules;
    for (const ExampleOutcome& o : RunExamples(rule)) {
      ++count;
      if (o.ok()) continue;
      ++failed;
      *out += fmt::format("{}\n  example  {}\n  found    {}\n", rule.FullName(), o.example, o.found);
    }
  }
  *out += fmt::format("{} rules, {} examples, {} of them wrong\n", rules, count, failed);
  return wrong || failed > 0 ? kFound : kDone;
}

void AddRulesCommands(CLI::App& app, int* exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* list = app.add_subcommand("rules", "lists the operators that are known, one a line");
  list->formatter(std::make_shared<UsageFormatter>("dimwise rules [--set SET]"));
  list->add_option("--set", options->set, "only those of a set: onnx, ai.onnx.ml, com.microsoft");
  list->footer("Example:\n  dimwise rules --set onnx");
  list->callback([options, exit_code] {
    std::string out, err;
    *exit_code = Flush(ListRules(options->set, &out, &err), out, err);
  });

  CLI::App* test = app.add_subcommand("test", "loads rule files and holds each rule to its examples");
  test->formatter(std::make_shared<UsageFormatter>("dimwise test FILE.shape ..."));
  test->add_option("FILE", options->files, "rule files; see docs/rules.md")->required();
  test->footer("Example:\n  dimwise test my_operators.shape");
  test->callback([options, exit_code] {
    std::string out, err;
    *exit_code = Flush(TestRules(options->files, &out, &err), out, err);
  });
}

}  // namespace dimwise
