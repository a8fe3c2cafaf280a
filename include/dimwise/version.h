// The version of the library that is running, as opposed to the headers it was compiled with.
#ifndef DIMWISE_VERSION_H_
#define DIMWISE_VERSION_H_

#include <string_view>

#include "dimwise/export.h"

namespace dimwise {

// "MAJOR.MINOR.PATCH", by the rules of semantic versioning. Safe from any thread.
[[nodiscard]] DIMWISE_API std::string_view Version() noexcept;

}  // namespace dimwise

#endif  // DIMWISE_VERSION_H_
