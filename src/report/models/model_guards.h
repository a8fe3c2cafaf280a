// Prints the guards of a model and the assumptions that it uses:
//
//   bert.onnx: 1 guard, 1 assumption
//     S >= 1
//         Slice 'last' (#9) of x uses it: sizes of the model's inputs are assumed to be at least 1
//     S <= 512
//         Gather 'position' (#3) of table, ids: Gather takes rows 0 .. S - 1 of 512
#ifndef DIMWISE_REPORT_MODELS_MODEL_GUARDS_H_
#define DIMWISE_REPORT_MODELS_MODEL_GUARDS_H_

#include <string>

#include "report/models/model_report.h"
#include "report/text/text_style.h"

namespace dimwise {

std::string ModelGuards(const ModelReport& report, Colour colour = Colour::kNever);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_MODEL_GUARDS_H_
