#include "cli/completions_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

#include "cli/printing.h"
#include "cli/shell_word.h"
#include "cli/usage_formatter.h"

namespace dimwise {
namespace {

constexpr std::string_view kCompletionsFooter = R"(Examples:
  dimwise completions bash > ~/.local/share/bash-completion/completions/dimwise
  dimwise completions zsh > ~/.zfunc/_dimwise
  dimwise completions fish > ~/.config/fish/completions/dimwise.fish
)";

struct Flag {
  std::vector<std::string> words;  // "-q", "--quiet"
  std::string help;
  bool takes_value = false;
};

struct Command {
  std::string name, help;
  std::vector<Flag> flags;
};

std::vector<Command> CommandsOf(const CLI::App& app) {
  std::vector<Command> commands;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    Command command{sub->get_name(), sub->get_description(), {}};
    for (const CLI::Option* option : sub->get_options()) {
      Flag flag{{}, option->get_description(), option->get_items_expected_max() > 0};
      for (const std::string& name : option->get_snames()) flag.words.push_back("-" + name);
      for (const std::string& name : option->get_lnames()) flag.words.push_back("--" + name);
      if (!flag.words.empty()) command.flags.push_back(std::move(flag));
    }
    commands.push_back(std::move(command));
  }
  return commands;
}

// Returns the text with a backslash before each character of `letters`.
std::string Escaped(std::string_view text, std::string_view letters) {
  std::string out;
  for (const char c : text) {
    if (letters.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string Bash(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  std::string cases;
  for (const Command& command : commands) {
    names.push_back(command.name);
    std::vector<std::string> words;
    for (const Flag& flag : command.flags) words.insert(words.end(), flag.words.begin(), flag.words.end());
    cases +=
        fmt::format("    {}) words={} ;;\n", command.name, Quoted(fmt::format("{}", fmt::join(words, " "))));
  }
  return fmt::format(R"(# bash completion for dimwise
_dimwise() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{} --help --version' -- "$cur"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -f -- "$cur")) ;;
  esac
}}
complete -o filenames -F _dimwise dimwise
)",
                     fmt::join(names, " "), cases);
}

std::string Zsh(const std::vector<Command>& commands) {
  std::string list, cases;
  for (const Command& command : commands) {
    list += fmt::format("    {}\n", Quoted(command.name + ":" + Escaped(command.help, ":\\")));
    cases += fmt::format("    {}) _arguments", command.name);
    for (const Flag& flag : command.flags) {
      for (const std::string& word : flag.words) {
        cases += " \\\n      " + Quoted(word + "[" + Escaped(flag.help, "[]:\\") + "]" +
                                        (flag.takes_value ? ":value:_files" : ""));
      }
    }
    cases += " \\\n      '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef dimwise
_dimwise() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
_dimwise "$@"
)",
                     list, cases);
}

std::string Fish(const std::vector<Command>& commands) {
  std::string text = "# fish completion for dimwise\n";
  for (const Command& command : commands) {
    text += fmt::format("complete -c dimwise -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                        Quoted(command.help));
  }
  for (const Command& command : commands) {
    for (const Flag& flag : command.flags) {
      text += fmt::format("complete -c dimwise -n '__fish_seen_subcommand_from {}'", command.name);
      for (const std::string& word : flag.words) {
        text += word.starts_with("--") ? " -l " + word.substr(2) : " -s " + word.substr(1);
      }
      text += fmt::format("{} -d {}\n", flag.takes_value ? " -r" : "", Quoted(flag.help));
    }
  }
  return text;
}

}  // namespace

std::string CompletionsFor(const CLI::App& app, std::string_view shell) {
  const std::vector<Command> commands = CommandsOf(app);
  return shell == "bash" ? Bash(commands) : shell == "zsh" ? Zsh(commands) : Fish(commands);
}

void AddCompletionsCommand(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* completions = app.add_subcommand("completions", "print a completion script for a shell");
  completions->formatter(std::make_shared<UsageFormatter>("dimwise completions bash|zsh|fish"));
  completions->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completions->footer(std::string(kCompletionsFooter));
  completions->callback([&app, shell] { Print(stdout, CompletionsFor(app, *shell)); });
}

}  // namespace dimwise
