// The program: its commands, and what all of them do with bad usage. One command a file.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "cli/exit_code.h"
#include "cli/op_command.h"
#include "cli/terminal.h"
#include "cli/usage_formatter.h"
#include "dimwise/version.h"
#include "report/op_text.h"

namespace {

int BadUsage(const CLI::App& app, const std::string& message) {
  dimwise::Diagnostic diagnostic;
  diagnostic.code = dimwise::Code::kBadUsage;
  diagnostic.message = message;
  const auto used = app.get_subcommands();
  diagnostic.help = fmt::format("`dimwise {}--help` shows how it is called, with an example",
                                used.empty() ? "" : used.front()->get_name() + " ");
  fmt::print(stderr, "{}\n", dimwise::DiagnosticText(diagnostic, dimwise::ColourOf(stderr)));
  return dimwise::kCouldNotDo;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Infers tensor shapes before a program runs.", "dimwise"};
  app.formatter(std::make_shared<dimwise::UsageFormatter>("dimwise COMMAND ..."));
  app.footer("Example:\n  dimwise op onnx.MatMul 'f32[N, S, 768]' 'f32[768, 64]'\n\n`dimwise COMMAND --help` says more of one.");
  app.set_version_flag("--version", "dimwise " + std::string(dimwise::Version()));
  app.require_subcommand(1);

  int exit_code = dimwise::kDone;
  dimwise::AddOpCommand(app, &exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    if (argc < 2) {
      fmt::print(stderr, "{}", app.help());
      return dimwise::kCouldNotDo;
    }
    return BadUsage(app, error.what());
  }
  return exit_code;
}
