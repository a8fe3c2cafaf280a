// Which known name a misspelt one was meant to be, for "did you mean".
#ifndef DIMWISE_CORE_BASE_NEAREST_NAME_H_
#define DIMWISE_CORE_BASE_NEAREST_NAME_H_

#include <cstddef>
#include <span>
#include <string_view>

namespace dimwise {

// How many letters have to be changed, added, left out or swapped with their neighbour to make one name of
// the other, where upper and lower case are the same letter. Distances above `limit` are answered as limit +
// 1, soon.
size_t EditDistance(std::string_view a, std::string_view b, size_t limit);

// The nearest of the candidates; of equally near ones that with more letters in place, in their case, then
// the first. Empty where none is near: more than a third of the letters differ, or more than three.
std::string_view NearestName(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_NEAREST_NAME_H_
