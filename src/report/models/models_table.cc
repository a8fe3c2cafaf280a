#include "report/models/models_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace dimwise {
namespace {

constexpr std::array<std::string_view, 7> kHeads = {"nodes",   "values", "static", "symbolic",
                                                    "unknown", "guards", "errors"};
constexpr size_t kLeastNameWidth = 12;

std::array<size_t, 7> NumbersOf(const ModelRow& row) {
  return {row.stats.nodes,   row.stats.values, row.stats.constant, row.stats.symbolic,
          row.stats.unknown, row.guards,       row.errors};
}

}  // namespace

ModelRow RowOf(const ModelReport& report, std::string model) {
  ModelRow row{std::move(model), report.stats};
  row.guards = report.inference.guards().size();
  row.errors =
      static_cast<size_t>(std::ranges::count(report.findings, Severity::kError, &Diagnostic::severity));
  return row;
}

std::string ModelsTable(const std::vector<ModelRow>& rows, size_t width, Colour colour) {
  ModelRow all{Counted(rows.size(), "model"), {}};
  for (const ModelRow& row : rows) {
    all.stats.nodes += row.stats.nodes;
    all.stats.values += row.stats.values;
    all.stats.constant += row.stats.constant;
    all.stats.symbolic += row.stats.symbolic;
    all.stats.unknown += row.stats.unknown;
    all.guards += row.guards;
    all.errors += row.errors;
  }
  // The totals are the widest numbers.
  std::array<size_t, 7> widths{};
  size_t taken = 0;
  for (size_t i = 0; i < widths.size(); ++i) {
    widths[i] = std::max(kHeads[i].size(), fmt::formatted_size("{}", NumbersOf(all)[i]));
    taken += widths[i] + 2;
  }
  size_t name_width = Width(all.model);
  for (const ModelRow& row : rows) name_width = std::max(name_width, Width(Printable(row.model)));
  if (width > 0) name_width = std::min(name_width, std::max(width, taken + kLeastNameWidth) - taken);

  std::string head = Padded("model", name_width);
  for (size_t i = 0; i < widths.size(); ++i) head += fmt::format("  {:>{}}", kHeads[i], widths[i]);
  std::string text = Painted(head, kFaint, colour) + "\n";
  const auto line = [&](const ModelRow& row, std::string_view style) {
    text += Painted(Padded(ShortenedPath(Printable(row.model), name_width), name_width), style, colour);
    const std::array<size_t, 7> numbers = NumbersOf(row);
    for (size_t i = 0; i < numbers.size(); ++i) {
      const std::string number = fmt::format("  {:>{}}", numbers[i], widths[i]);
      const std::string_view warning = kHeads[i] == "errors" ? kRed : kHeads[i] == "unknown" ? kYellow : "";
      text += numbers[i] > 0 && !warning.empty() ? Painted(number, warning, colour) : number;
    }
    text += '\n';
  };
  for (const ModelRow& row : rows) line(row, "");
  line(all, kBold);
  return text;
}

}  // namespace dimwise
