// `dimwise stats`: how much is known of what, counted by operator.
#ifndef DIMWISE_CLI_STATS_COMMAND_H_
#define DIMWISE_CLI_STATS_COMMAND_H_

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command; when the program was called with it, *exit_code is what it ended with.
void AddStatsCommand(CLI::App& app, int* exit_code);

}  // namespace dimwise

#endif  // DIMWISE_CLI_STATS_COMMAND_H_
