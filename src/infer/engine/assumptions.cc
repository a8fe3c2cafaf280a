#include "infer/engine/assumptions.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/dims/symbol_set.h"
#include "graph/graph_walk.h"
#include "infer/context/simplified_type.h"
#include "infer/engine/guard_list.h"

namespace dimwise {
namespace {

// Limit on the work of all trials: a multiple of the nodes of the program plus a constant, for small
// programs. A visit of a node and a change of an assumption count one each.
constexpr uint64_t kTrialsPerNode = 4, kMoreTrials = 4096;
// Trials of a node that fail with all assumptions, since the facts of later nodes are missing.
constexpr uint8_t kMaxFutileTrials = 2;
// Each round completes the reported types and guards. Almost all programs need one or two.
constexpr int kCompletionRounds = 4;

using Indices = std::vector<uint32_t>;  // of assumptions, sorted

// Finds the assumptions about symbols.
class RelatedAssumptions {
 public:
  explicit RelatedAssumptions(const ProgramState& state) {
    const std::vector<InputAssumptions::Entry>& entries = state.assumptions.entries();
    for (uint32_t a = 0; a < entries.size(); ++a) {
      for (const Literal& literal : entries[a].clause) {
        for (const Dim symbol : state.analysis.dims().SymbolsOf(literal.value)) {
          Indices& of = of_symbol_[symbol];
          if (of.empty() || of.back() != a) of.push_back(a);
        }
      }
    }
  }
  Indices Of(const SymbolSet& symbols) const {
    Indices related;
    for (const Dim symbol : symbols.list()) {
      if (const auto it = of_symbol_.find(symbol); it != of_symbol_.end())
        related.insert(related.end(), it->second.begin(), it->second.end());
    }
    std::ranges::sort(related);
    related.erase(std::unique(related.begin(), related.end()), related.end());
    return related;
  }

 private:
  tsl::robin_map<Dim, Indices, std::hash<Dim>> of_symbol_;
};

// What inference found: the types as they are stored and as they are reported, contents and findings.
class Results {
 public:
  Results(const ProgramState& state, const std::function<Type(ValueId)>& reported_type) : state_(state) {
    for (uint32_t v = 0; v < state.graph.value_count(); ++v) {
      const bool exists = state.graph.Has(ValueId{v});
      reported_.push_back(exists ? reported_type(ValueId{v}) : Type());
      values_.push_back(exists ? ValueState{state.type(ValueId{v}), state.contents(ValueId{v})}
                               : ValueState());
    }
    for (const NodeId node : NodesWithEffects(state)) findings_.insert({Index(node), FindingsOf(node)});
  }

  const Type& reported(ValueId v) const { return reported_[Index(v)]; }

  // Returns whether a node has these results now. Types are equal if the present facts make them equal.
  bool AreOf(NodeId node) const {
    const ScopeId scope = state_.scope(state_.graph.region(node));
    const auto simplified = [&](const Type& type) { return SimplifiedType(state_.analysis, type, scope); };
    for (const ValueId v : state_.graph.results(node)) {
      const Type then = values_[Index(v)].type, now = state_.type(v);
      if (values_[Index(v)].contents != state_.contents(v)) return false;
      if (then != now && simplified(then) != simplified(now)) return false;
    }
    const auto findings = findings_.find(Index(node));
    return FindingsOf(node) == (findings == findings_.end() ? Findings() : findings->second);
  }

 private:
  struct Findings {
    std::vector<std::string> messages;
    bool fails = false;
    bool operator==(const Findings&) const = default;
  };
  Findings FindingsOf(NodeId node) const {
    Findings findings;
    const NodeEffects* effects = state_.effects_of(node);
    if (effects == nullptr) return findings;
    for (const Diagnostic& finding : effects->findings) findings.messages.push_back(finding.message);
    findings.fails = effects->fails;
    return findings;
  }

  const ProgramState& state_;
  std::vector<Type> reported_;                   // by value
  std::vector<ValueState> values_;               // by value
  tsl::robin_map<uint32_t, Findings> findings_;  // by node
};

class UsedAssumptionFinder {
 public:
  UsedAssumptionFinder(Engine& engine, const std::function<Type(ValueId)>& type,
                       const std::vector<ResidualGuard>& guards, std::vector<Assumption>& assumptions)
      : engine_(engine),
        state_(engine.state()),
        graph_(state_.graph),
        type_(type),
        with_all_(state_, type),
        guards_(guards),
        related_(state_),
        assumptions_(assumptions),
        is_aside_(assumptions.size(), false),
        futile_trials_(graph_.node_count(), 0),
        work_left_(kTrialsPerNode * graph_.node_count() + kMoreTrials) {
    ForEachInOrder(graph_, [&](NodeId node) {
      const NodeId member = MemberAround(graph_, node, graph_.body());
      if (member != kNoNode && member != node) nested_[Index(member)].push_back(node);
    });
  }

