// Checks that accepted text prints as text that parses and prints the same, and that errors in other text
// have a position inside it.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "rules/language/parser.h"
#include "rules/language/print.h"

namespace {

using dimwise::Diagnostic;
using dimwise::rules::File;

void Require(bool holds, const char* what, std::string_view text) {
  if (holds) return;
  std::fprintf(stderr, "%s:\n%.*s\n", what, static_cast<int>(text.size()), text.data());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  File file;
  const std::vector<Diagnostic> mistakes = ParseAll(text, "fuzz.shape", &file);
  for (const Diagnostic& mistake : mistakes) {
    Require(mistake.source.line > 0 && mistake.source.column > 0, "a mistake without a place", text);
    Require(static_cast<size_t>(mistake.source.column) <= mistake.source.text.size() + 1,
            "a mistake beyond its line", text);
    Require(!ToString(mistake).empty(), "a mistake without words", text);
  }
  const auto first = dimwise::rules::Parse(text, "fuzz.shape");
  Require(first.has_value() == mistakes.empty(), "Parse and ParseAll differ", text);

  const std::string printed = Print(file);
  const auto again = dimwise::rules::Parse(printed, "again.shape");
  if (!again) std::fprintf(stderr, "%s\n", ToString(again.error()).c_str());
  Require(again.has_value(), "the printed text cannot be read", printed);
  Require(Print(*again) == printed, "the printed text prints differently", printed);
  return 0;
}
