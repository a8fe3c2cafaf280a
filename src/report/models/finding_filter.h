// Which findings `dimwise check` tells: --select and --ignore name codes.
//
// A code is named DW0103, by the beginning of that (DW01: shapes and types), or by its own name
// (size-mismatch).
#ifndef DIMWISE_REPORT_MODELS_FINDING_FILTER_H_
#define DIMWISE_REPORT_MODELS_FINDING_FILTER_H_

#include <string>
#include <vector>

#include "report/models/model_report.h"

namespace dimwise {

struct FindingFilter {
  std::vector<std::string> select;  // none: all
  std::vector<std::string> ignore;

  bool Passes(Code code) const;
};

// An error that names the first word that means no code.
Status CheckCodeWords(const std::vector<std::string>& words, std::string_view where);
bool MeansCode(std::string_view word, Code code);

// What is wrong with a model: its findings, a declaration that disagrees being an error, and with `complete`
// the nodes where a shape or an element type is lost.
std::vector<Diagnostic> WhatIsWrong(const ModelReport& report, const FindingFilter& filter, bool complete);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_FINDING_FILTER_H_
