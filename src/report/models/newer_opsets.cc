#include "report/models/newer_opsets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "core/base/failure.h"
#include "ops/known_opsets.h"

namespace dimwise {
namespace {

using NewestVersions = std::array<int, std::size(kKnownOpsets)>;

void FindNewestVersions(const Graph& graph, NewestVersions& newest) {
  for (uint32_t i = 0; i < graph.op_count(); ++i) {
    const Graph::Op& op = graph.op(OpId{i});
    const std::string_view set = op.name.substr(0, std::min(op.name.rfind('.'), op.name.size()));
    for (size_t k = 0; k < newest.size(); ++k) {
      if (kKnownOpsets[k].set == set) newest[k] = std::max(newest[k], op.version);
    }
  }
  for (const std::unique_ptr<Graph>& function : graph.functions()) FindNewestVersions(*function, newest);
}

}  // namespace

std::vector<Diagnostic> NewerOpsets(const Graph& graph) {
  NewestVersions newest{};
  FindNewestVersions(graph, newest);
  std::vector<Diagnostic> warnings;
  for (size_t k = 0; k < newest.size(); ++k) {
    const KnownOpset& known = kKnownOpsets[k];
    if (newest[k] <= known.version) continue;
    Diagnostic warning = MakeDiagnostic(
        Code::kNewerOpset,
        fmt::format("the model uses version {} of {}; the newest known version is {}", newest[k], known.set,
                    known.version),
        "operators are inferred by their newest known definitions; a newer Dimwise may know more");
    warning.severity = Severity::kWarning;
    warnings.push_back(std::move(warning));
  }
  return warnings;
}

}  // namespace dimwise
