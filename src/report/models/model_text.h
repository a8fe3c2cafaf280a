// Prints a summary of a model:
//
//   bert.onnx: onnx, 672 nodes
//     in      input_ids  i64[N, S]
//     out     logits     f32[N, S, 30522]
//     values  1200: 800 static, 400 symbolic
//     where   N >= 1, S >= 1
//     guards  3 left for run time; `dimwise guards bert.onnx` lists them
#ifndef DIMWISE_REPORT_MODELS_MODEL_TEXT_H_
#define DIMWISE_REPORT_MODELS_MODEL_TEXT_H_

#include <string>
#include <string_view>

#include "report/models/model_report.h"
#include "report/text/text_style.h"

namespace dimwise {

// Whether the summary contains the declared types of outputs that inference improves on.
enum class DeclaredOutputs { kOmitted, kPrinted };

// `list_guards` is the command that lists the guards; if it is empty, no command is printed.
std::string ModelSummary(const ModelReport& report, std::string_view list_guards,
                         Colour colour = Colour::kNever,
                         DeclaredOutputs declared = DeclaredOutputs::kOmitted);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_MODEL_TEXT_H_
