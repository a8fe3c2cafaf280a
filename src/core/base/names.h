// The notation of names in expressions: an identifier is written plainly, any other name in backquotes.
#ifndef DIMWISE_CORE_BASE_NAMES_H_
#define DIMWISE_CORE_BASE_NAMES_H_

#include <string>
#include <string_view>

namespace dimwise {

// Returns whether the name consists of letters, digits and underscores, and is no Python keyword, min, max,
// broadcast or broadcastable. Non-ASCII letters are not accepted.
bool IsBareName(std::string_view name);

// Returns the name, in backquotes if it is no bare name. A backquote inside is doubled.
std::string QuoteName(std::string_view name);

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_NAMES_H_
