// Roles of the symbols that control flow creates, in keys of symbols (SymbolKey). The roles differ from each
// other and from those of other symbols of the same node. A range of roles ends where the next one begins.
#ifndef DIMWISE_INFER_ENGINE_CONTROL_SYMBOL_ROLES_H_
#define DIMWISE_INFER_ENGINE_CONTROL_SYMBOL_ROLES_H_

#include <cstdint>

namespace dimwise {

inline constexpr uint32_t kSizeRole = 0x10000000u;     // a size of a state; a range of roles
inline constexpr uint32_t kElementRole = 0x18000000u;  // an element of a state; a range of roles
inline constexpr uint32_t kBoundedRole = 0x1A000000u;  // an element with a lower bound; a range of roles
inline constexpr uint32_t kChoiceRole = 0x1C000000u;   // one of two sizes or elements, by a condition
inline constexpr uint32_t kTripRole = 0x1F000000u;     // the number of the trip, from 0
inline constexpr uint32_t kTripCountRole = kTripRole + 1;

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_CONTROL_SYMBOL_ROLES_H_
