// A cache of answers. Each node of a program makes the same few queries, in scopes that are created and
// removed, and after changes of unrelated facts.
//
// An answer is a function of the query and of the derived facts about its symbols (its grounds). Both are the
// key, so an entry is valid in each scope, for each filter and at each time with the same grounds.
#ifndef DIMWISE_CORE_FACTS_ANSWER_CACHE_H_
#define DIMWISE_CORE_FACTS_ANSWER_CACHE_H_

#include <array>
#include <cstdint>
#include <optional>

#include "core/base/lazy_array.h"
#include "core/facts/entailment.h"
#include "dimwise/condition.h"

namespace dimwise {

// The grounds of an answer: the distinct IDs of the derived facts about the symbols of the query.
struct Grounds {
  static constexpr size_t kCapacity = 4;
  std::array<uint32_t, kCapacity> numbers{};
  uint32_t count = 0;

  bool Has(uint32_t number) const {
    for (uint32_t i = 0; i < count; ++i) {
      if (numbers[i] == number) return true;
    }
    return false;
  }
  // Returns false if there are too many.
  bool Add(uint32_t number) {
    if (count == kCapacity) return false;
    numbers[count++] = number;
    return true;
  }
  bool operator==(const Grounds&) const = default;
};

class AnswerCache {
 public:
  template <typename T>
  using Known = FactSource::Known<T>;

  std::optional<Known<Truth>> Find(const Literal& l, const Grounds& grounds) const {
    const Decided* slot = decided_.Find(SlotOf(l.value, KindOf(l), grounds, decided_.size()));
    if (slot == nullptr || slot->value != l.value.bits() || slot->relation != l.relation ||
        slot->grounds != grounds)
      return std::nullopt;
    return Known<Truth>{slot->truth, slot->steps};
  }
  void Insert(const Literal& l, const Grounds& grounds, Known<Truth> truth) {
    decided_[SlotOf(l.value, KindOf(l), grounds, decided_.size())] = {l.value.bits(), grounds, l.relation,
                                                                      truth.answer, truth.steps};
  }

  std::optional<Known<Dim>> FindSimplified(Dim d, bool solve, const Grounds& grounds) const {
    const Simplified* slot = simplified_.Find(SlotOf(d, solve ? 1 : 0, grounds, simplified_.size()));
    if (slot == nullptr || slot->value != d.bits() || slot->solve != solve || slot->grounds != grounds)
      return std::nullopt;
    return Known<Dim>{slot->result, slot->steps};
  }
  void StoreSimplified(Dim d, bool solve, const Grounds& grounds, Known<Dim> result) {
    simplified_[SlotOf(d, solve ? 1 : 0, grounds, simplified_.size())] = {d.bits(), grounds, solve,
                                                                          result.answer, result.steps};
  }

 private:
  struct Decided {
    int64_t value = 0;  // the bits of an expression; 0: empty
    Grounds grounds;
    Relation relation{};
    Truth truth{};
    uint32_t steps = 0;
  };
  struct Simplified {
    int64_t value = 0;
    Grounds grounds;
    bool solve = false;
    Dim result;
    uint32_t steps = 0;
  };

  static uint64_t KindOf(const Literal& l) { return static_cast<uint64_t>(l.relation); }
  static size_t SlotOf(Dim d, uint64_t kind, const Grounds& grounds, size_t slots) {
    uint64_t h = static_cast<uint64_t>(d.bits()) * 0x9E3779B97F4A7C15u + kind * 0xC2B2AE3D27D4EB4Fu;
    for (uint32_t i = 0; i < grounds.count; ++i) h = (h ^ grounds.numbers[i]) * 0x9E3779B97F4A7C15u;
    return (h >> 48) & (slots - 1);
  }

  LazyArray<Decided, 256> decided_;
  LazyArray<Simplified, 128> simplified_;
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_ANSWER_CACHE_H_
