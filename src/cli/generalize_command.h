// `dimwise generalize MODEL --input x[0]=batch -o OUT`: replaces a constant size of a model by a symbol.
#ifndef DIMWISE_CLI_GENERALIZE_COMMAND_H_
#define DIMWISE_CLI_GENERALIZE_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command. When it runs, it sets *exit_code.
void AddGeneralizeCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_GENERALIZE_COMMAND_H_
