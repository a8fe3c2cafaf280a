// How names stand in expressions: bare where they are identifiers, in backquotes otherwise.
#ifndef DIMWISE_CORE_BASE_NAMES_H_
#define DIMWISE_CORE_BASE_NAMES_H_

#include <string>
#include <string_view>

namespace dimwise {

// Letters, digits, underscore, not a Python keyword, not min, max or broadcast. Bytes of UTF-8 are not
// letters.
bool IsBareName(std::string_view name);

// `N`, or in backquotes where it is no bare name; a backquote inside is doubled.
std::string QuoteName(std::string_view name);

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_NAMES_H_
