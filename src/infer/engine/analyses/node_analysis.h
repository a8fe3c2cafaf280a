// A NodeAnalysis is an optional analysis that takes part in the evaluation of nodes. It reads the state of
// the program and adds what follows for one node. The engine works without it, with less precise results.
#ifndef DIMWISE_INFER_ENGINE_ANALYSES_NODE_ANALYSIS_H_
#define DIMWISE_INFER_ENGINE_ANALYSES_NODE_ANALYSIS_H_

#include "dimwise/graph.h"
#include "dimwise/inference_context.h"

namespace dimwise {

class NodeAnalysis {
 public:
  virtual ~NodeAnalysis() = default;
  // Returns whether the analysis of this node reads more than its operands, so that its results are not
  // cached. Called only for operators that declare indices.
  virtual bool LooksBeyondOperands(NodeId /*node*/) { return false; }
  // Changes the description of the node before it is evaluated.
  virtual void Describe(NodeId /*node*/, NodeDescription* /*description*/) {}
  // Adds requirements and results after the shape function of the node. `creates_symbols`: whether the shape
  // function created symbols.
  virtual Status Refine(NodeId /*node*/, bool /*creates_symbols*/, InferenceContext* /*context*/) {
    return {};
  }
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ANALYSES_NODE_ANALYSIS_H_
