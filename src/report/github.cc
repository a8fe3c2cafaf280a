#include "report/github.h"

#include <fmt/format.h>

namespace dimwise {
namespace {

std::string Escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','))) {
      out += fmt::format("%{:02X}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out;
}

std::string_view CommandOf(Severity severity) {
  return severity == Severity::kError ? "error" : severity == Severity::kWarning ? "warning" : "notice";
}

}  // namespace

std::string GithubText(std::span<const Diagnostic> findings) {
  std::string text;
  for (const Diagnostic& finding : findings) {
    const CodeInfo* code = DescribeCode(finding.code);
    const std::string title = CodeName(finding.code) + (code == nullptr ? "" : " " + std::string(code->name));
    // All that a person would read but the first line's head, which the title says.
    std::string whole = ToString(finding);
    whole.erase(0, whole.find("]: ") + 3);
    text += fmt::format("::{} file={},title={}::{}\n", CommandOf(finding.severity),
                        Escaped(finding.source.file, true), Escaped(title, true), Escaped(whole, false));
  }
  return text;
}

}  // namespace dimwise
