// The set of constraints, scope by scope, and the knowledge derived from it on demand.
//
// A scope's constraints fall into components: sets connected by shared symbols. The root keeps its components up
// to date piece by piece: a new constraint joins the components that it touches, a retracted one splits its own,
// and knowledge is derived again only for a component that changed and is asked about. A scope inside another
// is small and short-lived: its view (its own constraints with the outer components that they touch) is made
// anew when it or an outer one has changed; symbols that it does not touch are asked of the outer scope.
#include "dimwise/facts.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <array>

#include "core/entailment.h"
#include "core/hash_mix.h"
#include "core/residue.h"

namespace dimwise {
namespace {

struct Constraint {
  Clause clause;  // normal
  FactKind kind = FactKind::kGiven;
  OwnerId owner = 0;
  ScopeId scope{};
  bool live = true;
  bool counts = true;  // the first of those that say the same; only it is among the members of a component
};

// Constraints that say the same: what they have in common.
struct Saying {
  ScopeId scope{};
  FactKind kind{};
  Clause clause;
  bool operator==(const Saying&) const = default;
};
struct SayingHash {
  size_t operator()(const Saying& s) const {
    uint64_t h = static_cast<uint64_t>(s.scope) << 3 | static_cast<uint64_t>(s.kind);
    for (const Literal& l : s.clause) {
      h = HashMix(h, static_cast<uint64_t>(l.value.bits()) * 4 + static_cast<uint64_t>(l.relation));
    }
    return h;
  }
};

std::vector<Dim> SymbolsOf(const DimTable& table, const Clause& clause) {
  std::vector<Dim> symbols;
  for (const Literal& l : clause) {
    const std::span<const Dim> s = table.SymbolsOf(l.value);
    symbols.insert(symbols.end(), s.begin(), s.end());
  }
  std::ranges::sort(symbols, {}, &Dim::id);
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  return symbols;
}

// Constraints connected by shared symbols, and what follows from them.
struct Component {
  std::vector<ConstraintId> members;
  std::vector<Dim> symbols;
  std::optional<Knowledge> knowledge[3];  // by trust
  size_t place = 0;                       // in its view
  uint64_t changed = 0;                   // the moment of the last change

  void Forget() {
    for (auto& k : knowledge) k.reset();
  }
};

struct View {
  std::vector<std::unique_ptr<Component>> components;
  tsl::robin_map<Dim, Component*, std::hash<Dim>> of_symbol;

  Component* Add() {
    Component* c = components.emplace_back(std::make_unique<Component>()).get();
    c->place = components.size() - 1;
    return c;
  }
  std::unique_ptr<Component> Take(Component* c) {
    const size_t place = c->place;
    std::swap(components[place], components.back());
    components[place]->place = place;
    std::unique_ptr<Component> taken = std::move(components.back());
    components.pop_back();
    return taken;
  }
};

struct Scope {
  ScopeId parent{};
  bool live = true;
  uint64_t version = 1;
  std::vector<ConstraintId> own;  // the root keeps none: its view has them
  View view;
  uint64_t viewed_version = 0;  // of what the scope sees, when the view was made; the root's is always current
};

}  // namespace

struct Facts::Impl {
  explicit Impl(DimTable& table) : dims(table) { scopes.emplace_back(); }

  DimTable& dims;
  std::vector<Constraint> constraints;
  std::vector<Scope> scopes;
  std::vector<uint32_t> free_scopes;
  size_t live_constraints = 0;
  std::array<size_t, 4> live_of_kind{};  // by FactKind
  uint64_t moment = 1;
  uint64_t questions = 0;
  tsl::robin_map<Dim, uint64_t, std::hash<Dim>> forgotten;  // when the root ceased to know anything of a symbol
  // Those that say the same; the first one counts.
  tsl::robin_map<Saying, std::vector<ConstraintId>, SayingHash> said;

