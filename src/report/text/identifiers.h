// Identifiers for whatever names a model has: letters, digits and underscores, each one once.
#ifndef DIMWISE_REPORT_TEXT_IDENTIFIERS_H_
#define DIMWISE_REPORT_TEXT_IDENTIFIERS_H_

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace dimwise {

// The letters, digits and underscores of a name, other characters as underscores; of a long one the last 60,
// which tell it from its neighbours. May be empty, begin with a digit, or be a keyword: something that is
// none of this comes before it.
std::string IdentifierPart(std::string_view name);

class Identifiers {
 public:
  // `prefix` + the name's part; with a number behind it where that was given out before.
  std::string Unique(std::string_view prefix, std::string_view name);
  // Not to be given out.
  void Reserve(std::string_view identifier) { used_.emplace(identifier); }

 private:
  std::set<std::string, std::less<>> used_;
};

}  // namespace dimwise

#endif  // DIMWISE_REPORT_TEXT_IDENTIFIERS_H_
