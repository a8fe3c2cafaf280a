#include "infer/operators/rule_both_ways.h"

#include <algorithm>

namespace dimwise {
namespace {

class BothWays {
 public:
  BothWays(const rules::Rule& rule, const rules::Application& application, RuleScratch* scratch,
           InferenceContext* context)
      : rule_(rule), application_(application), scratch_(*scratch), context_(context), host_(context) {
    application_.known_results = context->known_outputs();
  }

  Status Run() {
    application_.quiet = true;
    if (MaySucceed()) {
      TakeRefined();
      FindRanks();
    }
    application_.quiet = false;
    if (Status s = RunParts(rule_, application_, &host_, &scratch_); !s) return s;
    TakeRefined();
    for (size_t i = 0; i < operands().size(); ++i) {
      const auto k = static_cast<int64_t>(i);
      if (operands()[i].given && operands()[i].type != context_->full_input_type(k))
        context_->RefineInput(k, operands()[i].type);
    }
    return {};
  }

 private:
  // Ranks up to this one are tried one by one; higher ranks are first tried together.
  static constexpr int kUsualRank = 8;
  // Limit on comparisons per trial: 24 operands are within it, 150 operands exceed it.
  static constexpr size_t kMaxComparisons = 20000;

  std::vector<rules::Operand>& operands() { return scratch_.operands; }

  Status Forward() {
    if (Status s = RunParts(rule_, application_, &host_, &scratch_); !s) return s;
    for (int i = 0; i < context_->num_outputs(); ++i) {
      Type type = scratch_.outcome.results[static_cast<size_t>(i)];
      if (Status s = context_->MergeKnownOutput(i, &type); !s) return s;
    }
    return {};
  }

  // Copies what the patterns alone determine about operands.
  void TakeRefined() {
    for (size_t i = 0; i < operands().size(); ++i) {
      const Type& refined = scratch_.outcome.refined[i];
      if (refined.kind != TypeKind::kUnknown) operands()[i].type = refined;
    }
  }

  // Infers ranks repeatedly, because a rank may determine another one. Of many operands only the first are
  // tried. They are usually of one kind, as in Concat, and each trial compares all of them.
  void FindRanks() {
    const size_t count = operands().size();
    const size_t tried = std::min(count, kMaxComparisons / std::max<size_t>(count * count, 1));
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < tried; ++i) {
        if (!operands()[i].given || !FindRank(i)) continue;
        changed = true;
        if (MaySucceed()) TakeRefined();
      }
    }
  }

  // Narrows the range of ranks of an operand. Returns whether it changed.
  bool FindRank(size_t operand) {
    Type& type = operands()[operand].type;
    if (!type.is_tensor() || type.shape.is_none() || type.shape.has_rank()) return false;
    const Shape before = type.shape;
    const int lowest = before.min_rank(), highest = before.max_rank();
    int low = lowest, high = highest;
    closest_ = lowest;
    while (low <= std::min(highest, kUsualRank) && !MayHaveRank(operand, low)) ++low;
    // If unusual ranks are possible, the exact upper bound is useless.
    const bool is_open = low <= kUsualRank && high > kUsualRank && MayHaveRank(operand, kUsualRank + 1);
    if (!is_open && high > kUsualRank) {
      type.shape = context_->UnknownShape(std::max(low, kUsualRank + 1), high);
      if (!MaySucceed()) high = kUsualRank;
    }
    while (low > kUsualRank && low <= high && !MayHaveRank(operand, low)) ++low;
    while (!is_open && high > low && !MayHaveRank(operand, high)) --high;
    type.shape = before;
    if (low == lowest && high == highest) return false;
    if (low > high) {  // no rank is possible: the run with the closest rank reports the error
      type.shape = OfRank(operand, closest_);
      return false;
    }
    type.shape = low == high ? OfRank(operand, low) : context_->UnknownShape(low, high);
    return true;
  }

  // For an unusual rank, the ranks of results are compared before any query about sizes, because there are
  // many sizes.
  bool MayHaveRank(size_t operand, int rank) {
    operands()[operand].type.shape = rank > kUsualRank ? OfProbe(operand, rank) : OfRank(operand, rank);
    if (rank > kUsualRank && !MayRanksMatch()) return false;
    Code code{};
    const bool may_be = context_->WouldHold([&] {
      Status status = Forward();
      if (!status) code = status.error().code;
      return status;
    }) != Truth::kNo;
    if (!may_be && code != Code::kRankMismatch && closest_ == 0) closest_ = rank;
    return may_be;
  }
  bool MaySucceed() {
    return context_->WouldHold([&] { return Forward(); }) != Truth::kNo;
  }
  bool MayRanksMatch() {
    application_.only_ranks = true;
    const Status status = RunParts(rule_, application_, &host_, &scratch_);
    application_.only_ranks = false;
    if (!status) return status.error().code == Code::kRuleLimit;
    const std::span<const Type> known = context_->known_outputs();
    for (size_t i = 0; i < std::min(known.size(), scratch_.outcome.results.size()); ++i) {
      const Shape a = known[i].shape, b = scratch_.outcome.results[i].shape;
      if (!a.is_none() && !b.is_none() && (a.max_rank() < b.min_rank() || b.max_rank() < a.min_rank()))
        return false;
    }
    return true;
  }

  // Returns a shape for trials that is never stored. Its symbols are shared by all nodes, because there are
  // many.
  Shape OfProbe(size_t operand, int rank) {
    constexpr uint64_t kProbes = 0x70726f6265u;
    std::vector<Dim> sizes;
    for (int axis = 0; axis < rank; ++axis) {
      const SymbolKey key{kProbes, static_cast<uint32_t>(operand), static_cast<uint32_t>(axis)};
      sizes.push_back(context_->dims().Fresh(key, 0, INT64_MAX));
    }
    return context_->analysis().shapes().Make(sizes);
  }

  Shape OfRank(size_t operand, int rank) {
    if (sizes_.size() <= operand) sizes_.resize(operand + 1);
    std::vector<Dim>& sizes = sizes_[operand];
    while (sizes.size() < static_cast<size_t>(rank)) {
      sizes.push_back(host_.Fresh(rules::OperandRole(operand, static_cast<int>(sizes.size())), 0, INT64_MAX));
    }
    return context_->analysis().shapes().Make(std::span<const Dim>(sizes.data(), static_cast<size_t>(rank)));
  }

  const rules::Rule& rule_;
  rules::Application application_;
  RuleScratch& scratch_;
  InferenceContext* context_;
  ContextHost host_;
  std::vector<std::vector<Dim>> sizes_;  // symbols for the sizes of operands of unknown rank
  int closest_ = 0;                      // the first failing rank whose error is not about the rank
};

}  // namespace

Status RunBothWays(const rules::Rule& rule, const rules::Application& application, RuleScratch* scratch,
                   InferenceContext* context) {
  return BothWays(rule, application, scratch, context).Run();
}

}  // namespace dimwise
