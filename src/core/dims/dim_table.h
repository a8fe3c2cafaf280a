// The implementation of DimTable, shared by these files:
// - dim_table.cc: interning and symbols
// - dim_sum.cc, dim_halves.cc, rounding_up.cc: the normal form of sums and products
// - dim_floor_divide.cc, dim_max.cc, dim_broadcast.cc: the normal form of atoms
// - exact_division.cc, dim_evaluate.cc, dim_order.cc, dim_print.cc: operations on expressions
// identities.h lists the laws of the normal form.
//
// Entries and products (monomials) live in two arrays. A hash index for each array finds an entry by its
// content. Terms, factors, operands and texts lie in one arena and never move, so the spans that the table
// returns stay valid as long as the table.
#ifndef DIMWISE_CORE_DIMS_DIM_TABLE_H_
#define DIMWISE_CORE_DIMS_DIM_TABLE_H_

#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory_resource>
#include <optional>
#include <vector>

#include "core/base/hash_index.h"
#include "core/base/hash_mix.h"
#include "core/base/lazy_array.h"
#include "core/base/wide.h"
#include "core/dims/exact_division.h"
#include "core/dims/interval.h"
#include "core/dims/sample_points.h"
#include "dimwise/dim.h"

namespace dimwise {

// Returns the constant v, or none if it does not fit a Dim.
inline constexpr Dim ConstantOrNone(Wide v) { return FitsInt64(v) ? Dim(static_cast<int64_t>(v)) : Dim(); }

using ProductId = uint32_t;  // 0 is the empty product
inline constexpr ProductId kOne = 0;

struct StoredTerm {
  int64_t coefficient;
  ProductId product;
};

struct Product {
  const Dim* factors;  // sorted by id
  uint32_t count;
};

// A term of a sum in the structural order (dim_order.cc).
struct SortedTerm {
  int64_t coefficient;
  std::span<const Dim> factors;  // sorted in the structural order
};

struct SymbolEntry {
  SymbolInfo info;
  SymbolKey key;
  bool keyed = false;
  Definition definition{};
  uint32_t definition_depth = 0;
  bool defined = false;
};

struct Entry {
  DimKind kind;
  uint8_t depth;
  uint32_t count;     // number of terms or operands
  ProductId product;  // of an atom: the product with this single factor
  uint32_t weight;    // number of symbols and operations when expanded
  uint32_t symbol_count;
  union {
    const StoredTerm* terms;  // kSum
    const Dim* operands;      // other atoms
    SymbolEntry* symbol;      // kSymbol
  };
  const Dim* symbols;
  union {                                      // in the structural order; null until needed
    const SortedTerm* sorted_terms = nullptr;  // kSum
    const Dim* sorted_operands;                // kBroadcast, kConflict
  };
};

struct DimTable::Impl {
  explicit Impl(DimTable* owner);

  struct KeyHash {
    size_t operator()(const SymbolKey& k) const {
      return static_cast<size_t>(HashMix(k.path, uint64_t{k.value} << 32 | k.role));
    }
  };

  std::pmr::monotonic_buffer_resource arena{4096};
  std::vector<Entry> entries;
  std::vector<Product> products;
  HashIndex entry_index, product_index;  // hash indexes: sums, atoms and definitions; products
  tsl::robin_map<std::string_view, uint32_t> names;
  tsl::robin_map<SymbolKey, uint32_t, KeyHash> keys;
  uint32_t user_symbols = 0;
  uint32_t next_made_up_name = 1;

  // A cache of printed expressions (dim_print.cc), because reports and messages print the same few many
  // times.
  struct Printed {
    std::string text;
    uint8_t binding;
  };
  tsl::robin_map<uint32_t, Printed> printed;

