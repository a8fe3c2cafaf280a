// Finds numbers by a text whose bytes live elsewhere: one hash and, mostly, one probe.
//
// A slot is 8 bytes, half of a hash and the number, so eight of them share a cache line and a table of a
// hundred thousand names fits the second-level cache; the texts are looked at only where the hashes agree.
// Slots are never emptied. A seed that differs from run to run keeps anybody from writing a file whose names
// all collide; no answer depends on it.
#ifndef DIMWISE_FORMATS_NAME_TABLE_H_
#define DIMWISE_FORMATS_NAME_TABLE_H_

#include <xxhash.h>

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dimwise {

class NameTable {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  static uint32_t Hash(std::string_view text, uint64_t seed) {
    return static_cast<uint32_t>(XXH3_64bits_withSeed(text.data(), text.size(), seed) >> 32);
  }

  // Makes room for that many more, so that places stay what they are until they have been filled.
  void Reserve(size_t more) {
    if ((used_ + more) * 2 > slots_.size()) Grow(used_ + more);
  }

  // Has the place of a hash brought near, for a Probe soon after. REQUIRES: Reserve(1) came before.
  void Prefetch(uint32_t hash) const { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]); }

  // The place of the text with that hash: where it is, or the empty one where it belongs. `is(number)` says
  // whether a number in the table has that text. REQUIRES: Reserve(1) came before.
  template <typename Is>
  size_t Probe(uint32_t hash, Is&& is) const {
    const size_t mask = slots_.size() - 1;
    for (size_t place = hash & mask;; place = (place + 1) & mask) {
      const Slot slot = slots_[place];
      if (slot.number == kNone || (slot.hash == hash && is(slot.number))) return place;
    }
  }
  // kNone: the place is empty.
  uint32_t at(size_t place) const { return slots_[place].number; }
  void Fill(size_t place, uint32_t hash, uint32_t number) {
    if (slots_[place].number == kNone) ++used_;
    slots_[place] = {hash, number};
  }

  size_t size() const { return used_; }

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t number = kNone;
  };

  void Grow(size_t wanted) {
    std::vector<Slot> old(std::bit_ceil(wanted * 2 + 8));
    old.swap(slots_);
    const size_t mask = slots_.size() - 1;
    for (const Slot slot : old) {
      if (slot.number == kNone) continue;
      size_t place = slot.hash & mask;
      while (slots_[place].number != kNone) place = (place + 1) & mask;
      slots_[place] = slot;
    }
  }

  std::vector<Slot> slots_;
  size_t used_ = 0;
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_NAME_TABLE_H_
