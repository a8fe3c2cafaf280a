#include "infer/engine/visit_memory.h"

#include <algorithm>

#include "core/base/hash_mix.h"

namespace dimwise {

uint64_t HashOf(std::span<const Type> types, std::span<const Value> contents) {
  uint64_t h = types.size();
  for (size_t i = 0; i < types.size(); ++i) {
    VisitKey key;
    key.Append({types[i], contents[i]});
    key.Append(reinterpret_cast<uintptr_t>(types[i].container));
    for (const uint64_t word : key.words()) h = HashMix(h, word);
  }
  return h;
}

void VisitMemory::Store(const VisitKey& key, uint64_t hash, uint64_t asked_version,
                        std::span<const Known> results) {
  if (Entry* known = Find(key, hash, results.size()); known != nullptr) {
    known->asked_version = asked_version;
    std::ranges::copy(results, results_.begin() + known->results);
    return;
  }
  if (entries_.size() >= kMaxEntries) Clear();
  if (slots_.empty()) {  // room for a small program
    entries_.reserve(64);
    words_.reserve(256);
    results_.reserve(64);
  }
  if (slots_.size() < 2 * (entries_.size() + 1)) Resize(std::max<size_t>(128, slots_.size() * 2));
  Entry e;
  e.asked_version = asked_version;
  e.hash = hash;
  e.key = static_cast<uint32_t>(words_.size());
  e.key_size = static_cast<uint32_t>(key.words().size());
  e.results = static_cast<uint32_t>(results_.size());
  e.result_count = static_cast<uint32_t>(results.size());
  words_.insert(words_.end(), key.words().begin(), key.words().end());
  results_.insert(results_.end(), results.begin(), results.end());
  entries_.push_back(e);
  const size_t mask = slots_.size() - 1;
  size_t i = e.hash & mask;
  while (slots_[i] != 0) i = (i + 1) & mask;
  slots_[i] = static_cast<uint32_t>(entries_.size());
}

void VisitMemory::Resize(size_t slots) {
  slots_.assign(slots, 0);
  const size_t mask = slots - 1;
  for (size_t k = 0; k < entries_.size(); ++k) {
    size_t i = entries_[k].hash & mask;
    while (slots_[i] != 0) i = (i + 1) & mask;
    slots_[i] = static_cast<uint32_t>(k + 1);
  }
}

void VisitMemory::Clear() {
  std::ranges::fill(slots_, 0);
  entries_.clear();
  words_.clear();
  results_.clear();
}

}  // namespace dimwise
