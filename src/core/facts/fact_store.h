// The constraints of all scopes, and the facts that are derived from them on demand.
//
// The constraints of a scope form components: sets connected by shared symbols. The root scope updates its
// components incrementally: a new constraint joins the components of its symbols, a retraction splits its
// component. Facts are derived again only for a component that has changed and is queried.
//
// A nested scope is small and short-lived. Its view contains its own constraints and copies of the outer
// components that share a symbol with them. The view grows with the scope. It is rebuilt after a retraction
// or a change of an outer scope. Queries about other symbols go to the outer scope.
#ifndef DIMWISE_CORE_FACTS_FACT_STORE_H_
#define DIMWISE_CORE_FACTS_FACT_STORE_H_

#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "core/base/hash_mix.h"
#include "core/dims/symbol_set.h"
#include "core/facts/answer_cache.h"
#include "core/facts/derived_facts_cache.h"
#include "core/facts/entailment.h"
#include "core/facts/query_tracking.h"
#include "dimwise/facts.h"

namespace dimwise {

struct Facts::Impl {
  struct Constraint {
    Clause clause;  // normal
    FactKind kind = FactKind::kGiven;
    OwnerId owner = 0;
    ScopeId scope{};
    bool live = true;
    bool is_active = true;  // the first of equal constraints; the others are no members of a component
    uint64_t since = 0;     // the time when it was added
    uint32_t number = 0;    // the ID of the clause in `memory`
  };

  // The times of the last change of any fact, and of the last change of a fact that is not checked.
  struct ChangeTimes {
    uint64_t any = 0, unchecked = 0;
    void Raise(uint64_t when, bool is_unchecked) {
      any = std::max(any, when);
      if (is_unchecked) unchecked = std::max(unchecked, when);
    }
    void Raise(const ChangeTimes& other) {
      any = std::max(any, other.any);
      unchecked = std::max(unchecked, other.unchecked);
    }
  };
  static bool IsUnchecked(const Constraint& c) { return c.kind != FactKind::kChecked; }

  // The parts that equal constraints share.
  struct Statement {
    ScopeId scope{};
    FactKind kind{};
    Clause clause;
    bool operator==(const Statement&) const = default;
  };
  struct StatementHash {
    size_t operator()(const Statement& s) const {
      return HashMix(ClauseHash()(s.clause),
                     static_cast<uint64_t>(s.scope) << 3 | static_cast<uint64_t>(s.kind));
    }
  };

  // Constraints that are connected by shared symbols, and the facts derived from them.
  struct Component {
    std::vector<ConstraintId> members;
    size_t sorted_count = 0;  // this many first members are sorted as in ComesFirst
    std::vector<Dim> symbols;
    std::vector<Dim> defined;                              // the symbols that have a definition
    std::shared_ptr<const DerivedFacts> derived_facts[3];  // by filter
    // The facts before the last members were added; only for components with many members.
    struct ExtensionBase {
      std::shared_ptr<const DerivedFacts> derived_facts;
      size_t symbols = 0;               // the number of symbols at that time
      std::vector<ConstraintId> since;  // the members added since
    };
    std::array<ExtensionBase, 3> earlier;  // by filter
    size_t index = 0;                      // index in its view
    ChangeTimes changed;                   // the last change

    void ClearDerived() {
      for (auto& k : derived_facts) k.reset();
      for (ExtensionBase& e : earlier) e = {};
    }
    // Prepares for new members: keeps the derived facts as the base of an extension, or clears them.
    void PrepareToAdd(std::span<const ConstraintId> more);
  };

  struct View {
    std::vector<std::unique_ptr<Component>> components;
    tsl::robin_map<Dim, Component*, std::hash<Dim>> of_symbol;

    Component* Add() {
      Component* c = components.emplace_back(std::make_unique<Component>()).get();
      c->index = components.size() - 1;
      return c;
    }
    std::unique_ptr<Component> Take(Component* c) {
      const size_t index = c->index;
      std::swap(components[index], components.back());
      components[index]->index = index;
      std::unique_ptr<Component> taken = std::move(components.back());
      components.pop_back();
      return taken;
    }
  };

