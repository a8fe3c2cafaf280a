#include "infer/engine/analyses/structure_table.h"

#include <algorithm>

#include "core/base/hash_mix.h"

namespace dimwise {

uint32_t StructureTable::NumberOf(std::span<const uint64_t> words) {
  uint64_t mixed = words.size();
  for (const uint64_t word : words) mixed = Mix(mixed ^ word);
  const auto hash = static_cast<uint32_t>(mixed >> 32);
  table_.Reserve(1);
  const size_t slot = table_.Probe(hash, [&](uint32_t i) {
    const Entry& entry = entries_[i];
    return std::ranges::equal(words, std::span(words_).subspan(entry.begin, entry.size));
  });
  if (table_.at(slot) == HashIndex::kNone) {
    table_.Fill(slot, hash, static_cast<uint32_t>(entries_.size()));
    entries_.push_back({static_cast<uint32_t>(words_.size()), static_cast<uint32_t>(words.size())});
    words_.insert(words_.end(), words.begin(), words.end());
  }
  return table_.at(slot) + 1;
}

}  // namespace dimwise
