#include "report/models/model_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "infer/engine/guard_list.h"
#include "report/models/model_cost.h"
#include "report/models/model_json.h"
#include "report/text/wrap.h"

namespace dimwise {
namespace {

constexpr size_t kFormulaWidth = 200;  // in text; JSON contains whole formulas

}  // namespace

std::vector<OpCount> CountByOp(const ModelReport& report) {
  const Graph& graph = report.graph();
  std::map<std::string_view, ModelStats> by_name;
  for (uint32_t i = 0; i < graph.node_count(); ++i) {
    const NodeId node{i};
    if (!graph.Has(node)) continue;
    ModelStats& stats = by_name[graph.op_name(node)];
    ++stats.nodes;
    for (const ValueId result : graph.results(node)) {
      if (report.names.IsReported(result) && report.reached(result)) CountValue(report.type(result), stats);
    }
  }
  std::vector<OpCount> counts;
  for (const auto& [op, stats] : by_name) counts.push_back({std::string(op), stats});
  std::ranges::stable_sort(counts, std::greater(), [](const OpCount& c) { return c.stats.nodes; });
  return counts;
}

std::vector<RankLoss> CausesOfUnknown(const ModelReport& report) {
  const Graph& graph = report.graph();
  std::vector<RankLoss> causes;
  std::vector<size_t> cause_of(graph.value_count(), SIZE_MAX);
  const auto is_unknown = [&](ValueId v) {
    return report.names.IsReported(v) && report.reached(v) && !HasRank(CountedType(report.type(v)));
  };
  const auto note = [&](ValueId v, size_t cause, const auto& name) {
    if (cause == SIZE_MAX) {
      cause = causes.size();
      causes.push_back({name(), 0});
    }
    cause_of[Index(v)] = cause;
    ++causes[cause].values;
  };
  for (uint32_t r = 0; r < graph.region_count(); ++r) {
    for (const ValueId v : graph.inputs(RegionId{r})) {
      if (is_unknown(v))
        note(v, SIZE_MAX, [&] { return fmt::format("input '{}'", Printable(report.names.Value(v))); });
    }
  }
  ForEachInOrder(graph, [&](NodeId node) {
    size_t cause = SIZE_MAX;
    for (const ValueId v : graph.operands(node)) {
      if (v != kNoValue && cause == SIZE_MAX) cause = cause_of[Index(v)];
    }
    for (const ValueId v : graph.results(node)) {
      if (!is_unknown(v)) continue;
      note(v, cause, [&] {
        return fmt::format("{} '{}' (#{})", ShortName(graph.op_name(node)),
                           Printable(report.names.Node(node)), graph.position(node));
      });
      cause = cause_of[Index(v)];
    }
  });
  return causes;
}

namespace {

// Returns the number that a constant formula is.
std::optional<int64_t> NumberOf(const std::string& formula) {
  int64_t number = 0;
  const char* end = formula.data() + formula.size();
  const auto [read, error] = std::from_chars(formula.data(), end, number);
  if (formula.empty() || error != std::errc() || read != end) return std::nullopt;
  return number;
}

// Writes a formula; a constant one as a number.
void WriteFormula(JsonWriter& json, std::string_view key, const std::string& formula) {
  json.Key(key);
  if (const std::optional<int64_t> number = NumberOf(formula)) {
    json.Int(*number);
  } else if (formula.empty()) {
    json.Null();
  } else {
    json.String(formula);
  }
}

void WriteText(JsonWriter& json, std::string_view key, const std::string& text) {
  json.Key(key);
  if (text.empty()) return json.Null();
  json.String(text);
}

// Returns a formula with its unit; a number from 1000 on in thousands, millions and so on: "1.9 M", "7.2 MB".
std::string InUnits(const std::string& formula, std::string_view unit, std::string_view scaled_unit) {
  const std::optional<int64_t> number = NumberOf(formula);
  if (!number || *number < 1000) {
    return Clipped(formula, kFormulaWidth) + (unit.empty() ? "" : " ") + std::string(unit);
  }
  constexpr std::string_view kPrefixes = "KMGTPE";
  auto scaled = static_cast<double>(*number) / 1000;
  size_t prefix = 0;
  for (; scaled >= 999.5 && prefix + 1 < kPrefixes.size(); ++prefix) scaled /= 1000;
  return fmt::format("{:.{}f} {}{}", scaled, scaled < 99.95 ? 1 : 0, kPrefixes[prefix], scaled_unit);
}

std::string PeakText(const ModelCost& cost) {
  std::string text = cost.peak.empty()
                         ? "unknown: the peak has too many cases (`dimwise compile` computes it)"
                         : fmt::format("at most {} at a time", InUnits(cost.peak, "bytes", "B"));
  if (!cost.peak_node.empty()) text += fmt::format(", at node '{}'", Printable(cost.peak_node));
  if (cost.peak_not_counted == 0) return text;
  text += fmt::format(", without {} of unknown size", Counted(cost.peak_not_counted, "value"));
  return text + (cost.first_of_uncounted.empty() ? "" : ", such as " + cost.first_of_uncounted);
}

std::string MultiplyAddsText(const ModelCost& cost) {
  std::string text = InUnits(cost.multiply_adds, "MACs", "MACs");
  if (const size_t unknown = cost.not_counted - cost.in_regions; unknown > 0) {
    text += fmt::format(", without {} of unknown sizes, such as {}", Counted(unknown, "node"),
                        cost.first_of_unknown);
  }
  if (cost.in_regions > 0) {
    text += fmt::format("{} without {} in branches and loops", cost.first_of_unknown.empty() ? "," : " and",
                        Counted(cost.in_regions, "node"));
  }
  return text;
}

std::string CostText(const ModelReport& report) {
  const ModelCost cost = CostOf(report);
  std::string text = fmt::format("  parameters     {}, {}\n", InUnits(cost.parameters, "", ""),
                                 InUnits(cost.parameter_bytes, "bytes", "B"));
  text += fmt::format("  activations    {}\n  multiply-adds  {}\n", PeakText(cost), MultiplyAddsText(cost));
  for (const RankLoss& cause : CausesOfUnknown(report)) {
    text += fmt::format("  unknown        {} because of {}\n", Counted(cause.values, "value"), cause.from);
  }
  return text;
}

}  // namespace

std::string ModelCounts(const ModelReport& report, size_t most_columns, Colour colour) {
  constexpr size_t kNumbers = 36;  // the columns of all numbers, with the indentation
  const std::vector<OpCount> counts = CountByOp(report);
  size_t width = 5;
  for (const OpCount& count : counts) width = std::max(width, Width(Printable(count.op)));
  if (most_columns > 0) width = std::min(width, std::max(most_columns, kNumbers + 16) - kNumbers);
  std::string text = Painted(Printable(report.file), kBold, colour) +
                     fmt::format(": {}, {}\n", report.format, Counted(report.stats.nodes, "node"));
  text += Painted("  " + Padded("op", width) + "  nodes  static  symbolic  unknown", kFaint, colour) + "\n";
  const auto line = [&](std::string_view op, const ModelStats& stats) {
    text += fmt::format("  {}  {:5}  {:6}  {:8}  {:7}\n", Padded(Shortened(Printable(op), width), width),
                        stats.nodes, stats.constant, stats.symbolic, stats.unknown);
  };
  ModelStats all;
  for (const OpCount& count : counts) {
    line(count.op, count.stats);
    all.nodes += count.stats.nodes;
    all.constant += count.stats.constant;
    all.symbolic += count.stats.symbolic;
    all.unknown += count.stats.unknown;
  }
  if (counts.size() > 1) line("total", all);
  return text + Wrapped(CostText(report), most_columns);
}

void WriteModelCounts(JsonWriter& json, const ModelReport& report) {
  json.BeginObject();
  WriteModelHead(json, report);
  json.Key("stats");
  WriteStats(json, report.stats);
  json.Key("ops");
  json.BeginObject();
  for (const OpCount& count : CountByOp(report)) {
    json.Key(count.op);
    WriteStats(json, count.stats, /*with_nodes=*/true);
  }
  json.EndObject();
  const ModelCost cost = CostOf(report);
  WriteFormula(json, "parameters", cost.parameters);
  WriteFormula(json, "parameter_bytes", cost.parameter_bytes);
  WriteFormula(json, "peak_activation_bytes", cost.peak);
  WriteText(json, "peak_activation_node", cost.peak_node);
  json.Key("peak_activation_not_counted");
  json.Int(static_cast<int64_t>(cost.peak_not_counted));
  WriteFormula(json, "multiply_adds", cost.multiply_adds);
  json.Key("multiply_adds_not_counted");
  json.Int(static_cast<int64_t>(cost.not_counted));
  json.Key("unknown");
  json.BeginArray();
  for (const RankLoss& cause : CausesOfUnknown(report)) {
    json.BeginObject();
    json.Key("from");
    json.String(cause.from);
    json.Key("values");
    json.Int(static_cast<int64_t>(cause.values));
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

}  // namespace dimwise
