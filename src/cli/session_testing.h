// A test as a session at a shell, with what the program printed inside:
//
//   # what the next lines show
//   $ dimwise check examples/mlp.graph
//   | what it wrote to standard output
//   ! what it wrote to standard error
//   = 1
//
// `= 1` is the exit code where it is not 0. With DIMWISE_REWRITE=1 in the environment the file is written
// anew with what came, to be read before it is committed.
#ifndef DIMWISE_CLI_SESSION_TESTING_H_
#define DIMWISE_CLI_SESSION_TESTING_H_

#include <string>

namespace dimwise {

// Runs the commands of the file at a path relative to the root of the sources, from there; what differs is a
// failure of the running test.
void RunSession(const std::string& path);

}  // namespace dimwise

#endif  // DIMWISE_CLI_SESSION_TESTING_H_
