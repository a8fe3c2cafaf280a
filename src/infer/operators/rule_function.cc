#include "infer/operators/rule_function.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "core/base/hash_mix.h"
#include "infer/context/certain_size.h"
#include "infer/context/unknown_key.h"
#include "rules/evaluate/evaluator.h"
#include "rules/evaluate/trace_cache.h"

namespace dimwise {
namespace {

// A host for traces: it answers queries and has no effects.
class QueryingHost : public rules::RuleHost {
 public:
  QueryingHost(Analysis& analysis, ScopeId scope) : analysis_(analysis), scope_(scope) {}

  Analysis& analysis() override { return analysis_; }
  Truth Query(const Literal& literal, FactFilter filter) override {
    return analysis_.facts().Holds(literal, scope_, filter);
  }
  Truth Query(const Clause& clause, FactFilter filter) override {
    return analysis_.facts().Holds(clause, scope_, filter);
  }
  Dim Fresh(uint32_t, int64_t, int64_t) override { return {}; }
  Shape FreshShape(uint32_t, int, int) override { return {}; }
  Status Require(const Condition&, rules::Words, Code) override { return {}; }
  void Ensure(const Condition&) override {}

 private:
  Analysis& analysis_;
  const ScopeId scope_;
};

// A host that can also create unknowns, which are discarded.
class TrialHost : public QueryingHost {
 public:
  using QueryingHost::QueryingHost;
  Dim Fresh(uint32_t, int64_t min, int64_t max) override { return analysis().dims().Fresh(min, max); }
  Status Require(const Condition&, rules::Words, Code code) override {
    assumes_ = assumes_ || code == Code::kAssumption;
    return {};
  }
  // Returns whether the results depend on a condition that is no requirement.
  bool assumes() const { return assumes_; }

 private:
  bool assumes_ = false;
};

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

