// Interns shapes by content. Result shapes usually exist already, so the lookup is the hot path. It takes a
// few multiplications for the hash, one probe, and one cache line. The hash is stored in the table; the line
// contains the ShapeData and the sizes behind it.
#include "dimwise/shape.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <memory_resource>
#include <new>
#include <vector>

#include "core/base/hash_index.h"
#include "core/base/hash_mix.h"

namespace dimwise {
namespace {

// Negative as integers and far from the IDs of expressions, so that a size never equals its key, which would
// give a factor of 0.
constexpr uint64_t kKey1 = 0xa0761d6478bd642fu, kKey2 = 0xe7037ed1a0b428dbu, kKey3 = 0x8ebc6af09c88c6e3u;

// Hashes two sizes at a time, so that the multiplications are independent.
uint32_t HashDims(std::span<const Dim> dims) {
  uint64_t hash = dims.size();
  size_t i = 0;
  for (; i + 1 < dims.size(); i += 2) {
    const auto a = static_cast<uint64_t>(dims[i].bits()), b = static_cast<uint64_t>(dims[i + 1].bits());
    hash = hash * kKey3 + Fold(a ^ kKey1, b ^ kKey2);
  }
  if (i < dims.size()) hash = hash * kKey3 + Fold(static_cast<uint64_t>(dims[i].bits()) ^ kKey1, kKey2);
  return static_cast<uint32_t>(hash ^ (hash >> 32));
}

struct KeyHash {
  size_t operator()(const SymbolKey& key) const {
    return static_cast<size_t>(HashMix(key.path, uint64_t{key.value} << 32 | key.role));
  }
};

}  // namespace

struct ShapeTable::Impl {
  std::pmr::monotonic_buffer_resource arena{4096};
  std::vector<const ShapeData*> lists;
  HashIndex index;  // hash index of shapes
  tsl::robin_map<SymbolKey, const ShapeData*, KeyHash> unknowns;
  uint32_t count = 0;
  const ShapeData* scalar = nullptr;

  Impl() {
    constexpr size_t kFew = 31;  // capacity allocated at construction
    lists.reserve(kFew);
    index.Reserve(kFew);
    scalar = Find({});
  }

  // Allocates the data with space for `rank` sizes behind it.
  ShapeData* Allocate(size_t rank) {
    static_assert(alignof(ShapeData) == alignof(Dim));
    auto* shape = new (arena.allocate(sizeof(ShapeData) + rank * sizeof(Dim), alignof(ShapeData))) ShapeData;
    shape->id = count++;
    return shape;
  }

  // Returns null if these cannot be the sizes of a shape.
  const ShapeData* Find(std::span<const Dim> dims) {
    if (dims.size() > kMaxRank) return nullptr;
    index.Reserve(1);
    const uint32_t hash = HashDims(dims);
    const size_t place = index.Probe(hash, [&](uint32_t i) {
      const ShapeData& known = *lists[i];
      return known.rank == static_cast<int32_t>(dims.size()) &&
             std::equal(dims.begin(), dims.end(), known.dims);
    });
    if (const uint32_t known = index.at(place); known != HashIndex::kNone) return lists[known];
    if (std::ranges::any_of(dims, &Dim::is_none)) return nullptr;
    ShapeData* shape = Allocate(dims.size());
    Dim* sizes = reinterpret_cast<Dim*>(shape + 1);
    std::uninitialized_copy(dims.begin(), dims.end(), sizes);
    shape->rank = shape->min_rank = shape->max_rank = static_cast<int32_t>(dims.size());
    shape->constant = std::ranges::all_of(dims, &Dim::is_constant);
    shape->dims = sizes;
    index.Fill(place, hash, static_cast<uint32_t>(lists.size()));
    lists.push_back(shape);
    return shape;
  }

  const ShapeData* AddUnknown(int min_rank, int max_rank) {
    ShapeData* shape = Allocate(0);
    shape->min_rank = std::clamp(min_rank, 0, kMaxRank);
    shape->max_rank = std::clamp(max_rank, shape->min_rank, kMaxRank);
    return shape;
  }
};

ShapeTable::ShapeTable() : impl_(std::make_unique<Impl>()) {}
ShapeTable::~ShapeTable() = default;

Shape ShapeTable::Scalar() const { return Shape(impl_->scalar); }

Shape ShapeTable::Make(std::span<const Dim> dims) { return Shape(impl_->Find(dims)); }

Shape ShapeTable::Unknown(int min_rank, int max_rank) {
  ++unknown_count_;
  return Shape(impl_->AddUnknown(min_rank, max_rank));
}

Shape ShapeTable::Unknown(SymbolKey key, int min_rank, int max_rank) {
  ++unknown_count_;
  const ShapeData*& shape = impl_->unknowns[key];
  if (shape == nullptr) shape = impl_->AddUnknown(min_rank, max_rank);
  return Shape(shape);
}

size_t ShapeTable::size() const { return impl_->count; }

}  // namespace dimwise
