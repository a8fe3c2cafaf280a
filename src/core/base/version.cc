#include "dimwise/version.h"

namespace dimwise {

// DIMWISE_VERSION comes from project(VERSION) in CMakeLists.txt.
std::string_view Version() noexcept { return DIMWISE_VERSION; }

}  // namespace dimwise
