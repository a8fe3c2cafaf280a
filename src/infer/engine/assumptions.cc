#include "infer/engine/assumptions.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "infer/engine/assumption_needs.h"
#include "infer/engine/guard_list.h"

namespace dimwise {
namespace {

class UsedAssumptionFinder {
 public:
  UsedAssumptionFinder(Engine& engine, const std::function<Type(ValueId)>& type,
                       std::vector<Assumption>& assumptions)
      : engine_(engine),
        state_(engine.state()),
        graph_(state_.graph),
        type_(type),
        with_all_(CurrentResults()),
        assumptions_(assumptions) {}

  void Run() {
    std::vector<uint32_t> all(assumptions_.size());
    std::iota(all.begin(), all.end(), 0u);
    const Results without = ResultsWithout(all);
    const Difference difference = Compare(without);
    engine_.Restore(all);
    if (!difference.exists) {
      for (Assumption& a : assumptions_) a.is_used = false;
      return;
    }
    if (all.size() == 1) return void(assumptions_[0].node = difference.node);
    needs_.emplace(engine_, ChangedNodes(without), with_all_.types);
    has_other_guards_ = NodesWithOtherGuards(without);
    std::vector<uint32_t> needed, rest;
    const std::vector<bool> is_needed = needs_->Find();
    for (const uint32_t a : all) (is_needed[a] && IsCertainlyUsed(a, {}) ? needed : rest).push_back(a);
    if (rest.size() == all.size()) {
      WithdrawUnusedInHalves(rest);
    } else if (!rest.empty()) {
      WithdrawUnused(rest);
    }
    RestoreAll(needed);
  }

 private:
  // Everything that is reported.
  struct Results {
    std::vector<Type> types;      // by value
    std::vector<Value> contents;  // by value
    std::vector<ResidualGuard> guards;
    std::vector<std::pair<NodeId, std::string>> findings;
  };

  Results CurrentResults() const {
    Results now;
    for (uint32_t v = 0; v < graph_.value_count(); ++v) {
      const bool exists = graph_.Has(ValueId{v});
      now.types.push_back(exists ? type_(ValueId{v}) : Type());
      now.contents.push_back(exists ? state_.contents(ValueId{v}) : Value());
    }
    const std::vector<NodeId> nodes = NodesWithEffects(state_);
    now.guards = GuardsOf(state_, nodes);
    for (const NodeId node : nodes) {
      for (const Diagnostic& d : state_.effects_of(node)->findings)
        now.findings.emplace_back(node, d.message);
    }
    return now;
  }

  // Withdraws assumptions and returns the results. The assumptions stay withdrawn.
  Results ResultsWithout(std::span<const uint32_t> assumptions) {
    engine_.Withdraw(assumptions);
    return CurrentResults();
  }

  struct Difference {
    bool exists = false;
    NodeId node = kNoNode;  // the first node in program order whose results differ
  };

  // Compares results with the results under all assumptions.
  Difference Compare(const Results& now) const {
    Difference d;
    const auto differs_at = [&](NodeId node) {
      d.exists = true;
      if (node == kNoNode || (d.node != kNoNode && graph_.position(d.node) <= graph_.position(node))) return;
      d.node = node;
    };
    ForEachChangedValue(now, differs_at);
    const auto [now_guard, old_guard] = std::ranges::mismatch(now.guards, with_all_.guards, IsSameGuard);
    if (now_guard != now.guards.end()) differs_at(now_guard->node);
    if (old_guard != with_all_.guards.end()) differs_at(old_guard->node);
    const auto [now_found, old_found] = std::ranges::mismatch(now.findings, with_all_.findings);
    if (now_found != now.findings.end()) differs_at(now_found->first);
    if (old_found != with_all_.findings.end()) differs_at(old_found->first);
    return d;
  }

  static bool IsSameGuard(const ResidualGuard& a, const ResidualGuard& b) {
    return a.node == b.node && a.condition == b.condition;
  }

  // Calls visit(node) for the makers of values whose type or contents changed; kNoNode for an input.
  template <typename Visitor>
  void ForEachChangedValue(const Results& now, const Visitor& visit) const {
    for (uint32_t v = 0; v < graph_.value_count(); ++v) {
      if (now.types[v] == with_all_.types[v] && now.contents[v] == with_all_.contents[v]) continue;
      visit(graph_.role(ValueId{v}) == ValueRole::kResult ? graph_.maker(ValueId{v}) : kNoNode);
    }
  }

