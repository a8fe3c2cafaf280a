#include "cli/rule_files.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/config_file.h"
#include "cli/exit_code.h"
#include "cli/printing.h"
#include "core/base/failure.h"
#include "dimwise/builtin.h"
#include "dimwise/result_macros.h"
#include "infer/operators/registry_with_rules.h"

namespace dimwise {

void AddRulesOption(CLI::App& command, std::vector<std::string>* files) {
  command.add_option("--rules", *files, "load rules from this file; may be repeated")
      ->allow_extra_args(false)
      ->type_name("FILE.shape");
}

namespace {

Result<std::string> ReadRules(const std::string& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    return Failure(Code::kUnreadableFile, fmt::format("'{}' is a folder; a rule file is required", file));
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  if (stream) return text.str();
  const std::string reason = errno == 0 ? "" : fmt::format(": {}", std::strerror(errno));
  return Failure(Code::kUnreadableFile, fmt::format("cannot read '{}'{}", file, reason));
}

}  // namespace

std::optional<std::string> ReadRuleFile(const std::string& file, std::string* err) {
  Result<std::string> text = ReadRules(file);
  if (text) return *std::move(text);
  *err += DiagnosticText(text.error(), stderr) + "\n";
  return std::nullopt;
}

Result<OpRegistry> WithConfiguredRules(const OpRegistry& base, const std::string& model_path) {
  DIMWISE_ASSIGN_OR_RETURN(const CheckConfig config, ConfigFor(model_path));
  if (config.rule_files.empty()) return base;
  std::vector<RuleSource> sources;
  for (const std::string& file : config.rule_files) {
    DIMWISE_ASSIGN_OR_RETURN(std::string text, ReadRules(file));
    sources.push_back({file, std::move(text)});
  }
  RegistryWithRules loaded = LoadRules(base, sources);
  if (!loaded.mistakes.empty()) return Unexpected(std::move(loaded.mistakes[0]));
  return std::move(loaded.registry);
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
  for (const Diagnostic& mistake : loaded.mistakes) *err += DiagnosticText(mistake, stderr) + "\n";
  if (!loaded.mistakes.empty()) return std::nullopt;
  for (const RegistryWithRules::Replaced& r : loaded.replaced) {
    *err += r.parts.empty() ? fmt::format("note: {} replaces {}\n", r.file, r.op)
                            : fmt::format("note: {} replaces the {} of {}\n", r.file, r.parts, r.op);
  }
  return std::move(loaded.registry);
}

int RunWithRules(const std::string& model_path, const std::vector<std::string>& files,
                 FunctionRef<Result<int>(const OpRegistry&)> run) {
  Result<OpRegistry> configured = WithConfiguredRules(BuiltinRegistry(), model_path);
  if (!configured) {
    Print(stderr, DiagnosticText(configured.error(), stderr) + "\n");
    return kCouldNotDo;
  }
  std::string err;
  const std::optional<OpRegistry> registry = WithRuleFiles(*configured, files, &err);
  Print(stderr, err);
  if (!registry) return kCouldNotDo;
  const Result<int> done = run(*registry);
  if (!done) Print(stderr, DiagnosticText(done.error(), stderr) + "\n");
  return done ? *done : kCouldNotDo;
}

}  // namespace dimwise
