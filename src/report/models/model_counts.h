// How much is known of what: the results of a model's nodes, counted by operator.
#ifndef DIMWISE_REPORT_MODELS_MODEL_COUNTS_H_
#define DIMWISE_REPORT_MODELS_MODEL_COUNTS_H_

#include <string>
#include <vector>

#include "report/models/model_report.h"
#include "report/text/json_writer.h"
#include "report/text/text_style.h"

namespace dimwise {

struct OpCount {
  std::string op;    // "onnx.MatMul"
  ModelStats stats;  // of the results of its nodes
};

// The operators by how many nodes they have, then by name.
std::vector<OpCount> CountByOp(const ModelReport& report);

// Where the rank of values is lost first: a node that gives a result of unknown rank although it knows that
// of each operand, or an input.
struct UnknownCause {
  std::string from;   // "Mystery 'what' (#3)", "input 'x'"
  size_t values = 0;  // whose rank is not known because of it
};
// In the order of the program.
std::vector<UnknownCause> CausesOfUnknown(const ModelReport& report);

//   bert.onnx: onnx, 672 nodes
//     op      nodes  static  symbolic  unknown
//     MatMul     96      12        84        0
//     parameters     109482240 (437928960 bytes)
//     activations    at most 3072*N*S bytes at a time
//     multiply-adds  84934656*N*S + 18432*N*S*S
std::string ModelCounts(const ModelReport& report, Colour colour = Colour::kNever);

// {"dimwise": 1, "model": {...}, "stats": {...}, "ops": {"onnx.MatMul": {"nodes": 96, "values": 96, ...}},
//  "parameters": 109482240, "parameter_bytes": 437928960, "peak_activation_bytes": "3072*N*S",
//  "multiply_adds": "84934656*N*S", "multiply_adds_not_counted": 0, "unknown": [{"from": "...", "values":
//  3}]}
void WriteModelCounts(JsonWriter& json, const ModelReport& report);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_MODEL_COUNTS_H_
