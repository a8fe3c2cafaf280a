// `dimwise rule`: one operator as documentation, or as MLIR.
#ifndef DIMWISE_CLI_RULE_COMMAND_H_
#define DIMWISE_CLI_RULE_COMMAND_H_

#include <string>
#include <vector>

#include "dimwise/op_registry.h"

namespace CLI {
class App;
}

namespace dimwise {

// When the program was called with it, *exit_code is what it ended with.
void AddRuleCommand(CLI::App& app, int* exit_code);

struct RuleQuestion {
  std::string name;  // "onnx.Conv"
  int opset = OpRegistry::kLatest;
  std::vector<std::string> files{};  // further rules, which come before those of the library
  int repeated = 2;                  // of MLIR: how many operands stand for a variadic one
};

// What it prints, appended to *out (data) and *err (all else): documentation, or MLIR.
int ShowRule(const RuleQuestion& question, std::string* out, std::string* err);
int EmitRule(const RuleQuestion& question, std::string* out, std::string* err);

}  // namespace dimwise

#endif  // DIMWISE_CLI_RULE_COMMAND_H_
