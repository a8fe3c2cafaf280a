#include "rules/evaluate/trace_cache.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/hash_mix.h"
#include "rules/evaluate/trace.h"

namespace dimwise::rules {
namespace {

constexpr int kOften = 8;  // applications of a kind before it is recorded
constexpr size_t kMaxCachedTraces =
    128;                       // per rule; beyond it all are discarded, because the program has changed
constexpr int kMaxOfKind = 8;  // traces of one kind with different paths
constexpr size_t kMaxFailures = 32;
constexpr size_t kRest = 8192;  // applications until recording is tried again after too many failures
constexpr size_t kMaxCounted = 64;
constexpr int64_t kMaxElements = 8;  // of a tensor attribute
constexpr int kMaxMisses = 32;       // consecutive failures of a trace whose kind matches

// Returns a hash of the kind. Kinds with the same hash are counted together.
uint64_t HashOf(const Application& a, const RuleCode& code, const AttrMap& attrs) {
  uint64_t hash = HashMix(static_cast<uint64_t>(a.version), static_cast<uint64_t>(a.result_count));
  for (size_t i = 0; i < a.operands.size(); ++i) {
    const Operand& o = a.operands[i];
    hash = HashMix(hash, o.given ? static_cast<uint64_t>(o.type.element) + 1 : 0);
    if (!o.given || !o.type.is_tensor() || o.type.shape.is_none()) continue;
    const bool is_small = a.want_contents && MayHaveContents(o.type);
    for (Dim d : o.type.shape.dims())
      hash = HashMix(hash, is_small ? static_cast<uint64_t>(d.bits()) : d.is_constant() ? 1 : 2);
    if (!o.value.is_none() && (a.want_contents || code.ReadsContents(i)))
      hash = HashMix(hash, static_cast<uint64_t>(o.value.size()));
  }
  return attrs.empty() ? hash : HashMix(hash, dimwise::HashOf(attrs));
}

// Returns whether the attributes can be stored. Tensors may be large, unread lists refer to a file, and rules
// do not use functions.
bool MayStore(const AttrMap& attrs) {
  return std::ranges::all_of(attrs, [](const AttrEntry& entry) {
    if (entry.value.IsUnread()) return false;
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
      case AttrKind::kTensor:
        return entry.value.get_if<TensorValue>()->ElementCount().value_or(INT64_MAX) <= kMaxElements;
      default:
        return false;
    }
  });
}

}  // namespace

struct TraceCache::OfRule {
  struct CachedTrace {
    int version;
    int misses;  // since the last success
    std::unique_ptr<Trace> trace;
  };
  struct OfAttributes {
    AttrMap attrs;
    std::vector<CachedTrace> traces;  // most recently used first
  };
  std::vector<OfAttributes> attributes;
  size_t traces = 0, failures = 0;  // successful and failed recordings
  size_t rested = 0;                // applications since there were too many failures
  struct Counted {
    uint64_t hash = 0;
    int count = 0;  // kOften: recording failed, or there are enough traces
    int made = 0;
  };
  std::array<Counted, kMaxCounted> counted;
  size_t next = 0;

  // Returns the index of these attributes, or the number of entries if they are not found.
  size_t Find(const AttrMap& attrs) const {
    size_t index = 0;
    for (const OfAttributes& a : attributes) {
      if (a.attrs.size() == attrs.size() && (attrs.empty() || a.attrs == attrs)) break;
      ++index;
    }
    return index;
  }
};

TraceCache::TraceCache() = default;
TraceCache::~TraceCache() = default;
TraceCache& TraceCache::operator=(TraceCache&& other) noexcept = default;

