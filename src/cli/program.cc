#include "cli/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/check_command.h"
#include "cli/compile_command.h"
#include "cli/completions_command.h"
#include "cli/diff_command.h"
#include "cli/exit_code.h"
#include "cli/explain_command.h"
#include "cli/generalize_command.h"
#include "cli/guards_command.h"
#include "cli/infer_command.h"
#include "cli/man_command.h"
#include "cli/op_command.h"
#include "cli/printing.h"
#include "cli/rule_command.h"
#include "cli/rules_command.h"
#include "cli/set_command.h"
#include "cli/show_command.h"
#include "cli/stats_command.h"
#include "cli/terminal.h"
#include "cli/usage_formatter.h"
#include "core/base/failure.h"
#include "core/base/nearest_name.h"
#include "dimwise/version.h"

namespace dimwise {
namespace {

int Complain(const std::string& message, const std::string& help) {
  Diagnostic diagnostic = MakeDiagnostic(Code::kBadUsage, message, help);
  Print(stderr, DiagnosticText(diagnostic, stderr) + "\n");
  return kCouldNotDo;
}

std::vector<std::string> OptionsOf(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    for (const std::string& name : option->get_snames()) words.push_back("-" + name);
  }
  return words;
}

std::vector<std::string_view> NamesOfCommands(const CLI::App& app) {
  std::vector<std::string_view> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(command->get_name());
  }
  return commands;
}

bool IsNoCommand(const CLI::App& app, std::string_view word) {
  const std::vector<std::string_view> commands = NamesOfCommands(app);
  return !word.starts_with('-') && std::ranges::find(commands, word) == commands.end();
}

bool IsOption(std::string_view word) { return word.starts_with('-') && word.size() > 1; }

int NoSuchOption(const CLI::App& command, std::string_view word, const std::string& help) {
  const std::string_view name = word.substr(0, word.find('='));
  const std::vector<std::string> options = OptionsOf(command);
  const std::vector<std::string_view> names(options.begin(), options.end());
  const std::string_view near = NearestName(name, names);
  return Complain(fmt::format("there is no option {}", name),
                  near.empty() ? help : fmt::format("did you mean {}?", near));
}

int ReportBadUsage(const CLI::App& app, std::string_view first_word, const std::string& message,
                   bool is_extra) {
  if (IsNoCommand(app, first_word)) {
    const std::string_view near = NearestName(first_word, NamesOfCommands(app));
    return Complain(
        fmt::format("there is no command '{}'", first_word),
        near.empty() ? "`dimwise --help` lists the commands" : fmt::format("did you mean {}?", near));
  }
  const auto used = app.get_subcommands();
  const std::vector<std::string> own = OptionsOf(app);
  if (used.empty() && IsOption(first_word) &&
      NearestName(first_word, std::vector<std::string_view>(own.begin(), own.end())).empty()) {
    return Complain(fmt::format("{} is given, but no command", first_word),
                    "options follow a command: dimwise infer MODEL; `dimwise --help` lists the commands");
  }
  const CLI::App& command = used.empty() ? app : *used.front();
  const std::string help = fmt::format("`dimwise {}--help` describes its options, with an example",
                                       used.empty() ? "" : command.get_name() + " ");
  // Values that follow an unknown option are also left over. Report the option.
  const std::vector<std::string> left = command.remaining();
  const auto option = std::ranges::find_if(left, [](const std::string& word) { return IsOption(word); });
  if (option != left.end()) return NoSuchOption(command, *option, help);
  if (is_extra && !left.empty()) return Complain(fmt::format("unexpected argument '{}'", left[0]), help);
  return Complain(message, help);
}

bool AsksForHelpOrVersion(std::string_view word) {
  return word == "-h" || word == "--help" || word == "-V" || word == "--version";
}

// Returns the words of the command line. `help infer` becomes `infer --help`. Options before the command are
// moved behind it. `checks` is the former name of `guards`; help and completions do not mention it.
std::vector<const char*> WordsOf(const CLI::App& app, int argc, char** argv) {
  std::vector<const char*> words(argv, argv + argc);
  if (argc < 2) return words;
  if (IsOption(argv[1]) && !AsksForHelpOrVersion(argv[1])) {
    const auto command = std::find_if(words.begin() + 1, words.end(), [&](std::string_view word) {
      return !IsOption(word) && (!IsNoCommand(app, word) || word == "checks");
    });
    if (command != words.end()) std::rotate(words.begin() + 1, command, command + 1);
  }
  if (std::string_view(argv[1]) == "help") {
    words.erase(words.begin() + 1);
    words.resize(std::min<size_t>(words.size(), 2));
    words.push_back("--help");
  }
  if (std::string_view(words[1]) == "checks") words[1] = "guards";
  return words;
}

}  // namespace

int RunProgram(int argc, char** argv) {
  ReserveStreams();
  CLI::App app{"Infers the shapes of tensors before a program runs.", "dimwise"};
  app.formatter(std::make_shared<UsageFormatter>("dimwise COMMAND ..."));
  app.footer(
      "Example:\n  dimwise op onnx.MatMul 'f32[N, S, 768]' 'f32[768, 64]'\n\n`dimwise COMMAND --help` "
      "describes a command.");
  app.set_version_flag("-V,--version", "dimwise " + std::string(Version()));
  app.require_subcommand(1);

  int exit_code = kDone;
  AddInferCommand(app, &exit_code);
  AddShowCommand(app, &exit_code);
  AddCheckCommand(app, &exit_code);
  AddGuardsCommand(app, &exit_code);
  AddCompileCommand(app, &exit_code);
  AddExplainCommand(app, &exit_code);
  AddStatsCommand(app, &exit_code);
  AddSetCommand(app, &exit_code);
  AddGeneralizeCommand(app, &exit_code);
  AddDiffCommand(app, &exit_code);
  AddOpCommand(app, &exit_code);
  AddRuleCommand(app, &exit_code);
  AddRulesCommands(app, &exit_code);
  AddCompletionsCommand(app);
  AddManCommand(app);
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() != "completions" && command->get_name() != "man") AddColorOption(*command);
  }
  const std::vector<const char*> words = WordsOf(app, argc, argv);
  try {
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::Success& help_or_version) {
    if (IsNoCommand(app, words[1])) return ReportBadUsage(app, words[1], {}, /*is_extra=*/false);
    std::ostringstream text;
    app.exit(help_or_version, text);
    Print(stdout, text.str());
    return AfterPrinting(kDone);
  } catch (const CLI::ParseError& error) {
    if (argc < 2) {
      Print(stderr, app.help());
      return kCouldNotDo;
    }
    return ReportBadUsage(app, words[1], error.what(),
                          dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr);
  }
  return AfterPrinting(exit_code);
}

}  // namespace dimwise
