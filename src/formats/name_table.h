// Hashes names for a HashIndex, whose keys are stored elsewhere. The seed differs between runs, so that an
// attacker cannot write a file whose names all collide. No result depends on the seed.
#ifndef DIMWISE_FORMATS_NAME_TABLE_H_
#define DIMWISE_FORMATS_NAME_TABLE_H_

#include <cstdint>
#include <string_view>

#include "core/base/hash_index.h"
#include "core/base/hash_mix.h"

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

using NameTable = HashIndex;

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_NAME_TABLE_H_
