// Creates a diagnostic, and an error, from a code, a message and an optional help text.
#ifndef DIMWISE_CORE_BASE_FAILURE_H_
#define DIMWISE_CORE_BASE_FAILURE_H_

#include <string>
#include <utility>

#include "dimwise/result.h"

namespace dimwise {

inline Diagnostic MakeDiagnostic(Code code, std::string message, std::string help = {}) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.help = std::move(help);
  return diagnostic;
}

inline Unexpected Failure(Code code, std::string message, std::string help = {}) {
  return Unexpected(MakeDiagnostic(code, std::move(message), std::move(help)));
}

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_FAILURE_H_
