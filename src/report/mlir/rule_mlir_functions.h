// The private functions that exported rules call: the list operations of the rule language in MLIR
// (functions.mlir).
#ifndef DIMWISE_REPORT_MLIR_RULE_MLIR_FUNCTIONS_H_
#define DIMWISE_REPORT_MLIR_RULE_MLIR_FUNCTIONS_H_

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dimwise {

// The contents of functions.mlir, embedded by the build.
std::string_view MlirFunctionsFile();

struct MlirFunction {
  std::string name;  // "sum": the function is @dimwise.sum
  std::string type;  // "(tensor<?xindex>) -> index"
  std::string text;
  std::vector<std::string> called;  // names of the functions that it calls
};

// Returns the function, or null if there is none.
const MlirFunction* FindMlirFunction(std::string_view name);

// Returns the text of these functions and of the functions that they call.
std::string MlirFunctionTexts(const std::set<std::string, std::less<>>& names);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MLIR_RULE_MLIR_FUNCTIONS_H_
