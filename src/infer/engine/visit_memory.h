// Remembers visits: the same operator with the same attributes and operands has the same results, as long as
// what it was told by the facts is the same, it asserted nothing and it made up no symbols. Keys are words
// (see Engine::MakeKey); they are compared whole.
#ifndef DIMWISE_INFER_ENGINE_VISIT_MEMORY_H_
#define DIMWISE_INFER_ENGINE_VISIT_MEMORY_H_

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/number_table.h"
#include "dimwise/type.h"
#include "dimwise/value.h"

namespace dimwise {

// What is known of a value.
struct Known {
  Type type;
  Value contents;
  bool operator==(const Known&) const = default;
};

class VisitKey {
 public:
  static constexpr size_t kMaxOperands = 16;  // of a node whose visit is remembered

  void Append(uint64_t word) {
    words_[size_++] = word;
    Mix(word);
  }
  // What is known of an operand but what lies inside a container: three words.
  void Append(const Known& known) {
    const Type& type = known.type;
    const uint64_t kinds = kIsOperand | static_cast<uint64_t>(type.kind) << 16 |
                           static_cast<uint64_t>(type.element) << 8 | type.storage.bits();
    const uint64_t shape = std::bit_cast<uintptr_t>(type.shape);
    const uint64_t contents = std::bit_cast<uintptr_t>(known.contents);  // or what every element is
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
  uint64_t words_[3 * kMaxOperands + 2];  // no value until it is written
};

// What is known of operands, containers and all, as a number.
uint64_t HashOf(std::span<const Type> types, std::span<const Value> contents);

class VisitMemory {
 public:
  struct Entry {
    uint64_t asked_version = 0;  // when and how the facts were asked (QueryTracking); 0: they were not
    uint32_t key = 0, key_size = 0;
    uint32_t results = 0, result_count = 0;
  };

  // How many visits there will be, about.
  void Expect(size_t visits) { expected_ = visits; }
  // What was remembered under a key; null where nothing was. Valid until the next Store.
  Entry* Find(const VisitKey& key, size_t results) {
    if (entries_.empty()) return nullptr;
    const std::span<const uint64_t> words = key.words();
    const size_t place = table_.Probe(key.hash(), [&](uint32_t i) {
      const Entry& e = entries_[i];
      if (e.result_count != results || e.key_size != words.size()) return false;
      const uint64_t* other = words_.data() + e.key;
      bool same = true;
      for (const uint64_t word : words) same &= word == *other++;
      return same;
    });
    const uint32_t found = table_.at(place);
    return found == NumberTable::kNone ? nullptr : &entries_[found];
  }
  const Known* ResultsOf(const Entry& entry) const { return results_.data() + entry.results; }
  // In the place of what was remembered under that key.
  void Store(const VisitKey& key, uint64_t asked_version, std::span<const Known> results);
  // REQUIRES: nothing is remembered under that key, as Find would say.
  void Add(const VisitKey& key, uint64_t asked_version, std::span<const Known> results);

 private:
  static constexpr size_t kMaxEntries = size_t{1} << 16;

  void Reserve();
  void Clear();

  size_t expected_ = 0;
  NumberTable table_;  // places of entries
  std::vector<Entry> entries_;
  std::vector<uint64_t> words_;
  std::vector<Known> results_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_VISIT_MEMORY_H_
