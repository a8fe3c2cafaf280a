// `dimwise rule`: prints the documentation of an operator, or its rule as MLIR.
#ifndef DIMWISE_CLI_RULE_COMMAND_H_
#define DIMWISE_CLI_RULE_COMMAND_H_

#include <string>
#include <vector>

#include "dimwise/op_registry.h"

namespace CLI {
class App;
}

namespace dimwise {

// Adds the command. When it runs, it sets *exit_code.
void AddRuleCommand(CLI::App& app, int* exit_code);

struct RuleRequest {
  std::string name;  // "onnx.Conv"
  int opset = OpRegistry::kLatest;
  std::vector<std::string> files{};  // rule files, which take precedence over the built-in rules
  std::string format = "human";      // or "json"
  int repeated = 2;                  // for MLIR: the number of operands of a variadic operand
};

// Prints the documentation or MLIR. Both append data to *out and messages to *err, and return the exit code.
int ShowRule(const RuleRequest& request, std::string* out, std::string* err);
int EmitRule(const RuleRequest& request, std::string* out, std::string* err);

}  // namespace dimwise

#endif  // DIMWISE_CLI_RULE_COMMAND_H_
