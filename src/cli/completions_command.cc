#include "cli/completions_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

#include "cli/printing.h"
#include "cli/shell_word.h"
#include "cli/usage_formatter.h"
#include "dimwise/builtin.h"
#include "dimwise/diagnostic.h"

namespace dimwise {
namespace {

constexpr std::string_view kCompletionsFooter = R"(Examples:
  dimwise completions bash > ~/.local/share/bash-completion/completions/dimwise
  dimwise completions zsh > ~/.zfunc/_dimwise
  dimwise completions fish > ~/.config/fish/completions/dimwise.fish
)";

// What a shell offers in place of a value.
struct ValueWords {
  enum class Kind { kFiles, kWords, kOperators };
  Kind kind = Kind::kFiles;
  std::vector<std::string> words;  // kWords
};

struct Flag {
  std::vector<std::string> words;  // "-q", "--quiet"
  std::string help;
  bool takes_value = false;
  ValueWords values;
};

struct Command {
  std::string name, help;
  std::vector<Flag> flags;
  bool names_operator = false;      // the first argument is an operator
  std::vector<std::string> others;  // words that the first argument may be, besides a file
};

// Prints the operators, when a shell completes. A list in the script would miss those of a later version.
constexpr std::string_view kListOperators = "dimwise rules 2>/dev/null";

std::vector<std::string> WordsForCodes() {
  std::vector<std::string> words;
  for (const CodeInfo& code : AllCodes()) {
    words.push_back(CodeName(code.code));
    words.emplace_back(code.name);
  }
  return words;
}

// Returns the words of a choice: the type of such an option is "NAME:{a,b}".
std::vector<std::string> ChoicesOf(const std::string& type) {
  const size_t open = type.find(":{");
  if (open == std::string::npos || !type.ends_with('}')) return {};
  std::vector<std::string> words(1);
  for (const char c : std::string_view(type).substr(open + 2, type.size() - open - 3)) {
    if (c == ',') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

ValueWords ValuesOf(std::string_view command, const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (std::vector<std::string> words = ChoicesOf(type); !words.empty()) {
    return {ValueWords::Kind::kWords, std::move(words)};
  }
  if (option.check_lname("op")) return {ValueWords::Kind::kOperators, {}};
  if (type == "CODES") return {ValueWords::Kind::kWords, WordsForCodes()};
  if (command == "rules" && option.check_lname("set")) {
    std::vector<std::string> sets;
    for (const std::string_view set : BuiltinRegistry().sets()) sets.emplace_back(set);
    return {ValueWords::Kind::kWords, std::move(sets)};
  }
  return {};
}

std::vector<Command> CommandsOf(const CLI::App& app) {
  std::vector<Command> commands;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    Command command{sub->get_name(), sub->get_description(), {}, false, {}};
    command.names_operator = command.name == "op" || command.name == "rule";
    if (command.name == "explain") command.others = WordsForCodes();
    for (const CLI::Option* option : sub->get_options()) {
      Flag flag{{},
                option->get_description(),
                option->get_items_expected_max() > 0,
                ValuesOf(command.name, *option)};
      if (option->get_positional() && !ChoicesOf(option->get_type_name()).empty()) {
        command.others = ChoicesOf(option->get_type_name());
      }
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

// Returns the shell words that expand to the values, in double quotes; "" for files.
std::string BashWords(const ValueWords& values) {
  switch (values.kind) {
    case ValueWords::Kind::kFiles:
      return "";
    case ValueWords::Kind::kWords:
      return fmt::format("\"{}\"", fmt::join(values.words, " "));
    case ValueWords::Kind::kOperators:
      return fmt::format("\"$({})\"", kListOperators);
  }
  return "";
}

std::string Bash(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  std::string options, values, first;
  for (const Command& command : commands) {
    names.push_back(command.name);
    std::vector<std::string> words;
    for (const Flag& flag : command.flags) {
      words.insert(words.end(), flag.words.begin(), flag.words.end());
      if (!flag.takes_value || flag.values.kind == ValueWords::Kind::kFiles) continue;
      for (const std::string& word : flag.words) {
        values += fmt::format("    {}:{}) values={} ;;\n", command.name, word, BashWords(flag.values));
      }
    }
    options +=
        fmt::format("    {}) words={} ;;\n", command.name, Quoted(fmt::format("{}", fmt::join(words, " "))));
    if (command.names_operator) {
      first +=
          fmt::format("    {}) values={} ;;\n", command.name, BashWords({ValueWords::Kind::kOperators, {}}));
    } else if (!command.others.empty()) {
      first += fmt::format("    {}) values={} ;;\n", command.name,
                           BashWords({ValueWords::Kind::kWords, command.others}));
    }
  }
  return fmt::format(R"(# bash completion for dimwise
_dimwise() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} words= values=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{} --help --version' -- "$cur"))
    return
  fi
  # bash splits --option=value at the equals sign.
  if [ "$cur" = = ]; then
    cur=
  elif [ "$prev" = = ]; then
    prev=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  case ${{COMP_WORDS[1]}}:$prev in
{}  esac
  if [ "$COMP_CWORD" -eq 2 ]; then
    case ${{COMP_WORDS[1]}} in
{}    esac
  fi
  case $cur in
    -*) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
    *)
      COMPREPLY=($(compgen -W "$values" -- "$cur"))
      if [ -z "$values" ] || [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY+=($(compgen -f -- "$cur")); fi
      ;;
  esac
}}
complete -o filenames -F _dimwise dimwise
)",
                     fmt::join(names, " "), options, values, first);
}