  Constraint& At(ConstraintId id) { return constraints[static_cast<uint32_t>(id)]; }
  size_t& OfKind(FactKind kind) { return live_of_kind[static_cast<size_t>(kind)]; }
  // Where there is nothing to leave out, all trust is the same: a question is answered once for all.
  Trust Effective(Trust trust) {
    if (trust == Trust::kWithoutAssumed && OfKind(FactKind::kAssumed) == 0) trust = Trust::kEverything;
    return trust == Trust::kEverything && OfKind(FactKind::kChecked) == 0 ? Trust::kWithoutChecked : trust;
  }
  Scope& At(ScopeId id) { return scopes[static_cast<uint32_t>(id)]; }
  const Scope& At(ScopeId id) const { return scopes[static_cast<uint32_t>(id)]; }

  // The moment of the last change of what a scope sees. No two states of a scope share it, since every change of
  // any scope takes a new moment.
  uint64_t VersionSeen(ScopeId id) const {
    uint64_t latest = At(id).version;
    while (id != ScopeId::kRoot) {
      id = At(id).parent;
      latest = std::max(latest, At(id).version);
    }
    return latest;
  }
  void Touch(Scope* scope) { scope->version = ++moment; }

  // What was answered of literals, and what was simplified, since the last change: the same few questions come
  // again at every node of a program.
  struct Answered {
    int64_t value;  // the bits of the literal's; all is plain, so that 0 is what nobody asked
    uint64_t version;
    ScopeId scope;
    Relation relation;
    Trust trust;
    Truth truth;
  };
  std::array<Answered, 512> answered{};
  Answered& AnsweredSlot(const Literal& l, ScopeId scope, Trust trust) {
    const uint64_t h = static_cast<uint64_t>(l.value.bits()) * 0x9E3779B97F4A7C15u ^
                       (static_cast<uint64_t>(scope) << 8 | static_cast<uint64_t>(l.relation) << 4 | static_cast<uint64_t>(trust)) * 0xC2B2AE3D27D4EB4Fu;
    return answered[h >> 55];
  }
  struct Memo {
    uint64_t version = 0;
    ScopeId scope{};
    FactSource::Simplified maps[2];
  };
  Memo memos[3];  // by trust
  FactSource::Simplified& MemoOf(ScopeId scope, Trust trust, bool solve) {
    Memo& memo = memos[static_cast<size_t>(trust)];
    const uint64_t version = VersionSeen(scope);
    if (memo.version != version || memo.scope != scope) {
      memo.version = version;
      memo.scope = scope;
      for (auto& map : memo.maps) map.clear();
    }
    return memo.maps[solve ? 1 : 0];
  }

  // Puts a constraint into a view, joining the components that share a symbol with it.
  void Insert(View* view, ConstraintId id) {
    const std::vector<Dim> symbols = SymbolsOf(dims, At(id).clause);
    Component* home = nullptr;
    for (Dim s : symbols) {
      const auto it = view->of_symbol.find(s);
      if (it == view->of_symbol.end() || it->second == home) continue;
      if (home == nullptr) {
        home = it->second;
      } else {
        home = Join(view, home, it->second);
      }
    }
    if (home == nullptr) home = view->Add();
    home->members.push_back(id);
    home->changed = moment + 1;
    home->Forget();
    for (Dim s : symbols) {
      if (view->of_symbol.insert({s, home}).second) home->symbols.push_back(s);
    }
  }

  static Component* Join(View* view, Component* a, Component* b) {
    if (a->symbols.size() + a->members.size() < b->symbols.size() + b->members.size()) std::swap(a, b);
    a->members.insert(a->members.end(), b->members.begin(), b->members.end());
    a->symbols.insert(a->symbols.end(), b->symbols.begin(), b->symbols.end());
    for (Dim s : b->symbols) view->of_symbol[s] = a;
    view->Take(b);
    return a;
  }

