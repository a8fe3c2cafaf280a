// `dimwise completions`: what a shell needs to complete the program's commands and options.
#ifndef DIMWISE_CLI_COMPLETIONS_COMMAND_H_
#define DIMWISE_CLI_COMPLETIONS_COMMAND_H_

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command. It tells of the commands that the program has when it runs.
void AddCompletionsCommand(CLI::App& app);

// The script for a shell: bash, zsh or fish.
std::string CompletionsFor(const CLI::App& app, std::string_view shell);

}  // namespace dimwise

#endif  // DIMWISE_CLI_COMPLETIONS_COMMAND_H_
