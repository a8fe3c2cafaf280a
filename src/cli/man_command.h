// `dimwise man` prints the manual page dimwise(1), made from the help of all commands.
#ifndef DIMWISE_CLI_MAN_COMMAND_H_
#define DIMWISE_CLI_MAN_COMMAND_H_

#include <string>

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command. It describes all commands of `app`, so `app` has to outlive the run.
void AddManCommand(CLI::App& app);

// Returns the manual page in the macros of man(7).
std::string ManPage(const CLI::App& app);

}  // namespace dimwise

#endif  // DIMWISE_CLI_MAN_COMMAND_H_
