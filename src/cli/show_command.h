// `dimwise show`: prints the nodes of a model as a table.
#ifndef DIMWISE_CLI_SHOW_COMMAND_H_
#define DIMWISE_CLI_SHOW_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command. When it runs, it sets *exit_code.
void AddShowCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_SHOW_COMMAND_H_
