// `dimwise completions`: prints a script with which a shell completes commands and options.
#ifndef DIMWISE_CLI_COMPLETIONS_COMMAND_H_
#define DIMWISE_CLI_COMPLETIONS_COMMAND_H_

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command. The script covers the commands that `app` has when it runs.
void AddCompletionsCommand(CLI::App& app);

// Returns the script for a shell: bash, zsh or fish.
std::string CompletionsFor(const CLI::App& app, std::string_view shell);

}  // namespace dimwise

#endif  // DIMWISE_CLI_COMPLETIONS_COMMAND_H_
