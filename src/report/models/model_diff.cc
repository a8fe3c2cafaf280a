#include "report/models/model_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "report/models/model_json.h"
#include "report/text/type_json.h"

namespace dimwise {
namespace {

constexpr size_t kShownNames = 20;  // of values that only one model has

bool IsPrinted(const ModelReport& report, ValueId value) {
  return report.names.IsReported(value) && report.reached(value);
}

// Returns a type in terms that are comparable between models: a generated symbol is replaced by its origin,
// because its name is only a number.
std::string Meaning(const ModelReport& report, Type type) {
  DimTable& dims = report.dims();
  if (type.is_tensor() && HasRank(type) && !type.shape.is_constant()) {
    std::vector<Dim> sizes(type.shape.dims().begin(), type.shape.dims().end());
    for (Dim& size : sizes) {
      size = dims.Substitute(size, [&](Dim atom) {
        if (dims.Kind(atom) != DimKind::kSymbol) return Dim();
        const SymbolInfo info = dims.GetSymbol(atom);
        if (info.of_user || info.origin.empty()) return Dim();
        return dims.Symbol(fmt::format("? of {}", info.origin));
      });
    }
    type.shape = report.graph().analysis().shapes().Make(sizes);
  }
  return ToString(dims, type);
}

std::string TypeText(const ModelReport& report, ValueId value) {
  return ToString(report.dims(), report.type(value));
}

// Pads the columns of rows with a name and types, all but the last column. If the rows are wider than `width`
// (0: unlimited), the names are shortened first, then all types equally.
void FitColumns(std::vector<std::vector<std::string>>& rows, size_t width, size_t indent) {
  constexpr size_t kLeastName = 16, kLeastType = 12;
  if (rows.empty()) return;
  std::vector<size_t> widths(rows[0].size());
  for (const std::vector<std::string>& row : rows) {
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], Width(row[c]));
  }
  const auto total = [&] {
    return std::accumulate(widths.begin(), widths.end(), indent + 2 * (widths.size() - 1));
  };
  while (width > 0 && total() > width) {
    const auto widest = std::max_element(widths.begin() + 1, widths.end());
    size_t* reduced = widths[0] > kLeastName ? &widths[0] : &*widest;
    if (widths[0] <= kLeastName && *widest <= kLeastType) break;
    --*reduced;
  }
  for (std::vector<std::string>& row : rows) {
    for (size_t c = 0; c < row.size(); ++c) {
      row[c] = c == 0 ? Shortened(row[c], widths[c]) : Clipped(row[c], widths[c]);
      if (c + 1 < row.size()) row[c] = Padded(row[c], widths[c]);
    }
  }
}

}  // namespace

ModelDiff Compare(const ModelReport& left, const ModelReport& right) {
  ModelDiff diff;
  for (uint32_t v = 0; v < left.graph().value_count(); ++v) {
    const ValueId value{v};
    if (!IsPrinted(left, value)) continue;
    const ValueId other = right.names.FindValue(left.names.Value(value));
    if (other == kNoValue || !IsPrinted(right, other)) {
      diff.removed.push_back(value);
    } else if (Meaning(left, left.type(value)) == Meaning(right, right.type(other))) {
      ++diff.same;
    } else {
      diff.changed.push_back({value, other});
    }
  }
  for (uint32_t v = 0; v < right.graph().value_count(); ++v) {
    const ValueId value{v};
    if (!IsPrinted(right, value)) continue;
    const ValueId other = left.names.FindValue(right.names.Value(value));
    if (other == kNoValue || !IsPrinted(left, other)) diff.added.push_back(value);
  }
  return diff;
}

std::string DiffText(const DiffSides& sides, const ModelDiff& diff, size_t width, Colour colour) {
  const size_t all = diff.same + diff.changed.size();
  std::string text = Painted(Printable(sides.left_name), kBold, colour) + " -> " +
                     Painted(Printable(sides.right_name), kBold, colour);
  text += diff.empty() ? fmt::format(": {} are the same\n", Counted(all, "value"))
                       : fmt::format(": {} of {} differ\n", diff.changed.size(), Counted(all, "value"));
  std::vector<std::vector<std::string>> rows;
  for (const ModelDiff::Changed& changed : diff.changed) {
    rows.push_back({Printable(sides.left.names.Value(changed.left)), TypeText(sides.left, changed.left),
                    TypeText(sides.right, changed.right)});
  }
  FitColumns(rows, width, 2);
  for (const std::vector<std::string>& row : rows) {
    text +=
        "  " + row[0] + "  " + Painted(row[1] + "  ", kRed, colour) + Painted(row[2], kCyan, colour) + "\n";
  }
  const auto list = [&](std::string_view what, const ModelReport& report,
                        const std::vector<ValueId>& values) {
    if (values.empty()) return;
    text += fmt::format("  {}: {}\n", what, Counted(values.size(), "value"));
    const std::span<const ValueId> shown = std::span(values).first(std::min(values.size(), kShownNames));
    std::vector<std::vector<std::string>> only;
    for (const ValueId value : shown) {
      only.push_back({Printable(report.names.Value(value)), TypeText(report, value)});
    }
    FitColumns(only, width, 4);
    for (const std::vector<std::string>& row : only) {
      text += "    " + row[0] + "  " + Painted(row[1], kCyan, colour) + "\n";
    }
    if (values.size() > kShownNames)
      text += fmt::format("    ... and {} more\n", values.size() - kShownNames);
  };
  list("only in " + Printable(sides.left_name), sides.left, diff.removed);
  list("only in " + Printable(sides.right_name), sides.right, diff.added);
  return text;
}

void WriteDiff(JsonWriter& json, const DiffSides& sides, const ModelDiff& diff) {
  const auto side = [&](std::string_view key, const ModelReport& report, std::string_view name) {
    json.Key(key);
    json.BeginObject();
    json.Key("file");
    json.String(report.file);
    json.Key("name");
    json.String(name);
    json.EndObject();
  };
  const auto values = [&](std::string_view key, const ModelReport& report, const std::vector<ValueId>& list) {
    json.Key(key);
    json.BeginObject();
    for (const ValueId value : list) {
      json.Key(report.names.Value(value));
      WriteType(json, report.dims(), report.type(value));
    }
    json.EndObject();
  };
  json.BeginObject();
  json.Key("dimwise");
  json.Int(kFormatVersion);
  side("left", sides.left, sides.left_name);
  side("right", sides.right, sides.right_name);
  json.Key("same");
  json.Int(static_cast<int64_t>(diff.same));
  json.Key("changed");
  json.BeginObject();
  for (const ModelDiff::Changed& changed : diff.changed) {
    json.Key(sides.left.names.Value(changed.left));
    json.BeginObject();
    json.Key("left");
    WriteType(json, sides.left.dims(), sides.left.type(changed.left));
    json.Key("right");
    WriteType(json, sides.right.dims(), sides.right.type(changed.right));
    json.EndObject();
  }
  json.EndObject();
  values("removed", sides.left, diff.removed);
  values("added", sides.right, diff.added);
  json.EndObject();
}

}  // namespace dimwise
