// The normal form of broadcasts: one n-ary atom whose operands are flat, distinct, not 1 and sorted by ID.
//
// The operands are sizes, so they are >= 0. Rows of kBroadcastIdentities (identities.h) apply as follows:
// BroadcastOfBroadcast, BroadcastOfOne, BroadcastOfEqual and BroadcastOfConstant where operands are
// collected, BroadcastOfMaximum and BroadcastOfMinimum in IsAbsorbed, BroadcastOfOneTogether in
// IsOneWhereOne.
#include <algorithm>

#include "core/base/scratch_array.h"
#include "core/dims/broadcast_order.h"
#include "core/dims/dim_table.h"

namespace dimwise {
namespace {

using Impl = DimTable::Impl;

// Returns whether broadcast(x, y) is x wherever it is a size: y is max(x, k) with k <= 1, or min(x, k) with
// k >= 1.
bool IsAbsorbed(DimTable& table, Dim y, Dim x) {
  const Dim above = AsMaxZero(table, table.Subtract(y, x));
  if (!above.is_none()) {
    const Dim k = table.Add(x, above);
    return k.is_constant() && k.constant() <= 1;
  }
  const Dim below = AsMaxZero(table, table.Subtract(x, y));
  if (below.is_none()) return false;
  const Dim k = table.Subtract(x, below);
  return k.is_constant() && k.constant() >= 1;
}

// Returns whether y is 1 wherever x is 1. Then broadcast(x, y) is x: if x is not 1, y is 1 or x. The equation
// x == 1 is solved for an atom of x, and the solution is substituted in y.
bool IsOneWhereOne(DimTable& table, Dim y, Dim x) {
  for (size_t i = 0; i < table.TermCount(x); ++i) {
    const Term term = table.GetTerm(x, i);
    if (term.factors.size() != 1 || (term.coefficient != 1 && term.coefficient != -1)) continue;
    const Dim atom = term.factors[0], above = table.Multiply(term.coefficient, table.Subtract(x, 1));
    const auto is_in_y = [&](Dim symbol) {
      return std::ranges::find(table.SymbolsOf(y), symbol) != table.SymbolsOf(y).end();
    };
    if (!std::ranges::all_of(table.SymbolsOf(atom), is_in_y)) continue;
    const Dim solution = table.Subtract(atom, above);
    if (table.Substitute(y, [&](Dim d) { return d == atom ? solution : Dim(); }) == Dim(1)) return true;
  }
  return false;
}

// Collects the operands of a broadcast.
class BroadcastOperands {
 public:
  explicit BroadcastOperands(const DimTable& table) : table_(table) {}

  void Add(Dim d) {
    if (table_.Kind(d) == DimKind::kBroadcast) {
      for (const Dim inner : table_.Operands(d)) AddOne(inner);
    } else {
      AddOne(d);
    }
  }

  // Removes each operand that another one absorbs.
  void RemoveAbsorbed(DimTable& table) {
    for (size_t i = 0; i < count_;) {
      const auto absorbs = [&](Dim x) {
        return x != flat_[i] && (IsAbsorbed(table, flat_[i], x) || IsOneWhereOne(table, flat_[i], x));
      };
      if (std::any_of(flat_.begin(), flat_.begin() + count_, absorbs)) {
        flat_[i] = flat_[--count_];
      } else {
        ++i;
      }
    }
  }

  void Sort() {
    std::sort(flat_.begin(), flat_.begin() + count_, [](Dim x, Dim y) { return x.id() < y.id(); });
  }

  // The operands that are expressions.
  std::span<const Dim> view() const { return {flat_.data(), count_}; }
  Dim constant() const { return constant_; }  // 1 if no operand is another constant
  bool is_invalid() const { return is_invalid_; }
  bool is_too_long() const { return is_too_long_; }

 private:
  void AddOne(Dim d) {
    is_invalid_ = is_invalid_ || d.is_none();
    if (d == Dim(1)) return;
    if (d.is_constant()) {
      is_invalid_ = is_invalid_ || (constant_ != Dim(1) && constant_ != d);
      constant_ = d;
    } else if (std::find(flat_.begin(), flat_.begin() + count_, d) == flat_.begin() + count_) {
      is_too_long_ = is_too_long_ || count_ == flat_.size();
      if (!is_too_long_) flat_[count_++] = d;
    }
  }

  const DimTable& table_;
  ScratchArray<Dim, DimTable::kMaxTerms> flat_;
  size_t count_ = 0;
  Dim constant_ = 1;
  bool is_invalid_ = false;  // an operand is none, or two constants conflict
  bool is_too_long_ = false;
};

}  // namespace

Dim AsMaxZero(DimTable& table, Dim d) {
  if (!d.is_expression()) return Dim();
  for (size_t i = 0; i < table.TermCount(d); ++i) {
    const Term term = table.GetTerm(d, i);
    if (term.coefficient != 1 || term.factors.size() != 1 || table.Kind(term.factors[0]) != DimKind::kMaxZero)
      continue;
    const Dim atom = term.factors[0], t = table.Operands(atom)[0];
    if (d == atom) return t;
    if (d == table.Subtract(atom, t)) return table.Negate(t);
  }
  return Dim();
}

Dim DimTable::Broadcast(Dim a, Dim b) {
  const Dim sizes[] = {a, b};
  return Broadcast(sizes);
}

Dim DimTable::Broadcast(std::span<const Dim> sizes) {
  BroadcastOperands operands(*this);
  for (const Dim d : sizes) operands.Add(d);
  if (operands.is_invalid()) return Dim();
  if (operands.constant() != Dim(1)) return operands.constant();
  if (operands.is_too_long()) return Defined({Operation::kBroadcast, 0, sizes});
  if (std::ranges::any_of(operands.view(), [&](Dim d) { return Kind(d) != DimKind::kSymbol; }))
    operands.RemoveAbsorbed(*this);
  operands.Sort();
  const std::span<const Dim> flat = operands.view();
  if (flat.size() <= 1) return flat.empty() ? Dim(1) : flat[0];
  if (!impl_->MayNest(flat)) return Defined({Operation::kBroadcast, 0, flat});
  return impl_->InternAtom(DimKind::kBroadcast, flat);
}

}  // namespace dimwise
