#include "cli/operator_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "core/base/failure.h"
#include "dimwise/result_macros.h"

namespace dimwise {
namespace {

// Returns the attributes that hold the sub-graphs of an operator.
std::vector<std::string_view> SubGraphsOf(const ControlFlow& flow) {
  std::vector<std::string_view> names;
  for (const std::string* name : {&flow.if_true.region, &flow.if_false.region, &flow.cases,
                                  &flow.condition_region.region, &flow.body.region}) {
    if (!name->empty()) names.push_back(*name);
  }
  return names;
}

}  // namespace

std::string FullOperatorName(const OpRegistry& registry, std::string_view name) {
  if (name.find('.') != std::string_view::npos) return std::string(name);
  std::string found;
  for (const std::string_view set : registry.sets()) {
    std::string full = fmt::format("{}.{}", set, name);
    if (registry.Versions(full).empty()) continue;
    if (!found.empty()) return std::string(name);
    found = std::move(full);
  }
  return found.empty() ? std::string(name) : found;
}

Result<const OpRegistrationData*> LookUpForCall(const OpRegistry& registry, std::string_view name,
                                                int version) {
  DIMWISE_ASSIGN_OR_RETURN(const OpRegistrationData* op, registry.LookUp(name, version));
  const ControlFlow& flow = op->def.properties.control_flow;
  if (flow.kind == ControlFlow::Kind::kNone) return op;
  Diagnostic diagnostic =
      MakeDiagnostic(Code::kNotSupported,
                     fmt::format("{} takes sub-graphs ({}), so it cannot be inferred as a single operator",
                                 op->def.FullName(), fmt::join(SubGraphsOf(flow), ", ")),
                     "write a model as a text graph (include/dimwise/graph_text.h) and use `dimwise infer`");
  diagnostic.notes.push_back("its signature is " + ToString(op->def));
  return Unexpected(std::move(diagnostic));
}

}  // namespace dimwise
