#include "infer/engine/assumption_needs.h"

#include <algorithm>
#include <utility>

#include "core/dims/symbol_walk.h"
#include "infer/context/simplified_type.h"
#include "infer/engine/check_list.h"
#include "infer/engine/known_sizes.h"

namespace dimwise {
namespace {

constexpr size_t kMaxNear = 32;   // assumptions that are tried at one node
constexpr size_t kMaxSeen = 128;  // nodes that are asked about one assumption

}  // namespace

AssumptionsNear::AssumptionsNear(const Engine& engine) : engine_(engine) {
  const DimTable& dims = engine.analysis().dims();
  for (uint32_t a = 0; a < engine.assumptions().size(); ++a) {
    for (const Literal& literal : engine.assumptions()[a].clause) {
      for (const Dim symbol : dims.SymbolsOf(literal.value)) {
        std::vector<uint32_t>& of = of_symbol_[symbol];
        if (of.empty() || of.back() != a) of.push_back(a);
      }
    }
  }
}

std::vector<uint32_t> AssumptionsNear::Of(NodeId node) const {
  std::vector<uint32_t> near;
  SymbolWalk walk(engine_.analysis().dims());
  const auto add = [&](Dim d) {
    walk.Visit(d, [&](Dim symbol) {
      if (const auto it = of_symbol_.find(symbol); it != of_symbol_.end())
        near.insert(near.end(), it->second.begin(), it->second.end());
      return true;
    });
    return false;
  };
  const Graph& graph = engine_.graph();
  for (const ValueId v : graph.operands(node)) {
    if (v != kNoValue) AnyPart({engine_.type(v), engine_.contents(v)}, add);
  }
  for (const ValueId v : graph.results(node)) AnyPart({engine_.type(v), engine_.contents(v)}, add);
  if (const Engine::Record* record = engine_.record(node); record != nullptr) {
    for (const Check& check : record->checks) {
      for (const Clause& clause : check.condition.clauses) {
        for (const Literal& literal : clause) add(literal.value);
      }
    }
  }
  std::ranges::sort(near);
  near.erase(std::unique(near.begin(), near.end()), near.end());
  return near;
}

AssumptionNeeds::AssumptionNeeds(Engine& engine, std::span<const NodeId> nodes, std::vector<Type> types)
    : engine_(engine),
      graph_(engine.graph()),
      types_(std::move(types)),
      nodes_(nodes.begin(), nodes.end()),
      near_(engine),
      differs_(graph_.node_count(), false),
      near_nodes_(engine.assumptions().size()),
      is_aside_(engine.assumptions().size(), false),
      first_(engine.assumptions().size(), kNoNode) {
  for (const NodeId node : nodes_) differs_[Index(node)] = true;
  ForEachInOrder(graph_, [&](NodeId node) {
    if (!differs_[Index(node)] && !engine_.has_asked(node)) return;
    for (const uint32_t a : near_.Of(node)) near_nodes_[a].push_back(node);
  });
}

std::vector<bool> AssumptionNeeds::Find() {
  const auto count = static_cast<uint32_t>(is_aside_.size());
  for (uint32_t a = 0; a < count; ++a) SetAside(a);
  for (const NodeId node : nodes_) LookAt(node);
  for (uint32_t a = 0; a < count; ++a) {
    if (is_aside_[a]) PutBack(a);
  }
  std::vector<bool> is_needed(count);
  for (uint32_t a = 0; a < count; ++a) is_needed[a] = first_[a] != kNoNode && IsNeededByAny(a, first_[a]);
  return is_needed;
}

// What is set aside by now may matter to this node: of that, what speaks of its symbols is tried.
void AssumptionNeeds::LookAt(NodeId node) {
  const std::optional<Answers> without = Ask(node);
  if (!without || *without == Told(node)) return;
  std::vector<uint32_t> tried = near_.Of(node);
  std::erase_if(tried, [&](uint32_t a) { return !is_aside_[a]; });
  if (tried.empty() || tried.size() > kMaxNear) return;
  for (const uint32_t a : tried) PutBack(a);
  const std::optional<Answers> with = Ask(node);
  if (with && *with != *without) {
    for (const uint32_t a : tried) {
      if (tried.size() == 1 || IsNeeded(a, node, *with)) first_[a] = node;
    }
  }
  for (const uint32_t a : tried) {
    if (first_[a] == kNoNode) SetAside(a);
  }
}

// The others are there now: what they say of sizes that are equal to those of the node may do as well.
bool AssumptionNeeds::IsNeededByAny(uint32_t assumption, NodeId first) {
  const std::vector<NodeId>& near = near_nodes_[assumption];
  size_t seen = 0;
  for (auto node = std::ranges::find(near, first); node != near.end() && ++seen <= kMaxSeen; ++node) {
    if (!differs_[Index(*node)]) continue;
    const std::optional<Answers> with = Ask(*node);
    if (with && IsNeeded(assumption, *node, *with)) return true;
  }
  return false;
}

bool AssumptionNeeds::IsNeeded(uint32_t assumption, NodeId node, const Answers& with) {
  SetAside(assumption);
  const bool is_needed = Ask(node) != with;
  PutBack(assumption);
  return is_needed;
}

AssumptionNeeds::FirstNode AssumptionNeeds::FirstOf(uint32_t assumption, std::span<const uint32_t> aside,
                                                    const std::function<bool(NodeId)>& may_differ) {
  FirstNode first;
  const std::vector<NodeId>& near = near_nodes_[assumption];
  if (near.size() > kMaxSeen) return first;
  for (const uint32_t a : aside) SetAside(a);
  std::vector<std::optional<Answers>> with;
  for (const NodeId node : near) with.push_back(Ask(node));
  SetAside(assumption);
  first.is_sure = true;
  for (size_t i = 0; i < near.size() && first.is_sure; ++i) {
    const std::optional<Answers> without = with[i] ? Ask(near[i]) : std::nullopt;
    const bool is_before = first.node == kNoNode;
    if (!without) {
      first.is_sure = !is_before;
    } else if (*without == *with[i]) {
      first.is_sure = !is_before || !may_differ(near[i]);
    } else if (!differs_[Index(near[i])]) {
      first.is_sure = false;
    } else if (is_before) {
      first.node = near[i];
      first.is_sure = without->types != with[i]->types || without->contents != with[i]->contents ||
                      (may_differ(near[i]) && near_.Of(near[i]).size() == 1);
    } else {
      first.is_sure = without->checks == with[i]->checks;
    }
  }
  PutBack(assumption);
  for (const uint32_t a : aside) PutBack(a);
  first.is_sure = first.is_sure && first.node != kNoNode;
  return first;
}

std::optional<AssumptionNeeds::Answers> AssumptionNeeds::Ask(NodeId node) {
  if (graph_.region(node) != graph_.body()) return std::nullopt;
  std::optional<Engine::Said> said;
  if (engine_.has_asked(node)) {
    said = engine_.SayAgain(node);
    if (!said) return std::nullopt;
  } else {
    said.emplace();
    for (const ValueId v : graph_.results(node))
      said->results.push_back({engine_.type(v), engine_.contents(v)});
  }
  Answers answers{.types = {}, .contents = {}, .checks = {}, .fails = said->fails};
  const ScopeId scope = engine_.scope(graph_.region(node));
  for (const Known& result : said->results) {
    answers.types.push_back(SimplifiedType(engine_.analysis(), result.type, scope));
    answers.contents.push_back(result.contents);
  }
  for (const Check& check : said->checks) answers.checks.push_back(check.condition);
  return answers;
}

// What the program has settled with.
AssumptionNeeds::Answers AssumptionNeeds::Told(NodeId node) const {
  Answers told;
  for (const ValueId v : graph_.results(node)) {
    told.types.push_back(types_[Index(v)]);
    told.contents.push_back(engine_.contents(v));
  }
  const Engine::Record* record = engine_.record(node);
  if (record == nullptr) return told;
  for (const Check& check : record->checks) told.checks.push_back(check.condition);
  told.fails = record->failed;
  return told;
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
