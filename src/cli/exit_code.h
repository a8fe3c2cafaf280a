// The exit codes of all commands.
#ifndef DIMWISE_CLI_EXIT_CODE_H_
#define DIMWISE_CLI_EXIT_CODE_H_

namespace dimwise {

inline constexpr int kDone = 0;        // no errors
inline constexpr int kFound = 1;       // the model, operator or rule file has errors
inline constexpr int kCouldNotDo = 2;  // bad usage, or a file that cannot be read or written

}  // namespace dimwise

#endif  // DIMWISE_CLI_EXIT_CODE_H_