  // A cache of recent results: most programs compute the same few sums repeatedly.
  enum RecentOperation : uint32_t {
    kRecentNone,
    kRecentAdd,
    kRecentSubtract,
    kRecentMultiply,
    kRecentFloorDivide,
    kRecentMaxZero
  };
  struct Recent {
    Dim a, b, result;
    RecentOperation operation = kRecentNone;
  };
  LazyArray<Recent, 256> recent;
  Recent& RecentSlot(RecentOperation operation, Dim a, Dim b) {
    const uint64_t h = (static_cast<uint64_t>(a.bits()) * 0x9E3779B97F4A7C15u) ^
                       (static_cast<uint64_t>(b.bits()) * 0xC2B2AE3D27D4EB4Fu) ^ (uint64_t{operation} << 40);
    return recent[(h >> 44) & (recent.size() - 1)];
  }

  // A cache of normalized literals (condition.cc). A zeroed entry is empty, so Relation is stored as a byte.
  struct Normalized {
    int64_t value, result;  // the bits of Dims
    uint8_t relation, result_relation;
    bool is_filled;
  };
  LazyArray<Normalized, 256> normalized;
  Normalized& NormalizedSlot(Dim value, uint8_t relation) {
    return normalized[(static_cast<uint64_t>(value.bits()) * 0x9E3779B97F4A7C15u +
                       relation * 0xC2B2AE3D27D4EB4Fu) >>
                      56];
  }

  // A cache of the values of expressions at the sample points (sample_points.cc).
  struct Sampled {
    int64_t value;    // the bits of an expression
    PointSet points;  // the points where the value is defined
    std::array<int64_t, kSamplePoints> at;
  };
  LazyArray<Sampled, 32> sampled;

  // Caches of bounds by ID (bounds.cc): the bounds that hold for all integers, and the intrinsic bounds.
  using BoundsById = tsl::robin_map<uint32_t, Interval>;
  BoundsById universal_bounds, intrinsic_bounds;

  template <typename T>
  T* Allocate(size_t n) {
    return static_cast<T*>(arena.allocate(n * sizeof(T), alignof(T)));
  }
  template <typename T>
  const T* Copy(std::span<const T> items) {
    T* p = Allocate<T>(items.size());
    std::copy(items.begin(), items.end(), p);
    return p;
  }
  std::string_view CopyText(std::string_view text) {
    return {Copy(std::span<const char>(text)), text.size()};
  }

  // ---- Interning ----
  // Returns the index slot of a sum, and of an atom that is no symbol. REQUIRES: as HashIndex::Probe.
  size_t Probe(uint32_t hash, std::span<const StoredTerm> terms) const;
  size_t Probe(uint32_t hash, DimKind kind, std::span<const Dim> operands) const;
  // Returns the symbols of the atoms without duplicates, sorted by ID.
  std::span<const Dim> SymbolsOf(std::span<const Dim> atoms);
  ProductId InternProduct(std::span<const Dim> sorted_factors);
  // Multiplies two products. Returns false if the result would have too many factors.
  bool MultiplyProducts(ProductId a, ProductId b, ProductId* result);
  Dim InternAtom(DimKind kind, std::span<const Dim> operands);
  Dim NewSymbol(std::unique_ptr<SymbolEntry> entry);

  // ---- The structural order (dim_order.cc) ----
  // Returns the terms of d in the structural order. For an atom, writes the only term to *one.
  std::span<const SortedTerm> SortedTerms(Dim d, SortedTerm* one);
  std::span<const Dim> SortedOperands(Dim d);  // of a kBroadcast or kConflict
  // Sorts the terms or operands of a new expression now if it contains a defined symbol. Otherwise they are
  // sorted when they are needed, and the recursion of that is bounded by kMaxDepth.
  void SortOverDefinitions(Dim d);

  // ---- Sums under construction ----
  // A sum that is not interned. Terms are sorted by product; no coefficient is 0. It lives on the stack;
  // `overflow` is set when a term or a number does not fit.
  struct Sum {
    static constexpr uint32_t kCapacity = 64;
    std::array<StoredTerm, kCapacity> terms;  // NOLINT: left uninitialized on purpose
    uint32_t count = 0;
    bool overflow = false;

