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
  Entry* known = Find(key, hash, results.size());
  if (known == nullptr) return Add(key, hash, asked_version, results);
  known->asked_version = asked_version;
  std::ranges::copy(results, results_.begin() + known->results);
}

void VisitMemory::Add(const VisitKey& key, uint64_t hash, uint64_t asked_version,
                      std::span<const Known> results) {
  if (entries_.size() >= kMaxEntries) Clear();
  if (slots_.empty()) {  // room for a small program
    entries_.reserve(64);
    words_.reserve(256);
    results_.reserve(64);
  }
  if (slots_.size() < 2 * (entries_.size() + 1)) Resize(std::max<size_t>(128, slots_.size() * 2));
  const std::span<const uint64_t> words = key.words();
  entries_.push_back({.asked_version = asked_version,
                      .hash = hash,
                      .key = static_cast<uint32_t>(words_.size()),
                      .key_size = static_cast<uint32_t>(words.size()),
                      .results = static_cast<uint32_t>(results_.size()),
                      .result_count = static_cast<uint32_t>(results.size())});
  for (const uint64_t word : words) words_.push_back(word);
  for (const Known& result : results) results_.push_back(result);
  const size_t mask = slots_.size() - 1;
  size_t i = hash & mask;
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
