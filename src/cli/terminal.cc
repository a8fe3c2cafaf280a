#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace dimwise {

Colour ColourOf(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return Colour::kNever;
  const char* term = std::getenv("TERM");
  if (term != nullptr && std::string_view(term) == "dumb") return Colour::kNever;
  return ::isatty(::fileno(stream)) != 0 ? Colour::kAlways : Colour::kNever;
}

size_t WidthOf(std::FILE* stream) {
  struct winsize size = {};
  if (::isatty(::fileno(stream)) == 0 || ::ioctl(::fileno(stream), TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

}  // namespace dimwise
