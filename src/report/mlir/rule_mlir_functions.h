// The private functions that exported rules call: the list operations of the rule language in MLIR.
#ifndef DIMWISE_REPORT_MLIR_RULE_MLIR_FUNCTIONS_H_
#define DIMWISE_REPORT_MLIR_RULE_MLIR_FUNCTIONS_H_

#include <array>
#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace dimwise {

struct MlirFunction {
  std::string_view name;    // "sum": the function is @dimwise.sum
  std::string_view type;    // "(tensor<?xindex>) -> index"
  std::string_view result;  // "index"
  std::string_view text;
  std::string_view needs;                      // names of the functions that it calls, or empty
  std::array<std::string_view, 4> words = {};  // replacements of $1 to $4 in the text
};

// Returns the function, or null if there is none.
const MlirFunction* FindMlirFunction(std::string_view name);

// Returns the text of these functions and of the functions that they call.
std::string MlirFunctionTexts(const std::set<std::string, std::less<>>& names);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MLIR_RULE_MLIR_FUNCTIONS_H_
