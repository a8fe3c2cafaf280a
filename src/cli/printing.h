// Writes to the standard streams and detects failed writes: a full disk behind `> report.json` is an error,
// even if the system reports it late.
#ifndef DIMWISE_CLI_PRINTING_H_
#define DIMWISE_CLI_PRINTING_H_

#include <cstdio>
#include <string>
#include <string_view>

#include "dimwise/diagnostic.h"

namespace dimwise {

// Opens closed standard streams on /dev/null, so that no file gets their descriptors. Must be called before
// any file is opened.
void ReserveStreams();

// Formats a diagnostic for a stream: with color and wrapped, if the stream is a terminal.
std::string DiagnosticText(const Diagnostic& diagnostic, std::FILE* stream);

void Print(std::FILE* stream, std::string_view text);

// Flushes the streams and returns the exit code of a command that ends with `exit_code`. If standard output
// could not be written, prints an error and returns kCouldNotDo. A reader that closed the pipe (`
// head`) is not an error.
int AfterPrinting(int exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_PRINTING_H_
