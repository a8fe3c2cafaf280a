// RegionsOfNode gives the rule of an operator access to the regions of a node: the rule states the types of
// the inputs, and gets the types of the outputs.
#ifndef DIMWISE_INFER_ENGINE_CONTROL_REGION_RULE_H_
#define DIMWISE_INFER_ENGINE_CONTROL_REGION_RULE_H_

#include "infer/engine/control/control_flow.h"

namespace dimwise {

// It is unknown whether and how often a region runs, so its requirements do not hold outside.
class RegionsOfNode : public CarriedRegions {
 public:
  explicit RegionsOfNode(ControlFlowContext& c) : c_(c) {}
  Result<std::optional<std::vector<Type>>> Infer(std::string_view attribute,
                                                 std::span<const Type> operands) override;

 private:
  ControlFlowContext& c_;
};

// Returns a type of a region as it is seen from outside: sizes that belong to one run of the region become
// unknown.
Type SeenFromOutside(const ProgramState& state, RegionId region, const Type& type, InferenceContext* context);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_CONTROL_REGION_RULE_H_
