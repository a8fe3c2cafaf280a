// Fuzzes the parser of the text form. A text that parses must print as a text that parses and prints
// identically. An error must have a position inside the text.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "dimwise/graph_text.h"

namespace {

void Require(bool holds, const char* what, std::string_view text) {
  if (holds) return;
  std::fprintf(stderr, "%s:\n%.*s\n", what, static_cast<int>(text.size()), text.data());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  dimwise::Analysis analysis;
  const auto graph = dimwise::ParseGraph(analysis, text, "fuzz");
  if (!graph) {
    const dimwise::Diagnostic& mistake = graph.error();
    Require(mistake.source.line > 0 && mistake.source.column > 0, "a mistake without a place", text);
    Require(static_cast<size_t>(mistake.source.column) <= mistake.source.text.size() + 1,
            "a mistake beyond its line", text);
    Require(!ToString(mistake).empty(), "a mistake without words", text);
    return 0;
  }
  for (uint32_t r = 0; r < (*graph)->region_count(); ++r) (*graph)->Order(dimwise::RegionId{r});
  const std::string printed = ToString(**graph);
  dimwise::Analysis other;
  const auto again = dimwise::ParseGraph(other, printed, "again");
  if (!again) std::fprintf(stderr, "%s\n", ToString(again.error()).c_str());
  Require(again.has_value(), "the printed text cannot be read", printed);
  const std::string twice = ToString(**again);
  if (twice != printed) std::fprintf(stderr, "%s\n---\n", twice.c_str());
  Require(twice == printed, "the printed text prints differently", printed);
  return 0;
}
