// The version of the library at run time, as opposed to the headers at compile time.
#ifndef DIMWISE_VERSION_H_
#define DIMWISE_VERSION_H_

#include <string_view>

#include "dimwise/export.h"

namespace dimwise {

// Returns "MAJOR.MINOR.PATCH" by semantic versioning. Safe from any thread.
[[nodiscard]] DIMWISE_API std::string_view Version() noexcept;

}  // namespace dimwise

#endif  // DIMWISE_VERSION_H_
