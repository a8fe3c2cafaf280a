#include "infer/operators/node_properties.h"

#include <vector>

#include "infer/operators/rule_function.h"

namespace dimwise {

const OpRegistrationData* FindRegistration(const OpRegistry& registry, const Graph& graph, NodeId node) {
  const Graph::Op& op = graph.op(graph.op_of(node));
  if (graph.FindFunction(op.name) != nullptr) return nullptr;
  return registry.Find(op.name, op.version == 0 ? OpRegistry::kLatest : op.version);
}

int FindOperand(const OpDef& def, const Graph& graph, NodeId node, ArgIndex argument) {
  if (argument == kNoArg) return -1;
  const FlatRange range = FlatRangeOf(def.inputs, argument, graph.operands(node).size());
  return range.size() == 0 || graph.operands(node)[range.begin] == kNoValue ? -1
                                                                            : static_cast<int>(range.begin);
}

Dim EvaluateNodeProperty(const OpRegistrationData& op, const Graph& graph, NodeId node, PropertyExpr expr,
                         ScopeId scope, const ValueReader& values) {
  if (op.rule == nullptr || expr == kNoExpr) return Dim();
  std::vector<rules::Operand> operands;
  for (const ValueId v : graph.operands(node)) {
    rules::Operand& operand = operands.emplace_back();
    operand.given = v != kNoValue;
    if (!operand.given) continue;
    operand.type = values.type(v);
    operand.value = values.contents(v);
  }
  std::vector<Type> results;
  for (const ValueId v : graph.results(node)) results.push_back(values.type(v));
  const BareCall call{graph.analysis(), scope, operands, graph.attrs(graph.attrs_of(node)),
                      graph.op(graph.op_of(node)).version};
  return EvaluateProperty(*op.rule, call, results, expr);
}

}  // namespace dimwise
