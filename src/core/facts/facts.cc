// Constraints and queries. core/facts/fact_store.h stores the constraints.
#include "dimwise/facts.h"

#include <algorithm>
#include <utility>

#include "core/dims/symbol_walk.h"
#include "core/facts/entailment.h"
#include "core/facts/fact_store.h"
#include "core/facts/residue.h"

namespace dimwise {
namespace {

// The derived facts that are visible in a scope. Contradictory components are ignored.
template <typename Impl>
class ScopeFacts : public FactSource {
 public:
  ScopeFacts(Impl& impl, ScopeId scope, FactFilter filter)
      : FactSource(impl.max_query_steps),
        impl_(impl),
        scope_(scope),
        filter_(impl.Effective(filter)),
        of_checked_(filter != FactFilter::kWithoutChecked) {}
  ScopeFacts(const ScopeFacts&) = delete;
  ScopeFacts& operator=(const ScopeFacts&) = delete;
  ~ScopeFacts() override {
    impl_.query_steps += steps();
    if (is_exhausted()) ++impl_.unfinished_queries;
  }

  const DerivedFacts* DerivedFactsAbout(Dim symbol) const override {
    impl_.CountQuery(symbol, scope_, of_checked_);
    auto* component = impl_.ComponentOf(symbol, scope_);
    if (component == nullptr) return nullptr;
    const DerivedFacts& k = impl_.Derived(*component, filter_);
    return k.conflict() ? nullptr : &k;
  }
  Interval OfSymbol(Dim symbol) const override {
    const SymbolInfo info = impl_.dims.GetSymbol(symbol);
    const Interval intrinsic = Interval::FromInt64(info.min, info.max);
    const DerivedFacts* k = DerivedFactsAbout(symbol);
    return k == nullptr ? intrinsic : intrinsic.Intersect(k->OfForm(symbol));
  }
  Interval OfForm(Dim form) const override {
    const std::span<const Dim> symbols = impl_.dims.SymbolsOf(form);
    const DerivedFacts* k = symbols.empty() ? nullptr : DerivedFactsAbout(symbols[0]);
    return k == nullptr ? Interval{} : k->OfForm(form);
  }
  bool has_forms() const override { return true; }
  // An answer from the cache counts as a query too.
  std::optional<Known<Truth>> Recall(const Literal& l) const override {
    impl_.CountQuery(l.value, scope_, of_checked_);
    return impl_.answers.Find(l, impl_.GroundsOf(l.value, scope_, filter_));
  }
  void Store(const Literal& l, Known<Truth> truth) const override {
    impl_.answers.Insert(l, impl_.GroundsOf(l.value, scope_, filter_), truth);
  }
  std::optional<Known<Dim>> RecallSimplified(Dim d, bool solve) const override {
    impl_.CountQuery(d, scope_, of_checked_);
    return impl_.answers.FindSimplified(d, solve, impl_.GroundsOf(d, scope_, filter_));
  }
  void StoreSimplified(Dim d, bool solve, Known<Dim> result) const override {
    impl_.answers.StoreSimplified(d, solve, impl_.GroundsOf(d, scope_, filter_), result);
  }

