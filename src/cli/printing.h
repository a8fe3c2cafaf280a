// What the program writes to its streams, and whether it arrived: a full disk behind `> report.json` is an
// error, however late the system tells of it.
#ifndef DIMWISE_CLI_PRINTING_H_
#define DIMWISE_CLI_PRINTING_H_

#include <cstdio>
#include <string_view>

namespace dimwise {

// To be called before any file is opened: a stream that is closed keeps its number, so that no file gets it
// and is written into.
void ReserveStreams();

void Print(std::FILE* stream, std::string_view text);

// The exit code of a command that ends with `exit_code`, once all that it printed is written. Where standard
// output could not be written, says so and answers kCouldNotDo; a reader that went away (`| head`) has what
// it wanted.
int AfterPrinting(int exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_PRINTING_H_
