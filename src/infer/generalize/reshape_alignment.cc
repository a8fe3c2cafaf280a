#include "infer/generalize/reshape_alignment.h"

#include <algorithm>
#include <utility>

namespace dimwise {
namespace {

class Aligner {
 public:
  Aligner(DimTable& dims, const Realignment& how, std::span<const Dim> in, std::span<const Dim> old_out)
      : dims_(dims), how_(how), in_(in), old_out_(old_out), out_(old_out.begin(), old_out.end()) {
    for (const Dim size : in) old_in_.push_back(how.old(size));
  }

  std::optional<Alignment> Find() {
    while (i_ < in_.size() || j_ < out_.size()) {
      if (!MatchUnits() || !MatchGroup()) return std::nullopt;
    }
    if (carried_ != Dim(1)) return std::nullopt;  // no axis is left that could take it
    return Alignment{std::move(out_), certain_};
  }

 private:
  static bool IsUnit(Dim size) { return size == Dim(1); }
  bool Changed(size_t i) const { return in_[i] != old_in_[i]; }

  // Matches the runs of axes of size 1 at the current position. A changed axis of the operand without a
  // counterpart joins the following group, or the preceding one at the end.
  bool MatchUnits() {
    const size_t first_i = i_, first_j = j_;
    while (i_ < in_.size() && IsUnit(old_in_[i_])) ++i_;
    while (j_ < out_.size() && IsUnit(old_out_[j_])) ++j_;
    const size_t count_i = i_ - first_i, count_j = j_ - first_j;
    free_unit_ = count_i == 0 && count_j > 0 ? std::optional(first_j) : std::nullopt;
    size_t changed = 0, where = 0;
    Dim product = 1;
    for (size_t i = first_i; i < i_; ++i) {
      if (!Changed(i)) continue;
      ++changed;
      where = i - first_i;
      product = dims_.Multiply(product, in_[i]);
    }
    if (changed == 0) return true;
    if (count_i == count_j) {
      for (size_t k = 0; k < count_i; ++k) out_[first_j + k] = in_[first_i + k];
    } else if (count_j == 0) {
      return Join(product);
    } else if (count_j == 1) {
      out_[first_j] = product;
    } else if (changed == 1) {
      out_[first_j + std::min(where, count_j - 1)] = product;
    } else if (changed == count_j) {
      for (size_t i = first_i, j = first_j; i < i_; ++i) {
        if (Changed(i)) out_[j++] = in_[i];
      }
    } else {
      return false;
    }
    return true;
  }

  bool Join(Dim product) {
    const bool has_left = j_ > 0, has_right = i_ < in_.size();
    certain_ = certain_ && !(has_left && has_right);
    const bool goes_right = has_right && how_.joining == Joining::kSplit && NextGroupIsSplit();
    if (has_left && !goes_right) {
      out_[j_ - 1] = dims_.Multiply(out_[j_ - 1], product);
      return true;
    }
    carried_ = dims_.Multiply(carried_, product);
    return has_right;
  }

  // Returns the end of the smallest group from here on: axes on both sides whose old sizes have equal
  // products. Returns nothing if there is none.
  struct GroupEnd {
    size_t i, j;
  };
  std::optional<GroupEnd> EndOfGroup() {
    if (i_ == in_.size() || j_ == out_.size()) return std::nullopt;
    GroupEnd end{i_ + 1, j_ + 1};
    Dim product = old_in_[i_], requested = old_out_[j_];
    while (product != requested) {
      if (LacksOperand(product, requested)) {
        if (end.i == in_.size()) return std::nullopt;
        product = dims_.Multiply(product, old_in_[end.i++]);
      } else if (LacksOperand(requested, product)) {
        if (end.j == out_.size()) return std::nullopt;
        requested = dims_.Multiply(requested, old_out_[end.j++]);
      } else {
        return std::nullopt;
      }
    }
    return end;
  }

  // Returns whether the next group has more axes in the result than in the operand.
  bool NextGroupIsSplit() {
    const std::optional<GroupEnd> end = EndOfGroup();
    return end && end->j - j_ > end->i - i_;
  }

  bool MatchGroup() {
    if (i_ == in_.size() && j_ == out_.size()) return true;
    const std::optional<GroupEnd> end = EndOfGroup();
    if (!end) return false;
    const size_t first_i = i_, first_j = j_;
    const Dim carried = std::exchange(carried_, Dim(1));
    Dim old_product = 1, product = carried;
    bool changed = false;
    for (i_ = first_i; i_ < end->i; ++i_) {
      old_product = dims_.Multiply(old_product, old_in_[i_]);
      product = dims_.Multiply(product, in_[i_]);
      changed = changed || Changed(i_);
    }
    j_ = end->j;
    if (!changed && carried == Dim(1)) return true;
    if (old_product == Dim(0)) return false;
    if (ComesApart(first_i, first_j) || Distribute(first_i, first_j, product)) return true;
    if (changed) return false;
    out_[first_j] = dims_.Multiply(carried, old_out_[first_j]);  // it precedes all axes of the group
    return true;
  }

