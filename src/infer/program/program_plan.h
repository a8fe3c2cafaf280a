// Where and when each part of a shape program runs.
//
// Groups. What runs in every run of the model is one group. A branch, or a loop's body, is a group of its
// own, inside the group of the node that carries it; so are, for each region, the nodes whose results nobody
// uses, which a runtime may drop. What stands in a region that certainly runs, and speaks only of what is
// known outside of it, counts as outside.
//
// Stages. A symbol without a definition that no input has belongs to the group in which all that mentions it
// stands, and is known when the first node there that mentions it has run. Each such node begins a stage of
// its group. An expression belongs to the stage of its latest symbol; a value to that of its sizes, of the
// checks of the node that makes it, and of the node's operands, whichever comes last.
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

// A stage of a group, by its number among those of the group.
struct Moment {
  GroupId group = kModelGroup;
  uint32_t stage = 0;
};

class ProgramPlan {
 public:
  explicit ProgramPlan(const Inference& inference);

  struct Group {
    RegionId region{};
    bool unused = false;  // the nodes whose results nobody uses
    bool certain = true;
    GroupId parent = kModelGroup;
    std::vector<NodeId> starts{kNoNode};  // by stage: the node that it waits for; none for the first
    uint32_t after = 0;                   // the stage of the parent before the first one
    bool has_stages = false;              // there is something to compute or to check
  };
  const std::vector<Group>& groups() const { return groups_; }

  struct Symbol {
    Dim symbol;
    bool of_inputs = false;
    Moment moment;
  };
  // Those of the inputs in order, then by group and stage.
  const std::vector<Symbol>& symbols() const { return symbols_; }

  // The symbols that have to be known before d is: those it mentions, and those of their definitions.
  const std::vector<Dim>& FreeSymbols(Dim d);
  Moment MomentOf(ValueId value) const { return value_moments_[Index(value)]; }
  Moment MomentOf(const ResidualCheck& check);
  // Whether d can be known in the model itself, outside of all regions.
  bool IsKnownToModel(Dim d);
  bool has_several_stages() const { return has_several_stages_; }

 private:
  struct Mention {
    GroupId group = kModelGroup;
    uint32_t step = 0;  // the first in the group
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
  // The stage at which all symbols of d are known to a group.
  uint32_t StageOf(Dim d, GroupId group);
  // The outermost group in which these, which stand in a group, may be computed.
  GroupId HomeOf(GroupId group, const std::vector<Dim>& dims);
  void Use(GroupId group, const std::vector<Dim>& dims);
  uint32_t DepthOf(GroupId group) const;
  template <typename F>
  void ForEachDim(ValueId value, F&& visit) const;
  template <typename F>
  void ForEachDimOfChecks(NodeId node, F&& visit) const;

  const Inference& inference_;
  const Graph& graph_;
  std::vector<Group> groups_;
  std::vector<GroupId> region_groups_, unused_groups_;  // by region
  std::vector<NodeId> order_;
  std::vector<uint32_t> steps_;  // by node, from 1
  std::vector<Dim> mentioned_;   // in the order of mention
  tsl::robin_map<Dim, Mention, std::hash<Dim>> mentions_;
  tsl::robin_map<Dim, Moment, std::hash<Dim>> moments_;
  tsl::robin_map<Dim, std::vector<Dim>, std::hash<Dim>> free_symbols_;
  std::vector<Symbol> symbols_;
  std::vector<Moment> value_moments_;
  bool has_several_stages_ = false;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_PROGRAM_PROGRAM_PLAN_H_
