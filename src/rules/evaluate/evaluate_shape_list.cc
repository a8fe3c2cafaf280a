// Operations on whole shapes: broadcasting, and the -1 of a reshape.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {

// Shapes are aligned at the last axis; missing sizes are 1.
List Evaluator::BroadcastLists(std::span<const List> lists) {
  int rank = 0, least = 0, most = 0;
  bool open = false;
  const List* only = nullptr;
  int telling = 0;
  for (const List& l : lists) {
    if (!l.known()) {
      open = true;
      least = std::max(least, l.min_count);
      most = std::max(most, l.max_count);
    }
    rank = std::max(rank, l.count);
    if (!l.known() || l.count > 0) {
      only = &l;
      ++telling;
    }
  }
  if (telling == 1) return *only;
  if (open) {
    // The same unknown list in all places is the result.
    const bool same = std::ranges::all_of(
        lists, [&](const List& l) { return !l.known() && !l.shape.is_none() && l.shape == lists[0].shape; });
    if (same) return lists[0];
    // Lists of ones do not change an unknown list.
    const List* one = nullptr;
    bool others = false;
    for (const List& l : lists) {
      const bool ones = l.known() && std::ranges::all_of(l.view(), [](Dim d) { return d == Dim(1); });
      others |= l.known() ? !ones || l.count > least
                          : one != nullptr && (l.shape.is_none() || l.shape != one->shape);
      if (!l.known()) one = &l;
    }
    if (!others) return *one;
    // The known lists must still be compatible.
    std::vector<List> known;
    std::ranges::copy_if(lists, std::back_inserter(known), &List::known);
    if (known.size() > 1) (void)BroadcastLists(known);
    return {nullptr, -1, std::max(rank, least), {}, std::max(rank, most)};
  }
  const bool identical = std::ranges::all_of(lists, [&](const List& l) {
    return l.count == lists[0].count && std::equal(l.data, l.data + l.count, lists[0].data);
  });
  if (identical && !lists.empty()) return lists[0];
  Dim* data = NewDims(static_cast<size_t>(rank));
  Dim* column = NewDims(lists.size());
  for (int axis = 0; axis < rank; ++axis) {
    size_t k = 0;
    for (const List& l : lists) {
      const int at = axis - (rank - l.count);
      if (at >= 0 && std::find(column, column + k, l.data[at]) == column + k) column[k++] = l.data[at];
    }
    data[axis] = BroadcastSizes(std::span<const Dim>(column, k), axis - rank);
    if (failed()) return kUnknownList;
  }
  List result{data, rank, 0, {}};
  // A result equal to an operand keeps its handle.
  for (const List& l : lists) {
    if (l.count == rank && !l.shape.is_none() && std::equal(data, data + rank, l.data))
      result.shape = l.shape;
  }
  return result;
}

// Solves for the -1. Equal sizes cancel first, as in a multiset. Then the products are divided as
// polynomials. If the division is not exact, the result is a floor division with a guard that it is exact.
List Evaluator::ResolveMinusOne(List wanted, List sizes) {
  if (!wanted.known()) return wanted;
  int open = -1;
  bool maybe = false;
  for (int i = 0; i < wanted.count; ++i) {
    const Truth t = Compare(Op::kEqual, wanted.data[i], Dim(-1)).truth;
    maybe |= t == Truth::kMaybe;
    if (t != Truth::kYes) continue;
    if (open >= 0 && !probing_)
      (void)Fail(Code::kRequirement,
                 [&] { return fmt::format("{} has more than one -1 in its shape", application_->op); });
    open = i;
  }
  if (failed()) return kUnknownList;
  Dim* out = NewDims(static_cast<size_t>(wanted.count));
  for (int i = 0; i < wanted.count; ++i) {
    const bool certain = Compare(Op::kEqual, wanted.data[i], Dim(-1)).truth == Truth::kNo;
    out[i] = certain ? wanted.data[i] : Dim();
  }
  List result{out, wanted.count, 0, {}};
  const bool all_known =
      !maybe && sizes.known() && std::ranges::none_of(sizes.view(), [](Dim d) { return d.is_none(); });
  const auto product = [&](std::span<const Dim> dims) {
    Dim p = 1;
    for (Dim d : dims) p = Arithmetic(Op::kMultiply, p, d);
    return p;
  };
  if (!all_known) return result;
  const auto copy = [&](std::span<const Dim> dims) {
    return std::span<Dim>(const_cast<Dim*>(Store(dims).data), dims.size());
  };
  std::span<Dim> above = copy(sizes.view()),
                 below = copy(std::span<const Dim>(out, static_cast<size_t>(wanted.count)));
  const auto say = [&] {
    std::string text;
    for (int i = 0; i < wanted.count; ++i) text += (i > 0 ? ", " : "") + Print(wanted.data[i]);
    std::string from;
    for (int i = 0; i < sizes.count; ++i) from += (i > 0 ? ", " : "") + Print(sizes.data[i]);
    return fmt::format("{} cannot make [{}] of the elements of [{}]", application_->op, text, from);
  };
  const auto require = [&](const Literal& l) {
    if (probing_ || host_ == nullptr) return;
    const Status s = host_->Require(Condition{{{l}}}, say, Code::kElementCount);
    if (!s && !failed()) failure_ = s.error();
  };
  if (open >= 0) {  // otherwise the whole products are compared, because a size that cancels may be 0
    size_t count = 0;
    for (int i = 0; i < wanted.count; ++i) {
      if (i == open) continue;
      const auto same = std::ranges::find(above, out[i]);
      // 0 must not cancel: division by 0 is undefined.
      if (same != above.end() && out[i] != Dim(0)) {
        if (Compare(Op::kNotEqual, out[i], Dim(0)).truth != Truth::kYes && host_ != nullptr)
          require(NotEqual(host_->analysis().dims(), out[i], Dim(0)));
        std::copy(same + 1, above.end(), same);
        above = above.first(above.size() - 1);
      } else {
        below[count++] = out[i];
      }
    }
    below = below.first(count);
  }
  const Dim dividend = product(above), divisor = product(below);
  if (dividend.is_none() || divisor.is_none()) return result;
  if (open < 0) {
    if (dividend.is_constant() && divisor.is_constant()) {
      if (dividend != divisor && !probing_) (void)Fail(Code::kElementCount, [&] { return say(); });
    } else if (dividend != divisor && host_ != nullptr) {
      require(Equal(host_->analysis().dims(), dividend, divisor));
    }
    return result;
  }
  if (divisor.is_constant() && dividend.is_constant()) {
    if (divisor == Dim(0) || dividend.constant() % divisor.constant() != 0) {
      if (!probing_) (void)Fail(Code::kElementCount, [&] { return say(); });
      return kUnknownList;
    }
    out[open] = Dim(dividend.constant() / divisor.constant());
    return result;
  }
  if (host_ == nullptr || divisor == Dim(0)) {
    if (divisor == Dim(0) && !probing_) (void)Fail(Code::kElementCount, [&] { return say(); });
    return result;
  }
  DimTable& t = host_->analysis().dims();
  if (const std::optional<Dim> exact = t.DivideExactly(dividend, divisor)) {
    out[open] = *exact;
    return result;
  }
  const Dim quotient = t.FloorDivide(dividend, divisor);
  require(Equal(t, t.Mod(dividend, divisor), 0));
  out[open] = quotient;
  return result;
}

}  // namespace dimwise::rules
