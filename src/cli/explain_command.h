// `dimwise explain`: why a dimension of a model is what it is, or what a code of a diagnostic means.
#ifndef DIMWISE_CLI_EXPLAIN_COMMAND_H_
#define DIMWISE_CLI_EXPLAIN_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command; when the program was called with it, *exit_code is what it ended with.
void AddExplainCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_EXPLAIN_COMMAND_H_
