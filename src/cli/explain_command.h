// `dimwise explain`: explains a size of a model, or a diagnostic code.
#ifndef DIMWISE_CLI_EXPLAIN_COMMAND_H_
#define DIMWISE_CLI_EXPLAIN_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command. When it runs, it sets *exit_code.
void AddExplainCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_EXPLAIN_COMMAND_H_
