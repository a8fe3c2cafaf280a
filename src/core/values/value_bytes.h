// Reading numbers out of the bytes of a tensor, in the format of its element type.
#ifndef DIMWISE_CORE_VALUES_VALUE_BYTES_H_
#define DIMWISE_CORE_VALUES_VALUE_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "dimwise/element_type.h"

namespace dimwise {

// How many bytes hold `count` elements; nullopt where the type has no bytes of its own or the number of bits
// overflows. REQUIRES: count >= 0.
std::optional<int64_t> ByteSize(ElementType element, int64_t count);

// Element i; nullopt where the type is no integer or bool, or the number is past INT64_MAX. REQUIRES: i is
// less than a count for which ByteSize() bytes are there.
std::optional<int64_t> ReadInteger(ElementType element, const std::byte* bytes, int64_t i);
// Element i; nullopt where the type is no float. REQUIRES: as above.
std::optional<double> ReadFloat(ElementType element, const std::byte* bytes, int64_t i);

}  // namespace dimwise

#endif  // DIMWISE_CORE_VALUES_VALUE_BYTES_H_
