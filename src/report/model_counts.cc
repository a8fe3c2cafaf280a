#include "report/model_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/model_json.h"

namespace dimwise {

std::vector<OpCount> CountByOp(const ModelReport& report) {
  const Graph& graph = report.graph();
  std::map<std::string_view, ModelStats> by_name;
  for (uint32_t i = 0; i < graph.node_count(); ++i) {
    const NodeId node{i};
    if (!graph.Has(node)) continue;
    ModelStats& stats = by_name[graph.op_name(node)];
    ++stats.nodes;
    for (const ValueId result : graph.results(node)) {
      if (report.names.Speaks(result) && report.reached(result)) CountValue(report.type(result), stats);
    }
  }
  std::vector<OpCount> counts;
  for (const auto& [op, stats] : by_name) counts.push_back({std::string(op), stats});
  std::ranges::stable_sort(counts, std::greater(), [](const OpCount& c) { return c.stats.nodes; });
  return counts;
}

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
  return text;
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
  json.EndObject();
}

}  // namespace dimwise
