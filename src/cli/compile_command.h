// `dimwise compile`: a model's shape program as C, Python or JSON.
#ifndef DIMWISE_CLI_COMPILE_COMMAND_H_
#define DIMWISE_CLI_COMPILE_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

void AddCompileCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_COMPILE_COMMAND_H_
