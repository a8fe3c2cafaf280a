// Fuzzes the parsers of sizes, conditions, shapes and types with arbitrary text. Text that parses must print,
// and the printed text must parse to an equal value. The first byte selects the parser.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "dimwise/analysis.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

// The length limit of the parser.
constexpr size_t kMaxText = 1 << 16;

void CheckSize(dimwise::Analysis& analysis, std::string_view text) {
  const dimwise::Result<dimwise::Dim> size = analysis.dims().Parse(text);
  if (!size || size->is_none()) return;
  const std::string printed = analysis.dims().ToString(*size);
  if (printed.size() > kMaxText) return;
  const dimwise::Result<dimwise::Dim> again = analysis.dims().Parse(printed);
  Require(again.has_value());
  Require(*again == *size);
}

void CheckCondition(dimwise::Analysis& analysis, std::string_view text) {
  const dimwise::Result<dimwise::Condition> condition = ParseCondition(analysis.dims(), text);
  if (!condition) return;
  const std::string printed = ToString(analysis.dims(), *condition);
  Require(ParseCondition(analysis.dims(), printed).has_value());
  analysis.facts().Assert(*condition, dimwise::FactKind::kGiven, 1);
  analysis.facts().Holds(*condition);
}

void CheckShape(dimwise::Analysis& analysis, std::string_view text) {
  const dimwise::Result<dimwise::Shape> shape = ParseShape(analysis.dims(), analysis.shapes(), text);
  if (!shape || !shape->has_rank()) return;
  const std::string printed = ToString(analysis.dims(), *shape);
  const dimwise::Result<dimwise::Shape> again = ParseShape(analysis.dims(), analysis.shapes(), printed);
  Require(again.has_value());
  Require(*again == *shape);
}

void CheckType(dimwise::Analysis& analysis, std::string_view text) {
  const dimwise::Result<dimwise::Type> type = ParseType(analysis, text);
  if (!type) return;
  const std::string printed = ToString(analysis.dims(), *type);
  const dimwise::Result<dimwise::Type> again = ParseType(analysis, printed);
  Require(again.has_value());
  // Each unknown shape is distinct, so the texts are compared.
  Require(ToString(analysis.dims(), *again) == printed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  dimwise::Analysis analysis;
  switch (data[0] % 4) {
    case 0:
      CheckSize(analysis, text);
      break;
    case 1:
      CheckCondition(analysis, text);
      break;
    case 2:
      CheckShape(analysis, text);
      break;
    default:
      CheckType(analysis, text);
      break;
  }
  return 0;
}
