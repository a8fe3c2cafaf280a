// `dimwise compile`: writes the shape program of a model as C, Python or JSON.
#ifndef DIMWISE_CLI_COMPILE_COMMAND_H_
#define DIMWISE_CLI_COMPILE_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command. When it runs, it sets *exit_code.
void AddCompileCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_COMPILE_COMMAND_H_
