// Writes nodes of a model as JSON:
//
//   [{"name": "fc1", "index": 0, "op": "my.Dense", "version": 17, "inputs": ["x", "w1", null], "outputs":
//   ["h"],
//     "attributes": {"transB": 1}},
//    {"name": "branch", ..., "regions": {"then_branch": {"inputs": [], "outputs": ["branch.then_branch/t"]},
//    ...}},
//    {"name": "then_relu", ..., "region": "branch.then_branch"}]
//
// Names of values are the keys of "values". null: an operand or a result that is absent. A node of the model
// itself has no "region".
#ifndef DIMWISE_REPORT_MODELS_NODE_JSON_H_
#define DIMWISE_REPORT_MODELS_NODE_JSON_H_

#include <span>

#include "report/models/model_report.h"
#include "report/text/json_writer.h"

namespace dimwise {

void WriteNodes(JsonWriter& json, const ModelReport& report, std::span<const NodeId> nodes);

// Writes the names of values as a list; null for a value that is absent.
void WriteValueNames(JsonWriter& json, const ModelReport& report, std::span<const ValueId> values);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_NODE_JSON_H_
