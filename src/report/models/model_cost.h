// Computes the cost of a model as formulas in its symbols: parameters, bytes and multiply-adds.
//
// A multiply-add is a product that is added to a sum, in matrix products, convolutions and recurrent cells.
// Element-wise work is not counted. Nodes in branches and loops run an unknown number of times, so they are
// not counted, but their number is reported.
#ifndef DIMWISE_REPORT_MODELS_MODEL_COST_H_
#define DIMWISE_REPORT_MODELS_MODEL_COST_H_

#include <string>
#include <vector>

#include "report/models/model_report.h"

namespace dimwise {

struct ModelCost {
  std::string parameters;       // the number of elements of the weights; see IsWeight
  std::string parameter_bytes;  // of weights whose element type has a size
  std::string multiply_adds;
  size_t not_counted = 0;          // nodes that multiply and add, with unknown sizes or number of runs
  size_t in_regions = 0;           // of these: nodes in branches and loops
  std::string first_of_unknown;    // of the others: the first one, "Conv 'c' (#4)"
  std::string peak;                // the most bytes of activations at the same time; see ShapeProgram::Peak
  std::string peak_node;           // the name of the node where it is reached; empty if that depends on sizes
  size_t peak_not_counted = 0;     // values of unknown size
  std::string first_of_uncounted;  // the first of these values, "'x' f32[*]"
};

ModelCost CostOf(const ModelReport& report);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_MODEL_COST_H_
