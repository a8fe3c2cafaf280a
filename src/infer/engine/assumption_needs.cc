#include "infer/engine/assumption_needs.h"

#include <algorithm>
#include <utility>

#include "core/dims/symbol_walk.h"
#include "infer/context/simplified_type.h"
#include "infer/engine/guard_list.h"
#include "infer/engine/state/value_parts.h"

namespace dimwise {
namespace {

// Limits of the work for one node or one assumption. Beyond them the whole program is inferred.
constexpr size_t kMaxRelatedAssumptions = 32;
constexpr size_t kMaxRelatedNodes = 128;

}  // namespace

RelatedAssumptions::RelatedAssumptions(const ProgramState& state) : state_(state) {
  const DimTable& dims = state.analysis.dims();
  const std::vector<InputAssumptions::Entry>& entries = state.assumptions.entries();
  for (uint32_t a = 0; a < entries.size(); ++a) {
    for (const Literal& literal : entries[a].clause) {
      for (const Dim symbol : dims.SymbolsOf(literal.value)) {
        std::vector<uint32_t>& of = of_symbol_[symbol];
        if (of.empty() || of.back() != a) of.push_back(a);
      }
    }
  }
}

std::vector<uint32_t> RelatedAssumptions::Of(NodeId node) const {
  std::vector<uint32_t> related;
  SymbolWalk walk(state_.analysis.dims());
  const auto add = [&](Dim d) {
    walk.Visit(d, [&](Dim symbol) {
      if (const auto it = of_symbol_.find(symbol); it != of_symbol_.end())
        related.insert(related.end(), it->second.begin(), it->second.end());
      return true;
    });
    return false;
  };
  const Graph& graph = state_.graph;
  for (const ValueId v : graph.operands(node)) {
    if (v != kNoValue) AnyPart({state_.type(v), state_.contents(v)}, add);
  }
  for (const ValueId v : graph.results(node)) AnyPart({state_.type(v), state_.contents(v)}, add);
  if (const NodeEffects* effects = state_.effects_of(node); effects != nullptr) {
    for (const Guard& guard : effects->guards) {
      for (const Clause& clause : guard.condition.clauses) {
        for (const Literal& literal : clause) add(literal.value);
      }
    }
  }
  std::ranges::sort(related);
  related.erase(std::unique(related.begin(), related.end()), related.end());
  return related;
}

AssumptionNeeds::AssumptionNeeds(Engine& engine, std::span<const NodeId> nodes, std::vector<Type> types)
    : engine_(engine),
      state_(engine.state()),
      graph_(state_.graph),
      types_(std::move(types)),
      nodes_(nodes.begin(), nodes.end()),
      related_(state_),
      differs_(graph_.node_count(), false),
      related_nodes_(state_.assumptions.entries().size()),
      is_aside_(state_.assumptions.entries().size(), false),
      needing_(state_.assumptions.entries().size(), kNoNode) {
  for (const NodeId node : nodes_) differs_[Index(node)] = true;
  ForEachInOrder(graph_, [&](NodeId node) {
    if (!differs_[Index(node)] && !state_.has_queried(node)) return;
    for (const uint32_t a : related_.Of(node)) related_nodes_[a].push_back(node);
  });
}

std::vector<bool> AssumptionNeeds::Find() {
  const auto count = static_cast<uint32_t>(is_aside_.size());
  for (uint32_t a = 0; a < count; ++a) SetAside(a);
  for (const NodeId node : nodes_) FindNeedsOf(node);
  for (uint32_t a = 0; a < count; ++a) {
    if (is_aside_[a]) PutBack(a);
  }
  std::vector<bool> is_needed(count);
  for (uint32_t a = 0; a < count; ++a) is_needed[a] = needing_[a] != kNoNode && IsNeededByAny(a, needing_[a]);
  return is_needed;
}

// Puts back each related assumption that the node needs and that is still set aside.
void AssumptionNeeds::FindNeedsOf(NodeId node) {
  const std::optional<Answers> without = Evaluate(node);
  if (!without || *without == ReportedAnswers(node)) return;
  std::vector<uint32_t> tried = related_.Of(node);
  std::erase_if(tried, [&](uint32_t a) { return !is_aside_[a]; });
  if (tried.empty() || tried.size() > kMaxRelatedAssumptions) return;
  for (const uint32_t a : tried) PutBack(a);
  const std::optional<Answers> with = Evaluate(node);
  if (with && *with != *without) {
    for (const uint32_t a : tried) {
      if (tried.size() == 1 || IsNeeded(a, node, *with)) needing_[a] = node;
    }
  }
  for (const uint32_t a : tried) {
    if (needing_[a] == kNoNode) SetAside(a);
  }
}

// Returns whether a node needs the assumption while all other assumptions are in place. Assumptions that were
// set aside before may imply it, through sizes that equal those of the node.
bool AssumptionNeeds::IsNeededByAny(uint32_t assumption, NodeId first) {
  const std::vector<NodeId>& related = related_nodes_[assumption];
  size_t tried = 0;
  for (auto node = std::ranges::find(related, first); node != related.end() && ++tried <= kMaxRelatedNodes;
       ++node) {
    if (!differs_[Index(*node)]) continue;
    const std::optional<Answers> with = Evaluate(*node);
    if (with && IsNeeded(assumption, *node, *with)) return true;
  }
  return false;
}

bool AssumptionNeeds::IsNeeded(uint32_t assumption, NodeId node, const Answers& with) {
  SetAside(assumption);
  const bool is_needed = Evaluate(node) != with;
  PutBack(assumption);
  return is_needed;
}

AssumptionNeeds::FirstNode AssumptionNeeds::FirstOf(uint32_t assumption, std::span<const uint32_t> aside,
                                                    const std::function<bool(NodeId)>& may_differ) {
  FirstNode first;
  const std::vector<NodeId>& related = related_nodes_[assumption];
  if (related.size() > kMaxRelatedNodes) return first;
  for (const uint32_t a : aside) SetAside(a);
  std::vector<std::optional<Answers>> with;
  for (const NodeId node : related) with.push_back(Evaluate(node));
  SetAside(assumption);
  first.is_certain = true;
  for (size_t i = 0; i < related.size() && first.is_certain; ++i) {
    const std::optional<Answers> without = with[i] ? Evaluate(related[i]) : std::nullopt;
    const bool is_before = first.node == kNoNode;
    if (!without) {
      first.is_certain = !is_before;
    } else if (*without == *with[i]) {
      first.is_certain = !is_before || !may_differ(related[i]);
    } else if (!differs_[Index(related[i])]) {
      first.is_certain = false;
    } else if (is_before) {
      first.node = related[i];
      first.is_certain = without->types != with[i]->types || without->contents != with[i]->contents ||
                         (may_differ(related[i]) && related_.Of(related[i]).size() == 1);
    } else {
      first.is_certain = without->guards == with[i]->guards;
    }
  }
  PutBack(assumption);
  for (const uint32_t a : aside) PutBack(a);
  first.is_certain = first.is_certain && first.node != kNoNode;
  return first;
}

// Returns the answers of a node with the present facts; nullopt if it has to be visited to find them.
std::optional<AssumptionNeeds::Answers> AssumptionNeeds::Evaluate(NodeId node) {
  if (graph_.region(node) != graph_.body()) return std::nullopt;
  Answers answers;
  const ScopeId scope = state_.scope(graph_.region(node));
  const auto add = [&](const ValueState& result) {
    answers.types.push_back(SimplifiedType(state_.analysis, result.type, scope));
    answers.contents.push_back(result.contents);
  };
  if (!state_.has_queried(node)) {  // its results do not depend on facts
    for (const ValueId v : graph_.results(node)) add({state_.type(v), state_.contents(v)});
    return answers;
  }
  const std::optional<NodeOutcome> outcome = engine_.Reevaluate(node);
  if (!outcome) return std::nullopt;
  answers.fails = !outcome->status;
  if (answers.fails) return answers;
  for (const ValueState& result : outcome->results) add(result);
  for (const Guard& guard : outcome->effects.guards) answers.guards.push_back(guard.condition);
  return answers;
}

// Returns the answers of a node under all assumptions.
AssumptionNeeds::Answers AssumptionNeeds::ReportedAnswers(NodeId node) const {
  Answers answers;
  for (const ValueId v : graph_.results(node)) {
    answers.types.push_back(types_[Index(v)]);
    answers.contents.push_back(state_.contents(v));
  }
  const NodeEffects* effects = state_.effects_of(node);
  if (effects == nullptr) return answers;
  for (const Guard& guard : effects->guards) answers.guards.push_back(guard.condition);
  answers.fails = effects->fails;
  return answers;
}

void AssumptionNeeds::SetAside(uint32_t assumption) {
  engine_.SetAside(assumption);
  is_aside_[assumption] = true;
}

void AssumptionNeeds::PutBack(uint32_t assumption) {
  engine_.PutBack(assumption);
  is_aside_[assumption] = false;
}

}  // namespace dimwise
