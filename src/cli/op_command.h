// `dimwise op`: infers a single operator, or many from a file of requests, without a model.
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
  std::string batch;               // a file, or "-"; empty: the request is in the fields below
  bool lenient = false;            // with `batch`: unknown fields are ignored
  std::string name;                // "onnx.Conv"
  std::vector<std::string> words;  // operands and attributes
  std::vector<std::string> assume;
  std::vector<std::string> results;  // known types of results; then the operands are inferred too
  std::vector<std::string> rules;    // rule files; the caller has loaded them into the registry
  std::string format = "human";      // or "json"
  int opset = OpRegistry::kLatest;
  int outputs = -1;  // -1: as many as the signature has
};

// Adds the command. When it runs, it sets *exit_code.
void AddOpCommand(CLI::App& app, int* exit_code);

// Runs the command. Appends data to *out and messages to *err; returns the exit code.
int RunOp(const OpRegistry& registry, const OpOptions& options, std::string* out, std::string* err);

}  // namespace dimwise

#endif  // DIMWISE_CLI_OP_COMMAND_H_
