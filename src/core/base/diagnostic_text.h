// Parts of a diagnostic's text, for reports that have separate fields for the other parts.
#ifndef DIMWISE_CORE_BASE_DIAGNOSTIC_TEXT_H_
#define DIMWISE_CORE_BASE_DIAGNOSTIC_TEXT_H_

#include <string>
#include <string_view>

#include "dimwise/diagnostic.h"

namespace dimwise {

// Returns "error", "warning" or "note".
std::string_view NameOf(Severity severity);

// Returns ToString without its prefix "error[DW0102]: ".
std::string TextWithoutHead(const Diagnostic& diagnostic);

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_DIAGNOSTIC_TEXT_H_
