// `dimwise show`: the nodes of a model as a table for a person.
#ifndef DIMWISE_CLI_SHOW_COMMAND_H_
#define DIMWISE_CLI_SHOW_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command; when the program was called with it, *exit_code is what it ended with.
void AddShowCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_SHOW_COMMAND_H_
