// A model for a person, at a glance:
//
//   bert.onnx: onnx, 672 nodes
//     in      input_ids  i64[N, S]
//     out     logits     f32[N, S, 30522]
//     values  1200: 800 static, 400 symbolic
//     where   N >= 1, S >= 1
//     checks  3 are left for run time; `dimwise checks bert.onnx` lists them
#ifndef DIMWISE_REPORT_MODEL_TEXT_H_
#define DIMWISE_REPORT_MODEL_TEXT_H_

#include <string>

#include "report/model_report.h"
#include "report/text_style.h"

namespace dimwise {

std::string ModelSummary(const ModelReport& report, Colour colour = Colour::kNever);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODEL_TEXT_H_
