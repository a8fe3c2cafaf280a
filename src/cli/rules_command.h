// `dimwise rules` lists the known operators. `dimwise test` checks the rules of a file against their examples
// and for consistency.
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
  bool quiet = false;  // print only failures
};

// Adds both commands. When one runs, it sets *exit_code.
void AddRulesCommands(CLI::App& app, int* exit_code);

// Both append data to *out and messages to *err, and return the exit code. `format` is "human" or "json".
int ListRules(const std::string& set, std::string* out, std::string* err,
              const std::string& format = "human");
int TestRules(const TestOptions& options, std::string* out, std::string* err);

}  // namespace dimwise

#endif  // DIMWISE_CLI_RULES_COMMAND_H_