  struct Scope {
    ScopeId parent{};
    bool live = true;
    uint32_t child_count = 0;
    uint64_t version = 1;
    ChangeTimes retracted;          // the last retraction
    std::vector<ConstraintId> own;  // empty for the root: its view has them
    View view;
    uint64_t view_version = 0;        // VisibleVersion when the view was built; unused for the root
    uint64_t view_outer_version = 0;  // the VisibleVersion of the outer scope at that time
    size_t view_own_count = 0;        // the view contains this many elements of `own`
  };

  explicit Impl(DimTable& table) : dims(table) { scopes.emplace_back(); }

  DimTable& dims;
  std::vector<Constraint> constraints;
  std::vector<Scope> scopes;
  std::vector<uint32_t> free_scopes;
  DerivedFactsCache memory;
  size_t live_constraints = 0;
  std::array<size_t, 4> live_of_kind{};  // by FactKind
  uint64_t clock = 1;
  uint64_t max_query_steps = kDefaultQuerySteps;
  uint64_t unfinished_queries = 0;
  uint64_t query_steps = 0;
  QueryCount queries;
  QueryLog* log = nullptr;               // null: queries are not logged
  SymbolSet* queried_symbols = nullptr;  // null: symbols are not recorded
  tsl::robin_map<Dim, ChangeTimes, std::hash<Dim>>
      last_retraction;  // by symbol: when its last constraint of the root was retracted
  // Equal constraints; the first one is active.
  tsl::robin_map<Statement, std::vector<ConstraintId>, StatementHash> duplicates;

  Constraint& At(ConstraintId id) { return constraints[static_cast<uint32_t>(id)]; }
  size_t& OfKind(FactKind kind) { return live_of_kind[static_cast<size_t>(kind)]; }
  // Returns one filter for all filters that exclude nothing, so that their queries share answers.
  FactFilter Effective(FactFilter filter) {
    if (filter == FactFilter::kWithoutAssumed && OfKind(FactKind::kAssumed) == 0)
      filter = FactFilter::kEverything;
    return filter == FactFilter::kEverything && OfKind(FactKind::kChecked) == 0 ? FactFilter::kWithoutChecked
                                                                                : filter;
  }
  Scope& At(ScopeId id) { return scopes[static_cast<uint32_t>(id)]; }
  const Scope& At(ScopeId id) const { return scopes[static_cast<uint32_t>(id)]; }

  // Returns the time of the last change of the constraints that are visible in a scope. Each change of any
  // scope has its own time, so two states of a scope have different versions.
  uint64_t VisibleVersion(ScopeId id) const {
    uint64_t latest = At(id).version;
    while (id != ScopeId::kRoot) {
      id = At(id).parent;
      latest = std::max(latest, At(id).version);
    }
    return latest;
  }
  void MarkChanged(Scope* scope) { scope->version = ++clock; }

  AnswerCache answers;
  uint32_t derived_facts_count = 0;  // the last ID
  // A cache of grounds, valid for one version.
  struct FoundGrounds {
    int64_t value = 0;  // the bits of an expression
    uint64_t version = 0;
    ScopeId scope{};
    FactFilter filter{};
    Grounds grounds;
  };
  std::array<FoundGrounds, 32> found_grounds{};
  const Grounds& GroundsOf(Dim d, ScopeId scope, FactFilter filter) {
    const uint64_t version = VisibleVersion(scope);
    FoundGrounds& slot = found_grounds[d.id() & (found_grounds.size() - 1)];
    if (slot.value != d.bits() || slot.version != version || slot.scope != scope || slot.filter != filter) {
      slot = {d.bits(), version, scope, filter, GroundsUncached(d, scope, filter)};
    }
    return slot.grounds;
  }
  Grounds GroundsUncached(Dim d, ScopeId scope, FactFilter filter);
  bool AddGrounds(Dim d, ScopeId scope, FactFilter filter, int depth, Grounds* grounds);
  bool AddGroundsOfDefinition(Dim symbol, ScopeId scope, FactFilter filter, int depth, Grounds* grounds);

