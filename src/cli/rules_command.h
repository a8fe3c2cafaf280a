// `dimwise rules` and `dimwise test`: what operators there are, and the examples of a rule file.
#ifndef DIMWISE_CLI_RULES_COMMAND_H_
#define DIMWISE_CLI_RULES_COMMAND_H_

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace dimwise {

// Adds the two; when the program was called with one, *exit_code is what it ended with.
void AddRulesCommands(CLI::App& app, int* exit_code);

// What they print, appended to *out (data) and *err (all else).
int ListRules(const std::string& set, std::string* out, std::string* err);
int TestRules(const std::vector<std::string>& files, std::string* out, std::string* err);

}  // namespace dimwise

#endif  // DIMWISE_CLI_RULES_COMMAND_H_
