// Generates docs/diagnostics.md: each diagnostic code with its meaning, an example and the remedy.
#ifndef DIMWISE_REPORT_TEXT_DIAGNOSTICS_PAGE_TESTING_H_
#define DIMWISE_REPORT_TEXT_DIAGNOSTICS_PAGE_TESTING_H_

#include <string>

namespace dimwise {

// Returns the page in Markdown.
std::string DiagnosticsPage();

}  // namespace dimwise

#endif  // DIMWISE_REPORT_TEXT_DIAGNOSTICS_PAGE_TESTING_H_
