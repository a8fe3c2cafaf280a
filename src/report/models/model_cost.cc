#include "report/models/model_cost.h"

#include <fmt/format.h>

#include "core/types/known_parts.h"
#include "dimwise/op_registry.h"
#include "dimwise/program.h"
#include "infer/operators/node_properties.h"
#include "infer/program/dim_sum.h"
#include "infer/program/program_memory.h"
#include "report/text/text_style.h"

namespace dimwise {
namespace {

// Returns the operator of a node if it declares multiply-adds, else null.
const OpRegistrationData* FindMultiplier(const ModelReport& report, NodeId node) {
  const OpRegistrationData* op = FindRegistration(report.inference.registry(), report.graph(), node);
  return op != nullptr && op->def.properties.multiply_adds != kNoExpr ? op : nullptr;
}

// Returns the number of multiply-adds, or none if a required size is unknown.
Dim MultiplyAddsOf(const ModelReport& report, NodeId node, const OpRegistrationData& op) {
  return EvaluateNodeProperty(
      op, report.graph(), node, op.def.properties.multiply_adds, ScopeId::kRoot,
      {[&](ValueId v) { return report.type(v); }, [&](ValueId v) { return report.inference.contents(v); }});
}

// Returns the first value whose bytes are unknown, or "".
std::string FirstOfUnknownSize(const ModelReport& report, const ShapeProgram& program) {
  for (const ShapeProgram::Value& value : program.values()) {
    if (value.constant || value.bytes) continue;
    const ValueId v = report.names.FindValue(value.name);
    if (v == kNoValue) continue;
    return fmt::format("'{}' {}", Printable(value.name), ToString(report.dims(), report.type(v)));
  }
  return "";
}

}  // namespace

ModelCost CostOf(const ModelReport& report) {
  const Graph& graph = report.graph();
  DimTable& dims = report.dims();
  ModelCost cost;
  DimSum parameters, parameter_bytes, multiply_adds;
  for (uint32_t i = 0; i < graph.value_count(); ++i) {
    const ValueId v{i};
    const Type type = report.type(v);
    if (!IsWeight(report.inference, v) || !IsRanked(type)) continue;
    Dim count = 1;
    for (const Dim size : type.shape.dims()) count = dims.Multiply(count, size);
    parameters.Add(count);
    if (const Dim bytes = BytesOf(dims, type); !bytes.is_none()) parameter_bytes.Add(bytes);
  }
  for (uint32_t n = 0; n < graph.node_count(); ++n) {
    const NodeId node{n};
    const OpRegistrationData* op = graph.Has(node) ? FindMultiplier(report, node) : nullptr;
    if (op == nullptr) continue;
    const bool in_region = graph.region(node) != graph.body();
    if (const Dim own = in_region ? Dim() : MultiplyAddsOf(report, node, *op); !own.is_none()) {
      multiply_adds.Add(own);
      continue;
    }
    ++cost.not_counted;
    if (in_region) {
      ++cost.in_regions;
    } else if (cost.first_of_unknown.empty()) {
      cost.first_of_unknown = fmt::format("{} '{}' (#{})", ShortName(graph.op_name(node)),
                                          Printable(report.names.Node(node)), graph.position(node));
    }
  }
  cost.parameters = parameters.Text(dims);
  cost.parameter_bytes = parameter_bytes.Text(dims);
  cost.multiply_adds = multiply_adds.Text(dims);
  const ShapeProgram program(report.inference);
  cost.peak = program.peak().expression;
  cost.peak_node = program.peak().node;
  cost.peak_not_counted = program.peak().not_counted;
  if (cost.peak_not_counted > 0) cost.first_of_uncounted = FirstOfUnknownSize(report, program);
  return cost;
}

}  // namespace dimwise
