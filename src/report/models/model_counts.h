// Counts the results of the nodes of a model, and how many have known shapes, by operator.
#ifndef DIMWISE_REPORT_MODELS_MODEL_COUNTS_H_
#define DIMWISE_REPORT_MODELS_MODEL_COUNTS_H_

#include <string>
#include <vector>

#include "report/models/model_report.h"
#include "report/text/json_writer.h"
#include "report/text/text_style.h"

namespace dimwise {

struct OpCount {
  std::string op;
  ModelStats stats;  // of the results of its nodes
};

// Returns the operators, sorted by number of nodes and then by name.
std::vector<OpCount> CountByOp(const ModelReport& report);

// A place where ranks are lost: an input of unknown rank, or a node with a result of unknown rank whose
// operands all have a rank.
struct RankLoss {
  std::string from;   // "Mystery 'what' (#3)", "input 'x'"
  size_t values = 0;  // the number of values without a rank because of it
};
// Returns the causes in program order.
std::vector<RankLoss> CausesOfUnknown(const ModelReport& report);

// Prints the counts and the cost:
//
//   bert.onnx: onnx, 672 nodes
//     op      nodes  static  symbolic  unknown
//     MatMul     96      12        84        0
//     parameters     109 M, 438 MB
//     activations    at most 3072*N*S bytes at a time, at node 'encoder.0.qk'
//     multiply-adds  84934656*N*S + 18432*N*S*S
//
// Fits `most_columns`; 0: unlimited.
std::string ModelCounts(const ModelReport& report, size_t most_columns = 0, Colour colour = Colour::kNever);

// {"dimwise": 1, "model": {...}, "stats": {...}, "ops": {"my.Sort": {"nodes": 96, "values": 96, ...}},
//  "parameters": 109482240, "parameter_bytes": 437928960, "peak_activation_bytes": "3072*N*S",
//  "peak_activation_node": "encoder.0.qk", "peak_activation_not_counted": 0,
//  "multiply_adds": "84934656*N*S", "multiply_adds_not_counted": 0, "unknown": [{"from": "...", "values":
//  3}]}
void WriteModelCounts(JsonWriter& json, const ModelReport& report);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_MODEL_COUNTS_H_
