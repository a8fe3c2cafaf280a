// Whether what is printed is read by a person at a terminal.
#ifndef DIMWISE_CLI_TERMINAL_H_
#define DIMWISE_CLI_TERMINAL_H_

#include <cstdio>

#include "report/op_text.h"

namespace dimwise {

// Colours on a terminal, unless NO_COLOR (https://no-color.org) is set or the terminal is dumb.
Colour ColourOf(std::FILE* stream);

}  // namespace dimwise

#endif  // DIMWISE_CLI_TERMINAL_H_
