#include "report/models/model_cost.h"

#include "core/types/known_parts.h"
#include "dimwise/op_registry.h"
#include "dimwise/program.h"
#include "infer/operators/node_properties.h"
#include "infer/program/dim_sum.h"
#include "infer/program/program_memory.h"

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
    const Dim own = graph.region(node) == graph.body() ? MultiplyAddsOf(report, node, *op) : Dim();
    if (own.is_none()) {
      ++cost.not_counted;
    } else {
      multiply_adds.Add(own);
    }
  }
  cost.parameters = parameters.Text(dims);
  cost.parameter_bytes = parameter_bytes.Text(dims);
  cost.multiply_adds = multiply_adds.Text(dims);
  const ShapeProgram program(report.inference);
  cost.peak = program.peak().expression;
  cost.peak_not_counted = program.peak().not_counted;
  return cost;
}

}  // namespace dimwise
