// Prints a table with a row per model:
//
//     model            nodes  values  static  symbolic  unknown  guards  errors
//     bert.onnx          672    1200     800       400        0       2       0
//     resnet/50.onnx     122     267     267         0        0       0       0
//     2 models           794    1467    1067       400        0       2       0
#ifndef DIMWISE_REPORT_MODELS_MODELS_TABLE_H_
#define DIMWISE_REPORT_MODELS_MODELS_TABLE_H_

#include <string>
#include <vector>

#include "report/models/model_report.h"
#include "report/text/text_style.h"

namespace dimwise {

struct ModelRow {
  std::string model;
  ModelStats stats;
  size_t guards = 0, errors = 0;
};

ModelRow RowOf(const ModelReport& report, std::string model);

// Returns the table. Model names are shortened to fit `width`, the width of the terminal; 0 is unlimited.
std::string ModelsTable(const std::vector<ModelRow>& rows, size_t width, Colour colour);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_MODELS_TABLE_H_
