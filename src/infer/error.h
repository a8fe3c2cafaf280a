// Errors of the layer infer, written where they happen: `return Error(Code::kRankMismatch, "...", shape)`.
#ifndef DIMWISE_INFER_ERROR_H_
#define DIMWISE_INFER_ERROR_H_

#include <fmt/format.h>

#include <utility>

#include "core/base/failure.h"
#include "dimwise/result.h"

namespace dimwise {

template <typename... Args>
Unexpected Error(Code code, fmt::format_string<Args...> format, Args&&... args) {
  return Failure(code, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace dimwise

#endif  // DIMWISE_INFER_ERROR_H_
