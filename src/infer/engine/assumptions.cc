#include "infer/engine/assumptions.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

#include "infer/engine/assumption_needs.h"
#include "infer/engine/check_list.h"

namespace dimwise {
namespace {

class Trial {
 public:
  Trial(Engine& engine, const std::function<Type(ValueId)>& type, std::vector<Assumption>& found)
      : engine_(engine), graph_(engine.graph()), type_(type), with_all_(Look()), found_(found) {}

  void Run() {
    std::vector<uint32_t> all(found_.size());
    std::iota(all.begin(), all.end(), 0u);
    const Answers without = LookWithout(all);
    const Difference difference = Compare(without);
    engine_.Restore(all);
    if (!difference.is_there) {
      for (Assumption& a : found_) a.is_used = false;
      return;
    }
    if (all.size() == 1) return void(found_[0].node = difference.node);
    needs_.emplace(engine_, OtherNodes(without), with_all_.types);
    demands_ = OtherDemands(without);
    std::vector<uint32_t> needed, rest;
    const std::vector<bool> is_needed = needs_->Find();
    for (const uint32_t a : all) (is_needed[a] && IsSure(a, {}) ? needed : rest).push_back(a);
    if (rest.size() == all.size()) {
      TakeOutHalves(rest);
    } else if (!rest.empty()) {
      TakeOut(rest);
    }
    Settle(needed);
  }

 private:
  // All that is told.
  struct Answers {
    std::vector<Type> types;      // by value
    std::vector<Value> contents;  // by value
    std::vector<ResidualCheck> checks;
    std::vector<std::pair<NodeId, std::string>> findings;
  };

  Answers Look() const {
    Answers now;
    for (uint32_t v = 0; v < graph_.value_count(); ++v) {
      const bool is_there = graph_.Has(ValueId{v});
      now.types.push_back(is_there ? type_(ValueId{v}) : Type());
      now.contents.push_back(is_there ? engine_.contents(ValueId{v}) : Value());
    }
    const std::vector<NodeId> nodes = NodesWithRecords(engine_);
    now.checks = ChecksOf(engine_, nodes);
    for (const NodeId node : nodes) {
      for (const Diagnostic& d : engine_.record(node)->findings) now.findings.emplace_back(node, d.message);
    }
    return now;
  }

  // They stay out.
  Answers LookWithout(std::span<const uint32_t> places) {
    engine_.Withdraw(places);
    return Look();
  }

  struct Difference {
    bool is_there = false;
    NodeId node = kNoNode;  // the first
  };

  Difference Compare(const Answers& now) const {
    Difference d;
    const auto differs_at = [&](NodeId node) {
      d.is_there = true;
      if (node == kNoNode || (d.node != kNoNode && graph_.position(d.node) <= graph_.position(node))) return;
      d.node = node;
    };
    ForEachOtherValue(now, differs_at);
    const auto [now_check, old_check] = std::ranges::mismatch(now.checks, with_all_.checks, IsSameCheck);
    if (now_check != now.checks.end()) differs_at(now_check->node);
    if (old_check != with_all_.checks.end()) differs_at(old_check->node);
    const auto [now_found, old_found] = std::ranges::mismatch(now.findings, with_all_.findings);
    if (now_found != now.findings.end()) differs_at(now_found->first);
    if (old_found != with_all_.findings.end()) differs_at(old_found->first);
    return d;
  }

  static bool IsSameCheck(const ResidualCheck& a, const ResidualCheck& b) {
    return a.node == b.node && a.condition == b.condition;
  }

  // Calls visit(node) for the makers of values of which something else is told now; inputs have none.
  template <typename Visitor>
  void ForEachOtherValue(const Answers& now, const Visitor& visit) const {
    for (uint32_t v = 0; v < graph_.value_count(); ++v) {
      if (now.types[v] == with_all_.types[v] && now.contents[v] == with_all_.contents[v]) continue;
      visit(graph_.role(ValueId{v}) == ValueRole::kResult ? graph_.maker(ValueId{v}) : kNoNode);
    }
  }

