// `dimwise checks`: lists the guards of a model.
#ifndef DIMWISE_CLI_CHECKS_COMMAND_H_
#define DIMWISE_CLI_CHECKS_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command. When it runs, it sets *exit_code.
void AddChecksCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_CHECKS_COMMAND_H_