  // Handles a merged axis that is split into the same two axes: [16*B, 64] to the old [16, 1, 64] becomes
  // [16, B, 64] if 16 was the left factor.
  bool ComesApart(size_t first_i, size_t first_j) {
    const std::optional<Merge> parts =
        i_ == first_i + 1 && Changed(first_i) ? how_.parts(in_[first_i]) : std::nullopt;
    if (!parts || how_.old(parts->left) != old_out_[first_j]) return false;
    const Dim right = how_.old(parts->right);
    const bool has_unit = j_ < out_.size() && IsUnit(old_out_[j_]) && i_ < in_.size() && !IsUnit(old_in_[i_]);
    if (j_ == first_j + 1 && IsUnit(right) && has_unit) {
      ++j_;
    } else if (j_ != first_j + 2 || right != old_out_[first_j + 1]) {
      return false;
    }
    out_[first_j] = parts->left;
    out_[first_j + 1] = parts->right;
    return true;
  }

  // Returns whether the second size is larger than the first, or a multiple of it.
  bool LacksOperand(Dim first, Dim second) {
    if (first.is_constant() && second.is_constant()) return first.constant() < second.constant();
    return dims_.DivideExactly(second, first).has_value();
  }

  // Distributes the product over the axes of the result's group. In this order: the axes with the old sizes
  // of the symbols, if the symbols lead the group (a batch merged with following axes); the only axis; the
  // axis that equals an axis of the operand at the same position; the first axis.
  bool Distribute(size_t first_i, size_t first_j, Dim product) {
    bool leads = true;
    for (size_t i = first_i + 1; i < i_; ++i) leads = leads && !Changed(i);
    if (leads && AssignSymbols(first_j, product)) return true;
    if (j_ == first_j + 1) {
      out_[first_j] = product;
      return true;
    }
    Dim before = 1;
    for (size_t j = first_j; j < j_; ++j) {
      Dim operand_before = 1;
      for (size_t i = first_i; i < i_; ++i) {
        if (Changed(i) && operand_before == before && dims_.Multiply(in_[i], Others(first_j, j)) == product) {
          out_[j] = in_[i];
          return true;
        }
        operand_before = dims_.Multiply(operand_before, in_[i]);
      }
      before = dims_.Multiply(before, old_out_[j]);
    }
    return leads && Changed(first_i) && GiveFirst(first_j, product);
  }

  // Gives the first axis the product divided by the other axes, which stay: the heads of all samples, or the
  // halves of a height. Fails if another axis had the size of a symbol.
  bool GiveFirst(size_t first_j, Dim product) {
    for (const Dim symbol : dims_.SymbolsOf(product)) {
      for (size_t j = first_j + 1; j < j_; ++j) {
        if (how_.old(symbol) == old_out_[j]) return false;
      }
    }
    const std::optional<Dim> first = dims_.DivideExactly(product, Others(first_j, first_j));
    if (first) out_[first_j] = *first;
    return first.has_value();
  }

  // Returns the product of the old sizes of the result's group except axis `but`.
  Dim Others(size_t first_j, size_t but) {
    Dim others = 1;
    for (size_t k = first_j; k < j_; ++k) {
      if (k != but) others = dims_.Multiply(others, old_out_[k]);
    }
    return others;
  }

  // Gives each symbol of a product the first axis with its old size, including a free axis of size 1 before
  // the group. Only axes of size 1 may come before that axis.
  bool AssignSymbols(size_t first_j, Dim product) {
    if (dims_.TermCount(product) != 1) return false;
    std::vector<Dim> out = out_;
    size_t last = 0;
    for (const Dim factor : dims_.GetTerm(product, 0).factors) {
      if (how_.old(factor) == factor) continue;  // not a new symbol
      if (dims_.Kind(factor) != DimKind::kSymbol) return false;
      const auto is_its = [&](size_t j) { return old_out_[j] == how_.old(factor) && out[j] == old_out_[j]; };
      size_t place = first_j;
      while (place < j_ && !is_its(place)) ++place;
      if (free_unit_ && is_its(*free_unit_)) place = *free_unit_;
      if (place == j_) return false;
      out[place] = factor;
      last = std::max(last, place);
    }
    Dim result = 1;
    for (size_t j = free_unit_.value_or(first_j); j < j_; ++j) {
      if (j < last && out[j] == old_out_[j] && !IsUnit(out[j])) return false;
      result = dims_.Multiply(result, out[j]);
    }
    if (result != product) return false;
    out_ = std::move(out);
    return true;
  }

  DimTable& dims_;
  const Realignment& how_;
  std::vector<Dim> old_in_;
  std::span<const Dim> in_, old_out_;
  std::vector<Dim> out_;
  size_t i_ = 0, j_ = 0;  // the next axes of the operand and the result
  Dim carried_ = 1;       // sizes that join the following group
  bool certain_ = true;
  std::optional<size_t>
      free_unit_;  // an axis of size 1 of the result before the group, without a counterpart
};

}  // namespace

std::optional<Alignment> AlignReshape(DimTable& dims, const Realignment& how, std::span<const Dim> in,
                                      std::span<const Dim> old_out) {
  return Aligner(dims, how, in, old_out).Find();
}

}  // namespace dimwise