  void Remove(View* view, ConstraintId id) {
    const std::vector<Dim> symbols = SymbolsOf(dims, At(id).clause);
    Component* home = nullptr;
    if (symbols.empty()) {  // it speaks of nothing: a component of its own
      for (const auto& c : view->components) {
        if (std::ranges::find(c->members, id) != c->members.end()) home = c.get();
      }
    } else if (const auto it = view->of_symbol.find(symbols[0]); it != view->of_symbol.end()) {
      home = it->second;
    }
    if (home == nullptr) return;
    const std::unique_ptr<Component> old = view->Take(home);
    for (Dim s : old->symbols) view->of_symbol.erase(s);
    for (ConstraintId member : old->members) {
      if (member != id) Insert(view, member);
    }
    for (Dim s : old->symbols) {
      if (!view->of_symbol.contains(s)) forgotten[s] = moment + 1;
    }
  }

  View& ViewOf(ScopeId id) {
    Scope& scope = At(id);
    if (id == ScopeId::kRoot) return scope.view;
    const uint64_t seen = VersionSeen(id);
    if (scope.viewed_version == seen) return scope.view;
    View& outer = ViewOf(scope.parent);
    View view;
    for (ConstraintId c : scope.own) {
      if (!At(c).counts) continue;
      // Outer components that this constraint touches come along whole.
      for (Dim s : SymbolsOf(dims, At(c).clause)) {
        const auto it = outer.of_symbol.find(s);
        if (it == outer.of_symbol.end() || view.of_symbol.contains(s)) continue;
        for (ConstraintId member : it->second->members) Insert(&view, member);
      }
      Insert(&view, c);
    }
    scope.view = std::move(view);
    scope.viewed_version = seen;
    return scope.view;
  }

  // Puts a live constraint among those of its scope.
  void Settle(ConstraintId id) {
    Constraint& c = At(id);
    Scope& scope = At(c.scope);
    if (c.scope != ScopeId::kRoot) scope.own.push_back(id);
    std::vector<ConstraintId>& same = said[Saying{c.scope, c.kind, c.clause}];
    same.push_back(id);
    c.counts = same.size() == 1;
    if (!c.counts) return;
    if (c.scope == ScopeId::kRoot) Insert(&scope.view, id);
    Touch(&scope);
  }
  // Takes a constraint off the list of those that say the same; answers who counts in its place, or itself.
  ConstraintId Unsay(ConstraintId id) {
    const Constraint& c = At(id);
    const auto it = said.find(Saying{c.scope, c.kind, c.clause});
    if (it == said.end()) return id;
    std::vector<ConstraintId>& same = it.value();
    std::erase(same, id);
    if (same.empty()) {
      said.erase(it);
      return id;
    }
    At(same[0]).counts = true;
    return same[0];
  }
  ConstraintId Bury(ConstraintId id) {
    const ConstraintId heir = Unsay(id);
    At(id).live = false;
    --live_constraints;
    --OfKind(At(id).kind);
    return heir;
  }

  const Knowledge& Derived(Component& component, Trust trust) {
    std::optional<Knowledge>& slot = component.knowledge[static_cast<size_t>(trust)];
    if (!slot) {
      std::vector<SourcedClause> clauses;
      for (ConstraintId id : component.members) {
        const Constraint& c = At(id);
        if (trust == Trust::kWithoutAssumed && c.kind == FactKind::kAssumed) continue;
        if (trust == Trust::kWithoutChecked && c.kind == FactKind::kChecked) continue;
        clauses.push_back({c.clause, id, c.owner});
      }
      slot = Knowledge::Build(dims, std::move(clauses));
    }
    return *slot;
  }

  // The component that speaks of a symbol, in the innermost scope that touches it.
  Component* ComponentOf(Dim symbol, ScopeId scope) {
    while (true) {
      View& view = ViewOf(scope);
      if (const auto it = view.of_symbol.find(symbol); it != view.of_symbol.end()) return it->second;
      if (scope == ScopeId::kRoot) return nullptr;
      scope = At(scope).parent;
    }
  }
};

namespace {

// The knowledge that a scope sees. A contradictory component says nothing.
template <typename Impl>
class ScopeFacts : public FactSource {
 public:
  ScopeFacts(Impl& impl, ScopeId scope, Trust trust) : impl_(impl), scope_(scope), trust_(impl.Effective(trust)) {}