 private:
  Impl& impl_;
  const ScopeId scope_;
  const FactFilter filter_;
  const bool of_checked_;  // checked facts may affect the answer
};

}  // namespace

Facts::Facts(DimTable& dims) : impl_(std::make_unique<Impl>(dims)) {}
Facts::~Facts() = default;

DimTable& Facts::dims() const { return impl_->dims; }
size_t Facts::constraint_count() const { return impl_->live_constraints; }
void Facts::SetMaxQuerySteps(uint64_t steps) { impl_->max_query_steps = steps; }
uint64_t Facts::unfinished_queries() const { return impl_->unfinished_queries; }
uint64_t Facts::query_steps() const { return impl_->query_steps; }
uint64_t Facts::version(ScopeId scope) const { return impl_->VisibleVersion(scope); }

bool Facts::has_checked() const { return impl_->OfKind(FactKind::kChecked) > 0; }

void Facts::ForEach(const std::function<void(const Clause&, FactKind, OwnerId, ScopeId)>& visit) const {
  for (const Impl::Constraint& c : impl_->constraints) {
    if (c.live && c.is_active) visit(c.clause, c.kind, c.owner, c.scope);
  }
}

ScopeId Facts::NewScope(ScopeId parent) {
  uint32_t id;
  if (!impl_->free_scopes.empty()) {
    id = impl_->free_scopes.back();
    impl_->free_scopes.pop_back();
  } else {
    id = static_cast<uint32_t>(impl_->scopes.size());
    impl_->scopes.emplace_back();
  }
  Impl::Scope& scope = impl_->scopes[id];
  scope.parent = parent;
  scope.live = true;
  ++impl_->At(parent).child_count;
  impl_->MarkChanged(&scope);
  scope.retracted.Raise(impl_->clock, true);
  return ScopeId{id};
}

void Facts::DropScope(ScopeId id) {
  if (id == ScopeId::kRoot || !impl_->At(id).live) return;
  for (uint32_t i = 1; i < impl_->scopes.size() && impl_->At(id).child_count > 0; ++i) {
    if (impl_->scopes[i].live && impl_->scopes[i].parent == id && ScopeId{i} != id) DropScope(ScopeId{i});
  }
  Impl::Scope& scope = impl_->At(id);
  for (ConstraintId c : scope.own) impl_->Delete(c);
  scope.own.clear();
  scope.view = {};
  scope.view_version = 0;
  scope.live = false;
  --impl_->At(scope.parent).child_count;
  impl_->MarkChanged(&scope);
  impl_->free_scopes.push_back(static_cast<uint32_t>(id));
}

void Facts::CommitScope(ScopeId id) {
  if (id == ScopeId::kRoot || !impl_->At(id).live) return;
  const std::vector<ConstraintId> own = std::move(impl_->At(id).own);
  impl_->At(id).own.clear();
  const ScopeId parent = impl_->At(id).parent;
  for (ConstraintId c : own) {
    impl_->RemoveDuplicate(c);
    impl_->At(c).scope = parent;
    if (impl_->At(c).kind == FactKind::kPending) {
      --impl_->OfKind(FactKind::kPending);
      ++impl_->OfKind(FactKind::kChecked);
      impl_->At(c).kind = FactKind::kChecked;
    }
    impl_->AddToScope(c);
  }
  DropScope(id);
}

ConstraintId Facts::Assert(const Clause& clause, FactKind kind, OwnerId owner, ScopeId scope) {
  const auto id = ConstraintId{static_cast<uint32_t>(impl_->constraints.size())};
  impl_->constraints.push_back({Normalize(impl_->dims, clause), kind, owner, scope, true});
  impl_->At(id).number = impl_->memory.NumberOf(impl_->At(id).clause);
  ++impl_->live_constraints;
  ++impl_->OfKind(kind);
  impl_->AddToScope(id);
  return id;
}

void Facts::Assert(const Condition& condition, FactKind kind, OwnerId owner, ScopeId scope) {
  for (const Clause& c : condition.clauses) Assert(c, kind, owner, scope);
}

void Facts::Retract(ConstraintId id) {
  if (static_cast<uint32_t>(id) >= impl_->constraints.size() || !impl_->At(id).live) return;
  const Impl::Constraint c = impl_->At(id);
  Impl::Scope& s = impl_->At(c.scope);
  if (c.scope != ScopeId::kRoot) {
    std::erase(s.own, id);
    s.view_version = 0;  // the view is stale
  }
  const ConstraintId successor = impl_->Delete(id);
  if (!c.is_active) return;
  if (successor != id) {
    impl_->At(successor).since = c.since;
    if (c.scope == ScopeId::kRoot) impl_->Replace(&s.view, id, successor);
    return;
  }
  if (c.scope == ScopeId::kRoot) impl_->Remove(&s.view, id);
  impl_->MarkChanged(&s);
  // A retraction that splits a component affects facts that are not checked, too.
  const bool connected =
      c.clause.size() > 1 || (c.clause.size() == 1 && impl_->dims.SymbolsOf(c.clause[0].value).size() > 1);
  s.retracted.Raise(s.version, connected || Impl::IsUnchecked(c));
}

void Facts::RetractAll(OwnerId owner) {
  for (uint32_t i = 0; i < impl_->constraints.size(); ++i) {
    if (impl_->constraints[i].live && impl_->constraints[i].owner == owner) Retract(ConstraintId{i});
  }
}

std::optional<Contradiction> Facts::FindContradiction(ScopeId scope) {
  impl_->CountOtherQuery();
  while (true) {
    for (const auto& component : impl_->ViewOf(scope).components) {
      const auto& conflict = impl_->Derived(*component, FactFilter::kEverything).conflict();
      if (!conflict) continue;
      const Impl::Constraint &a = impl_->At(conflict->first), &b = impl_->At(conflict->second);
      return Contradiction{conflict->first,
                           conflict->second,
                           a.owner,
                           b.owner,
                           ToString(impl_->dims, a.clause),
                           ToString(impl_->dims, b.clause)};
    }
    if (scope == ScopeId::kRoot) return std::nullopt;
    scope = impl_->At(scope).parent;
  }
}

Truth Facts::Answer(const Literal& literal, ScopeId scope, FactFilter filter) {
  return impl_->CountAnswer(Entails(impl_->dims, ScopeFacts<Impl>(*impl_, scope, filter), literal));
}

Truth Facts::Holds(const Literal& literal, ScopeId scope, FactFilter filter) {
  return impl_->Log({&literal, 1}, filter, Answer(literal, scope, filter));
}

Truth Facts::Holds(const Clause& clause, ScopeId scope, FactFilter filter) {
  if (clause.size() == 1) return Holds(clause[0], scope, filter);
  return impl_->Log(
      clause, filter,
      impl_->CountAnswer(Entails(impl_->dims, ScopeFacts<Impl>(*impl_, scope, filter), clause)));
}

Truth Facts::Holds(const Condition& condition, ScopeId scope, FactFilter filter) {
  Truth all = Truth::kYes;
  for (const Clause& c : condition.clauses) all = std::min(all, Holds(c, scope, filter));
  return all;
}

Truth Facts::Equal(Dim a, Dim b, ScopeId scope, FactFilter filter) {
  if (a == b) return Truth::kYes;
  if (a.is_constant() && b.is_constant()) return Truth::kNo;
  return Holds(dimwise::Equal(impl_->dims, a, b), scope, filter);
}

Truth Facts::AtLeast(Dim a, Dim b, ScopeId scope, FactFilter filter) {
  if (a == b) return Truth::kYes;
  if (a.is_constant() && b.is_constant()) return a.constant() >= b.constant() ? Truth::kYes : Truth::kNo;
  return Holds(dimwise::AtLeast(impl_->dims, a, b), scope, filter);
}

SizeBounds Facts::Bounds(Dim d, ScopeId scope, FactFilter filter) {
  if (d.is_constant()) return {d.constant(), d.constant()};
  impl_->CountOtherQuery();
  const ScopeFacts<Impl> source(*impl_, scope, filter);
  const Interval b =
      BoundsByFacts(impl_->dims, source, SimplifyByFacts(impl_->dims, source, d, /*solve=*/true));
  SizeBounds result;
  if (b.empty()) return result;
  if (b.lo >= INT64_MIN && b.lo <= INT64_MAX) result.min = static_cast<int64_t>(b.lo);
  if (b.hi >= INT64_MIN && b.hi <= INT64_MAX) result.max = static_cast<int64_t>(b.hi);
  return result;
}

Congruence Facts::CongruenceOf(Dim d, ScopeId scope, FactFilter filter) {
  impl_->CountOtherQuery();
  const ScopeFacts<Impl> source(*impl_, scope, filter);
  return CongruenceByFacts(impl_->dims, source, SimplifyByFacts(impl_->dims, source, d, /*solve=*/true));
}

Dim Facts::Simplify(Dim d, ScopeId scope, FactFilter filter, bool solve) {
  if (!d.is_expression()) return d;
  impl_->CountOtherQuery();
  return SimplifyByFacts(impl_->dims, ScopeFacts<Impl>(*impl_, scope, filter), d, solve);
}

namespace {

// Returns e of a constraint e - symbol >= 0 (sign 1) or symbol - e >= 0 (sign -1), or none.
Dim BoundOfSymbol(DimTable& table, const Clause& clause, Dim symbol, int64_t sign) {
  if (clause.size() != 1 || clause[0].relation != Relation::kAtLeast) return Dim();
  const Dim value = clause[0].value;
  // Most clauses mention other symbols, or the symbol in another form: this test is cheap.
  if (!Mentions(table, value, symbol) ||
      CoefficientOf(table, value, table.GetTerm(symbol, 0).factors) != -sign)
    return Dim();
  const Dim rest = table.Add(value, table.Multiply(sign, symbol));
  const Dim e = sign > 0 ? rest : table.Negate(rest);
  return e.is_expression() && !Mentions(table, e, symbol) ? e : Dim();
}

// Returns the bound on one side that comes first in order, among the constraints of the component.
template <typename Impl>
Dim FirstBound(Impl& impl, Dim symbol, ScopeId scope, int64_t sign) {
  const auto* component = impl.ComponentOf(symbol, scope);
  if (component == nullptr) return Dim();
  Dim best;
  for (ConstraintId id : component->members) {
    const Dim e = BoundOfSymbol(impl.dims, impl.At(id).clause, symbol, sign);
    if (!e.is_none() && (best.is_none() || impl.dims.Order(e, best) < 0)) best = e;
  }
  return best;
}

}  // namespace

Dim Facts::SymbolicMin(Dim symbol, ScopeId scope) {
  impl_->CountOtherQuery();
  return FirstBound(*impl_, symbol, scope, -1);
}

Dim Facts::SymbolicMax(Dim symbol, ScopeId scope) {
  impl_->CountOtherQuery();
  return FirstBound(*impl_, symbol, scope, 1);
}

}  // namespace dimwise
