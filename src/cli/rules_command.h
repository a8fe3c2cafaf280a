// `dimwise rules` and `dimwise test`: what operators there are, and whether the rules of a file hold to their
// examples and to themselves.
#ifndef DIMWISE_CLI_RULES_COMMAND_H_
#define DIMWISE_CLI_RULES_COMMAND_H_

#include <string>
#include <vector>

#include "infer/driver/rule_driver.h"

namespace CLI {
class App;
}

namespace dimwise {

struct TestOptions {
  std::vector<std::string> files;
  DriverOptions driver;
  bool quiet = false;  // only what is wrong
};

// Adds the two; when the program was called with one, *exit_code is what it ended with.
void AddRulesCommands(CLI::App& app, int* exit_code);

// What they print, appended to *out (data) and *err (all else).
int ListRules(const std::string& set, std::string* out, std::string* err);
int TestRules(const TestOptions& options, std::string* out, std::string* err);

}  // namespace dimwise

#endif  // DIMWISE_CLI_RULES_COMMAND_H_
