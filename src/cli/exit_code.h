// What the program ends with, in every command.
#ifndef DIMWISE_CLI_EXIT_CODE_H_
#define DIMWISE_CLI_EXIT_CODE_H_

namespace dimwise {

inline constexpr int kDone = 0;        // nothing is wrong
inline constexpr int kFound = 1;       // what was asked about has errors
inline constexpr int kCouldNotDo = 2;  // bad usage, a file that cannot be read

}  // namespace dimwise

#endif  // DIMWISE_CLI_EXIT_CODE_H_
