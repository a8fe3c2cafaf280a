// An explanation of a size, a symbol or an unknown rank: the subject, and a trace of steps back to inputs and
// constants. `dimwise explain` prints it as text or JSON.
#ifndef DIMWISE_REPORT_EXPLAIN_EXPLAINED_SIZE_H_
#define DIMWISE_REPORT_EXPLAIN_EXPLAINED_SIZE_H_

#include <span>
#include <string>
#include <vector>

#include "report/models/model_report.h"
#include "report/text/json_writer.h"
#include "report/text/text_style.h"

namespace dimwise {

struct ExplainedSize {
  struct Step {
    int depth;  // 1: about the subject; deeper: about the step before with a smaller depth
    std::string text;
  };
  std::string subject;  // "k[2]", "u1", "k"
  Dim size;             // none if the subject is a symbol or has no rank
  std::string about;    // "axis 2 of 'k' f32[N, 12, 32, S]"
  std::vector<Step> steps;
};

// Returns the subject and the steps as lines. A long trace is shortened in the middle, because it ends at the
// origin of the size.
std::string ToString(DimTable& dims, const ExplainedSize& explained, Colour colour = Colour::kNever);

// {"dimwise": 1, "model": {...}, "explanations": [{"subject": "k[2]", "size": 32, "about": "...",
//  "steps": [{"depth": 1, "text": "..."}]}]}
void WriteExplanations(JsonWriter& json, const ModelReport& report, std::span<const ExplainedSize> explained);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_EXPLAIN_EXPLAINED_SIZE_H_
