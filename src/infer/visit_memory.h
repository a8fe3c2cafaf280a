// Remembers visits: the same operator with the same attributes and operands has the same results, as long as
// what it was told by the facts is the same, it asserted nothing and it made up no symbols. Keys are words
// (see Engine::Visit); they are compared whole.
#ifndef DIMWISE_INFER_VISIT_MEMORY_H_
#define DIMWISE_INFER_VISIT_MEMORY_H_

#include <cstdint>
#include <span>
#include <vector>

#include "dimwise/type.h"
#include "dimwise/value.h"

namespace dimwise {

class VisitMemory {
 public:
  struct Remembered {
    Type type;
    Value contents;
  };

  // What was remembered under a key of words; null where nothing was. Valid until the next Store.
  const Remembered* Find(std::span<const uint64_t> key, size_t results) const;
  void Store(std::span<const uint64_t> key, std::span<const Remembered> results);
  void Clear();
  // The same for the same operands, in one run.
  static uint64_t HashOfOperands(std::span<const Type> types, std::span<const Value> contents);

 private:
  static constexpr size_t kMaxEntries = size_t{1} << 16;
  struct Entry {
    uint64_t hash = 0;
    uint32_t key = 0, key_size = 0;
    uint32_t results = 0, result_count = 0;
  };
  static uint64_t Hash(std::span<const uint64_t> key);
  void Resize(size_t slots);

  std::vector<uint32_t> slots_;  // entry + 1; 0: free
  std::vector<Entry> entries_;
  std::vector<uint64_t> words_;
  std::vector<Remembered> results_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_VISIT_MEMORY_H_
