#include "infer/visit_memory.h"

#include <algorithm>
#include <bit>

#include "core/hash_mix.h"

namespace dimwise {

uint64_t VisitMemory::Hash(std::span<const uint64_t> key) {
  uint64_t h = 0x9E3779B97F4A7C15u ^ key.size();
  for (const uint64_t word : key) {
    h = (h ^ word) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  return h;
}

uint64_t VisitMemory::HashOfOperands(std::span<const Type> types, std::span<const Value> contents) {
  uint64_t h = types.size();
  for (const Type& t : types) {
    h = HashMix(h, std::bit_cast<uint64_t>(t.shape));
    h = HashMix(h, reinterpret_cast<uintptr_t>(t.container));
    h = HashMix(
        h, static_cast<uint64_t>(t.kind) << 16 | static_cast<uint64_t>(t.element) << 8 | t.storage.bits());
  }
  for (const Value v : contents) h = HashMix(h, std::bit_cast<uint64_t>(v));
  return h;
}

const VisitMemory::Remembered* VisitMemory::Find(std::span<const uint64_t> key, size_t results) const {
  if (slots_.empty()) return nullptr;
  const uint64_t hash = Hash(key);
  const size_t mask = slots_.size() - 1;
  for (size_t i = hash & mask; slots_[i] != 0; i = (i + 1) & mask) {
    const Entry& e = entries_[slots_[i] - 1];
    if (e.hash != hash || e.key_size != key.size() || e.result_count != results) continue;
    if (std::equal(key.begin(), key.end(), words_.begin() + e.key)) return results_.data() + e.results;
  }
  return nullptr;
}

void VisitMemory::Store(std::span<const uint64_t> key, std::span<const Remembered> results) {
  if (entries_.size() >= kMaxEntries) Clear();
  if (slots_.size() < 2 * (entries_.size() + 1)) Resize(std::max<size_t>(64, slots_.size() * 2));
  Entry e;
  e.hash = Hash(key);
  e.key = static_cast<uint32_t>(words_.size());
  e.key_size = static_cast<uint32_t>(key.size());
  e.results = static_cast<uint32_t>(results_.size());
  e.result_count = static_cast<uint32_t>(results.size());
  words_.insert(words_.end(), key.begin(), key.end());
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