bool TraceCache::Apply(const RuleCode& code, std::span<const Operand> operands, const AttrMap& attrs,
                       int version, RuleHost& host, std::span<Type> results, std::span<Value> contents) {
  if (code.id >= rules_.size() || rules_[code.id] == nullptr) return false;
  OfRule& of_rule = *rules_[code.id];
  const size_t found = of_rule.Find(attrs);
  if (found == of_rule.attributes.size()) return false;
  std::vector<OfRule::CachedTrace>& traces = of_rule.attributes[found].traces;
  for (size_t k = 0; k < traces.size(); ++k) {
    OfRule::CachedTrace& cached = traces[k];
    Trace& trace = *cached.trace;
    if (cached.version != version || trace.result_count() != results.size() || !trace.Suits(operands))
      continue;
    if (!trace.Run(operands, host)) {
      if (++cached.misses < kMaxMisses) continue;
      traces.erase(traces.begin() + static_cast<std::ptrdiff_t>(k--));
      continue;
    }
    cached.misses = 0;
    bool is_complete = true;  // a trace without contents applies to results without contents
    for (size_t i = 0; i < results.size() && is_complete; ++i) {
      results[i] = trace.Result(i, operands, host);
      contents[i] = Value();
      is_complete = !code.has_values || trace.Contents(i, results[i], operands, host, &contents[i]);
    }
    if (!is_complete) continue;
    if (k > 0) std::swap(traces[k - 1], traces[k]);
    return true;
  }
  return false;
}

// Returns whether a trace reproduces the results of the rule.
bool TraceCache::Agrees(Trace& trace, const RuleCode& code, const Application& a, const Outcome& outcome,
                        RuleHost& host) {
  if (!trace.Suits(a.operands) || !trace.Run(a.operands, host)) return false;
  for (size_t i = 0; i < outcome.results.size(); ++i) {
    Value contents;
    const Type type = trace.Result(i, a.operands, host);
    if (type != outcome.results[i] ||
        (code.has_values && !trace.Contents(i, type, a.operands, host, &contents)) ||
        contents != outcome.contents[i])
      return false;
  }
  return true;
}

void TraceCache::Learn(const RuleCode& code, const Application& a, const AttrMap& attrs,
                       const Outcome& outcome, RuleHost& host, Evaluator* evaluator) {
  if (a.operands.empty()) return;
  if (code.id >= rules_.size()) rules_.resize(code.id + 1);
  if (rules_[code.id] == nullptr) rules_[code.id] = std::make_unique<OfRule>();
  OfRule& of_rule = *rules_[code.id];
  if (of_rule.failures >= kMaxFailures) {
    if (++of_rule.rested < kRest) return;
    of_rule.failures = of_rule.rested = 0;
  }
  if (!MayStore(attrs)) return;
  Application application = a;
  application.want_contents =
      code.has_values && (std::ranges::any_of(outcome.results, MayHaveContents) ||
                          std::ranges::any_of(outcome.contents, [](Value v) { return v != Value(); }));
  const uint64_t hash = HashOf(application, code, attrs);
  auto at = std::ranges::find(of_rule.counted, hash, &OfRule::Counted::hash);
  if (at == of_rule.counted.end()) {
    at = of_rule.counted.begin() + static_cast<std::ptrdiff_t>(of_rule.next++ % kMaxCounted);
    *at = {hash, 0, 0};
  }
  if (at->count == kOften || ++at->count < kOften) return;
  std::optional<Trace> trace = Trace::Make(code, application, &host, evaluator,
                                           [&](Trace& r) { return Agrees(r, code, a, outcome, host); });
  if (!trace) {
    ++of_rule.failures;
    return;
  }
  // Other operands of the kind may take another path, such as another element of a Gather.
  at->count = ++at->made < kMaxOfKind ? 0 : kOften;
  if (++of_rule.traces > kMaxCachedTraces) {
    of_rule.attributes.clear();
    of_rule.traces = 1;
  }
  const size_t index = of_rule.Find(attrs);
  if (index == of_rule.attributes.size()) of_rule.attributes.push_back({attrs, {}});
  of_rule.attributes[index].traces.push_back({a.version, 0, std::make_unique<Trace>(*std::move(trace))});
}

}  // namespace dimwise::rules
