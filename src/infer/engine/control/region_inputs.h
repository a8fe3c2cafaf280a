// RegionInputs holds the types and contents of the inputs of a region, or of a part of them.
#ifndef DIMWISE_INFER_ENGINE_CONTROL_REGION_INPUTS_H_
#define DIMWISE_INFER_ENGINE_CONTROL_REGION_INPUTS_H_

#include <vector>

#include "infer/engine/control/control_flow.h"

namespace dimwise {

struct RegionInputs {
  std::vector<Type> types;
  std::vector<Value> contents;  // as many as types; none if unknown

  void Add(Type type, Value value) {
    types.push_back(type);
    contents.push_back(value);
  }
  void Append(const RegionInputs& more) {
    types.insert(types.end(), more.types.begin(), more.types.end());
    contents.insert(contents.end(), more.contents.begin(), more.contents.end());
  }
};

// Values that a region may take. Arguments are read from the node.
struct RegionItems {
  RegionInputs states, elements, forwarded;
  Dim trip;  // the number of the trip; none if unknown
};

// Returns the inputs of a region in the order of a layout.
RegionInputs InputsOf(const ControlFlowContext& c, RegionId region, const RegionLayout& layout,
                      const RegionItems& items);

// Returns the types and contents of the outputs of a region, as far as they exist.
RegionInputs OutputsOf(const ProgramState& state, RegionId region, const ItemRange& range);

// Evaluates a region.
Status RunRegion(ControlFlowContext& c, RegionId region, const RegionInputs& inputs, RegionRuns runs);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_CONTROL_REGION_INPUTS_H_
