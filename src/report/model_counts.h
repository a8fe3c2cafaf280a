// How much is known of what: the results of a model's nodes, counted by operator.
#ifndef DIMWISE_REPORT_MODEL_COUNTS_H_
#define DIMWISE_REPORT_MODEL_COUNTS_H_

#include <string>
#include <vector>

#include "report/json_writer.h"
#include "report/model_report.h"
#include "report/text_style.h"

namespace dimwise {

struct OpCount {
  std::string op;    // "onnx.MatMul"
  ModelStats stats;  // of the results of its nodes
};

// The operators by how many nodes they have, then by name.
std::vector<OpCount> CountByOp(const ModelReport& report);

//   bert.onnx: onnx, 672 nodes
//     op      nodes  static  symbolic  unknown
//     MatMul     96      12        84        0
std::string ModelCounts(const ModelReport& report, Colour colour = Colour::kNever);

// {"dimwise": 1, "model": {...}, "stats": {...}, "ops": {"onnx.MatMul": {"nodes": 96, "values": 96, ...}}}
void WriteModelCounts(JsonWriter& json, const ModelReport& report);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODEL_COUNTS_H_
