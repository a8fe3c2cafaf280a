// Writes a model as JSON: the object of `dimwise infer --format json`, or parts of it.
#ifndef DIMWISE_REPORT_MODELS_MODEL_JSON_H_
#define DIMWISE_REPORT_MODELS_MODEL_JSON_H_

#include <span>
#include <vector>

#include "report/models/model_report.h"
#include "report/text/json_writer.h"

namespace dimwise {

enum ModelParts : unsigned {
  kSymbolsPart = 1,
  kValuesPart = 2,
  kDiagnosticsPart = 4,
  kGuardsPart = 8,
  kStatsPart = 16,
  kAllParts = 31,
  kAssumptionsPart = 32,  // the assumptions that are used; computing them costs further evaluations
  kNodesPart = 64,
};

// Writes {"dimwise": 1, "model": {...}} and the requested parts. If `diagnostics` is given, it replaces the
// findings of the report.
void WriteModel(JsonWriter& json, const ModelReport& report, unsigned parts = kAllParts,
                const std::vector<Diagnostic>* diagnostics = nullptr);

// Writes {"dimwise": 1, "model": {...}, "symbols": {...}, "values": {...}, "nodes": [...]} with these nodes,
// their operands and their results.
void WriteNodeSelection(JsonWriter& json, const ModelReport& report, std::span<const NodeId> nodes);

// Writes {"dimwise": 1, "model": {...}, "diagnostics": [...]} for a file that could not be read.
void WriteFailedModel(JsonWriter& json, std::string_view file, const Diagnostic& failure);

// Write the fields "dimwise" and "model" into an open object, and an object of counts.
void WriteModelHead(JsonWriter& json, const ModelReport& report);
void WriteStats(JsonWriter& json, const ModelStats& stats, bool with_nodes = false);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_MODEL_JSON_H_
