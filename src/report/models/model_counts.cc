#include "report/models/model_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "infer/engine/guard_list.h"
#include "report/models/model_cost.h"
#include "report/models/model_json.h"

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

std::vector<UnknownCause> CausesOfUnknown(const ModelReport& report) {
  const Graph& graph = report.graph();
  std::vector<UnknownCause> causes;
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

// Writes a formula; a constant one as a number.
void WriteFormula(JsonWriter& json, std::string_view key, const std::string& formula) {
  json.Key(key);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(formula.data(), formula.data() + formula.size(), number);
  if (formula.empty()) {
    json.Null();
  } else if (error == std::errc() && end == formula.data() + formula.size()) {
    json.Int(number);
  } else {
    json.String(formula);
  }
}

std::string CostText(const ModelReport& report) {
  const ModelCost cost = CostOf(report);
  std::string text = fmt::format("  parameters     {} ({} bytes)\n", cost.parameters, cost.parameter_bytes);
  text += fmt::format("  activations    {}{}\n",
                      cost.peak.empty() ? "too many cases to print (`dimwise compile` computes the peak)"
                                        : "at most " + Clipped(cost.peak, kFormulaWidth) + " bytes at a time",
                      cost.peak_not_counted == 0
                          ? ""
                          : ", without " + Counted(cost.peak_not_counted, "value") + " of unknown size");
  text += fmt::format("  multiply-adds  {}{}\n", Clipped(cost.multiply_adds, kFormulaWidth),
                      cost.not_counted == 0 ? "" : ", without those of " + Counted(cost.not_counted, "node"));
  for (const UnknownCause& cause : CausesOfUnknown(report)) {
    text += fmt::format("  unknown        {} because of {}\n", Counted(cause.values, "value"), cause.from);
  }
  return text;
}

}  // namespace

std::string ModelCounts(const ModelReport& report, Colour colour) {
  const std::vector<OpCount> counts = CountByOp(report);
  size_t width = 5;
  for (const OpCount& count : counts) width = std::max(width, Width(Printable(count.op)));
  std::string text = Painted(Printable(report.file), kBold, colour) +
                     fmt::format(": {}, {}\n", report.format, Counted(report.stats.nodes, "node"));
  text += Painted("  " + Padded("op", width) + "  nodes  static  symbolic  unknown", kFaint, colour) + "\n";
  const auto line = [&](std::string_view op, const ModelStats& stats) {
    text += fmt::format("  {}  {:5}  {:6}  {:8}  {:7}\n", Padded(Printable(op), width), stats.nodes,
                        stats.constant, stats.symbolic, stats.unknown);
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
  return text + CostText(report);
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
  WriteFormula(json, "multiply_adds", cost.multiply_adds);
  json.Key("multiply_adds_not_counted");
  json.Int(static_cast<int64_t>(cost.not_counted));
  json.Key("unknown");
  json.BeginArray();
  for (const UnknownCause& cause : CausesOfUnknown(report)) {
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
