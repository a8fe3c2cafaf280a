#include "infer/program/program_plan.h"

#include <algorithm>
#include <tuple>

#include "infer/engine/guard_list.h"
#include "infer/engine/state/program_state.h"

namespace dimwise {

ProgramPlan::ProgramPlan(const Inference& inference) : inference_(inference), graph_(inference.graph()) {
  ForEachInOrder(graph_, [&](NodeId node) { order_.push_back(node); });
  steps_.resize(graph_.node_count());
  for (uint32_t i = 0; i < order_.size(); ++i) steps_[Index(order_[i])] = i + 1;
  MakeGroups();
  MentionAll();
  MakeStages();
  PlaceValues();
}

// ---- Groups ----

// A region has a larger ID than its enclosing region, so the enclosing group exists already.
void ProgramPlan::MakeGroups() {
  const ProgramState& state = inference_.state();
  for (uint32_t r = 0; r < graph_.region_count(); ++r) {
    const RegionId region{r};
    const bool nodes_unused =
        std::ranges::any_of(graph_.nodes(region), [&](NodeId n) { return graph_.Has(n) && !state.live(n); });
    const NodeId carrier = graph_.carrier(region);
    region_groups_.push_back(static_cast<GroupId>(groups_.size()));
    groups_.push_back(
        {region, false, inference_.certain(region), carrier == kNoNode ? kModelGroup : GroupOf(carrier)});
    unused_groups_.push_back(static_cast<GroupId>(groups_.size()));
    if (nodes_unused) groups_.push_back({region, true, false, region_groups_.back()});
  }
}

GroupId ProgramPlan::GroupOf(NodeId node) const {
  const uint32_t region = Index(graph_.region(node));
  return inference_.state().live(node) ? region_groups_[region] : unused_groups_[region];
}

uint32_t ProgramPlan::DepthOf(GroupId group) const {
  uint32_t depth = 0;
  for (; group != kModelGroup; group = groups_[group].parent) ++depth;
  return depth;
}

// ---- Uses of symbols ----

const std::vector<Dim>& ProgramPlan::FreeSymbols(Dim d) {
  if (const auto at = free_symbols_.find(d); at != free_symbols_.end()) return at->second;
  const DimTable& dims = graph_.analysis().dims();
  const auto is_computed = [&](Dim s) { return dims.GetDefinition(s) != nullptr; };
  // Processes definitions from the oldest to the newest, because chains of definitions may be long.
  std::vector<Dim> pending{d}, found;
  tsl::robin_map<Dim, bool, std::hash<Dim>> seen;
  while (!pending.empty()) {
    const Dim e = pending.back();
    pending.pop_back();
    if (!e.is_expression() || free_symbols_.contains(e) || !seen.insert({e, true}).second) continue;
    found.push_back(e);
    if (dims.Kind(e) == DimKind::kSymbol) {
      if (!is_computed(e)) continue;
      const std::span<const Dim> operands = dims.GetDefinition(e)->operands;
      pending.insert(pending.end(), operands.begin(), operands.end());
    } else {
      pending.insert(pending.end(), dims.SymbolsOf(e).begin(), dims.SymbolsOf(e).end());
    }
  }
  std::ranges::sort(found, {}, &Dim::id);
  for (const Dim e : found) {
    std::vector<Dim> all;
    const auto add = [&](Dim part) {
      if (!part.is_expression()) return;
      const std::vector<Dim>& more = free_symbols_[part];
      all.insert(all.end(), more.begin(), more.end());
    };
    if (dims.Kind(e) != DimKind::kSymbol) {
      for (const Dim s : dims.SymbolsOf(e)) add(s);
    } else if (is_computed(e)) {
      for (const Dim operand : dims.GetDefinition(e)->operands) add(operand);
    } else {
      all.push_back(e);
    }
    std::ranges::sort(all, {}, &Dim::id);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    free_symbols_[e] = std::move(all);
  }
  return free_symbols_[d];  // empty for a constant
}

template <typename F>
void ProgramPlan::ForEachDim(ValueId value, F&& visit) const {
  for (const Type& type : {inference_.state().type(value), inference_.type(value)}) {
    if (!type.is_tensor() || type.shape.is_none()) continue;
    for (const Dim d : type.shape.dims()) {
      if (d.is_expression()) visit(d);
    }
  }
}

template <typename F>
void ProgramPlan::ForEachDimOfGuards(NodeId node, F&& visit) const {
  const NodeEffects* record = inference_.state().effects_of(node);
  if (record == nullptr) return;
  for (const dimwise::Guard& guard : record->guards) {
    for (const Clause& clause : guard.condition.clauses) {
      for (const Literal& literal : clause) visit(literal.value);
    }
  }
}

// Returns the mention as seen from the enclosing group.
ProgramPlan::Mention ProgramPlan::Outwards(const Mention& mention) const {
  const Group& group = groups_[mention.group];
  if (group.unused) return {group.parent, mention.step, mention.node};
  const NodeId carrier = graph_.carrier(group.region);
  return {group.parent, steps_[Index(carrier)], carrier};
}

void ProgramPlan::Join(Mention* into, Mention other) const {
  uint32_t a = DepthOf(into->group), b = DepthOf(other.group);
  for (; a > b; --a) *into = Outwards(*into);
  for (; b > a; --b) other = Outwards(other);
  while (into->group != other.group) {
    *into = Outwards(*into);
    other = Outwards(other);
  }
  if (other.step < into->step) *into = other;
}

void ProgramPlan::MentionIn(Dim d, GroupId group, NodeId node) {
  const Mention mention{group, node == kNoNode ? 0 : steps_[Index(node)], node};
  for (const Dim symbol : FreeSymbols(d)) {
    const auto [at, is_new] = mentions_.insert({symbol, mention});
    if (is_new) {
      mentioned_.push_back(symbol);
    } else if (at->second.group != group || mention.step < at->second.step) {
      Join(&at.value(), mention);
    }
  }
}

void ProgramPlan::MentionAll() {
  for (uint32_t r = 0; r < graph_.region_count(); ++r) {
    for (const ValueId input : graph_.inputs(RegionId{r})) {
      ForEachDim(input, [&](Dim d) { MentionIn(d, region_groups_[r], kNoNode); });
    }
  }
  for (const NodeId node : order_) {
    const GroupId group = GroupOf(node);
    for (const ValueId result : graph_.results(node)) {
      ForEachDim(result, [&](Dim d) { MentionIn(d, group, node); });
    }
    ForEachDimOfGuards(node, [&](Dim d) { MentionIn(d, group, node); });
  }
}

// ---- Stages ----

void ProgramPlan::MakeStages() {
  std::vector<std::map<uint32_t, NodeId>> starts(groups_.size());  // by step
  for (const auto& [symbol, mention] : mentions_) {
    if (mention.step > 0) starts[mention.group].insert({mention.step, mention.node});
  }
  for (GroupId g = 0; g < groups_.size(); ++g) {
    for (const auto& [step, node] : starts[g]) groups_[g].starts.push_back(node);
    has_several_stages_ |= !starts[g].empty();
  }
  for (const Dim symbol : mentioned_) {
    const Mention& mention = mentions_[symbol];
    const std::map<uint32_t, NodeId>& steps = starts[mention.group];
    const auto stage = mention.step == 0 ? 0 : 1 + std::distance(steps.begin(), steps.find(mention.step));
    const Moment moment{mention.group, static_cast<uint32_t>(stage)};
    moments_[symbol] = moment;
    groups_[mention.group].has_stages = true;
    symbols_.push_back({symbol, moment.group == kModelGroup && stage == 0, moment});
  }
  std::ranges::stable_sort(symbols_, {},
                           [](const Symbol& s) { return std::tuple(s.moment.group, s.moment.stage); });
}

uint32_t ProgramPlan::StageOf(Dim d, GroupId group) {
  uint32_t stage = 0;
  for (const Dim symbol : FreeSymbols(d)) {
    const Moment moment = moments_[symbol];
    if (moment.group == group) stage = std::max(stage, moment.stage);
  }
  return stage;
}

bool ProgramPlan::IsKnownToModel(Dim d) {
  return std::ranges::all_of(FreeSymbols(d), [&](Dim s) {
    const auto at = moments_.find(s);
    return at != moments_.end() && at->second.group == kModelGroup;
  });
}

GroupId ProgramPlan::HomeOf(GroupId group, const std::vector<Dim>& dims) {
  const auto is_of = [&](Dim d) {
    return std::ranges::any_of(FreeSymbols(d), [&](Dim s) { return moments_[s].group == group; });
  };
  while (group != kModelGroup && groups_[group].certain && std::ranges::none_of(dims, is_of)) {
    group = groups_[group].parent;
  }
  return group;
}

// Records that these expressions are computed in a group, which then depends on their symbols.
void ProgramPlan::Use(GroupId group, const std::vector<Dim>& dims) {
  for (; group != kModelGroup; group = groups_[group].parent) {
    groups_[group].has_stages = true;
    for (const Dim d : dims) {
      groups_[group].after = std::max(groups_[group].after, StageOf(d, groups_[group].parent));
    }
  }
}

Moment ProgramPlan::MomentOf(const ResidualGuard& guard) {
  std::vector<Dim> dims;
  for (const Clause& clause : guard.condition.clauses) {
    for (const Literal& literal : clause) dims.push_back(literal.value);
  }
  Moment moment{HomeOf(GroupOf(guard.node), dims), 0};
  for (const Dim d : dims) moment.stage = std::max(moment.stage, StageOf(d, moment.group));
  return moment;
}

void ProgramPlan::PlaceValues() {
  value_moments_.resize(graph_.value_count());
  const auto index = [&](ValueId value, GroupId group, NodeId maker) {
    std::vector<Dim> dims, with_guards;
    ForEachDim(value, [&](Dim d) { dims.push_back(d); });
    with_guards = dims;
    if (maker != kNoNode) ForEachDimOfGuards(maker, [&](Dim d) { with_guards.push_back(d); });
    Moment moment{HomeOf(group, with_guards), 0};
    for (const Dim d : with_guards) moment.stage = std::max(moment.stage, StageOf(d, moment.group));
    if (maker != kNoNode) {
      for (const ValueId operand : graph_.operands(maker)) {
        if (operand == kNoValue) continue;
        const Moment other = value_moments_[Index(operand)];
        if (other.group == moment.group) moment.stage = std::max(moment.stage, other.stage);
      }
    }
    if (!dims.empty()) Use(moment.group, dims);
    value_moments_[Index(value)] = moment;
  };
  for (uint32_t r = 0; r < graph_.region_count(); ++r) {
    for (const ValueId input : graph_.inputs(RegionId{r})) index(input, region_groups_[r], kNoNode);
  }
  for (const NodeId node : order_) {
    for (const ValueId result : graph_.results(node)) index(result, GroupOf(node), node);
  }
  for (const ResidualGuard& guard : inference_.guards()) {
    std::vector<Dim> dims;
    for (const Clause& clause : guard.condition.clauses) {
      for (const Literal& literal : clause) dims.push_back(literal.value);
    }
    Use(MomentOf(guard).group, dims);
  }
}

}  // namespace dimwise
