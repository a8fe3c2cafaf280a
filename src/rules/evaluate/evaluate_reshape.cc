// Computes the shape of a reshape: solves for the -1 among its sizes.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {
namespace {

void RemoveAt(int64_t index, SizeList* sizes) {
  std::copy(sizes->begin() + index + 1, sizes->end(), sizes->begin() + index);
  sizes->resize(sizes->size() - 1);
}

std::span<const Dim> ViewOf(const SizeList& sizes) { return {sizes.begin(), sizes.size()}; }

}  // namespace

// Replaces the -1, and each size that may be -1, by null. Returns the index of the -1, or -1 if there is
// none; nullopt if that is not certain.
std::optional<int> Evaluator::TakeMinusOne(SizeList* sizes) {
  int found = -1;
  bool is_certain = true;
  int index = -1;
  for (Dim& size : *sizes) {
    ++index;
    const Truth t = Compare(Op::kEqual, size, Dim(-1)).truth;
    if (t != Truth::kNo) size = Dim();
    is_certain &= t != Truth::kMaybe;
    if (t != Truth::kYes) continue;
    if (found >= 0 && !probing_)
      (void)Fail(Code::kRequirement,
                 [&] { return fmt::format("{} has more than one -1 in its shape", application_->op); });
    found = index;
  }
  return is_certain ? std::optional(found) : std::nullopt;
}

// Removes the sizes that occur in both lists.
void Evaluator::CancelSizes(SizeList* above, SizeList* below, Words words) {
  size_t kept = 0;
  for (const Dim d : *below) {
    Dim* const same = std::find(above->begin(), above->end(), d);
    if (same == above->end() || d == Dim(0)) {  // 0 must not cancel: division by 0 is undefined
      below->begin()[kept++] = d;
      continue;
    }
    if (Compare(Op::kNotEqual, d, Dim(0)).truth != Truth::kYes && host_ != nullptr)
      RequireClause({NotEqual(host_->analysis().dims(), d, Dim(0))}, words, Code::kElementCount);
    RemoveAt(same - above->begin(), above);
  }
  below->resize(kept);
}

// Returns the quotient, which is null if it is unknown. Returns nullopt if a division of constants leaves a
// remainder.
std::optional<Dim> Evaluator::ExactQuotient(Dim dividend, Dim divisor, Words words) {
  const bool constant = divisor.is_constant() && dividend.is_constant();
  if (divisor == Dim(0) || (constant && dividend.constant() % divisor.constant() != 0)) {
    if (!probing_) (void)Fail(Code::kElementCount, words);
    return constant ? std::nullopt : std::optional(Dim());
  }
  if (constant) return Dim(dividend.constant() / divisor.constant());
  if (host_ == nullptr) return Dim();
  DimTable& t = host_->analysis().dims();
  if (const std::optional<Dim> exact = t.DivideExactly(dividend, divisor)) return *exact;
  RequireClause({Equal(t, t.Mod(dividend, divisor), 0)}, words, Code::kElementCount);
  return t.FloorDivide(dividend, divisor);
}

// Solves for the -1. Equal sizes cancel first, as in a multiset. Then the products are divided as
// polynomials. If the division is not exact, the result is a floor division with a guard that it is exact.
List Evaluator::ResolveMinusOne(List wanted, List sizes) {
  if (!wanted.known()) return wanted;
  SizeList result;
  for (const Dim d : wanted.view()) result.push_back(d);
  const std::optional<int> open = TakeMinusOne(&result);
  if (failed()) return kUnknownList;
  if (!open || !sizes.known() || std::ranges::find(sizes.view(), Dim()) != sizes.view().end())
    return Store(ViewOf(result));
  const auto words = [&] {
    const auto list = [&](const List& l) {
      std::string text;
      for (const Dim d : l.view()) text += (text.empty() ? "" : ", ") + Print(d);
      return text;
    };
    return fmt::format("{} cannot make [{}] of the elements of [{}]", application_->op, list(wanted),
                       list(sizes));
  };
  SizeList above, below;
  for (const Dim d : sizes.view()) above.push_back(d);
  for (const Dim d : result) below.push_back(d);
  if (*open >= 0) {  // otherwise the whole products are compared, because a size that cancels may be 0
    RemoveAt(*open, &below);
    CancelSizes(&above, &below, words);
  }
  const auto product = [&](const SizeList& dims) {
    Dim p = 1;
    for (Dim d : dims) p = Arithmetic(Op::kMultiply, p, d);
    return p;
  };
  const Dim dividend = product(above), divisor = product(below);
  if (dividend.is_none() || divisor.is_none()) return Store(ViewOf(result));
  if (*open >= 0) {
    const std::optional<Dim> quotient = ExactQuotient(dividend, divisor, words);
    if (quotient) result[*open] = *quotient;
  } else if (dividend.is_constant() && divisor.is_constant()) {
    if (dividend != divisor && !probing_) (void)Fail(Code::kElementCount, words);
  } else if (dividend != divisor && host_ != nullptr) {
    RequireClause({Equal(host_->analysis().dims(), dividend, divisor)}, words, Code::kElementCount);
  }
  return Store(ViewOf(result));
}

}  // namespace dimwise::rules
