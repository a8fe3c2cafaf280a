// Remembers visits: the same operator with the same attributes and operands has the same results, as long as
// what it was told by the facts is the same, it asserted nothing and it made up no symbols. Keys are words
// (see Engine::MakeKey); they are compared whole.
#ifndef DIMWISE_INFER_ENGINE_VISIT_MEMORY_H_
#define DIMWISE_INFER_ENGINE_VISIT_MEMORY_H_

#include <cstdint>
#include <span>
#include <vector>

#include "core/scratch_array.h"
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
  static constexpr size_t kMaxOperands = 8;  // of a node whose visit is remembered

  void Append(uint64_t word) { words_[size_++] = word; }
  std::span<const uint64_t> words() const { return {words_.data(), size_}; }
  uint64_t Hash() const;

 private:
  size_t size_ = 0;
  ScratchArray<uint64_t, 3 * kMaxOperands + 2> words_;
};

class VisitMemory {
 public:
  struct Entry {
    uint64_t asked_version = 0;  // of the facts, when they were asked; 0: they were not
    uint64_t hash = 0;
    uint32_t key = 0, key_size = 0;
    uint32_t results = 0, result_count = 0;
  };

  // What was remembered under a key; null where nothing was. Valid until the next Store.
  Entry* Find(const VisitKey& key, size_t results) {
    return Find(key, key.Hash(), results);
  }
  const Known* ResultsOf(const Entry& entry) const { return results_.data() + entry.results; }
  // In the place of what was remembered under that key.
  void Store(const VisitKey& key, uint64_t asked_version, std::span<const Known> results);

 private:
  static constexpr size_t kMaxEntries = size_t{1} << 16;

  Entry* Find(const VisitKey& key, uint64_t hash, size_t results);
  void Resize(size_t slots);
  void Clear();

  std::vector<uint32_t> slots_;  // entry + 1; 0: free
  std::vector<Entry> entries_;
  std::vector<uint64_t> words_;
  std::vector<Known> results_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_VISIT_MEMORY_H_
