// One run of a rule in an inference context: the host of the rule, the buffers, and the parts of a rule that
// is declared in parts.
#ifndef DIMWISE_INFER_OPERATORS_RULE_RUN_H_
#define DIMWISE_INFER_OPERATORS_RULE_RUN_H_

#include <optional>
#include <vector>

#include "core/base/hash_mix.h"
#include "dimwise/inference_context.h"
#include "infer/context/unknown_key.h"
#include "rules/compile/library.h"
#include "rules/evaluate/evaluator.h"
#include "rules/evaluate/trace_cache.h"

namespace dimwise {

// The host of a rule in an inference context. Unknowns with different bounds are different unknowns, even in
// the same role.
class ContextHost : public rules::RuleHost {
 public:
  explicit ContextHost(InferenceContext* context) : context_(context) {}

  Analysis& analysis() override { return context_->analysis(); }

  // Starts a part of an operator that is declared in parts. Each part has separate unknowns.
  void BeginPart(uint64_t part) { part_ = part; }

  Dim Fresh(uint32_t role, int64_t min, int64_t max) override {
    if (context_->node().owner != 0)
      return analysis().dims().Fresh(Key(role, min, max), min, max, context_->Origin());
    for (const Known& known : fresh_) {
      if (known.part == part_ && known.role == role && known.min == min && known.max == max) return known.dim;
    }
    const Dim d = context_->UnknownDim(min, max);
    fresh_.push_back({part_, role, min, max, d});
    return d;
  }

  Shape FreshShape(uint32_t role, int min_rank, int max_rank) override {
    if (context_->node().owner == 0) return context_->UnknownShape(min_rank, max_rank);
    const bool any = min_rank <= 0 && max_rank >= kMaxRank;
    const SymbolKey key = Key(role | 0x80000000u, any ? 0 : min_rank, any ? INT64_MAX : max_rank);
    return analysis().shapes().Unknown(key, min_rank, max_rank);
  }

  Truth Query(const Literal& literal, FactFilter filter) override {
    return context_->facts().Holds(literal, context_->scope(), filter);
  }
  Truth Query(const Clause& clause, FactFilter filter) override {
    return context_->facts().Holds(clause, context_->scope(), filter);
  }

  Dim Simplify(Dim d) override {
    return context_->facts().Simplify(d, context_->scope(), FactFilter::kWithoutChecked, /*solve=*/true);
  }
  Status Require(const Condition& condition, rules::Words words, Code code) override {
    return context_->Require(condition, Message(words), code);
  }
  void Ensure(const Condition& condition) override { context_->Ensure(condition); }
  Result<std::optional<std::vector<Type>>> InferRegion(std::string_view name,
                                                       std::span<const Type> operands) override {
    CarriedRegions* regions = context_->node().regions;
    if (regions == nullptr || context_->is_query()) return std::optional<std::vector<Type>>();
    return regions->Infer(name, operands);
  }

 private:
  struct Known {
    uint64_t part;
    uint32_t role;
    int64_t min, max;
    Dim dim;
  };

  SymbolKey Key(uint32_t role, int64_t min, int64_t max) const {
    SymbolKey key = KeyOfUnknown(context_->node(), role, min, max);
    if (part_ != 0) key.path = HashMix(key.path, part_);
    return key;
  }

  InferenceContext* context_;
  uint64_t part_ = 0;
  std::vector<Known> fresh_;
};

// Buffers that are reused by all applications of a thread.
struct RuleScratch {
  rules::Evaluator evaluator;
  rules::Outcome outcome;
  rules::BoundAttributes attributes;
  std::vector<rules::BoundAttributes> attributes_of_parts;
  std::vector<rules::Operand> operands;
  rules::Outcome part;
  rules::TraceCache traces;
  uint64_t answers_by_traces = 0;

  static RuleScratch& OfThread() {
    thread_local RuleScratch scratch;
    return scratch;
  }
};

// Runs all parts of a rule with bound attributes, and combines their results in scratch->outcome.
Status RunParts(const rules::Rule& rule, const rules::Application& application, ContextHost* host,
                RuleScratch* scratch);

}  // namespace dimwise

#endif  // DIMWISE_INFER_OPERATORS_RULE_RUN_H_
