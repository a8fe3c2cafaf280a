// A Dim denotes an integer: a constant, or an expression over symbols.
//
// It serves sizes and contents alike, so it may be negative; that a size is >= 0 is a fact about a symbol.
// A Dim is 8 bytes by value. A constant is inline and needs no table; an expression is the id of an entry of
// the DimTable that made it, and means something only together with that table.
//
// Expressions are interned in a normal form: a sum of integer multiples of products of atoms, where an atom
// is a symbol, floordiv(a, b), max(0, a) or broadcast(a, b, ...). The rest is written by these:
//     a % b      = a - b*floordiv(a, b)            ceildiv(a, b) = -floordiv(-a, b)
//     max(a, b)  = b + max(0, a - b)               min(a, b)     = a - max(0, a - b)
// The normal form uses no facts, only laws that hold for all integers at which both sides are defined.
//
// Invariants:
//  1. Same bits means equal for all sizes. Different bits mean: ask (Facts).
//  2. Every operation is total. Where the normal form would pass the cap on its size (kMaxTerms, kMaxFactors,
//     kMaxDepth, kMaxWeight), or a coefficient would not fit 64 bits, the result is a *defined symbol*: an
//     atom whose definition is the operation and its operands. Equal definitions are one symbol.
//  3. Intermediates are 128 bits wide; nothing wraps.
//
// Thread safety: Dim is a value. A DimTable is owned by one analysis and used by one thread at a time.
#ifndef DIMWISE_DIM_H_
#define DIMWISE_DIM_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dimwise/export.h"
#include "dimwise/result.h"

namespace dimwise {

class Dim {
 public:
  // No dimension: the null handle. Every operation on it gives it back.
  constexpr Dim() = default;

  // A constant. All of int64_t is there but a window of 2^32 values near -2^62, which hold the ids of
  // expressions; a constant inside the window is not representable and reads as none.
  constexpr Dim(int64_t constant) : bits_(InWindow(constant) ? kWindow : constant) {}  // NOLINT: implicit

  static constexpr Dim OfExpression(uint32_t id) {
    Dim d;
    d.bits_ = kWindow + static_cast<int64_t>(id);
    return d;
  }

  constexpr bool is_constant() const { return !InWindow(bits_); }
  constexpr bool is_expression() const { return InWindow(bits_) && bits_ != kWindow; }
  constexpr bool is_none() const { return bits_ == kWindow; }

  // REQUIRES: is_constant().
  constexpr int64_t constant() const { return bits_; }
  // REQUIRES: is_expression().
  constexpr uint32_t id() const { return static_cast<uint32_t>(bits_ - kWindow); }

  constexpr bool operator==(const Dim&) const = default;
  constexpr int64_t bits() const { return bits_; }

 private:
  static constexpr int64_t kWindow = -(int64_t{1} << 62) - (int64_t{1} << 33);
  static constexpr bool InWindow(int64_t v) {
    return static_cast<uint64_t>(v) - static_cast<uint64_t>(kWindow) < (uint64_t{1} << 32);
  }

  int64_t bits_ = kWindow;
};
static_assert(sizeof(Dim) == 8);

// What an expression is made of at its top.
enum class DimKind : uint8_t { kConstant, kSum, kSymbol, kFloorDiv, kMaxZero, kBroadcast };

// What a symbol is known to be by its very origin, without any fact.
struct SymbolInfo {
  std::string_view name;     // empty while nobody has asked for the name of one of ours
  bool of_user = false;      // from the model or the user, as against made up by inference
  bool is_nameless = false;  // of_user: the size has no name there, and this one was made up for it
  uint32_t order = 0;        // user's: order of declaration; ours: order of creation
  int64_t min = INT64_MIN;   // 0 for a size
  int64_t max = INT64_MAX;
  std::string_view origin;  // "input x, axis 0"
};

// Where a symbol of ours comes from. Two requests with the same key are the same symbol, so that runs agree.
struct SymbolKey {
  uint64_t path = 0;   // the call path, or 0
  uint32_t value = 0;  // the value or node
  uint32_t role = 0;   // the axis, or a number that the maker chooses
  bool operator==(const SymbolKey&) const = default;
};

// An opaque but pure computation that a symbol stands for.
enum class Operation : uint8_t { kAdd, kMultiply, kFloorDiv, kMaxZero, kBroadcast, kSelect, kFloat };
struct Definition {
  Operation operation;
  uint32_t tag = 0;  // for kFloat: which operation in which format
  std::span<const Dim> operands;
};

// One term of a sum: coefficient * product of factors; no factors is the constant term.
struct Term {
  int64_t coefficient;
  std::span<const Dim> factors;  // atoms, sorted; an atom may stand more than once
};

class DIMWISE_API DimTable {
 public:
  static constexpr size_t kMaxTerms = 24;
  static constexpr size_t kMaxFactors = 8;
  static constexpr int kMaxDepth = 12;
  static constexpr uint32_t kMaxWeight = 192;  // symbols and operations of the expression written out

