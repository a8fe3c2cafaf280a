// `dimwise set MODEL N=8 -o OUT`: replaces symbols of a model by numbers.
#ifndef DIMWISE_CLI_SET_COMMAND_H_
#define DIMWISE_CLI_SET_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command. When it runs, it sets *exit_code.
void AddSetCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_SET_COMMAND_H_