    Sum() {}                                  // NOLINT: see terms
    Sum(const Sum& other) { *this = other; }  // NOLINT: see terms
    Sum& operator=(const Sum& other) {
      std::copy_n(other.terms.data(), other.count, terms.data());
      count = other.count;
      overflow = other.overflow;
      return *this;
    }
    std::span<const StoredTerm> view() const { return {terms.data(), count}; }
    bool is_constant() const { return count == 0 || (count == 1 && terms[0].product == kOne); }
    int64_t constant_term() const { return count > 0 && terms[0].product == kOne ? terms[0].coefficient : 0; }
    void Add(ProductId product, Wide coefficient);
  };
  // Returns the terms of d. For a constant or an atom, writes the only term to *one.
  std::span<const StoredTerm> Terms(Dim d, StoredTerm* one) const;
  // Computes out = out + factor*d.
  void AddScaled(Sum* out, Dim d, Wide factor) const;
  // Returns the interned sum, or none if it overflowed or exceeds the cap.
  Dim Intern(const Sum& sum);
  // Returns the sum if it is already interned, else none.
  Dim Find(const Sum& sum);

  // Combines two halves into a whole (dim_halves.cc). Returns whether the sum changed.
  bool JoinHalves(Sum* sum);
  bool JoinHalf(Sum* sum, uint32_t position);
  bool MayHaveOtherHalf(const Sum& sum, const StoredTerm& half, Dim p, int64_t d) const;
  // The atoms max(0, r - 1) and max(0, 1 - r) of remainders r, by ID (rounding_up.cc).
  struct RemainderSign {
    ExactDivision division;
    bool is_one_at_zero;
  };
  tsl::robin_map<uint32_t, RemainderSign> remainder_signs;
  void NoteRemainderSign(Dim atom);
  Dim WithoutRemainderSigns(Dim d);
  // Returns the interned normal form of the sum.
  Dim Normal(Sum* sum) {
    JoinHalves(sum);
    const Dim d = Intern(*sum);
    return remainder_signs.empty() || !d.is_expression() ? d : WithoutRemainderSigns(d);
  }

  Dim DefinedOf(Operation operation, std::initializer_list<Dim> operands) {
    return table->Defined({operation, 0, std::span<const Dim>(operands.begin(), operands.size())});
  }

  // Returns max(0, t).
  Dim MaxZero(Dim t);
  // Return floordiv(a, divisor), or none if the result is too large. REQUIRES: divisor > 0.
  Dim FloorDivideByConstant(Dim a, int64_t divisor);
  std::optional<Dim> FloorDivideOfNegative(Dim a, int64_t divisor);

  // Substitutes in a sum (dim_evaluate.cc).
  Dim SubstituteInSum(Dim d, const std::function<Dim(Dim atom)>& replace);

  const Entry& At(Dim d) const { return entries[d.id()]; }
  // Returns the entry if the product is a single floordiv(p, c) with a constant c, else null.
  const Entry* FloorDivAlone(ProductId product) const {
    const Product& p = products[product];
    if (p.count != 1) return nullptr;
    const Entry& e = At(p.factors[0]);
    return e.kind == DimKind::kFloorDiv && e.operands[1].is_constant() ? &e : nullptr;
  }
  // Returns the entry if the product is a single max(0, t), else null.
  const Entry* MaxZeroAlone(ProductId product) const {
    const Product& p = products[product];
    return p.count == 1 && At(p.factors[0]).kind == DimKind::kMaxZero ? &At(p.factors[0]) : nullptr;
  }
  uint32_t Weight(Dim d) const { return d.is_expression() ? At(d).weight : 1; }
  // Returns whether an atom over these operands stays within the cap on depth and weight.
  bool MayNest(std::span<const Dim> operands) const {
    uint32_t weight = 1;
    for (Dim d : operands) {
      if (table->Depth(d) >= kMaxDepth) return false;
      weight += Weight(d);
    }
    return weight <= kMaxWeight;
  }
  bool IsAtom(Dim d) const { return d.is_expression() && At(d).kind != DimKind::kSum; }

  DimTable* table;
  std::vector<std::unique_ptr<SymbolEntry>> symbols;
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_DIMS_DIM_TABLE_H_