  Status Require(const Condition& condition, rules::Words words, Code code) override {
    return context_->Require(condition, Message(words), code);
  }
  void Ensure(const Condition& condition) override { context_->Ensure(condition); }
  Result<std::optional<std::vector<Type>>> InferRegion(std::string_view name,
                                                       std::span<const Type> operands) override {
    CarriedRegions* regions = context_->node().regions;
    if (regions == nullptr || context_->is_question()) return std::optional<std::vector<Type>>();
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
struct Scratch {
  rules::Evaluator evaluator;
  rules::Outcome outcome;
  rules::BoundAttributes attributes;
  std::vector<rules::BoundAttributes> attributes_of_parts;
  std::vector<rules::Operand> operands;
  rules::Outcome part;
  rules::TraceCache traces;
  uint64_t planned = 0;

  static Scratch& OfThread() {
    thread_local Scratch scratch;
    return scratch;
  }
};

// Copies one part of a type.
void Take(rules::Part part, const Type& from, Type* to) {
  if (from.kind == TypeKind::kUnknown) return;
  if (to->kind == TypeKind::kUnknown) *to = Type::Tensor(ElementType::kUnknown, from.shape);
  if (part == rules::Part::kAll || part == rules::Part::kShape) to->shape = from.shape;
  if (part == rules::Part::kAll || part == rules::Part::kType) to->element = from.element;
  if (part == rules::Part::kStorage) to->storage = from.storage;
}

// Runs all parts of a rule with bound attributes, and combines their results.
Status RunParts(const rules::Rule& rule, const rules::Application& application, ContextHost* host,
                Scratch* scratch) {
  rules::Outcome& outcome = scratch->outcome;
  if (Status s = scratch->evaluator.Run(*rule.code, application, host, &outcome); !s) return s;
  for (size_t i = 0; i < rule.more.size(); ++i) {
    const rules::RulePart& more = rule.more[i];
    rules::Application of_part = application;
    of_part.attributes = &scratch->attributes_of_parts[i];
    host->BeginPart(i + 1);
    Status status = scratch->evaluator.Run(*more.code, of_part, host, &scratch->part);
    host->BeginPart(0);
    if (!status) return status;
    for (size_t k = 0; k < outcome.results.size(); ++k)
      Take(more.part, scratch->part.results[k], &outcome.results[k]);
    for (size_t k = 0; k < outcome.refined.size(); ++k) {
      Type& refined = outcome.refined[k];
      if (scratch->part.refined[k].kind == TypeKind::kUnknown) continue;
      if (refined.kind == TypeKind::kUnknown) refined = application.operands[k].type;
      Take(more.part, scratch->part.refined[k], &refined);
    }
    for (size_t k = 0; k < outcome.contents.size(); ++k) {
      if (outcome.contents[k] == Value()) outcome.contents[k] = scratch->part.contents[k];
    }
  }
  return {};
}

// If a rule is applied `over` existing outputs, sets only the parts that it defines.
void SetOutput(const rules::Rule& rule, int64_t i, Type type, bool over, InferenceContext* context) {
  if (type.kind == TypeKind::kUnknown) return;
  if (over) {
    const Type before = context->full_output_type(i);
    if (!rule.Fills(rules::Part::kShape) && before.is_tensor()) type.shape = before.shape;
    if (!rule.Fills(rules::Part::kType)) type.element = before.element;
    if (!rule.Fills(rules::Part::kStorage)) type.storage = before.storage;
  }
  context->set_full_output_type(i, type);
}

void SetOutputs(const rules::Rule& rule, const rules::Outcome& outcome, bool over,
                InferenceContext* context) {
  for (int i = 0; i < context->num_outputs(); ++i) {
    const auto k = static_cast<size_t>(i);
    SetOutput(rule, i, outcome.results[k], over, context);
    if (outcome.results[k].kind != TypeKind::kUnknown && outcome.contents[k] != Value())
      context->set_output_value(i, outcome.contents[k]);
  }
}

// Applies a rule in both directions. The rule itself runs only forward. The rank of an operand is inferred
// backward by trial: a rank is excluded if the rule, or the merge of its results with the known results,
// fails in every run. Sizes are symbols; the facts from the merge determine them.
class BothWays {
 public:
  BothWays(const rules::Rule& rule, const rules::Application& application, Scratch* scratch,
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
  Scratch& scratch_;
  InferenceContext* context_;
  ContextHost host_;
  std::vector<std::vector<Dim>> sizes_;  // symbols for the sizes of operands of unknown rank
  int closest_ = 0;                      // the first failing rank whose error is not about the rank
};

// Evaluates the rule for operands without a trace.
Status ApplyWithoutTrace(const rules::Rule& rule, int version, bool over, ContextHost* host, Scratch* scratch,
                         InferenceContext* context) {
  if (Status s =
          rules::Bind(*rule.code, context->attrs(), rule.name, rule.HasOnnxNumbers(), &scratch->attributes);
      !s)
    return s;
  if (scratch->attributes_of_parts.size() < rule.more.size())
    scratch->attributes_of_parts.resize(rule.more.size());
  for (size_t i = 0; i < rule.more.size(); ++i) {
    if (Status s = rules::Bind(*rule.more[i].code, context->attrs(), rule.name, rule.HasOnnxNumbers(),
                               &scratch->attributes_of_parts[i]);
        !s)
      return s;
  }
  rules::Application application;
  application.op = rule.name;
  application.operands = scratch->operands;
  application.attributes = &scratch->attributes;
  application.version = version;
  application.result_count = context->num_outputs();
  if (context->asks_about_inputs()) {
    if (Status s = BothWays(rule, application, scratch, context).Run(); !s) return s;
    SetOutputs(rule, scratch->outcome, over, context);
    return {};
  }
  if (Status s = RunParts(rule, application, host, scratch); !s) return s;
  SetOutputs(rule, scratch->outcome, over, context);
  if (MayUseTrace(rule) && context->guards().empty() && context->constraints().empty()) {
    scratch->traces.Learn(*rule.code, application, context->attrs(), scratch->outcome, *host,
                          &scratch->evaluator);
  }
  return {};
}

void ReadOperands(InferenceContext* context, std::vector<rules::Operand>* operands) {
  const bool both_ways = context->asks_about_inputs();
  operands->resize(static_cast<size_t>(context->num_inputs()));
  int64_t i = 0;
  for (rules::Operand& o : *operands) {
    o.given = context->has_input(i);
    o.type = !o.given ? Type() : both_ways ? context->refined_input_type(i) : context->full_input_type(i);
    o.value = o.given ? context->input_tensor(i) : Value();
    ++i;
  }
}

Status ApplyWith(Scratch* scratch, const rules::Rule& rule, bool over, InferenceContext* context) {
  ReadOperands(context, &scratch->operands);
  const int version = rule.VersionFor(context->node().version);
  ContextHost host(context);
  if (MayUseTrace(rule) && !context->asks_about_inputs()) {
    rules::Outcome& outcome = scratch->outcome;
    outcome.results.resize(static_cast<size_t>(context->num_outputs()));
    outcome.contents.resize(outcome.results.size());
    if (scratch->traces.Apply(*rule.code, scratch->operands, context->attrs(), version, host, outcome.results,
                              outcome.contents)) {
      ++scratch->planned;
      SetOutputs(rule, outcome, over, context);
      return {};
    }
  }
  return ApplyWithoutTrace(rule, version, over, &host, scratch, context);
}

Status Apply(const rules::Rule& rule, bool over, InferenceContext* context) {
  if (rule.code->regions.empty()) return ApplyWith(&Scratch::OfThread(), rule, over, context);
  // Inside a region, other rules run before this one has finished, so it needs its own buffers.
  const auto own = std::make_unique<Scratch>();
  return ApplyWith(own.get(), rule, over, context);
}

}  // namespace

Status ApplyRule(const rules::Rule& rule, InferenceContext* context) {
  return Apply(rule, /*over=*/false, context);
}

Status ApplyRuleOver(const rules::Rule& rule, InferenceContext* context) {
  return Apply(rule, /*over=*/true, context);
}

namespace {

bool HasSize(const rules::Operand& operand, Dim d) {
  const Shape shape = operand.given && operand.type.is_tensor() ? operand.type.shape : Shape();
  return !shape.is_none() && !shape.is_constant() && std::ranges::find(shape.dims(), d) != shape.dims().end();
}

}  // namespace

bool MayUseTrace(const rules::Rule& rule) { return rule.more.empty() && rule.code->regions.empty(); }

bool ApplyTrace(const rules::Rule& rule, const BareCall& call, rules::PlanHint* hint, std::span<Type> results,
                std::span<Value> contents) {
  Scratch& scratch = Scratch::OfThread();
  QueryingHost host(call.analysis, call.scope);
  if (!scratch.traces.Apply(*rule.code, call.operands, call.attrs, rule.VersionFor(call.version), host,
                            results, contents, hint))
    return false;
  DimTable& dims = call.analysis.dims();
  const auto is_size = [&](Dim d) {
    if (d.is_constant()) return d.constant() >= 0;
    return std::ranges::any_of(call.operands, [&](const rules::Operand& o) { return HasSize(o, d); }) ||
           IsCertainlySize(dims, d);
  };
  for (const Type& type : results) {
    if (!type.is_tensor() || type.shape.is_none()) return false;
    const auto is_same = [&](const rules::Operand& o) { return o.given && o.type.shape == type.shape; };
    if (!std::ranges::any_of(call.operands, is_same) && !std::ranges::all_of(type.shape.dims(), is_size))
      return false;
  }
  ++scratch.planned;
  return true;
}

bool QueryRule(const rules::Rule& rule, const BareCall& call, std::span<Type> results,
               std::span<Value> contents) {
  Scratch& scratch = Scratch::OfThread();
  if (!rules::Bind(*rule.code, call.attrs, rule.name, rule.HasOnnxNumbers(), &scratch.attributes))
    return false;
  rules::Application application;
  application.op = rule.name;
  application.operands = call.operands;
  application.attributes = &scratch.attributes;
  application.version = rule.VersionFor(call.version);
  application.result_count = static_cast<int>(results.size());
  TrialHost host(call.analysis, call.scope);
  rules::Outcome& outcome = scratch.outcome;
  if (!scratch.evaluator.Run(*rule.code, application, &host, &outcome) || host.assumes()) return false;
  std::ranges::copy_n(outcome.results.begin(), static_cast<ptrdiff_t>(results.size()), results.begin());
  std::ranges::copy_n(outcome.contents.begin(), static_cast<ptrdiff_t>(contents.size()), contents.begin());
  return true;
}

namespace {

// A host for property expressions. Its answers rest neither on guards nor on assumptions, so the values hold
// in every run. Its unknowns must not reach a value.
class PropertySite : public QueryingHost {
 public:
  using QueryingHost::QueryingHost;
  Truth Query(const Literal& literal, FactFilter) override { return Certain(literal); }
  Truth Query(const Clause& clause, FactFilter) override { return Certain(clause); }
  Dim Fresh(uint32_t, int64_t min, int64_t max) override {
    return unknowns_.emplace_back(analysis().dims().Fresh(min, max));
  }
  bool HasUnknown(Dim d) {
    if (!d.is_expression() || unknowns_.empty()) return false;
    return std::ranges::any_of(analysis().dims().SymbolsOf(d),
                               [&](Dim s) { return std::ranges::find(unknowns_, s) != unknowns_.end(); });
  }

 private:
  template <typename Question>
  Truth Certain(const Question& question) {
    const Truth answer = QueryingHost::Query(question, FactFilter::kWithoutChecked);
    return answer == QueryingHost::Query(question, FactFilter::kWithoutAssumed) ? answer : Truth::kMaybe;
  }

  std::vector<Dim> unknowns_;
};

}  // namespace

void EvaluateProperties(const rules::Rule& rule, const BareCall& call, std::span<const Type> result_types,
                        std::span<const PropertyExpr> expressions, std::span<Dim> values) {
  std::ranges::fill(values, Dim());
  Scratch& scratch = Scratch::OfThread();
  if (!rules::Bind(*rule.code, call.attrs, rule.name, rule.HasOnnxNumbers(), &scratch.attributes)) return;
  rules::Application application;
  application.op = rule.name;
  application.operands = call.operands;
  application.attributes = &scratch.attributes;
  application.version = rule.VersionFor(call.version);
  application.result_count = static_cast<int>(result_types.size());
  application.result_types = result_types;
  application.quiet = true;
  PropertySite host(call.analysis, call.scope);
  scratch.evaluator.RunExpressions(*rule.code, application, &host, expressions, values);
  for (Dim& value : values) {
    if (host.HasUnknown(value)) value = Dim();
  }
}

uint64_t AnswersByTraces() { return Scratch::OfThread().planned; }

void ForgetTraces() { Scratch::OfThread().traces = rules::TraceCache(); }

ShapeFn ShapeFunctionOf(const rules::Rule& rule) { return RuleShapeFn{&rule}; }

}  // namespace dimwise