  void Run() {
    engine_.StartAgain();
    for (uint32_t a = 0; a < assumptions_.size(); ++a) SetAside({&a, 1});
    bool suffice = false;
    for (int round = 0; round < kCompletionRounds; ++round) {
      engine_.RunToFixedPoint([&](NodeId node) { Visit(node); });
      const bool types_need_more = CompleteTypes();
      const std::vector<ResidualGuard> beyond = GuardsBeyond(state_, NodesWithEffects(state_), guards_);
      const bool guards_need_more = CompleteGuards(beyond, /*with_all=*/round + 2 == kCompletionRounds);
      if (types_need_more || guards_need_more) continue;
      suffice = beyond.empty() && AllResultsAreSame();
      break;
    }
    const Indices aside = AllAside();
    for (const uint32_t a : aside) assumptions_[a].is_used = !suffice;
    if (aside.empty()) return;
    engine_.StartAgain();
    PutBack(aside);
    engine_.RunToFixedPoint();
  }

 private:
  // Evaluates something with the assumptions that are in place. Returns the first node whose results differ
  // from those with all assumptions, kNoNode for an input, or nullopt if nothing differs.
  using Trial = FunctionRef<std::optional<NodeId>()>;

  Indices AllAside() const {
    Indices all;
    for (uint32_t a = 0; a < is_aside_.size(); ++a) {
      if (is_aside_[a]) all.push_back(a);
    }
    return all;
  }
  Indices AsideAbout(const SymbolSet& symbols) const {
    Indices related = related_.Of(symbols);
    std::erase_if(related, [&](uint32_t a) { return !is_aside_[a]; });
    return related;
  }

  // Visits a node. If its results differ from those with all assumptions, puts back those that it needs.
  void Visit(NodeId node) {
    SymbolSet queried;
    SymbolSet* const outer = state_.queries().SetSymbols(&queried);
    engine_.Visit(node);
    state_.queries().SetSymbols(outer);
    const std::optional<NodeId> difference = FirstDifference(node);
    if (!difference || futile_trials_[Index(node)] == kMaxFutileTrials) return;
    const bool found = FindNeeds(queried, *difference, [&] {
      VisitAgain(node);
      return FirstDifference(node);
    });
    if (!found) ++futile_trials_[Index(node)];
  }

  // Types are reported as the facts simplify them. Puts back the assumptions that this needs. Returns whether
  // it put any back.
  bool CompleteTypes() {
    bool any = false;
    for (uint32_t i = 0; i < graph_.value_count(); ++i) {
      const ValueId v{i};
      const auto difference = [&] { return TypeDifference(v); };
      const std::optional<NodeId> maker = difference();
      if (!maker) continue;
      SymbolSet queried;
      SymbolSet* const outer = state_.queries().SetSymbols(&queried);
      SimplifiedType(state_.analysis, state_.type(v), state_.scope(graph_.region(v)));
      state_.queries().SetSymbols(outer);
      any |= FindNeeds(queried, *maker, difference);
    }
    return any;
  }

  // A node may have more guards without an assumption. `beyond` are those that do not follow from the
  // reported guards. Puts back assumptions about the symbols of each: the first one, since it may make others
  // superfluous, or all. Returns whether it put any back.
  bool CompleteGuards(std::span<const ResidualGuard> beyond, bool with_all) {
    std::vector<bool> is_added(assumptions_.size(), false);
    bool any = false;
    for (const ResidualGuard& guard : beyond) {
      SymbolSet symbols;
      for (const Clause& clause : guard.condition.clauses) {
        for (const Literal& literal : clause) {
          for (const Dim symbol : state_.analysis.dims().SymbolsOf(literal.value)) symbols.Add(symbol);
        }
      }
      const Indices related = related_.Of(symbols);
      if (!with_all && std::ranges::any_of(related, [&](uint32_t a) { return is_added[a]; })) continue;
      for (const uint32_t a : related) {
        if (!is_aside_[a]) continue;
        PutBack({&a, 1});
        assumptions_[a].node = guard.node;
        any = is_added[a] = true;
        if (!with_all) break;
      }
    }
    return any;
  }

  // Returns whether the reported types, contents and findings are those with all assumptions.
  bool AllResultsAreSame() const {
    bool same = true;
    for (uint32_t v = 0; v < graph_.value_count() && same; ++v) same = !TypeDifference(ValueId{v});
    ForEachInOrder(graph_, [&](NodeId node) { same = same && with_all_.AreOf(node); });
    return same;
  }

  std::optional<NodeId> TypeDifference(ValueId v) const {
    if (!graph_.Has(v) || type_(v) == with_all_.reported(v)) return std::nullopt;
    return graph_.role(v) == ValueRole::kResult ? graph_.maker(v) : kNoNode;
  }

