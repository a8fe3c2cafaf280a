// Operators that carry regions: branches and loops. Each walks into its regions through the engine and says
// what follows for its results. A rule knows a region only by what it takes and gives (region_rule.h): it has
// no word for what is carried from one trip to the next, nor for a branch that is not taken.
#ifndef DIMWISE_INFER_ENGINE_REGION_OPS_H_
#define DIMWISE_INFER_ENGINE_REGION_OPS_H_

#include <cstdint>
#include <string_view>

#include "dimwise/inference_context.h"

namespace dimwise {

class Engine;
enum class NodeId : uint32_t;

// Whether a region runs whenever the node does that carries it.
enum class RegionRuns : uint8_t { kMaybe, kAlways, kNever };

using RegionOp = Status (*)(Engine& engine, NodeId node, InferenceContext* context);

// The one of that name ("onnx.If"), or null.
RegionOp FindRegionOp(std::string_view op_name);

Status InferIf(Engine& engine, NodeId node, InferenceContext* context);
Status InferLoop(Engine& engine, NodeId node, InferenceContext* context);
Status InferScan(Engine& engine, NodeId node, InferenceContext* context);
Status InferSequenceMap(Engine& engine, NodeId node, InferenceContext* context);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_REGION_OPS_H_