  DimTable();
  ~DimTable();
  DimTable(const DimTable&) = delete;
  DimTable& operator=(const DimTable&) = delete;

  // ---- Symbols ----
  // The user's symbol of that name, declared on first use. A size is >= 0; contents are any integer.
  Dim Symbol(std::string_view name, std::string_view origin = {});
  Dim IntegerSymbol(std::string_view name, std::string_view origin = {});
  // A new size of the user's without a name: called so, or `name_2`, where nothing says what it equals.
  Dim NamelessSymbol(std::string_view name, std::string_view origin = {});
  // A symbol of ours by its key; `min` and `max` are what its origin guarantees.
  Dim Fresh(SymbolKey key, int64_t min = 0, int64_t max = INT64_MAX, std::string_view origin = {});
  // A symbol of ours that shares its key with nobody.
  Dim Fresh(int64_t min = 0, int64_t max = INT64_MAX, std::string_view origin = {});
  // How often a symbol of ours was asked for, new or not.
  uint64_t fresh_count() const { return fresh_count_; }
  // The symbol that stands for a computation; equal computations are one symbol.
  Dim Defined(const Definition& definition, int64_t min = INT64_MIN, int64_t max = INT64_MAX);
  // The user's symbol of that name if it was declared.
  std::optional<Dim> FindSymbol(std::string_view name) const;

  // ---- Arithmetic, without facts ----
  Dim Add(Dim a, Dim b);
  Dim Subtract(Dim a, Dim b);
  Dim Multiply(Dim a, Dim b);
  Dim Negate(Dim a) { return Multiply(a, -1); }
  // Rounds towards minus infinity. By the constant 0: none.
  Dim FloorDivide(Dim a, Dim b);
  Dim CeilDivide(Dim a, Dim b);
  Dim Mod(Dim a, Dim b);
  Dim Min(Dim a, Dim b);
  Dim Max(Dim a, Dim b);
  // The size that results where all of these meet in broadcasting. Two constants that conflict: none.
  Dim Broadcast(std::span<const Dim> sizes);
  Dim Broadcast(Dim a, Dim b);
  // q with a == q*b as polynomials, where there is one. Equal to a/b wherever b is not 0.
  std::optional<Dim> DivideExactly(Dim a, Dim b);

  // ---- Looking inside ----
  DimKind Kind(Dim d) const;
  // The sum that d is: a constant or an atom is a sum of one term (or of none, for 0).
  size_t TermCount(Dim d) const;
  Term GetTerm(Dim d, size_t i) const;
  // The operands of an atom: (a, b) of floordiv, (a) of max(0, a), those of broadcast. Empty for a symbol.
  std::span<const Dim> Operands(Dim atom) const;
  SymbolInfo GetSymbol(Dim symbol) const;
  const Definition* GetDefinition(Dim symbol) const;
  // Where a symbol of ours comes from; null where it was made without a key.
  const SymbolKey* KeyOf(Dim symbol) const;
  // The symbols that d speaks of, also inside atoms, each once, in the order of the ids.
  std::span<const Dim> SymbolsOf(Dim d) const;
  int Depth(Dim d) const;
  // The constant term, and d without it.
  int64_t ConstantTerm(Dim d) const;
  Dim WithoutConstant(Dim d);
  // An order of expressions that depends on what they say, not on when they were made.
  std::strong_ordering Order(Dim a, Dim b) const;
  size_t size() const;

  // d with symbols (and other atoms) replaced; `replace` answers none for what stays.
  Dim Substitute(Dim d, const std::function<Dim(Dim atom)>& replace);
  // The number that d is when each symbol has the number that `size_of` gives; nothing on overflow, division
  // by zero, a broadcast that fails or a symbol without a number. Definitions are computed.
  std::optional<int64_t> Evaluate(Dim d,
                                  const std::function<std::optional<int64_t>(Dim symbol)>& size_of) const;

  // ---- Text ----
  // A Python expression with + - * // %, min, max, broadcast: `(H + 1)//2`. Parse gives the same Dim back.
  std::string ToString(Dim d);
  // The name of a symbol; one of ours is given the next free name (u1, u2, ...) when first asked.
  std::string_view NameOf(Dim symbol);
  // Reads an expression; unknown names are declared as sizes.
  Result<Dim> Parse(std::string_view text);

  // For the files that implement the table.
  struct Impl;
  Impl& impl() const { return *impl_; }

 private:
  uint64_t fresh_count_ = 0;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dimwise

template <>
struct std::hash<dimwise::Dim> {
  size_t operator()(dimwise::Dim d) const noexcept {
    return static_cast<size_t>(static_cast<uint64_t>(d.bits()) * 0x9E3779B97F4A7C15u >> 8);
  }
};

#endif  // DIMWISE_DIM_H_