  // Returns by node whether its guards or findings changed.
  std::vector<bool> NodesWithOtherGuards(const Results& now) const {
    std::vector<bool> differs(graph_.node_count(), false);
    std::vector<std::vector<const Condition*>> before(graph_.node_count()), after(graph_.node_count());
    for (const ResidualGuard& c : with_all_.guards) before[Index(c.node)].push_back(&c.condition);
    for (const ResidualGuard& c : now.guards) after[Index(c.node)].push_back(&c.condition);
    const auto is_same = [](const Condition* a, const Condition* b) { return *a == *b; };
    for (uint32_t n = 0; n < differs.size(); ++n)
      differs[n] = !std::ranges::equal(before[n], after[n], is_same);
    const auto mark_others = [&](const Results& a, const Results& b) {
      for (const auto& found : a.findings) {
        if (std::ranges::find(b.findings, found) == b.findings.end()) differs[Index(found.first)] = true;
      }
    };
    mark_others(now, with_all_);
    mark_others(with_all_, now);
    return differs;
  }

  // Returns the nodes whose results, guards or findings changed, in program order.
  std::vector<NodeId> ChangedNodes(const Results& now) const {
    std::vector<bool> differs = NodesWithOtherGuards(now);
    ForEachChangedValue(now, [&](NodeId node) {
      if (node != kNoNode) differs[Index(node)] = true;
    });
    std::vector<NodeId> nodes;
    ForEachInOrder(graph_, [&](NodeId node) {
      if (differs[Index(node)]) nodes.push_back(node);
    });
    return nodes;
  }

  // Returns whether single nodes prove that an assumption is used while others are withdrawn. Sets the first
  // node that needs it.
  bool IsCertainlyUsed(uint32_t assumption, std::span<const uint32_t> withdrawn) {
    const AssumptionNeeds::FirstNode first =
        needs_->FirstOf(assumption, withdrawn, [&](NodeId node) { return has_other_guards_[Index(node)]; });
    if (first.is_certain) assumptions_[assumption].node = first.node;
    return first.is_certain;
  }

  // Withdraws the assumptions among these that have no effect, given those that are still in place.
  void WithdrawUnused(std::span<const uint32_t> assumptions) {
    const Difference difference = Compare(ResultsWithout(assumptions));
    if (!difference.exists) {
      for (const uint32_t a : assumptions) assumptions_[a].is_used = false;
      return;
    }
    engine_.Restore(assumptions);
    if (assumptions.size() == 1) return void(assumptions_[assumptions[0]].node = difference.node);
    WithdrawUnusedInHalves(assumptions);
  }

  // As WithdrawUnused, if it is certain that at least one of several is used.
  void WithdrawUnusedInHalves(std::span<const uint32_t> assumptions) {
    WithdrawUnused(assumptions.first(assumptions.size() / 2));
    WithdrawUnused(assumptions.subspan(assumptions.size() / 2));
  }

  // Puts all assumptions in place. The first node that needs an assumption may depend on which ones were
  // withdrawn before it, so it is determined again.
  void RestoreAll(std::span<const uint32_t> needed) {
    std::vector<uint32_t> unused;
    for (uint32_t a = 0; a < assumptions_.size(); ++a) {
      if (!assumptions_[a].is_used) unused.push_back(a);
    }
    engine_.Restore(unused);
    if (unused.empty()) return;
    for (const uint32_t a : needed) {
      const auto end = std::ranges::lower_bound(unused, a);
      std::vector<uint32_t> withdrawn(unused.begin(), end);
      if (IsCertainlyUsed(a, withdrawn)) continue;
      withdrawn.push_back(a);
      if (const Difference difference = Compare(ResultsWithout(withdrawn)); difference.exists)
        assumptions_[a].node = difference.node;
      engine_.Restore(withdrawn);
    }
    engine_.Restore({});
  }

  Engine& engine_;
  const ProgramState& state_;
  const Graph& graph_;
  const std::function<Type(ValueId)>& type_;
  const Results with_all_;
  std::vector<Assumption>& assumptions_;
  std::optional<AssumptionNeeds> needs_;
  std::vector<bool> has_other_guards_;  // by node: without any assumption, its guards or findings differ
};

}  // namespace

std::string Assumption::message() const {
  return of_user ? "this was assumed of the model's inputs"
                 : "sizes of the model's inputs are assumed to be at least 1";
}

std::vector<Assumption> AssumptionsOf(const Engine& engine) {
  std::vector<Assumption> assumptions;
  for (const InputAssumptions::Entry& a : engine.state().assumptions.entries())
    assumptions.push_back({a.clause, a.kind == FactKind::kGiven});
  return assumptions;
}

void FindUsed(Engine& engine, const std::function<Type(ValueId)>& type,
              std::vector<Assumption>* assumptions) {
  if (!assumptions->empty()) UsedAssumptionFinder(engine, type, *assumptions).Run();
}

}  // namespace dimwise
