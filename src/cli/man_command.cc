#include "cli/man_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string_view>
#include <vector>

#include "cli/printing.h"
#include "cli/usage_formatter.h"
#include "dimwise/version.h"

namespace dimwise {
namespace {

constexpr std::string_view kManFooter = R"(Example:
  dimwise man > ~/.local/share/man/man1/dimwise.1)";

constexpr std::string_view kEndOfPage = R"(.SH EXIT STATUS
.TP
0
The command did its work, and found no error.
.TP
1
A model has errors, or is incomplete where completeness is required.
.TP
2
The command could not do its work: bad usage, or a file that cannot be read. Nothing is written.
.SH ENVIRONMENT
.TP
NO_COLOR
If it is set, the output has no colors.
.SH FILES
.TP
dimwise.toml
Settings of a project, in the folder of a model or in a folder above.
)";

// Returns the text with the characters escaped that troff reads as commands or as other characters.
std::string Roff(std::string_view text) {
  std::string out;
  bool at_begin = true;
  for (const char c : text) {
    if (at_begin && c == '.') out += "\\&";
    at_begin = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-' || c == '\'' || c == '`' || c == '^' || c == '~') {
      out += c == '-' ? "\\-" : c == '\'' ? "\\(aq" : c == '`' ? "\\(ga" : c == '^' ? "\\(ha" : "\\(ti";
    } else {
      out += c;
    }
  }
  return out;
}

// Returns lines that keep their breaks.
std::string Unfilled(std::string_view text) {
  while (text.starts_with('\n')) text.remove_prefix(1);
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text.empty() ? "" : fmt::format(".PP\n.nf\n{}\n.fi\n", Roff(text));
}

// Returns the ways to call a command, one on each line: a part of its help.
std::string WaysToCall(const CLI::App& command) {
  constexpr std::string_view kHeading = "Usage: ";
  const std::string help = command.help();
  const size_t at = help.find(kHeading);
  if (at == std::string::npos) return "";
  std::string ways = help.substr(at + kHeading.size(), help.find("\n\n", at) - at - kHeading.size());
  const std::string indent = "\n" + std::string(kHeading.size(), ' ');
  for (size_t i = 0; (i = ways.find(indent, i)) != std::string::npos;) ways.replace(i, indent.size(), "\n");
  return ways;
}

std::string OptionEntry(const CLI::Option& option) {
  std::vector<std::string> words;
  for (const std::string& name : option.get_snames()) words.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) words.push_back("--" + name);
  if (words.empty()) words.push_back(option.get_name());
  std::string entry = ".TP\n";
  for (size_t i = 0; i < words.size(); ++i)
    entry += fmt::format("{}\\fB{}\\fR", i > 0 ? ", " : "", Roff(words[i]));
  const bool takes_value = option.get_items_expected_max() > 0 && !option.get_positional();
  if (const std::string type = option.get_type_name(); takes_value && !type.empty())
    entry += fmt::format(" \\fI{}\\fR", Roff(type.substr(0, type.find(':'))));
  return entry + "\n" + Roff(option.get_description()) + "\n";
}

}  // namespace

std::string ManPage(const CLI::App& app) {
  std::string page = fmt::format(".TH DIMWISE 1 \"\" \"dimwise {}\" \"User Commands\"\n", Version());
  page += fmt::format(".SH NAME\ndimwise \\- {}\n", Roff(app.get_description()));
  page += ".SH SYNOPSIS\n.B dimwise\n.I COMMAND\n[\\fIoptions\\fR]\n.SH COMMANDS\n";
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    page += fmt::format(".SS {}\n{}\n", Roff(command->get_name()), Roff(command->get_description()));
    page += Unfilled(WaysToCall(*command));
    for (const CLI::Option* option : command->get_options()) {
      if (option != command->get_help_ptr()) page += OptionEntry(*option);
    }
    page += Unfilled(command->get_footer());
  }
  return page + std::string(kEndOfPage);
}

void AddManCommand(CLI::App& app) {
  CLI::App* man = app.add_subcommand("man", "print the manual page dimwise(1)");
  man->formatter(std::make_shared<UsageFormatter>("dimwise man"));
  man->footer(std::string(kManFooter));
  man->callback([&app] { Print(stdout, ManPage(app)); });
}

}  // namespace dimwise
