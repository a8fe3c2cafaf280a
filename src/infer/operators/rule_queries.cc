// Applications of a rule without an inference context and without side effects.
#include <algorithm>

#include "infer/context/certain_size.h"
#include "infer/operators/rule_function.h"
#include "infer/operators/rule_run.h"

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
  Dim Simplify(Dim d) override {
    return analysis_.facts().Simplify(d, scope_, FactFilter::kWithoutChecked, /*solve=*/true);
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

// A host for property expressions. Its answers rest neither on guards nor on assumptions, so the values hold
// in every run. Its unknowns must not reach a value.
class PropertyHost : public QueryingHost {
 public:
  using QueryingHost::QueryingHost;
  Truth Query(const Literal& literal, FactFilter) override { return Certain(literal); }
  Truth Query(const Clause& clause, FactFilter) override { return Certain(clause); }
  Dim Simplify(Dim d) override { return d; }  // the simplest form may rest on assumptions
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

bool HasSize(const rules::Operand& operand, Dim d) {
  const Shape shape = operand.given && operand.type.is_tensor() ? operand.type.shape : Shape();
  return !shape.is_none() && !shape.is_constant() && std::ranges::find(shape.dims(), d) != shape.dims().end();
}

rules::Application ApplicationOf(const rules::Rule& rule, const BareCall& call,
                                 const rules::BoundAttributes& attributes, size_t results) {
  rules::Application application;
  application.op = rule.name;
  application.operands = call.operands;
  application.attributes = &attributes;
  application.version = rule.VersionFor(call.version);
  application.result_count = static_cast<int>(results);
  return application;
}

}  // namespace

bool ApplyTrace(const rules::Rule& rule, const BareCall& call, std::span<Type> results,
                std::span<Value> contents) {
  RuleScratch& scratch = RuleScratch::OfThread();
  QueryingHost host(call.analysis, call.scope);
  if (!scratch.traces.Apply(*rule.code, call.operands, call.attrs, rule.VersionFor(call.version), host,
                            results, contents))
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
  ++scratch.answers_by_traces;
  return true;
}

bool QueryRule(const rules::Rule& rule, const BareCall& call, std::span<Type> results,
               std::span<Value> contents) {
  RuleScratch& scratch = RuleScratch::OfThread();
  if (!rules::Bind(*rule.code, call.attrs, rule.name, rule.HasOnnxNumbers(), &scratch.attributes))
    return false;
  const rules::Application application = ApplicationOf(rule, call, scratch.attributes, results.size());
  TrialHost host(call.analysis, call.scope);
  rules::Outcome& outcome = scratch.outcome;
  if (!scratch.evaluator.Run(*rule.code, application, &host, &outcome) || host.assumes()) return false;
  std::ranges::copy_n(outcome.results.begin(), static_cast<ptrdiff_t>(results.size()), results.begin());
  std::ranges::copy_n(outcome.contents.begin(), static_cast<ptrdiff_t>(contents.size()), contents.begin());
  return true;
}

Dim EvaluateProperty(const rules::Rule& rule, const BareCall& call, std::span<const Type> result_types,
                     PropertyExpr expression) {
  RuleScratch& scratch = RuleScratch::OfThread();
  if (expression == kNoExpr ||
      !rules::Bind(*rule.code, call.attrs, rule.name, rule.HasOnnxNumbers(), &scratch.attributes))
    return Dim();
  rules::Application application = ApplicationOf(rule, call, scratch.attributes, result_types.size());
  application.result_types = result_types;
  application.quiet = true;
  PropertyHost host(call.analysis, call.scope);
  const Dim value = scratch.evaluator.RunExpression(*rule.code, application, &host, expression);
  return host.HasUnknown(value) ? Dim() : value;
}

}  // namespace dimwise
