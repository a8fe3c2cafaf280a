// Wraps messages to the width of a terminal.
#ifndef DIMWISE_REPORT_TEXT_WRAP_H_
#define DIMWISE_REPORT_TEXT_WRAP_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace dimwise {

// Breaks lines that are wider than `width` at spaces. The rest of a line is indented like its text: below the
// words after "  help: " for that line. Lines of a quotation ("   |  ...") stay whole, because they show
// positions. Color codes take no columns. A width of 0 means unlimited.
std::string Wrapped(std::string_view text, size_t width);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_TEXT_WRAP_H_
