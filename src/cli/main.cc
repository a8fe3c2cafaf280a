// The program: its commands, and what all of them do with bad usage. One command a file.
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
#include "cli/checks_command.h"
#include "cli/compile_command.h"
#include "cli/completions_command.h"
#include "cli/diff_command.h"
#include "cli/exit_code.h"
#include "cli/explain_command.h"
#include "cli/generalize_command.h"
#include "cli/infer_command.h"
#include "cli/op_command.h"
#include "cli/printing.h"
#include "cli/rule_command.h"
#include "cli/rules_command.h"
#include "cli/set_command.h"
#include "cli/show_command.h"
#include "cli/stats_command.h"
#include "cli/terminal.h"
#include "cli/usage_formatter.h"
#include "core/nearest_name.h"
#include "dimwise/version.h"
#include "report/op_text.h"

namespace {

int Complain(const std::string& message, const std::string& help) {
  dimwise::Diagnostic diagnostic;
  diagnostic.code = dimwise::Code::kBadUsage;
  diagnostic.message = message;
  diagnostic.help = help;
  dimwise::Print(stderr, dimwise::DiagnosticText(diagnostic, dimwise::ColourOf(stderr)) + "\n");
  return dimwise::kCouldNotDo;
}

int BadUsage(const CLI::App& app, std::string_view first_word, const std::string& message) {
  std::vector<std::string_view> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(command->get_name());
  }
  if (!first_word.starts_with('-') && std::ranges::find(commands, first_word) == commands.end()) {
    const std::string_view near = dimwise::NearestName(first_word, commands);
    return Complain(
        fmt::format("there is no command '{}'", first_word),
        near.empty() ? "`dimwise --help` lists the commands" : fmt::format("did you mean {}?", near));
  }
  const auto used = app.get_subcommands();
  return Complain(message, fmt::format("`dimwise {}--help` shows how it is called, with an example",
                                       used.empty() ? "" : used.front()->get_name() + " "));
}

}  // namespace

int main(int argc, char** argv) {
  dimwise::ReserveStreams();
  CLI::App app{"Infers tensor shapes before a program runs.", "dimwise"};
  app.formatter(std::make_shared<dimwise::UsageFormatter>("dimwise COMMAND ..."));
  app.footer(
      "Example:\n  dimwise op onnx.MatMul 'f32[N, S, 768]' 'f32[768, 64]'\n\n`dimwise COMMAND --help` says "
      "more of one.");
  app.set_version_flag("--version", "dimwise " + std::string(dimwise::Version()));
  app.require_subcommand(1);

  int exit_code = dimwise::kDone;
  dimwise::AddInferCommand(app, &exit_code);
  dimwise::AddShowCommand(app, &exit_code);
  dimwise::AddCheckCommand(app, &exit_code);
  dimwise::AddChecksCommand(app, &exit_code);
  dimwise::AddCompileCommand(app, &exit_code);
  dimwise::AddExplainCommand(app, &exit_code);
  dimwise::AddStatsCommand(app, &exit_code);
  dimwise::AddSetCommand(app, &exit_code);
  dimwise::AddGeneralizeCommand(app, &exit_code);
  dimwise::AddDiffCommand(app, &exit_code);
  dimwise::AddOpCommand(app, &exit_code);
  dimwise::AddRuleCommand(app, &exit_code);
  dimwise::AddRulesCommands(app, &exit_code);
  dimwise::AddCompletionsCommand(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    std::ostringstream text;
    app.exit(help_or_version, text);
    dimwise::Print(stdout, text.str());
    return dimwise::AfterPrinting(dimwise::kDone);
  } catch (const CLI::ParseError& error) {
    if (argc < 2) {
      dimwise::Print(stderr, app.help());
      return dimwise::kCouldNotDo;
    }
    return BadUsage(app, argv[1], error.what());
  }
  return dimwise::AfterPrinting(exit_code);
}
