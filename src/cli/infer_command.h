// `dimwise infer`: infers the shapes of a model.
#ifndef DIMWISE_CLI_INFER_COMMAND_H_
#define DIMWISE_CLI_INFER_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command. When it runs, it sets *exit_code.
void AddInferCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_INFER_COMMAND_H_
