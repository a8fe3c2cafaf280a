#include "rules/plans.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/hash_mix.h"
#include "rules/recording.h"

namespace dimwise::rules {
namespace {

constexpr int kOften = 8;          // how often a kind comes before it is worth a recording
constexpr size_t kMaxPlans = 32;   // of one rule, with those that could not be recorded
constexpr size_t kMaxCounted = 16;
constexpr int kMaxMisses = 32;     // in a row, of operands that a plan looks right for

// A number that is the same for the same kind; that it is the same for others does no harm.
uint64_t HashOf(const Application& a, const RuleCode& code) {
  uint64_t hash = HashMix(static_cast<uint64_t>(a.version), static_cast<uint64_t>(a.result_count));
  for (const Operand& o : a.operands) {
    hash = HashMix(hash, o.given ? static_cast<uint64_t>(o.type.element) + 1 : 0);
    if (!o.given || !o.type.is_tensor() || o.type.shape.is_none()) continue;
    for (Dim d : o.type.shape.dims()) hash = HashMix(hash, d.is_constant() ? 1 : 2);
  }
  for (size_t i = 0; i < code.attributes.size(); ++i) {
    const AttrValue* v = a.attributes->values[i];
    if (v == nullptr) continue;
    hash = HashMix(hash, i);
    if (const int64_t* n = v->get_if<int64_t>()) hash = HashMix(hash, static_cast<uint64_t>(*n));
    if (code.attributes[i].kind != AttributeKind::kInts) continue;
    for (Dim d : a.attributes->lists[i]) hash = HashMix(hash, static_cast<uint64_t>(d.bits()));
  }
  return hash;
}

// Tensors may be large, and views of what does not last; functions are not for rules.
bool MayKeep(const AttrMap& attrs) {
  return std::ranges::all_of(attrs, [](const AttrEntry& entry) {
    switch (entry.value.kind()) {
      case AttrKind::kInt:
      case AttrKind::kFloat:
      case AttrKind::kBool:
      case AttrKind::kString:
      case AttrKind::kType:
      case AttrKind::kInts:
      case AttrKind::kFloats:
      case AttrKind::kStrings:
        return true;
      default:
        return false;
    }
  });
}

}  // namespace

struct Plans::Plan {
  int version;
  AttrMap attrs;
  Recording recording;
  int misses = 0;  // since it last answered
};

struct Plans::OfRule {
  std::vector<std::unique_ptr<Plan>> plans;  // those that were of use last come first
  size_t attempts = 0;                       // to record
  struct Counted {
    uint64_t hash = 0;
    int count = 0;
  };
  std::array<Counted, kMaxCounted> counted;
  size_t next = 0;
};

Plans::Plans() = default;
Plans::~Plans() = default;
Plans& Plans::operator=(Plans&& other) noexcept = default;

bool Plans::Apply(const RuleCode& code, std::span<const Operand> operands, const AttrMap& attrs, int version, Site& site, std::span<Type> results) {
  if (code.id >= rules_.size() || rules_[code.id] == nullptr) return false;
  std::vector<std::unique_ptr<Plan>>& plans = rules_[code.id]->plans;
  for (size_t k = 0; k < plans.size(); ++k) {
    Plan& plan = *plans[k];
    Recording& recording = plan.recording;
    if (plan.version != version || recording.result_count() != results.size() || !recording.Suits(operands)) continue;
    if (plan.attrs.size() != attrs.size() || (!attrs.empty() && !(plan.attrs == attrs))) continue;
    if (!recording.Run(operands, site)) {
      if (++plan.misses < kMaxMisses) continue;
      plans.erase(plans.begin() + static_cast<std::ptrdiff_t>(k--));
      continue;
    }
    plan.misses = 0;
    if (k > 0) std::swap(plans[k - 1], plans[k]);
    for (size_t i = 0; i < results.size(); ++i) {
      results[i] = recording.Result(i, operands, site);
      if (code.has_values && MayHaveContents(results[i])) return false;
    }
    return true;
  }
  return false;
}

void Plans::Learn(const RuleCode& code, const Application& a, const AttrMap& attrs, std::span<const Type> results, Site& site, Evaluator* evaluator) {
  if (code.has_values && std::ranges::any_of(results, MayHaveContents)) return;
  if (code.id >= rules_.size()) rules_.resize(code.id + 1);
  if (rules_[code.id] == nullptr) rules_[code.id] = std::make_unique<OfRule>();
  OfRule& of_rule = *rules_[code.id];
  if (of_rule.attempts >= kMaxPlans || !MayKeep(attrs)) return;
  const uint64_t hash = HashOf(a, code);
  auto at = std::ranges::find(of_rule.counted, hash, &OfRule::Counted::hash);
  if (at == of_rule.counted.end()) {
    at = of_rule.counted.begin() + static_cast<std::ptrdiff_t>(of_rule.next++ % kMaxCounted);
    *at = {hash, 0};
  }
  if (at->count >= kOften || ++at->count < kOften) return;
  ++of_rule.attempts;
  std::optional<Recording> recording = Recording::Make(code, a, &site, evaluator);
  if (recording && recording->Suits(a.operands) && recording->Run(a.operands, site)) {
    of_rule.plans.push_back(std::make_unique<Plan>(Plan{a.version, attrs, *std::move(recording)}));
  }
}

}  // namespace dimwise::rules
