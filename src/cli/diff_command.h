// `dimwise diff A B`: what changed between two models, or two assignments of one.
#ifndef DIMWISE_CLI_DIFF_COMMAND_H_
#define DIMWISE_CLI_DIFF_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

void AddDiffCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_DIFF_COMMAND_H_
