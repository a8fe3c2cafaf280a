#include "report/text/diagnostics_page_testing.h"

#include <fmt/format.h>

#include "dimwise/diagnostic.h"

namespace dimwise {
namespace {

constexpr std::string_view kIntroduction =
    R"(# Diagnostics

All errors and warnings of Dimwise. Each has a code whose meaning never changes. `dimwise explain CODE` prints the entry
of a code. `dimwise check --select` and `--ignore` accept codes, prefixes of codes (`DW01`) and names. An **error** is
certain: it occurs in every run. A failure that is only possible is not an error but a guard; `dimwise guards` lists the
guards of a model.

This page is generated from the registry of codes; `make golden` rewrites it.
)";

std::string_view SubjectOf(Code code) {
  switch (static_cast<int>(code) / 100) {
    case 0:
      return "Command lines and requests";
    case 1:
      return "Shapes, types and contents";
    case 2:
      return "Facts";
    case 3:
      return "Operators and their definitions";
    case 4:
      return "Rule files";
    default:
      return "Model files";
  }
}

}  // namespace

std::string DiagnosticsPage() {
  std::string page(kIntroduction);
  std::string_view subject;
  for (const CodeInfo& code : AllCodes()) {
    if (SubjectOf(code.code) != subject) {
      subject = SubjectOf(code.code);
      page += fmt::format("\n## {}\n", subject);
    }
    page += fmt::format("\n### {} {}\n\n{}\n\n```\n{}\n```\n\n{}\n", CodeName(code.code), code.name,
                        code.meaning, code.example, code.way_out);
  }
  return page;
}

}  // namespace dimwise
