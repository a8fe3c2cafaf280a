// Detects whether output goes to a terminal, and its properties.
#ifndef DIMWISE_CLI_TERMINAL_H_
#define DIMWISE_CLI_TERMINAL_H_

#include <cstddef>
#include <cstdio>

#include "report/text/text_style.h"

namespace CLI {
class App;
}

namespace dimwise {

// Adds --color, which ColourOf follows, and --wide, which TableWidthOf follows. The process has one command,
// so both are global.
void AddColorOption(CLI::App& command);
void AddWideOption(CLI::App& command);

// Returns kAlways or kNever as --color requests. Without the option, NO_COLOR (https://no-color.org) means
// never; FORCE_COLOR and CLICOLOR_FORCE mean always; otherwise a terminal that is not dumb has color.
Colour ColourOf(std::FILE* stream);
// Returns the number of columns of a terminal; 0 if the stream is not a terminal or the width is unknown.
size_t WidthOf(std::FILE* stream);
// Returns the width that tables must fit: that of the terminal, or 120 columns. 0: unlimited.
size_t TableWidthOf(std::FILE* stream);

}  // namespace dimwise

#endif  // DIMWISE_CLI_TERMINAL_H_
