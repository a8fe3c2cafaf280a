#ifndef DIMWISE_CLI_RULE_FILES_H_
#define DIMWISE_CLI_RULE_FILES_H_
#include <optional>
#include <string>
#include <vector>
#include "dimwise/op_registry.h"
namespace CLI {
class App;
}
namespace dimwise {
inline void AddRulesOption(CLI::App&, std::vector<std::string>*) {}
inline std::optional<OpRegistry> WithRuleFiles(const OpRegistry& base, const std::vector<std::string>&,
                                               std::string*) {
  return base;
}
}  // namespace dimwise
#endif