  // Adds a constraint to a view, and joins the components that share a symbol with it.
  void Insert(View* view, ConstraintId id);
  // Copies a component of another view that shares no symbol with this view.
  void Copy(View* view, Component* component);
  void SortMembers(Component* component);
  static Component* Join(View* view, Component* a, Component* b);
  void Remove(View* view, ConstraintId id);
  Component* ComponentOf(View* view, ConstraintId id) const;
  // Replaces a constraint by an equal one.
  void Replace(View* view, ConstraintId id, ConstraintId successor);
  View& ViewOf(ScopeId id);
  // Adds a live constraint to its scope.
  void AddToScope(ConstraintId id);
  // Removes a constraint from the list of equal ones. Returns the one that is active now, or `id` if none is
  // left.
  ConstraintId RemoveDuplicate(ConstraintId id);
  ConstraintId Delete(ConstraintId id);

  const DerivedFacts& Derived(Component& component, FactFilter filter) {
    std::shared_ptr<const DerivedFacts>& slot = component.derived_facts[static_cast<size_t>(filter)];
    if (slot == nullptr) slot = Derive(component, filter);
    return *slot;
  }
  std::shared_ptr<const DerivedFacts> Derive(Component& component, FactFilter filter);
  // Returns whether an equal constraint that is not in `except` is visible where c is.
  bool HasEqualConstraint(const Constraint& c, FactFilter filter, std::span<const ConstraintId> except);
  // Derives facts from the extension base; returns null if that is impossible.
  std::shared_ptr<const DerivedFacts> DeriveByExtension(Component& component, FactFilter filter);

  // Returns when the facts about the symbols of the expressions, as visible in a scope, last changed.
  ChangeTimes ChangeOf(std::span<const Dim> expressions, ScopeId scope);
  // Returns when a constraint that was visible in a scope was last retracted.
  ChangeTimes RetractionTimes(ScopeId scope) const {
    ChangeTimes latest = At(ScopeId::kRoot).retracted;
    for (ScopeId s = scope; s != ScopeId::kRoot; s = At(s).parent) latest.Raise(At(s).retracted);
    return latest;
  }
  // ---- Tracking of queries (query_tracking.h) ----
  void CountQuery(Dim d, ScopeId scope, bool of_checked) {
    ++queries.all;
    if (of_checked) ++queries.of_checked;
    if (queried_symbols != nullptr) RecordSymbols(d, scope);
  }
  // Counts a query that is no clause; the log does not contain it.
  void CountOtherQuery() {
    ++queries.open;
    if (log != nullptr) log->is_complete = false;
  }
  Truth CountAnswer(Truth answer) {
    if (answer == Truth::kMaybe) ++queries.open;
    return answer;
  }
  // Adds a query and its answer to the log, if there is one. Returns the answer.
  Truth Log(std::span<const Literal> clause, FactFilter filter, Truth answer) {
    if (log == nullptr) return answer;
    log->literals.insert(log->literals.end(), clause.begin(), clause.end());
    log->queries.push_back({static_cast<uint32_t>(clause.size()), filter, answer == Truth::kMaybe});
    return answer;
  }
  // Adds the symbols that an answer about d depends on to queried_symbols.
  void RecordSymbols(Dim d, ScopeId scope);

  // Returns the component of a symbol in the innermost scope that has constraints on it, or null.
  Component* ComponentOf(Dim symbol, ScopeId scope) {
    while (true) {
      View& view = ViewOf(scope);
      if (const auto it = view.of_symbol.find(symbol); it != view.of_symbol.end()) return it->second;
      if (scope == ScopeId::kRoot) return nullptr;
      scope = At(scope).parent;
    }
  }
};

}  // namespace dimwise

#endif  // DIMWISE_CORE_FACTS_FACT_STORE_H_
