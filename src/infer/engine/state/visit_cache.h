// A VisitCache maps an operator, its attributes and its operands to the results of a visit. An entry is valid
// as long as its queries get the same answers. Only visits that assert nothing and create no symbols are
// stored. Keys are sequences of words (VisitKey) and are compared in full.
#ifndef DIMWISE_INFER_ENGINE_STATE_VISIT_CACHE_H_
#define DIMWISE_INFER_ENGINE_STATE_VISIT_CACHE_H_

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/hash_index.h"
#include "infer/engine/state/schedule.h"
#include "infer/engine/state/value_store.h"

namespace dimwise {

class VisitKey {
 public:
  static constexpr size_t kMaxOperands = 16;  // of a node whose visit is stored

  void Append(uint64_t word) {
    words_[size_++] = word;
    Mix(word);
  }
  // Appends three words for an operand. The inside of a container is not included.
  void Append(const ValueState& state) {
    const Type& type = state.type;
    const uint64_t kinds = kIsOperand | static_cast<uint64_t>(type.kind) << 16 |
                           static_cast<uint64_t>(type.element) << 8 | type.storage.bits();
    const uint64_t shape = std::bit_cast<uintptr_t>(type.shape);
    const uint64_t contents =
        std::bit_cast<uintptr_t>(state.contents);  // or the value that all elements have
    uint64_t* const word = words_ + size_;
    word[0] = kinds;
    word[1] = shape;
    word[2] = contents;
    size_ += 3;
    Mix(kinds << 40 ^ shape ^ std::rotl(contents, 20));
  }
  std::span<const uint64_t> words() const { return {words_, size_}; }
  uint32_t hash() const { return static_cast<uint32_t>(hash_ >> 32); }

 private:
  static constexpr uint64_t kIsOperand = uint64_t{1} << 23;
  static_assert(sizeof(Storage) == 1 && sizeof(Shape) == sizeof(uintptr_t) &&
                sizeof(Value) == sizeof(uintptr_t));

  void Mix(uint64_t word) { hash_ = (std::rotl(hash_, 29) ^ word) * 0x9e3779b97f4a7c15u; }

  size_t size_ = 0;
  uint64_t hash_ = 0;
  uint64_t words_[3 * kMaxOperands + 2];  // uninitialized until written
};

// Returns a hash of operands, including containers.
uint64_t HashOf(std::span<const Type> types, std::span<const Value> contents);

class VisitCache {
 public:
  struct Entry {
    QueryStamp stamp = kNoStamp;
    uint32_t key = 0, key_size = 0;
    uint32_t results = 0, result_count = 0;
  };

  // Sets the approximate number of visits, for memory that is reserved.
  void Expect(size_t visits) { expected_ = visits; }
  // Returns the entry of a key, or null. The pointer is valid until the next Store.
  Entry* Find(const VisitKey& key, size_t results) {
    if (entries_.empty()) return nullptr;
    const std::span<const uint64_t> words = key.words();
    const size_t slot = table_.Probe(key.hash(), [&](uint32_t i) {
      const Entry& e = entries_[i];
      if (e.result_count != results || e.key_size != words.size()) return false;
      const uint64_t* other = words_.data() + e.key;
      bool same = true;
      for (const uint64_t word : words) same &= word == *other++;
      return same;
    });
    const uint32_t found = table_.at(slot);
    return found == HashIndex::kNone ? nullptr : &entries_[found];
  }
  const ValueState* ResultsOf(const Entry& entry) const { return results_.data() + entry.results; }
  // Stores an entry, or replaces the one of the key.
  void Store(const VisitKey& key, QueryStamp stamp, std::span<const ValueState> results);
  // REQUIRES: there is no entry of the key.
  void Add(const VisitKey& key, QueryStamp stamp, std::span<const ValueState> results);

 private:
  static constexpr size_t kMaxEntries = size_t{1} << 16;

  void Reserve();
  void Clear();

  size_t expected_ = 0;
  HashIndex table_;  // indices of entries
  std::vector<Entry> entries_;
  std::vector<uint64_t> words_;
  std::vector<ValueState> results_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_STATE_VISIT_CACHE_H_
