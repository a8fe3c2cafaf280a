// A hash table of numbers that identify items stored elsewhere: texts, expressions, shapes. A lookup takes
// one hash and usually one probe.
//
// A slot is 8 bytes: half of a hash, and the number. Eight slots share a cache line, and a table of a hundred
// thousand names fits the second-level cache. An item is compared only if the hashes agree. Slots are never
// removed.
#ifndef DIMWISE_CORE_BASE_HASH_INDEX_H_
#define DIMWISE_CORE_BASE_HASH_INDEX_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "dimwise/large_vector.h"

namespace dimwise {

class HashIndex {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // Reserves room for `more` items, so that slot indices stay valid until these are filled.
  void Reserve(size_t more) {
    if ((used_ + more) * 2 > slots_.size()) Grow(used_ + more);
  }

  // Prefetches the slot of a hash. REQUIRES: as Probe.
  void Prefetch(uint32_t hash) const { __builtin_prefetch(&slots_[hash & mask_]); }

  // Returns the slot of the item with this hash, or the empty slot where it belongs. `is(number)` returns
  // whether a number in the table identifies the item.
  //
  // REQUIRES: Reserve was called at some time before. To fill the slot, call Reserve before Probe.
  template <typename Is>
  size_t Probe(uint32_t hash, Is&& is) const {
    for (size_t place = hash & mask_;; place = (place + 1) & mask_) {
      const Slot slot = slots_[place];
      if (slot.number == kNone || (slot.hash == hash && is(slot.number))) return place;
    }
  }
  // Returns the number in a slot; kNone if the slot is empty.
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
    LargeVector<Slot> old(std::bit_ceil(wanted * 2 + 8));
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    for (const Slot slot : old) {
      if (slot.number == kNone) continue;
      size_t place = slot.hash & mask_;
      while (slots_[place].number != kNone) place = (place + 1) & mask_;
      slots_[place] = slot;
    }
  }

  LargeVector<Slot> slots_;
  size_t mask_ = 0;  // slots_.size() - 1
  size_t used_ = 0;
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_HASH_INDEX_H_