  // Of which other checks, or other findings, are told now.
  std::vector<bool> OtherDemands(const Answers& now) const {
    std::vector<bool> differs(graph_.node_count(), false);
    std::vector<std::vector<const Condition*>> before(graph_.node_count()), after(graph_.node_count());
    for (const ResidualCheck& c : with_all_.checks) before[Index(c.node)].push_back(&c.condition);
    for (const ResidualCheck& c : now.checks) after[Index(c.node)].push_back(&c.condition);
    const auto is_same = [](const Condition* a, const Condition* b) { return *a == *b; };
    for (uint32_t n = 0; n < differs.size(); ++n)
      differs[n] = !std::ranges::equal(before[n], after[n], is_same);
    const auto mark_others = [&](const Answers& a, const Answers& b) {
      for (const auto& found : a.findings) {
        if (std::ranges::find(b.findings, found) == b.findings.end()) differs[Index(found.first)] = true;
      }
    };
    mark_others(now, with_all_);
    mark_others(with_all_, now);
    return differs;
  }

  // Of which something else is told now, in the order of the program.
  std::vector<NodeId> OtherNodes(const Answers& now) const {
    std::vector<bool> differs = OtherDemands(now);
    ForEachOtherValue(now, [&](NodeId node) {
      if (node != kNoNode) differs[Index(node)] = true;
    });
    std::vector<NodeId> nodes;
    ForEachInOrder(graph_, [&](NodeId node) {
      if (differs[Index(node)]) nodes.push_back(node);
    });
    return nodes;
  }

  // Whether the nodes by themselves show that it is used, and which is the first of those that need it.
  bool IsSure(uint32_t a, std::span<const uint32_t> aside) {
    const AssumptionNeeds::FirstNode first =
        needs_->FirstOf(a, aside, [&](NodeId node) { return demands_[Index(node)]; });
    if (first.is_sure) found_[a].node = first.node;
    return first.is_sure;
  }

  // Takes those out that nothing rests on, given all that are still in.
  void TakeOut(std::span<const uint32_t> places) {
    const Difference difference = Compare(LookWithout(places));
    if (!difference.is_there) {
      for (const uint32_t a : places) found_[a].is_used = false;
      return;
    }
    engine_.Restore(places);
    if (places.size() == 1) return void(found_[places[0]].node = difference.node);
    TakeOutHalves(places);
  }

  // Of several, on one of which something rests.
  void TakeOutHalves(std::span<const uint32_t> places) {
    TakeOut(places.first(places.size() / 2));
    TakeOut(places.subspan(places.size() / 2));
  }

  // Ends with all of them in. What those that are needed are told of may depend on what is out.
  void Settle(std::span<const uint32_t> needed) {
    std::vector<uint32_t> out;
    for (uint32_t a = 0; a < found_.size(); ++a) {
      if (!found_[a].is_used) out.push_back(a);
    }
    engine_.Restore(out);
    if (out.empty()) return;
    for (const uint32_t a : needed) {
      const auto end = std::ranges::lower_bound(out, a);
      std::vector<uint32_t> places(out.begin(), end);
      if (IsSure(a, places)) continue;
      places.push_back(a);
      if (const Difference difference = Compare(LookWithout(places)); difference.is_there)
        found_[a].node = difference.node;
      engine_.Restore(places);
    }
    engine_.Restore({});
  }

  Engine& engine_;
  const Graph& graph_;
  const std::function<Type(ValueId)>& type_;
  const Answers with_all_;
  std::vector<Assumption>& found_;
  std::optional<AssumptionNeeds> needs_;
  std::vector<bool> demands_;  // by node: whether it has other checks or findings without any assumption
};

}  // namespace

std::string Assumption::message() const {
  return of_user ? "this was assumed of the model's inputs"
                 : "sizes of the model's inputs are assumed to be at least 1";
}

std::vector<Assumption> AssumptionsOf(const Engine& engine) {
  std::vector<Assumption> assumptions;
  for (const Engine::Assumption& a : engine.assumptions()) {
    assumptions.push_back({a.clause, a.kind == FactKind::kGiven});
  }
  return assumptions;
}

void FindUsed(Engine& engine, const std::function<Type(ValueId)>& type,
              std::vector<Assumption>* assumptions) {
  if (!assumptions->empty()) Trial(engine, type, *assumptions).Run();
}

}  // namespace dimwise
