// Prints the changes made by `dimwise generalize`:
//
//     Reshape 'split': 'heads' [1, -1, 4, 8] -> [0, -1, 4, 8]
#ifndef DIMWISE_REPORT_MODELS_SIZE_CHANGES_H_
#define DIMWISE_REPORT_MODELS_SIZE_CHANGES_H_

#include <span>
#include <string>

#include "infer/generalize/generalize.h"
#include "report/models/model_report.h"
#include "report/text/json_writer.h"

namespace dimwise {

// Returns a change as a line. The report is that of the original program.
std::string SizeChangeText(const ModelReport& report, const SizeChange& change);
// Writes a list of changes:
// [{"node": "split", "op": ..., "operand": "heads", "change": "contents", "before": [1, 6],
// "after": [0, 6]}].
void WriteSizeChanges(JsonWriter& json, const ModelReport& report, std::span<const SizeChange> changes);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_SIZE_CHANGES_H_
