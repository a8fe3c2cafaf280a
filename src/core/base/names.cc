#include "core/base/names.h"

#include <algorithm>

#include "core/base/characters.h"

namespace dimwise {
namespace {

// Sorted.
constexpr std::string_view kReserved[] = {
    "False", "None",      "True",          "and",   "as",       "assert",   "async", "await",
    "break", "broadcast", "broadcastable", "class", "continue", "def",      "del",   "elif",
    "else",  "except",    "finally",       "for",   "from",     "global",   "if",    "import",
    "in",    "is",        "lambda",        "max",   "min",      "nonlocal", "not",   "or",
    "pass",  "raise",     "return",        "try",   "while",    "with",     "yield"};

}  // namespace

bool IsBareName(std::string_view name) {
  if (name.empty() || !BeginsWord(name[0])) return false;
  if (!std::ranges::all_of(name, IsWordPart)) return false;
  return !std::ranges::binary_search(kReserved, name);
}

std::string QuoteName(std::string_view name) {
  if (IsBareName(name)) return std::string(name);
  std::string quoted = "`";
  for (char c : name) quoted.append(c == '`' ? 2 : 1, c);
  return quoted + "`";
}

}  // namespace dimwise
