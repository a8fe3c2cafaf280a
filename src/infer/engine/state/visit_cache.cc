#include "infer/engine/state/visit_cache.h"

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

void VisitCache::Store(const VisitKey& key, QueryStamp stamp, std::span<const ValueState> results) {
  Entry* entry = Find(key, results.size());
  if (entry == nullptr) return Add(key, stamp, results);
  entry->stamp = stamp;
  std::ranges::copy(results, results_.begin() + entry->results);
}

void VisitCache::Add(const VisitKey& key, QueryStamp stamp, std::span<const ValueState> results) {
  if (entries_.size() >= kMaxEntries) Clear();
  if (entries_.empty()) Reserve();
  table_.Reserve(1);
  const size_t slot = table_.Probe(key.hash(), [](uint32_t) { return false; });
  table_.Fill(slot, key.hash(), static_cast<uint32_t>(entries_.size()));
  const std::span<const uint64_t> words = key.words();
  entries_.push_back({.stamp = stamp,
                      .key = static_cast<uint32_t>(words_.size()),
                      .key_size = static_cast<uint32_t>(words.size()),
                      .results = static_cast<uint32_t>(results_.size()),
                      .result_count = static_cast<uint32_t>(results.size())});
  words_.insert(words_.end(), words.begin(), words.end());
  results_.insert(results_.end(), results.begin(), results.end());
}

// Reserves memory for all visits of a small program. A large program repeats visits, so it needs fewer
// entries.
void VisitCache::Reserve() {
  const size_t entries = std::clamp<size_t>(expected_, 16, 512);
  table_.Reserve(entries);
  entries_.reserve(entries);
  words_.reserve(8 * entries);
  results_.reserve(entries);
}

void VisitCache::Clear() {
  table_ = HashIndex();
  entries_.clear();
  words_.clear();
  results_.clear();
}

}  // namespace dimwise
