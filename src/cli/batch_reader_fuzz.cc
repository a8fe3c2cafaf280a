// Checks that `op --batch` answers any line with one line of JSON, and that the answer does not depend on
// earlier lines.
#include "cli/batch_reader.h"

#include <simdjson.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "dimwise/builtin.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  dimwise::BatchReader reader(dimwise::BuiltinRegistry());
  simdjson::dom::parser parser;
  for (size_t number = 1; !rest.empty() && number <= 16; ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));

    std::string answer;
    reader.Answer(line, number, &answer);
    Require(answer.ends_with("}\n") && answer.find('\n') == answer.size() - 1);
    simdjson::dom::element json;
    const simdjson::error_code error = parser.parse(answer).get(json);
    // The ID is echoed as written, even if it is a number that fits no 64-bit type.
    Require(error == simdjson::SUCCESS || error == simdjson::NUMBER_ERROR);
    if (error == simdjson::SUCCESS) {
      bool ok = false;
      Require(json["ok"].get(ok) == simdjson::SUCCESS);
      Require(json[ok ? "outputs" : "diagnostics"].error() == simdjson::SUCCESS);
    }

    std::string again;
    dimwise::BatchReader(dimwise::BuiltinRegistry()).Answer(line, number, &again);
    Require(again == answer);
  }
  return 0;
}
