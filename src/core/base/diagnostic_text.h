// Parts of a diagnostic's text, for reports that say the rest in fields of their own.
#ifndef DIMWISE_CORE_BASE_DIAGNOSTIC_TEXT_H_
#define DIMWISE_CORE_BASE_DIAGNOSTIC_TEXT_H_

#include <string>
#include <string_view>

#include "dimwise/diagnostic.h"

namespace dimwise {

// "error", "warning" or "note".
std::string_view NameOf(Severity severity);

// ToString without its head, "error[DW0102]: ": the message, and below it what a person reads besides.
std::string TextWithoutHead(const Diagnostic& diagnostic);

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_DIAGNOSTIC_TEXT_H_
