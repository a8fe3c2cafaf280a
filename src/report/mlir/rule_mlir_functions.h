// The private functions that exported rules call: what the language does with lists, in MLIR.
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
  std::string_view needs;                      // others that it calls, or empty
  std::array<std::string_view, 4> words = {};  // in the place of $1 to $4 in the text
};

// Null where there is none.
const MlirFunction* FindMlirFunction(std::string_view name);

// The text of these and of what they need.
std::string MlirFunctionTexts(const std::set<std::string, std::less<>>& names);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MLIR_RULE_MLIR_FUNCTIONS_H_
