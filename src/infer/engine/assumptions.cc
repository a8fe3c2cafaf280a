#include "infer/engine/assumptions.h"

#include <algorithm>

#include "infer/engine/check_list.h"

namespace dimwise {
namespace {

class Trial {
 public:
  Trial(Engine& engine, const std::function<Type(ValueId)>& type, std::vector<Assumption>& found)
      : engine_(engine), graph_(engine.graph()), type_(type), with_all_(Look()), found_(found) {}

  void Run() {
    TakeOut(0, found_.size());
    for (size_t i = 0, end = 0; i < found_.size(); i = end + 1) {
      for (end = i; end < found_.size() && !found_[end].is_used;) ++end;
      if (end > i) engine_.Restore(i, end - i);
    }
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
    for (uint32_t v = 0; v < graph_.value_count(); ++v) {
      if (now.types[v] == with_all_.types[v] && now.contents[v] == with_all_.contents[v]) continue;
      differs_at(graph_.role(ValueId{v}) == ValueRole::kResult ? graph_.maker(ValueId{v}) : kNoNode);
    }
    const auto same_check = [](const ResidualCheck& a, const ResidualCheck& b) {
      return a.node == b.node && a.condition == b.condition;
    };
    const auto [now_check, old_check] = std::ranges::mismatch(now.checks, with_all_.checks, same_check);
    if (now_check != now.checks.end()) differs_at(now_check->node);
    if (old_check != with_all_.checks.end()) differs_at(old_check->node);
    const auto [now_found, old_found] = std::ranges::mismatch(now.findings, with_all_.findings);
    if (now_found != now.findings.end()) differs_at(now_found->first);
    if (old_found != with_all_.findings.end()) differs_at(old_found->first);
    return d;
  }

  // Takes those of a range out that nothing rests on, given all that are still in.
  void TakeOut(size_t first, size_t count) {
    engine_.Withdraw(first, count);
    const Difference difference = Compare(Look());
    if (!difference.is_there) {
      for (size_t i = first; i < first + count; ++i) found_[i].is_used = false;
      return;
    }
    engine_.Restore(first, count);
    if (count == 1) return void(found_[first].node = difference.node);
    TakeOut(first, count / 2);
    TakeOut(first + count / 2, count - count / 2);
  }

  Engine& engine_;
  const Graph& graph_;
  const std::function<Type(ValueId)>& type_;
  const Answers with_all_;
  std::vector<Assumption>& found_;
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
