// The private functions that exported rules call: what the language does with lists, in MLIR.
#ifndef DIMWISE_REPORT_RULE_MLIR_HELPERS_H_
#define DIMWISE_REPORT_RULE_MLIR_HELPERS_H_

#include <set>
#include <string>
#include <string_view>

namespace dimwise {

struct MlirHelper {
  std::string_view name;    // "sum": the function is @dimwise.sum
  std::string_view type;    // "(tensor<?xindex>) -> index"
  std::string_view result;  // "index"
  std::string_view text;
  std::string_view needs;  // another helper, or empty
};

// Null where there is none.
const MlirHelper* FindMlirHelper(std::string_view name);

// The text of these and of what they need.
std::string MlirHelperTexts(const std::set<std::string, std::less<>>& names);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_RULE_MLIR_HELPERS_H_
