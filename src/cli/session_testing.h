// Runs a test written as a shell session with the expected output:
//
//   # what the next lines show
//   $ dimwise check examples/mlp.graph
//   | what it wrote to standard output
//   ! what it wrote to standard error
//   = 1
//
// `= 1` is the exit code if it is not 0. `make golden` rewrites the file with the actual output
// (core/base/golden_testing.h).
#ifndef DIMWISE_CLI_SESSION_TESTING_H_
#define DIMWISE_CLI_SESSION_TESTING_H_

#include <string>

namespace dimwise {

// Runs the commands of a session file from the root of the sources. `path` is relative to that root. Each
// difference is a failure of the running test.
void RunSession(const std::string& path);

}  // namespace dimwise

#endif  // DIMWISE_CLI_SESSION_TESTING_H_
