// docs/diagnostics.md: every code with its meaning, an example and the way out, as the registry of codes has
// them.
#ifndef DIMWISE_REPORT_TEXT_DIAGNOSTICS_PAGE_H_
#define DIMWISE_REPORT_TEXT_DIAGNOSTICS_PAGE_H_

#include <string>

namespace dimwise {

// The page in Markdown.
std::string DiagnosticsPage();

}  // namespace dimwise

#endif  // DIMWISE_REPORT_TEXT_DIAGNOSTICS_PAGE_H_
