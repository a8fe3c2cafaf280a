// The option `--rules FILE.shape` of all commands.
#ifndef DIMWISE_CLI_RULE_FILES_H_
#define DIMWISE_CLI_RULE_FILES_H_

#include <optional>
#include <string>
#include <vector>

#include "core/base/function_ref.h"
#include "dimwise/op_registry.h"

namespace CLI {
class App;
}

namespace dimwise {

void AddRulesOption(CLI::App& command, std::vector<std::string>* files);

// Returns the text of a rule file. If it cannot be read, returns nothing and appends an error to *err.
std::optional<std::string> ReadRuleFile(const std::string& file, std::string* err);

// Returns the registry with the rules of these files. *err lists the operators they replace. If a file cannot
// be read or has an error, returns nothing and appends the error to *err; the command then ends with
// kCouldNotDo.
std::optional<OpRegistry> WithRuleFiles(const OpRegistry& base, const std::vector<std::string>& files,
                                        std::string* err);

// Returns the registry with the rule files that dimwise.toml names for a model. Returns the first error of
// that file or of the rule files.
Result<OpRegistry> WithConfiguredRules(const OpRegistry& base, const std::string& model_path);

// Runs a command on a model with the built-in operators, the rules that dimwise.toml names, and those of
// these files. Returns its exit code. Errors are printed on standard error.
int RunWithRules(const std::string& model_path, const std::vector<std::string>& files,
                 FunctionRef<Result<int>(const OpRegistry&)> run);

}  // namespace dimwise

#endif  // DIMWISE_CLI_RULE_FILES_H_
