// Compares two models, or two assignments of sizes to one model: types of values with the same name, and
// values that only one side has.
//
//   a.onnx -> b.onnx: 2 of 8 values differ
//     x  f32[1, 784]  f32[batch, 784]
//     y  f32[1, 10]   f32[batch, 10]
#ifndef DIMWISE_REPORT_MODELS_MODEL_DIFF_H_
#define DIMWISE_REPORT_MODELS_MODEL_DIFF_H_

#include <string>
#include <vector>

#include "report/models/model_report.h"
#include "report/text/json_writer.h"
#include "report/text/text_style.h"

namespace dimwise {

struct ModelDiff {
  struct Changed {
    ValueId left, right;
  };
  std::vector<Changed> changed;         // in the order of the left model
  std::vector<ValueId> removed, added;  // values of only the left or only the right model
  size_t same = 0;

  bool empty() const { return changed.empty() && removed.empty() && added.empty(); }
};

// Compares two models. Generated symbols are equal if their origins are equal.
ModelDiff Compare(const ModelReport& left, const ModelReport& right);

// The two reports, and their names in the output: "a.onnx", "a.onnx with N=8".
struct DiffSides {
  const ModelReport& left;
  const ModelReport& right;
  std::string left_name, right_name;
};
// Columns are fitted to `width`; 0: unlimited.
std::string DiffText(const DiffSides& sides, const ModelDiff& diff, size_t width = 0,
                     Colour colour = Colour::kNever);
// {"dimwise": 1, "left": {"file": ..., "name": ...}, "right": {...}, "same": 6,
//  "changed": {"x": {"left": {...}, "right": {...}}}, "removed": {"y": {...}}, "added": {}}
void WriteDiff(JsonWriter& json, const DiffSides& sides, const ModelDiff& diff);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_MODEL_DIFF_H_
