// `dimwise generalize MODEL --input x[0]=batch -o OUT`: a model with a symbol in the place of a size.
#ifndef DIMWISE_CLI_GENERALIZE_COMMAND_H_
#define DIMWISE_CLI_GENERALIZE_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

void AddGeneralizeCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_GENERALIZE_COMMAND_H_
