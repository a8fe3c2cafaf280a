#include "cli/rule_files.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/exit_code.h"
#include "cli/printing.h"
#include "cli/terminal.h"
#include "dimwise/builtin.h"
#include "infer/operators/registry_with_rules.h"
#include "report/operators/op_text.h"

namespace dimwise {

void AddRulesOption(CLI::App& command, std::vector<std::string>* files) {
  command.add_option("--rules", *files, "load rules from this file; may be repeated")
      ->allow_extra_args(false)
      ->type_name("FILE.shape");
}

std::optional<std::string> ReadRuleFile(const std::string& file, std::string* err) {
  Diagnostic diagnostic;
  diagnostic.code = Code::kUnreadableFile;
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    diagnostic.message = fmt::format("'{}' is a folder; a rule file is required", file);
  } else {
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    if (stream) return text.str();
    diagnostic.message = fmt::format("cannot read '{}'", file);
    if (errno != 0) diagnostic.message += fmt::format(": {}", std::strerror(errno));
  }
  *err += DiagnosticText(diagnostic, ColourOf(stderr)) + "\n";
  return std::nullopt;
}

std::optional<OpRegistry> WithRuleFiles(const OpRegistry& base, const std::vector<std::string>& files,
                                        std::string* err) {
  if (files.empty()) return base;
  std::vector<RuleSource> sources;
  for (const std::string& file : files) {
    std::optional<std::string> text = ReadRuleFile(file, err);
    if (!text) return std::nullopt;
    sources.push_back({file, *std::move(text)});
  }
  RegistryWithRules loaded = LoadRules(base, sources);
  for (const Diagnostic& mistake : loaded.mistakes) *err += DiagnosticText(mistake, ColourOf(stderr)) + "\n";
  if (!loaded.mistakes.empty()) return std::nullopt;
  for (const RegistryWithRules::Replaced& r : loaded.replaced) {
    *err += r.parts.empty() ? fmt::format("note: {} replaces {}\n", r.file, r.op)
                            : fmt::format("note: {} replaces the {} of {}\n", r.file, r.parts, r.op);
  }
  return std::move(loaded.registry);
}

int RunWithRules(const std::vector<std::string>& files, FunctionRef<Result<int>(const OpRegistry&)> run) {
  std::string err;
  const std::optional<OpRegistry> registry = WithRuleFiles(BuiltinRegistry(), files, &err);
  Print(stderr, err);
  if (!registry) return kCouldNotDo;
  const Result<int> done = run(*registry);
  if (!done) Print(stderr, DiagnosticText(done.error(), ColourOf(stderr)) + "\n");
  return done ? *done : kCouldNotDo;
}

}  // namespace dimwise
