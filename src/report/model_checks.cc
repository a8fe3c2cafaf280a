#include "report/model_checks.h"

#include <fmt/format.h>

namespace dimwise {

std::string ModelChecks(const ModelReport& report, Colour colour) {
  const Graph& graph = report.graph();
  const std::vector<ResidualCheck>& checks = report.inference.checks();
  std::string text =
      Painted(Printable(report.file), kBold, colour) + ": " + Counted(checks.size(), "check") + "\n";
  for (const ResidualCheck& check : checks) {
    const RegionId region = graph.region(check.node);
    text += "  " + Painted(ToString(report.dims(), check.condition), kCyan, colour);
    if (!report.inference.certain(region)) {
      std::string within = report.names.Prefix(region);
      if (!within.empty()) within.pop_back();  // the slash
      text += Painted(fmt::format("   only where {} runs", Printable(within)), kFaint, colour);
    }
    const std::string_view name = graph.name(check.node);
    text += fmt::format("\n      {}{} (#{}): {}\n", ShortName(graph.op_name(check.node)),
                        name.empty() ? "" : " '" + Printable(name) + "'", graph.position(check.node),
                        check.message);
  }
  return text;
}

}  // namespace dimwise