  const Knowledge* KnowledgeAbout(Dim symbol) const override {
    ++impl_.questions;
    auto* component = impl_.ComponentOf(symbol, scope_);
    if (component == nullptr) return nullptr;
    const Knowledge& k = impl_.Derived(*component, trust_);
    return k.conflict() ? nullptr : &k;
  }
  Interval OfSymbol(Dim symbol) const override {
    const SymbolInfo info = impl_.dims.GetSymbol(symbol);
    const Interval intrinsic = Interval::FromInt64(info.min, info.max);
    const Knowledge* k = KnowledgeAbout(symbol);
    return k == nullptr ? intrinsic : intrinsic.Intersect(k->OfForm(symbol));
  }
  Interval OfForm(Dim form) const override {
    const std::span<const Dim> symbols = impl_.dims.SymbolsOf(form);
    const Knowledge* k = symbols.empty() ? nullptr : KnowledgeAbout(symbols[0]);
    return k == nullptr ? Interval{} : k->OfForm(form);
  }
  bool has_forms() const override { return true; }
  Simplified& simplified(bool solve) const override {
    ++impl_.questions;  // what is remembered is an answer of the constraints too
    return impl_.MemoOf(scope_, trust_, solve);
  }

 private:
  Impl& impl_;
  const ScopeId scope_;
  const Trust trust_;
};

}  // namespace

Facts::Facts(DimTable& dims) : impl_(std::make_unique<Impl>(dims)) {}
Facts::~Facts() = default;

DimTable& Facts::dims() const { return impl_->dims; }
size_t Facts::constraint_count() const { return impl_->live_constraints; }
uint64_t Facts::version(ScopeId scope) const { return impl_->VersionSeen(scope); }

uint64_t Facts::VersionAbout(Dim d, ScopeId scope) const {
  if (!d.is_expression()) return 0;
  uint64_t latest = 0;
  for (; scope != ScopeId::kRoot; scope = impl_->At(scope).parent) latest = std::max(latest, impl_->At(scope).version);
  const View& root = impl_->At(ScopeId::kRoot).view;
  for (Dim s : impl_->dims.SymbolsOf(d)) {
    if (const auto it = root.of_symbol.find(s); it != root.of_symbol.end()) {
      latest = std::max(latest, it->second->changed);
    } else if (const auto gone = impl_->forgotten.find(s); gone != impl_->forgotten.end()) {
      latest = std::max(latest, gone->second);
    }
  }
  return latest;
}

uint64_t Facts::question_count() const { return impl_->questions; }

void Facts::ForEach(const std::function<void(const Clause&, FactKind, OwnerId, ScopeId)>& visit) const {
  for (const Constraint& c : impl_->constraints) {
    if (c.live && c.counts) visit(c.clause, c.kind, c.owner, c.scope);
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
  Scope& scope = impl_->scopes[id];
  scope.parent = parent;
  scope.live = true;
  impl_->Touch(&scope);
  return ScopeId{id};
}

void Facts::DropScope(ScopeId id) {
  if (id == ScopeId::kRoot || !impl_->At(id).live) return;
  for (uint32_t i = 1; i < impl_->scopes.size(); ++i) {
    if (impl_->scopes[i].live && impl_->scopes[i].parent == id && ScopeId{i} != id) DropScope(ScopeId{i});
  }
  Scope& scope = impl_->At(id);
  for (ConstraintId c : scope.own) impl_->Bury(c);
  scope.own.clear();
  scope.view = {};
  scope.viewed_version = 0;
  scope.live = false;
  impl_->Touch(&scope);
  impl_->free_scopes.push_back(static_cast<uint32_t>(id));
}

void Facts::CommitScope(ScopeId id) {
  if (id == ScopeId::kRoot || !impl_->At(id).live) return;
  const std::vector<ConstraintId> own = std::move(impl_->At(id).own);
  impl_->At(id).own.clear();
  const ScopeId parent = impl_->At(id).parent;
  for (ConstraintId c : own) {
    impl_->Unsay(c);
    impl_->At(c).scope = parent;
    if (impl_->At(c).kind == FactKind::kPending) {
      --impl_->OfKind(FactKind::kPending);
      ++impl_->OfKind(FactKind::kChecked);
      impl_->At(c).kind = FactKind::kChecked;
    }
    impl_->Settle(c);
  }
  DropScope(id);
}

ConstraintId Facts::Assert(const Clause& clause, FactKind kind, OwnerId owner, ScopeId scope) {
  const auto id = ConstraintId{static_cast<uint32_t>(impl_->constraints.size())};
  impl_->constraints.push_back({Normalize(impl_->dims, clause), kind, owner, scope, true});
  ++impl_->live_constraints;
  ++impl_->OfKind(kind);
  impl_->Settle(id);
  return id;
}

void Facts::Assert(const Condition& condition, FactKind kind, OwnerId owner, ScopeId scope) {
  for (const Clause& c : condition.clauses) Assert(c, kind, owner, scope);
}

void Facts::Retract(ConstraintId id) {
  if (static_cast<uint32_t>(id) >= impl_->constraints.size() || !impl_->At(id).live) return;
  const Constraint c = impl_->At(id);
  Scope& s = impl_->At(c.scope);
  if (c.scope != ScopeId::kRoot) std::erase(s.own, id);
  if (c.counts && c.scope == ScopeId::kRoot) impl_->Remove(&s.view, id);
  const ConstraintId heir = impl_->Bury(id);
  if (!c.counts) return;
  if (heir != id && c.scope == ScopeId::kRoot) impl_->Insert(&s.view, heir);
  if (heir == id) {
    impl_->Touch(&s);
  } else if (c.scope != ScopeId::kRoot) {
    s.viewed_version = 0;  // the same is said, by another
  }
}

void Facts::RetractAll(OwnerId owner) {
  for (uint32_t i = 0; i < impl_->constraints.size(); ++i) {
    if (impl_->constraints[i].live && impl_->constraints[i].owner == owner) Retract(ConstraintId{i});
  }
}

std::optional<Contradiction> Facts::FindContradiction(ScopeId scope) {
  while (true) {
    for (const auto& component : impl_->ViewOf(scope).components) {
      const auto& conflict = impl_->Derived(*component, Trust::kEverything).conflict();
      if (!conflict) continue;
      const Constraint &a = impl_->At(conflict->first), &b = impl_->At(conflict->second);
      return Contradiction{conflict->first, conflict->second, a.owner, b.owner, ToString(impl_->dims, a.clause), ToString(impl_->dims, b.clause)};
    }
    if (scope == ScopeId::kRoot) return std::nullopt;
    scope = impl_->At(scope).parent;
  }
}

Truth Facts::Holds(const Literal& literal, ScopeId scope, Trust trust) {
  trust = impl_->Effective(trust);
  const uint64_t version = impl_->VersionSeen(scope);
  Impl::Answered& slot = impl_->AnsweredSlot(literal, scope, trust);
  if (slot.version == version && slot.value == literal.value.bits() && slot.relation == literal.relation && slot.scope == scope && slot.trust == trust) {
    ++impl_->questions;
    return slot.truth;
  }
  const Truth truth = Entails(impl_->dims, ScopeFacts<Impl>(*impl_, scope, trust), literal);
  slot = {literal.value.bits(), version, scope, literal.relation, trust, truth};
  return truth;
}

Truth Facts::Holds(const Clause& clause, ScopeId scope, Trust trust) {
  if (clause.size() == 1) return Holds(clause[0], scope, trust);
  return Entails(impl_->dims, ScopeFacts<Impl>(*impl_, scope, trust), clause);
}

Truth Facts::Holds(const Condition& condition, ScopeId scope, Trust trust) {
  Truth all = Truth::kYes;
  for (const Clause& c : condition.clauses) all = std::min(all, Holds(c, scope, trust));
  return all;
}

Truth Facts::Equal(Dim a, Dim b, ScopeId scope, Trust trust) {
  if (a == b) return Truth::kYes;
  if (a.is_constant() && b.is_constant()) return Truth::kNo;
  return Holds(dimwise::Equal(impl_->dims, a, b), scope, trust);
}

Truth Facts::AtLeast(Dim a, Dim b, ScopeId scope, Trust trust) {
  if (a == b) return Truth::kYes;
  if (a.is_constant() && b.is_constant()) return a.constant() >= b.constant() ? Truth::kYes : Truth::kNo;
  return Holds(dimwise::AtLeast(impl_->dims, a, b), scope, trust);
}

SizeBounds Facts::Bounds(Dim d, ScopeId scope, Trust trust) {
  if (d.is_constant()) return {d.constant(), d.constant()};
  const ScopeFacts<Impl> source(*impl_, scope, trust);
  const Interval b = BoundsByFacts(impl_->dims, source, SimplifyByFacts(impl_->dims, source, d, /*solve=*/true));
  SizeBounds result;
  if (b.empty()) return result;
  if (b.lo >= INT64_MIN && b.lo <= INT64_MAX) result.min = static_cast<int64_t>(b.lo);
  if (b.hi >= INT64_MIN && b.hi <= INT64_MAX) result.max = static_cast<int64_t>(b.hi);
  return result;
}

Congruence Facts::CongruenceOf(Dim d, ScopeId scope, Trust trust) {
  const ScopeFacts<Impl> source(*impl_, scope, trust);
  return CongruenceByFacts(impl_->dims, source, SimplifyByFacts(impl_->dims, source, d, /*solve=*/true));
}

Dim Facts::Simplify(Dim d, ScopeId scope, Trust trust, bool solve) {
  if (!d.is_expression()) return d;
  return SimplifyByFacts(impl_->dims, ScopeFacts<Impl>(*impl_, scope, trust), d, solve);
}

namespace {

// The expression e of a constraint e - symbol >= 0 (sign 1) or symbol - e >= 0 (sign -1); none for others.
Dim BoundIn(DimTable& table, const Clause& clause, Dim symbol, int64_t sign) {
  if (clause.size() != 1 || clause[0].relation != Relation::kAtLeast) return Dim();
  const Dim rest = table.Add(clause[0].value, table.Multiply(sign, symbol));
  const Dim e = sign > 0 ? rest : table.Negate(rest);
  const auto mentions = [&](Dim d) { return std::ranges::binary_search(table.SymbolsOf(d), symbol.id(), {}, &Dim::id); };
  return e.is_expression() && !mentions(e) ? e : Dim();
}

// The first in order of the bounds on one side that the members of a component state.
template <typename Impl>
Dim FirstBound(Impl& impl, Dim symbol, ScopeId scope, int64_t sign) {
  const Component* component = impl.ComponentOf(symbol, scope);
  if (component == nullptr) return Dim();
  Dim best;
  for (ConstraintId id : component->members) {
    const Dim e = BoundIn(impl.dims, impl.At(id).clause, symbol, sign);
    if (!e.is_none() && (best.is_none() || impl.dims.Order(e, best) < 0)) best = e;
  }
  return best;
}

}  // namespace

Dim Facts::SymbolicMin(Dim symbol, ScopeId scope) { return FirstBound(*impl_, symbol, scope, -1); }

Dim Facts::SymbolicMax(Dim symbol, ScopeId scope) { return FirstBound(*impl_, symbol, scope, 1); }

}  // namespace dimwise
