// `dimwise stats`: counts nodes and known shapes by operator.
#ifndef DIMWISE_CLI_STATS_COMMAND_H_
#define DIMWISE_CLI_STATS_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command. When it runs, it sets *exit_code.
void AddStatsCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_STATS_COMMAND_H_
