#include "report/models/github.h"

#include <fmt/format.h>

#include "core/base/diagnostic_text.h"

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
  return severity == Severity::kNote ? "notice" : NameOf(severity);
}

}  // namespace

std::string GithubText(std::span<const Diagnostic> findings) {
  std::string text;
  for (const Diagnostic& finding : findings) {
    const CodeInfo* code = DescribeCode(finding.code);
    const std::string title = CodeName(finding.code) + (code == nullptr ? "" : " " + std::string(code->name));
    text += fmt::format("::{} file={},title={}::{}\n", CommandOf(finding.severity),
                        Escaped(finding.source.file, true), Escaped(title, true),
                        Escaped(TextWithoutHead(finding), false));
  }
  return text;
}

}  // namespace dimwise
