// The regions of a node for the rule of its operator, which says what they take and is told what they give.
#ifndef DIMWISE_INFER_ENGINE_REGION_RULE_H_
#define DIMWISE_INFER_ENGINE_REGION_RULE_H_

#include "dimwise/graph.h"
#include "dimwise/inference_context.h"

namespace dimwise {

class Engine;

// How often a region runs is not known here, nor whether it does: nothing that it requires holds outside.
class RegionsOfNode : public CarriedRegions {
 public:
  RegionsOfNode(Engine& engine, NodeId node, InferenceContext* context)
      : engine_(engine), node_(node), context_(context) {}
  Result<std::optional<std::vector<Type>>> Infer(std::string_view attribute,
                                                 std::span<const Type> operands) override;

 private:
  Engine& engine_;
  const NodeId node_;
  InferenceContext* context_;
};

// A type inside a region as it is seen from outside, where sizes that belong to one run of the region are
// unknown.
Type SeenFromOutside(Engine& engine, RegionId region, const Type& type, InferenceContext* context);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_REGION_RULE_H_
