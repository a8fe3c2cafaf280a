// `dimwise check`: prints the findings of models.
#ifndef DIMWISE_CLI_CHECK_COMMAND_H_
#define DIMWISE_CLI_CHECK_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command. When it runs, it sets *exit_code.
void AddCheckCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_CHECK_COMMAND_H_
