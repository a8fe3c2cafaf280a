// Decodes numbers from the bytes of a tensor, in the format of its element type.
#ifndef DIMWISE_CORE_VALUES_VALUE_BYTES_H_
#define DIMWISE_CORE_VALUES_VALUE_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "dimwise/element_type.h"

namespace dimwise {

// Returns the number of bytes for `count` elements, or nullopt if the type has no byte format or the number
// of bits overflows. REQUIRES: count >= 0.
std::optional<int64_t> ByteSize(ElementType element, int64_t count);

// Returns element i, or nullopt if the type is no integer or bool, or the number exceeds INT64_MAX. REQUIRES:
// i is less than a count for which ByteSize() bytes are present.
std::optional<int64_t> ReadInteger(ElementType element, const std::byte* bytes, int64_t i);
// Returns element i, or nullopt if the type is no float. REQUIRES: as above.
std::optional<double> ReadFloat(ElementType element, const std::byte* bytes, int64_t i);

}  // namespace dimwise

#endif  // DIMWISE_CORE_VALUES_VALUE_BYTES_H_
