// Whether what is printed is read by a person at a terminal.
#ifndef DIMWISE_CLI_TERMINAL_H_
#define DIMWISE_CLI_TERMINAL_H_

#include <cstddef>
#include <cstdio>

#include "report/text/text_style.h"

namespace dimwise {

// Colours on a terminal, unless NO_COLOR (https://no-color.org) is set or the terminal is dumb.
Colour ColourOf(std::FILE* stream);
// How many columns a terminal has; 0 where the stream is none, or does not say.
size_t WidthOf(std::FILE* stream);

}  // namespace dimwise

#endif  // DIMWISE_CLI_TERMINAL_H_
