// Generates unique identifiers from the names in a model.
#ifndef DIMWISE_REPORT_TEXT_IDENTIFIERS_H_
#define DIMWISE_REPORT_TEXT_IDENTIFIERS_H_

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace dimwise {

// Returns the name with other characters than letters, digits and underscores replaced by underscores. Of a
// long name the last 60 characters are used, because they differ more. The result may be empty, begin with a
// digit, or be a keyword, so callers add a prefix.
std::string IdentifierPart(std::string_view name);

class Identifiers {
 public:
  // Returns `prefix` and the identifier part of `name`, with a number appended if it was returned before.
  std::string Unique(std::string_view prefix, std::string_view name);
  // Excludes an identifier from the results.
  void Reserve(std::string_view identifier) { used_.emplace(identifier); }

 private:
  std::set<std::string, std::less<>> used_;
};

}  // namespace dimwise

#endif  // DIMWISE_REPORT_TEXT_IDENTIFIERS_H_
