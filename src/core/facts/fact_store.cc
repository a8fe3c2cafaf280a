#include "core/facts/fact_store.h"

#include <algorithm>

#include "core/dims/symbol_walk.h"

namespace dimwise {
namespace {

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

}  // namespace

void Facts::Impl::Insert(View* view, ConstraintId id) {
  const std::vector<Dim> symbols = SymbolsOf(dims, At(id).clause);
  Component* component = nullptr;
  bool joins = false;
  for (Dim s : symbols) {
    const auto it = view->of_symbol.find(s);
    if (it == view->of_symbol.end() || it->second == component) continue;
    if (component == nullptr) {
      component = it->second;
    } else {
      component = Join(view, component, it->second);
      joins = true;
    }
  }
  if (component == nullptr) component = view->Add();
  component->PrepareToAdd({&id, 1});
  component->members.push_back(id);
  component->changed.Raise(At(id).since, joins || IsUnchecked(At(id)));
  for (Dim s : symbols) {
    if (!view->of_symbol.insert({s, component}).second) continue;
    component->symbols.push_back(s);
    if (dims.GetDefinition(s) != nullptr) component->defined.push_back(s);
  }
}

void Facts::Impl::Copy(View* view, Component* component) {
  SortMembers(component);
  Component* copy = view->Add();
  const size_t index = copy->index;
  *copy = *component;
  copy->index = index;
  for (const Dim s : component->symbols) view->of_symbol[s] = copy;
}

void Facts::Impl::Component::PrepareToAdd(std::span<const ConstraintId> more) {
  constexpr size_t kMany = 32, kMaxSince = 16;
  if (members.size() < kMany || more.size() > kMaxSince) return ClearDerived();
  for (size_t filter = 0; filter < earlier.size(); ++filter) {
    ExtensionBase& e = earlier[filter];
    if (derived_facts[filter] != nullptr) e = {std::move(derived_facts[filter]), symbols.size(), {}};
    derived_facts[filter].reset();
    if (e.derived_facts == nullptr) continue;
    e.since.insert(e.since.end(), more.begin(), more.end());
    if (e.since.size() > kMaxSince) e = {};
  }
}

void Facts::Impl::SortMembers(Component* component) {
  const auto comes_first = [&](ConstraintId a, ConstraintId b) {
    return ComesFirst(dims, At(a).clause, At(a).owner, At(b).clause, At(b).owner);
  };
  std::vector<ConstraintId>& members = component->members;
  for (size_t& n = component->sorted_count; n < members.size(); ++n) {
    const auto next = members.begin() + static_cast<ptrdiff_t>(n);
    if (n == 0 || !comes_first(*next, *(next - 1))) continue;
    std::rotate(std::upper_bound(members.begin(), next, *next, comes_first), next, next + 1);
  }
}

Facts::Impl::Component* Facts::Impl::Join(View* view, Component* a, Component* b) {
  if (a->symbols.size() + a->members.size() < b->symbols.size() + b->members.size()) std::swap(a, b);
  a->PrepareToAdd(b->members);
  a->members.insert(a->members.end(), b->members.begin(), b->members.end());
  a->symbols.insert(a->symbols.end(), b->symbols.begin(), b->symbols.end());
  a->changed.Raise(b->changed);
  a->defined.insert(a->defined.end(), b->defined.begin(), b->defined.end());
  for (Dim s : b->symbols) view->of_symbol[s] = a;
  view->Take(b);
  return a;
}

Facts::Impl::Component* Facts::Impl::ComponentOf(View* view, ConstraintId id) const {
  for (const Literal& l : constraints[static_cast<uint32_t>(id)].clause) {
    for (const Dim s : dims.SymbolsOf(l.value)) {
      const auto it = view->of_symbol.find(s);
      return it == view->of_symbol.end() ? nullptr : it->second;
    }
  }
  // A clause without symbols is a component of its own.
  for (const auto& c : view->components) {
    if (std::ranges::find(c->members, id) != c->members.end()) return c.get();
  }
  return nullptr;
}

void Facts::Impl::Replace(View* view, ConstraintId id, ConstraintId successor) {
  Component* component = ComponentOf(view, id);
  if (component == nullptr) return;
  const auto index = std::ranges::find(component->members, id);
  if (index != component->members.end()) *index = successor;
  component->sorted_count =
      std::min(component->sorted_count, static_cast<size_t>(index - component->members.begin()));
  component->ClearDerived();  // it may name the constraint
}

void Facts::Impl::Remove(View* view, ConstraintId id) {
  Component* component = ComponentOf(view, id);
  if (component == nullptr) return;
  const std::unique_ptr<Component> old = view->Take(component);
  for (Dim s : old->symbols) view->of_symbol.erase(s);
  SortMembers(old.get());
  std::erase(old->members, id);
  for (const ConstraintId member : old->members) Insert(view, member);
  // Joined components lose the order of their members. It is known here, and comparisons are expensive.
  for (const ConstraintId member : old->members) ComponentOf(view, member)->members.clear();
  for (const ConstraintId member : old->members) {
    Component* rest = ComponentOf(view, member);
    rest->members.push_back(member);
    rest->sorted_count = rest->members.size();
  }
  // If the component splits, derived facts that are not checked change too.
  const Component* first = nullptr;
  bool is_unchecked = IsUnchecked(At(id));
  for (Dim s : old->symbols) {
    const auto it = view->of_symbol.find(s);
    if (it == view->of_symbol.end()) continue;
    if (first == nullptr) first = it->second;
    is_unchecked = is_unchecked || it->second != first;
  }
  for (Dim s : old->symbols) {
    const auto it = view->of_symbol.find(s);
    ChangeTimes& changed = it != view->of_symbol.end() ? it->second->changed : last_retraction[s];
    changed.Raise(old->changed);
    changed.Raise(clock + 1, is_unchecked);
  }
}

Facts::Impl::ChangeTimes Facts::Impl::ChangeOf(std::span<const Dim> expressions, ScopeId scope) {
  ChangeTimes latest;
  for (ScopeId s = scope; s != ScopeId::kRoot; s = At(s).parent) latest.Raise(At(s).retracted);
  SymbolWalk walk(dims);
  for (const Dim d : expressions) {
    walk.Visit(d, [&](Dim symbol) {
      if (const Component* component = ComponentOf(symbol, scope); component != nullptr)
        latest.Raise(component->changed);
      if (const auto gone = last_retraction.find(symbol); gone != last_retraction.end())
        latest.Raise(gone->second);
      return true;
    });
  }
  return latest;
}

void Facts::Impl::RecordSymbols(Dim d, ScopeId scope) {
  std::vector<Dim> pending{d};
  const auto record_definition = [&](Dim symbol) {
    const Definition* definition = dims.GetDefinition(symbol);
    if (definition == nullptr) return;
    for (const Dim operand : definition->operands) {
      if (operand.is_expression()) pending.push_back(operand);
    }
  };
  while (!pending.empty()) {
    const Dim next = pending.back();
    pending.pop_back();
    for (const Dim symbol : dims.SymbolsOf(next)) {
      if (!queried_symbols->Add(symbol)) continue;
      record_definition(symbol);
      // A solution may contain any symbol of the component.
      const Component* component = ComponentOf(symbol, scope);
      if (component == nullptr) continue;
      for (const Dim defined : component->defined) record_definition(defined);
    }
  }
}

Facts::Impl::View& Facts::Impl::ViewOf(ScopeId id) {
  Scope& scope = At(id);
  if (id == ScopeId::kRoot) return scope.view;
  const uint64_t seen = VisibleVersion(id);
  if (scope.view_version == seen) return scope.view;
  const uint64_t seen_outside = VisibleVersion(scope.parent);
  // If constraints were only added since, the view is extended.
  const bool grows = scope.view_version != 0 && scope.view_outer_version == seen_outside &&
                     scope.view_own_count <= scope.own.size();
  if (!grows) {
    scope.view = {};
    scope.view_own_count = 0;
  }
  View& view = scope.view;
  for (; scope.view_own_count < scope.own.size(); ++scope.view_own_count) {
    const ConstraintId c = scope.own[scope.view_own_count];
    if (!At(c).is_active) continue;
    // Copy the outer components that share a symbol with this constraint.
    for (Dim s : SymbolsOf(dims, At(c).clause)) {
      Component* outside = view.of_symbol.contains(s) ? nullptr : ComponentOf(s, scope.parent);
      if (outside != nullptr) Copy(&view, outside);
    }
    Insert(&view, c);
    // A change of an outer component is a change of the joined component.
    for (const Literal& l : At(c).clause) {
      const ChangeTimes outside = ChangeOf({&l.value, 1}, scope.parent);
      if (Component* component = ComponentOf(&view, c); component != nullptr)
        component->changed.Raise(outside);
    }
  }
  scope.view_outer_version = seen_outside;
  scope.view_version = seen;
  return scope.view;
}

void Facts::Impl::AddToScope(ConstraintId id) {
  Constraint& c = At(id);
  c.since = clock + 1;
  Scope& scope = At(c.scope);
  if (c.scope != ScopeId::kRoot) scope.own.push_back(id);
  std::vector<ConstraintId>& same = duplicates[Statement{c.scope, c.kind, c.clause}];
  same.push_back(id);
  c.is_active = same.size() == 1;
  if (!c.is_active) return;
  if (c.scope == ScopeId::kRoot) Insert(&scope.view, id);
  MarkChanged(&scope);
}

ConstraintId Facts::Impl::RemoveDuplicate(ConstraintId id) {
  const Constraint& c = At(id);
  const auto it = duplicates.find(Statement{c.scope, c.kind, c.clause});
  if (it == duplicates.end()) return id;
  std::vector<ConstraintId>& same = it.value();
  std::erase(same, id);
  if (same.empty()) {
    duplicates.erase(it);
    return id;
  }
  At(same[0]).is_active = true;
  return same[0];
}

ConstraintId Facts::Impl::Delete(ConstraintId id) {
  const ConstraintId successor = RemoveDuplicate(id);
  At(id).live = false;
  --live_constraints;
  --OfKind(At(id).kind);
  return successor;
}

// If there are too many grounds, returns the whole visible state of the scope as the grounds.
Grounds Facts::Impl::GroundsUncached(Dim d, ScopeId scope, FactFilter filter) {
  Grounds grounds;
  if (AddGrounds(d, scope, filter, 0, &grounds)) return grounds;
  const uint64_t version = VisibleVersion(scope);
  const uint32_t index = static_cast<uint32_t>(scope) << 2 | static_cast<uint32_t>(filter);
  return {{UINT32_MAX, index, static_cast<uint32_t>(version), static_cast<uint32_t>(version >> 32)}, 4};
}

bool Facts::Impl::AddGrounds(Dim d, ScopeId scope, FactFilter filter, int depth, Grounds* grounds) {
  for (const Dim symbol : dims.SymbolsOf(d)) {
    if (!AddGroundsOfDefinition(symbol, scope, filter, depth, grounds)) return false;
    Component* component = ComponentOf(symbol, scope);
    if (component == nullptr) continue;
    const DerivedFacts& k = Derived(*component, filter);
    if (k.conflict() || grounds->Has(k.number())) continue;
    if (!grounds->Add(k.number())) return false;
    // A solution may contain any symbol of the component, and so depend on their definitions.
    for (const Dim defined : component->defined) {
      if (!AddGroundsOfDefinition(defined, scope, filter, depth, grounds)) return false;
    }
  }
  return true;
}

bool Facts::Impl::AddGroundsOfDefinition(Dim symbol, ScopeId scope, FactFilter filter, int depth,
                                         Grounds* grounds) {
  constexpr int kMaxDepth = 4;
  const Definition* definition = dims.GetDefinition(symbol);
  if (definition == nullptr) return true;
  if (depth == kMaxDepth) return false;
  for (const Dim operand : definition->operands) {
    if (operand.is_expression() && !AddGrounds(operand, scope, filter, depth + 1, grounds)) return false;
  }
  return true;
}

namespace {

bool IsLeftOut(FactKind kind, FactFilter filter) {
  return (filter == FactFilter::kWithoutAssumed && kind == FactKind::kAssumed) ||
         (filter == FactFilter::kWithoutChecked && kind == FactKind::kChecked);
}

}  // namespace

bool Facts::Impl::HasEqualConstraint(const Constraint& c, FactFilter filter,
                                     std::span<const ConstraintId> except) {
  for (ScopeId scope = c.scope;; scope = At(scope).parent) {
    for (const FactKind kind :
         {FactKind::kGiven, FactKind::kChecked, FactKind::kAssumed, FactKind::kPending}) {
      if (IsLeftOut(kind, filter)) continue;
      const auto same = duplicates.find(Statement{scope, kind, c.clause});
      if (same != duplicates.end() && std::ranges::find(except, same->second[0]) == except.end()) return true;
    }
    if (scope == ScopeId::kRoot) return false;
  }
}

std::shared_ptr<const DerivedFacts> Facts::Impl::DeriveByExtension(Component& component, FactFilter filter) {
  const Component::ExtensionBase& earlier = component.earlier[static_cast<size_t>(filter)];
  if (earlier.derived_facts == nullptr) return nullptr;
  std::vector<SourcedClause> more;
  for (const ConstraintId id : earlier.since) {
    const Constraint& c = At(id);
    if (IsLeftOut(c.kind, filter) || HasEqualConstraint(c, filter, earlier.since)) continue;
    more.push_back({c.clause, id, c.owner});
  }
  if (more.empty()) return earlier.derived_facts;
  if (!component.defined.empty()) return nullptr;
  const auto is_new = [&](Dim symbol) {
    const auto first = component.symbols.begin() + static_cast<ptrdiff_t>(earlier.symbols);
    return std::find(first, component.symbols.end(), symbol) != component.symbols.end();
  };
  std::optional<DerivedFacts> extended = earlier.derived_facts->Extended(dims, more, is_new);
  if (!extended) return nullptr;
  auto derived_facts = std::make_shared<DerivedFacts>(*std::move(extended));
  derived_facts->set_number(++derived_facts_count);
  return derived_facts;
}

std::shared_ptr<const DerivedFacts> Facts::Impl::Derive(Component& component, FactFilter filter) {
  if (auto grown = DeriveByExtension(component, filter); grown != nullptr) return grown;
  DerivedFactsCache::Clauses numbers;
  for (const ConstraintId id : component.members) {
    if (!IsLeftOut(At(id).kind, filter)) numbers.push_back(At(id).number);
  }
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (auto known = memory.Find(numbers); known != nullptr) return known;
  SortMembers(&component);
  std::vector<SourcedClause> clauses;
  for (const ConstraintId id : component.members) {
    const Constraint& c = At(id);
    if (!IsLeftOut(c.kind, filter)) clauses.push_back({c.clause, id, c.owner});
  }
  auto derived_facts = std::make_shared<DerivedFacts>(DerivedFacts::Build(dims, std::move(clauses)));
  derived_facts->set_number(++derived_facts_count);
  memory.Insert(std::move(numbers), derived_facts);
  return derived_facts;
}

}  // namespace dimwise
