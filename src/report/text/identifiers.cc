#include "report/text/identifiers.h"

#include <algorithm>

#include "core/base/characters.h"
#include "core/base/unused_name.h"

namespace dimwise {

std::string IdentifierPart(std::string_view name) {
  constexpr size_t kMaxLength = 60;
  std::string part;
  for (const char c : name.substr(name.size() - std::min(name.size(), kMaxLength))) {
    const bool allowed = IsLetter(c) || IsDigit(c);
    part += allowed ? c : '_';
  }
  return part;
}

std::string Identifiers::Unique(std::string_view prefix, std::string_view name) {
  const auto is_used = [&](std::string_view identifier) { return used_.contains(identifier); };
  return *used_.insert(UnusedName(std::string(prefix) + IdentifierPart(name), is_used)).first;
}

}  // namespace dimwise
