#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string>
#include <string_view>

namespace dimwise {
namespace {

constexpr size_t kPipedWidth = 120;

// Set while the command line is parsed, before any thread starts.
std::string color_option = "auto";
bool wide_option = false;

// Returns whether a variable requests something: set, not empty and not 0.
bool IsOn(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

bool IsTerminal(std::FILE* stream) { return ::isatty(::fileno(stream)) != 0; }

}  // namespace

void AddColorOption(CLI::App& command) {
  command.add_option("--color", color_option, "auto, always or never (default: auto, for terminals)")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
}

void AddWideOption(CLI::App& command) {
  command.add_flag("--wide", wide_option, "do not fit tables to the terminal, or to 120 columns");
}

Colour ColourOf(std::FILE* stream) {
  if (color_option != "auto") return color_option == "always" ? Colour::kAlways : Colour::kNever;
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return Colour::kNever;
  if (IsOn("FORCE_COLOR") || IsOn("CLICOLOR_FORCE")) return Colour::kAlways;
  const char* term = std::getenv("TERM");
  if (term != nullptr && std::string_view(term) == "dumb") return Colour::kNever;
  return IsTerminal(stream) ? Colour::kAlways : Colour::kNever;
}

size_t WidthOf(std::FILE* stream) {
  struct winsize size = {};
  if (!IsTerminal(stream) || ::ioctl(::fileno(stream), TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

size_t TableWidthOf(std::FILE* stream) {
  if (wide_option) return 0;
  return IsTerminal(stream) ? WidthOf(stream) : kPipedWidth;
}

}  // namespace dimwise
