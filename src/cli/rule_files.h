// `--rules FILE.shape`, of any command.
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

// The text of a rule file, or a complaint in *err.
std::optional<std::string> ReadRuleFile(const std::string& file, std::string* err);

// The registry with the rules of these files. Operators that they replace are noted in *err; where a file
// cannot be read, or has a mistake, *err says so, and there is no registry: the command ends with
// kCouldNotDo.
std::optional<OpRegistry> WithRuleFiles(const OpRegistry& base, const std::vector<std::string>& files,
                                        std::string* err);

// Runs a command with the built-in operators and the rules of these files. Answers its exit code; what is
// wrong with the files, or keeps the command from its job, is told on standard error.
int RunWithRules(const std::vector<std::string>& files, FunctionRef<Result<int>(const OpRegistry&)> run);

}  // namespace dimwise

#endif  // DIMWISE_CLI_RULE_FILES_H_
