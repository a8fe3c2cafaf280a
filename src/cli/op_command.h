// `dimwise op`: infers one operator, or many from a file of requests, with no model around them.
#ifndef DIMWISE_CLI_OP_COMMAND_H_
#define DIMWISE_CLI_OP_COMMAND_H_

#include <string>
#include <vector>

#include "dimwise/op_registry.h"

namespace CLI {
class App;
}

namespace dimwise {

struct OpOptions {
  std::string batch;               // the file of requests, "-" for standard input; empty: the words below
  std::string name;                // "onnx.Conv"
  std::vector<std::string> words;  // operands and attributes
  std::vector<std::string> assume;
  std::vector<std::string> results;  // types that are known of results: then the operands are inferred too
  std::vector<std::string> rules;    // files of further rules, which are in the registry by the time it runs
  std::string format = "human";      // or "json"
  int opset = OpRegistry::kLatest;
  int outputs = -1;  // -1: as many as the operator says
};

// Adds the command; when the program was called with it, *exit_code is what it ended with.
void AddOpCommand(CLI::App& app, int* exit_code);

// Runs it, with what it prints appended to *out (data) and *err (all else).
int RunOp(const OpRegistry& registry, const OpOptions& options, std::string* out, std::string* err);

}  // namespace dimwise

#endif  // DIMWISE_CLI_OP_COMMAND_H_