  // Returns the first node, among the nodes inside a node and the node itself, whose results differ.
  std::optional<NodeId> FirstDifference(NodeId node) const {
    if (const auto inside = nested_.find(Index(node)); inside != nested_.end()) {
      for (const NodeId n : inside->second) {
        if (!with_all_.AreOf(n)) return n;
      }
    }
    return with_all_.AreOf(node) ? std::nullopt : std::optional(node);
  }

  // Puts back the assumptions that a trial needs: few of those about the symbols that it queried, or few of
  // all. Returns false if all assumptions leave a difference; then none is put back.
  bool FindNeeds(const SymbolSet& queried, NodeId difference, Trial trial) {
    const Indices related = AsideAbout(queried), all = AllAside();
    return FindNeeds(related, difference, trial) ||
           (all.size() > related.size() && FindNeeds(all, difference, trial));
  }

  bool FindNeeds(const Indices& candidates, NodeId difference, Trial trial) {
    if (candidates.empty() || candidates.size() > work_left_) return false;
    PutBack(candidates);
    if (trial()) {
      SetAside(candidates);
      trial();
      return false;
    }
    KeepNeeded(candidates, difference, trial);
    return true;
  }

  // Sets aside the assumptions that a trial does not need. It needs at least one of them: without them, the
  // results of `difference` differ. Of two that suffice the earlier one stays in place.
  void KeepNeeded(std::span<const uint32_t> candidates, NodeId difference, Trial trial) {
    if (candidates.size() == 1) return void(assumptions_[candidates[0]].node = difference);
    const std::span<const uint32_t> earlier = candidates.first(candidates.size() / 2);
    const std::span<const uint32_t> later = candidates.subspan(candidates.size() / 2);
    if (!KeepIfNeeded(later, difference, trial)) return KeepNeeded(earlier, difference, trial);
    KeepIfNeeded(earlier, difference, trial);
  }

  // Returns whether a trial needs some of the assumptions. Sets the others aside.
  bool KeepIfNeeded(std::span<const uint32_t> candidates, NodeId difference, Trial trial) {
    if (work_left_ > 0) {
      SetAside(candidates);
      const std::optional<NodeId> without = trial();
      if (!without) return false;
      difference = *without;
      PutBack(candidates);
    }
    KeepNeeded(candidates, difference, trial);
    trial();
    return true;
  }

  // Visits a node without the effects of its last visit, which would prove what the node requires.
  void VisitAgain(NodeId node) {
    const uint64_t before = state_.budget.visits;
    if (const auto inside = nested_.find(Index(node)); inside != nested_.end()) {
      for (const NodeId n : inside->second) engine_.DropEffects(n);
    }
    engine_.DropEffects(node);
    engine_.Visit(node);
    Spend(state_.budget.visits - before);
  }

  void SetAside(std::span<const uint32_t> assumptions) {
    for (const uint32_t a : assumptions) {
      engine_.SetAside(a);
      is_aside_[a] = true;
    }
  }

  void PutBack(std::span<const uint32_t> assumptions) {
    for (const uint32_t a : assumptions) {
      engine_.PutBack(a);
      is_aside_[a] = false;
    }
    Spend(assumptions.size());
  }

  void Spend(uint64_t work) { work_left_ -= std::min(work, work_left_); }

  Engine& engine_;
  const ProgramState& state_;
  const Graph& graph_;
  const std::function<Type(ValueId)>& type_;
  const Results with_all_;
  const std::vector<ResidualGuard>& guards_;  // with all assumptions
  const RelatedAssumptions related_;
  std::vector<Assumption>& assumptions_;
  std::vector<bool> is_aside_;                            // by assumption
  std::vector<uint8_t> futile_trials_;                    // by node
  tsl::robin_map<uint32_t, std::vector<NodeId>> nested_;  // by node that carries regions, in program order
  uint64_t work_left_;
};

}  // namespace

std::string Assumption::message() const {
  if (of_data) return "this size, which depends on data, was given";
  return of_user ? "this was assumed of the model's inputs"
                 : "sizes of the model's inputs are assumed to be at least 1";
}

std::vector<Assumption> AssumptionsOf(const Engine& engine) {
  const DimTable& dims = engine.state().analysis.dims();
  std::vector<Assumption> assumptions;
  for (const InputAssumptions::Entry& a : engine.state().assumptions.entries()) {
    const bool of_data = std::ranges::any_of(a.clause, [&](const Literal& literal) {
      return std::ranges::any_of(dims.SymbolsOf(literal.value),
                                 [&](Dim symbol) { return !dims.GetSymbol(symbol).of_user; });
    });
    assumptions.push_back({a.clause, a.kind == FactKind::kGiven, of_data});
  }
  return assumptions;
}

void FindUsed(Engine& engine, const std::function<Type(ValueId)>& type,
              const std::vector<ResidualGuard>& guards, std::vector<Assumption>* assumptions) {
  if (!assumptions->empty()) UsedAssumptionFinder(engine, type, guards, *assumptions).Run();
}

}  // namespace dimwise
