// Decides where and when each part of a shape program runs.
//
// Groups. Code that runs in every run of the model is one group. A branch or a loop body is a separate group,
// inside the group of its node. So are, for each region, the nodes with unused results, which a runtime may
// drop. Code in a region that certainly runs, and that uses only symbols known outside, belongs to the
// enclosing group.
//
// Stages. A data-dependent symbol belongs to the group that contains all its uses. It is known after the
// first node in that group that mentions it. Each such node starts a stage of its group. An expression
// belongs to the stage of its latest symbol. A value belongs to the latest stage of its sizes, of the guards
// of its node, and of the node's operands.
#ifndef DIMWISE_INFER_PROGRAM_PROGRAM_PLAN_H_
#define DIMWISE_INFER_PROGRAM_PROGRAM_PLAN_H_

#include <tsl/robin_map.h>

#include <map>
#include <string>
#include <vector>

#include "dimwise/inference.h"

namespace dimwise {

using GroupId = uint32_t;
inline constexpr GroupId kModelGroup = 0;

// A stage of a group, by its index in the group.
struct Moment {
  GroupId group = kModelGroup;
  uint32_t stage = 0;
};

class ProgramPlan {
 public:
  explicit ProgramPlan(const Inference& inference);

  struct Group {
    RegionId region{};
    bool unused = false;  // the nodes with unused results
    bool certain = true;
    GroupId parent = kModelGroup;
    // By stage: the node whose symbols it needs; none for the first stage.
    std::vector<NodeId> starts{kNoNode};
    uint32_t after = 0;       // the stage of the parent group before the first stage
    bool has_stages = false;  // it has expressions or guards
  };
  const std::vector<Group>& groups() const { return groups_; }

  struct Symbol {
    Dim symbol;
    bool of_inputs = false;
    Moment moment;
  };
  // The symbols of the inputs in order, then others by group and stage.
  const std::vector<Symbol>& symbols() const { return symbols_; }

  // Returns the symbols that must be known to compute d: those in d and in their definitions.
  const std::vector<Dim>& FreeSymbols(Dim d);
  Moment MomentOf(ValueId value) const { return value_moments_[Index(value)]; }
  Moment MomentOf(const ResidualGuard& guard);
  // Returns whether d can be computed in the model outside all regions.
  bool IsKnownToModel(Dim d);
  bool has_several_stages() const { return has_several_stages_; }

 private:
  struct Mention {
    GroupId group = kModelGroup;
    uint32_t step = 0;  // of the first mention in the group
    NodeId node = kNoNode;
  };

  GroupId GroupOf(NodeId node) const;
  void MakeGroups();
  void MentionAll();
  void MentionIn(Dim d, GroupId group, NodeId node);
  Mention Outwards(const Mention& mention) const;
  void Join(Mention* into, Mention other) const;
  void MakeStages();
  void PlaceValues();
  // Returns the stage of a group at which all symbols of d are known.
  uint32_t StageOf(Dim d, GroupId group);
  // Returns the outermost group in which these expressions, used in `group`, can be computed.
  GroupId HomeOf(GroupId group, const std::vector<Dim>& dims);
  void Use(GroupId group, const std::vector<Dim>& dims);
  uint32_t DepthOf(GroupId group) const;
  template <typename F>
  void ForEachDim(ValueId value, F&& visit) const;
  template <typename F>
  void ForEachDimOfGuards(NodeId node, F&& visit) const;

  const Inference& inference_;
  const Graph& graph_;
  std::vector<Group> groups_;
  std::vector<GroupId> region_groups_, unused_groups_;  // by region
  std::vector<NodeId> order_;
  std::vector<uint32_t> steps_;  // by node, from 1
  std::vector<Dim> mentioned_;   // in order of first mention
  tsl::robin_map<Dim, Mention, std::hash<Dim>> mentions_;
  tsl::robin_map<Dim, Moment, std::hash<Dim>> moments_;
  tsl::robin_map<Dim, std::vector<Dim>, std::hash<Dim>> free_symbols_;
  std::vector<Symbol> symbols_;
  std::vector<Moment> value_moments_;
  bool has_several_stages_ = false;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_PROGRAM_PROGRAM_PLAN_H_
