// Computes the shape of a reshape: solves for the -1 among its sizes.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {

// Replaces the -1, and each size that may be -1, by null. Returns the index of the -1, or -1 if there is
// none; nullopt if that is not certain.
std::optional<int> Evaluator::TakeMinusOne(std::vector<Dim>* sizes) {
  int found = -1;
  bool is_certain = true;
  for (size_t i = 0; i < sizes->size(); ++i) {
    const Truth t = Compare(Op::kEqual, (*sizes)[i], Dim(-1)).truth;
    if (t != Truth::kNo) (*sizes)[i] = Dim();
    is_certain &= t != Truth::kMaybe;
    if (t != Truth::kYes) continue;
    if (found >= 0 && !probing_)
      (void)Fail(Code::kRequirement,
                 [&] { return fmt::format("{} has more than one -1 in its shape", application_->op); });
    found = static_cast<int>(i);
  }
  return is_certain ? std::optional(found) : std::nullopt;
}

// Removes the sizes that occur in both lists.
void Evaluator::CancelSizes(std::vector<Dim>* above, std::vector<Dim>* below, Words words) {
  std::vector<Dim> left;
  for (const Dim d : *below) {
    const auto same = std::ranges::find(*above, d);
    if (same == above->end() || d == Dim(0)) {  // 0 must not cancel: division by 0 is undefined
      left.push_back(d);
      continue;
    }
    if (Compare(Op::kNotEqual, d, Dim(0)).truth != Truth::kYes && host_ != nullptr)
      RequireClause({NotEqual(host_->analysis().dims(), d, Dim(0))}, words, Code::kElementCount);
    above->erase(same);
  }
  *below = std::move(left);
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
  std::vector<Dim> result(wanted.view().begin(), wanted.view().end());
  const std::optional<int> open = TakeMinusOne(&result);
  if (failed()) return kUnknownList;
  if (!open || !sizes.known() || std::ranges::find(sizes.view(), Dim()) != sizes.view().end())
    return Store(result);
  const auto words = [&] {
    const auto list = [&](const List& l) {
      std::string text;
      for (const Dim d : l.view()) text += (text.empty() ? "" : ", ") + Print(d);
      return text;
    };
    return fmt::format("{} cannot make [{}] of the elements of [{}]", application_->op, list(wanted),
                       list(sizes));
  };
  std::vector<Dim> above(sizes.view().begin(), sizes.view().end());
  std::vector<Dim> below = result;
  if (*open >= 0) {  // otherwise the whole products are compared, because a size that cancels may be 0
    below.erase(below.begin() + *open);
    CancelSizes(&above, &below, words);
  }
  const auto product = [&](std::span<const Dim> dims) {
    Dim p = 1;
    for (Dim d : dims) p = Arithmetic(Op::kMultiply, p, d);
    return p;
  };
  const Dim dividend = product(above), divisor = product(below);
  if (dividend.is_none() || divisor.is_none()) return Store(result);
  if (*open >= 0) {
    const std::optional<Dim> quotient = ExactQuotient(dividend, divisor, words);
    if (!quotient) return kUnknownList;
    result[static_cast<size_t>(*open)] = *quotient;
  } else if (dividend.is_constant() && divisor.is_constant()) {
    if (dividend != divisor && !probing_) (void)Fail(Code::kElementCount, words);
  } else if (dividend != divisor && host_ != nullptr) {
    RequireClause({Equal(host_->analysis().dims(), dividend, divisor)}, words, Code::kElementCount);
  }
  return Store(result);
}

}  // namespace dimwise::rules
