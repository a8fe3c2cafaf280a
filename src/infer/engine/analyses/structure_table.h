// A StructureTable gives equal sequences of words the same number, and different sequences different numbers.
// Sequences are compared in full, so a hash collision does not make two of them equal.
//
// The first word of a sequence is a tag of the caller that states what the other words mean.
#ifndef DIMWISE_INFER_ENGINE_ANALYSES_STRUCTURE_TABLE_H_
#define DIMWISE_INFER_ENGINE_ANALYSES_STRUCTURE_TABLE_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/hash_index.h"

namespace dimwise {

class StructureTable {
 public:
  // Returns the number of a sequence: 1, 2, ... in the order of first use.
  uint32_t NumberOf(std::span<const uint64_t> words);
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    uint32_t begin = 0, size = 0;  // in words_
  };
  HashIndex table_;  // indices of entries
  std::vector<Entry> entries_;
  std::vector<uint64_t> words_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ANALYSES_STRUCTURE_TABLE_H_
