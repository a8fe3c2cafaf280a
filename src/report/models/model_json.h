// A model as JSON: the object that `dimwise infer --format json` prints, of which others print parts.
#ifndef DIMWISE_REPORT_MODELS_MODEL_JSON_H_
#define DIMWISE_REPORT_MODELS_MODEL_JSON_H_

#include "report/models/model_report.h"
#include "report/text/json_writer.h"

namespace dimwise {

// The version of the format; it changes when a field changes its meaning.
inline constexpr int64_t kFormatVersion = 1;

enum ModelParts : unsigned {
  kSymbolsPart = 1,
  kValuesPart = 2,
  kDiagnosticsPart = 4,
  kChecksPart = 8,
  kStatsPart = 16,
  kAllParts = 31,
  kAssumptionsPart = 32,  // those that are used; finding out costs further visits
};

// {"dimwise": 1, "model": {...}, and the parts that are asked for. `diagnostics`, where they are given, are
// told in the place of the report's findings.
void WriteModel(JsonWriter& json, const ModelReport& report, unsigned parts = kAllParts,
                const std::vector<Diagnostic>* diagnostics = nullptr);

// {"dimwise": 1, "model": {...}, "diagnostics": [...]} of a file of which nothing is known.
void WriteFailedModel(JsonWriter& json, std::string_view file, const Diagnostic& failure);

// Parts of it: the fields "dimwise" and "model", inside an object that is open, and an object of counts.
void WriteModelHead(JsonWriter& json, const ModelReport& report);
void WriteStats(JsonWriter& json, const ModelStats& stats, bool with_nodes = false);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_MODEL_JSON_H_
