#include "report/identifiers.h"

#include <fmt/format.h>

#include "core/characters.h"

namespace dimwise {

std::string IdentifierPart(std::string_view name) {
  constexpr size_t kMaxLength = 60;
  std::string part;
  for (const char c : name.substr(0, kMaxLength)) {
    const bool allowed = IsLetter(c) || IsDigit(c);
    part += allowed ? c : '_';
  }
  return part;
}

std::string Identifiers::Unique(std::string_view prefix, std::string_view name) {
  const std::string first = std::string(prefix) + IdentifierPart(name);
  std::string identifier = first;
  for (int n = 2; !used_.insert(identifier).second; ++n) identifier = fmt::format("{}_{}", first, n);
  return identifier;
}

}  // namespace dimwise
