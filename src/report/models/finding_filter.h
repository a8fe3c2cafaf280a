// Selects the findings that `dimwise check` reports: --select and --ignore name codes.
//
// A code is given as DW0103, as a prefix of it (DW01: shapes and types), or by name (size-mismatch).
#ifndef DIMWISE_REPORT_MODELS_FINDING_FILTER_H_
#define DIMWISE_REPORT_MODELS_FINDING_FILTER_H_

#include <string>
#include <vector>

#include "report/models/model_report.h"

namespace dimwise {

struct FindingFilter {
  std::vector<std::string> select;  // empty: all
  std::vector<std::string> ignore;

  bool Passes(Code code) const;
};

// Returns an error for the first word that matches no code.
Status CheckCodeWords(const std::vector<std::string>& words, std::string_view where);
bool MeansCode(std::string_view word, Code code);

// What a user requires of a model beyond the absence of errors.
struct FindingRequirements {
  bool complete = false;      // every rank is known: the nodes at which one is lost are errors
  bool declarations = false;  // a declaration that disagrees is an error, not a warning
};

// Returns the findings of a model that pass the filter, with those of the requirements.
std::vector<Diagnostic> WhatIsWrong(const ModelReport& report, const FindingFilter& filter,
                                    const FindingRequirements& required);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_MODELS_FINDING_FILTER_H_
