// `dimwise infer`: everything that can be found out about a model.
#ifndef DIMWISE_CLI_INFER_COMMAND_H_
#define DIMWISE_CLI_INFER_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command; when the program was called with it, *exit_code is what it ended with.
void AddInferCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_INFER_COMMAND_H_
