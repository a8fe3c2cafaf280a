// `dimwise diff A B`: prints the differences between two models, or between two assignments of sizes to a
// model.
#ifndef DIMWISE_CLI_DIFF_COMMAND_H_
#define DIMWISE_CLI_DIFF_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command. When it runs, it sets *exit_code.
void AddDiffCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_DIFF_COMMAND_H_
