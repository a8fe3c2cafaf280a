// Detects whether output goes to a terminal, and its properties.
#ifndef DIMWISE_CLI_TERMINAL_H_
#define DIMWISE_CLI_TERMINAL_H_

#include <cstddef>
#include <cstdio>

#include "report/text/text_style.h"

namespace dimwise {

// Returns kColour for a terminal, unless NO_COLOR (https://no-color.org) is set or the terminal is dumb.
Colour ColourOf(std::FILE* stream);
// Returns the number of columns of a terminal; 0 if the stream is not a terminal or the width is unknown.
size_t WidthOf(std::FILE* stream);

}  // namespace dimwise

#endif  // DIMWISE_CLI_TERMINAL_H_