// Returns the action of _arguments for values.
std::string ZshAction(const ValueWords& values) {
  switch (values.kind) {
    case ValueWords::Kind::kFiles:
      return "_files";
    case ValueWords::Kind::kWords:
      return fmt::format("({})", fmt::join(values.words, " "));
    case ValueWords::Kind::kOperators:
      return fmt::format("{{compadd -- $({})}}", kListOperators);
  }
  return "";
}

std::string Zsh(const std::vector<Command>& commands) {
  std::string list, cases;
  for (const Command& command : commands) {
    list += fmt::format("    {}\n", Quoted(command.name + ":" + Escaped(command.help, ":\\")));
    cases += fmt::format("    {}) _arguments", command.name);
    for (const Flag& flag : command.flags) {
      for (const std::string& word : flag.words) {
        cases += " \\\n      " + Quoted(word + "[" + Escaped(flag.help, "[]:\\") + "]" +
                                        (flag.takes_value ? ":value:" + ZshAction(flag.values) : ""));
      }
    }
    if (command.names_operator) {
      cases += " \\\n      " + Quoted("1:operator:" + ZshAction({ValueWords::Kind::kOperators, {}}));
    } else if (!command.others.empty()) {
      cases += " \\\n      " +
               Quoted(fmt::format("1:argument:{{compadd -- {}; _files}}", fmt::join(command.others, " ")));
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

// Returns the option of `complete` that lists values; "" for files.
std::string FishArguments(const ValueWords& values) {
  switch (values.kind) {
    case ValueWords::Kind::kFiles:
      return "";
    case ValueWords::Kind::kWords:
      return fmt::format(" -x -a {}", Quoted(fmt::format("{}", fmt::join(values.words, " "))));
    case ValueWords::Kind::kOperators:
      return fmt::format(" -x -a {}", Quoted(fmt::format("({})", kListOperators)));
  }
  return "";
}

std::string Fish(const std::vector<Command>& commands) {
  std::string text = "# fish completion for dimwise\n";
  for (const Command& command : commands) {
    text += fmt::format("complete -c dimwise -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                        Quoted(command.help));
  }
  for (const Command& command : commands) {
    const std::string begin =
        fmt::format("complete -c dimwise -n '__fish_seen_subcommand_from {}'", command.name);
    for (const Flag& flag : command.flags) {
      text += begin;
      for (const std::string& word : flag.words) {
        text += word.starts_with("--") ? " -l " + word.substr(2) : " -s " + word.substr(1);
      }
      if (flag.takes_value) text += " -r" + FishArguments(flag.values);
      text += fmt::format(" -d {}\n", Quoted(flag.help));
    }
    if (command.names_operator) {
      text += fmt::format("{} -a {}\n", begin, Quoted(fmt::format("({})", kListOperators)));
    } else if (!command.others.empty()) {
      text += fmt::format("{} -a {}\n", begin, Quoted(fmt::format("{}", fmt::join(command.others, " "))));
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
