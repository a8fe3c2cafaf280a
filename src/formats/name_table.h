// Finds numbers by a text whose bytes live elsewhere, as a NumberTable does. A seed that differs from run to
// run keeps anybody from writing a file whose names all collide; no answer depends on it.
#ifndef DIMWISE_FORMATS_NAME_TABLE_H_
#define DIMWISE_FORMATS_NAME_TABLE_H_

#include <cstdint>
#include <string_view>

#include "core/base/hash_mix.h"
#include "core/base/number_table.h"

namespace dimwise {

class NameHash {
 public:
  explicit NameHash(uint64_t seed) : first_(Mix(seed)), second_(Mix(first_)) {}

  uint32_t operator()(std::string_view text) const {
    const uint64_t hash = HashBytes(text, first_, second_);
    return static_cast<uint32_t>(hash ^ (hash >> 32));
  }

 private:
  uint64_t first_, second_;
};

using NameTable = NumberTable;

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_NAME_TABLE_H_
