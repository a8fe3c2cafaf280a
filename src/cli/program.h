// The command line: registers the commands and reports bad usage. Each command has a file of its own.
#ifndef DIMWISE_CLI_PROGRAM_H_
#define DIMWISE_CLI_PROGRAM_H_

namespace dimwise {

// Runs the command that the words name. Returns the exit code of the process.
int RunProgram(int argc, char** argv);

}  // namespace dimwise

#endif  // DIMWISE_CLI_PROGRAM_H_
