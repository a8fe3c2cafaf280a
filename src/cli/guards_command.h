// `dimwise guards`: lists the guards of a model.
#ifndef DIMWISE_CLI_GUARDS_COMMAND_H_
#define DIMWISE_CLI_GUARDS_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command. When it runs, it sets *exit_code.
void AddGuardsCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_GUARDS_COMMAND_H_
