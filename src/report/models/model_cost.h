// What a model takes, as formulas in its symbols: parameters, bytes, and the multiply-adds of its operators.
//
// A multiply-add is one product that is added to a sum: those of matrix products, convolutions and recurrent
// cells. Elementwise work is not counted. Nodes of branches and loop bodies run any number of times: they are
// said to be left out.
#ifndef DIMWISE_REPORT_MODELS_MODEL_COST_H_
#define DIMWISE_REPORT_MODELS_MODEL_COST_H_

#include <string>
#include <vector>

#include "report/models/model_report.h"

namespace dimwise {

struct ModelCost {
  std::string parameters;       // elements of the weights
  std::string parameter_bytes;  // of those whose elements have a size
  std::string multiply_adds;
  size_t not_counted =
      0;             // nodes that multiply and add, but of which the sizes or the number of runs is not known
  std::string peak;  // the most bytes of activations at the same time; see ShapeProgram::Peak
  size_t peak_not_counted = 0;
};

ModelCost CostOf(const ModelReport& report);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_MODEL_COST_H_
