// Finds the known name that is closest to a misspelt one, for "did you mean".
#ifndef DIMWISE_CORE_BASE_NEAREST_NAME_H_
#define DIMWISE_CORE_BASE_NEAREST_NAME_H_

#include <cstddef>
#include <span>
#include <string_view>

namespace dimwise {

// Returns the number of letters to change, insert, delete or swap with a neighbour to turn one name into the
// other. Case is ignored. A distance above `limit` is returned as limit + 1, without computing it exactly.
size_t EditDistance(std::string_view a, std::string_view b, size_t limit);

// Returns the nearest candidate. Ties are broken by the number of letters at the same position in the same
// case, then by order. Returns an empty name if more than a third of the letters differ, or more than three.
std::string_view NearestName(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_NEAREST_NAME_H_
