// `dimwise set MODEL N=8 -o OUT`: a model with numbers in the place of symbols.
#ifndef DIMWISE_CLI_SET_COMMAND_H_
#define DIMWISE_CLI_SET_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

void AddSetCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_SET_COMMAND_H_
