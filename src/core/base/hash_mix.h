// Hashes of small structures. They are equal in every run and on every machine.
#ifndef DIMWISE_CORE_BASE_HASH_MIX_H_
#define DIMWISE_CORE_BASE_HASH_MIX_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace dimwise {

// The finalizer of SplitMix64: each input bit changes about half of the output bits.
constexpr uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Combines a hash and a value. Order matters: HashMix(HashMix(h, a), b) differs from HashMix(HashMix(h, b),
// a).
constexpr uint64_t HashMix(uint64_t hash, uint64_t value) { return Mix(hash ^ Mix(value)); }

// Combines both halves of a product. If one factor is 0, the result does not depend on the other.
constexpr uint64_t Fold(uint64_t a, uint64_t b) {
  __extension__ using Product = unsigned __int128;
  const Product product = static_cast<Product>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}
// Hashes bytes, 16 at a time, by multiplication. Each factor is XORed with a secret seed, so that an attacker
// cannot choose bytes that make a factor 0.
inline uint64_t HashBytes(std::string_view bytes, uint64_t first_seed, uint64_t second_seed) {
  const auto load = []<typename T>(const char* at, T bits) {
    std::memcpy(&bits, at, sizeof bits);
    return bits;
  };
  const char* at = bytes.data();
  size_t left = bytes.size();
  uint64_t hash = second_seed ^ left;
  for (; left > 16; at += 16, left -= 16)
    hash = Fold(load(at, uint64_t{}) ^ first_seed, load(at + 8, uint64_t{}) ^ hash);
  uint64_t low = 0, high = 0;  // the remaining bytes; the two words may overlap
  if (left >= 8) {
    low = load(at, uint64_t{});
    high = load(at + left - 8, uint64_t{});
  } else if (left >= 4) {
    low = load(at, uint32_t{});
    high = load(at + left - 4, uint32_t{});
  } else if (left > 0) {
    low = load(at, uint8_t{}) | uint64_t{load(at + left / 2, uint8_t{})} << 8;
    high = load(at + left - 1, uint8_t{});
  }
  return Fold(low ^ first_seed, high ^ hash);
}

constexpr uint64_t HashText(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return Mix(hash);
}

inline uint64_t HashNumber(int64_t value) { return Mix(static_cast<uint64_t>(value)); }

// Hashes a number. Equal numbers have equal hashes, whether stored as integers or as doubles; so do all NaNs.
inline uint64_t HashNumber(double value) {
  if (std::isnan(value)) return Mix(0x7ff8000000000000u);
  if (value >= -0x1p63 && value < 0x1p63 && value == std::trunc(value)) {
    return HashNumber(static_cast<int64_t>(value));
  }
  return Mix(std::bit_cast<uint64_t>(value));
}

}  // namespace dimwise

#endif  // DIMWISE_CORE_BASE_HASH_MIX_H_
