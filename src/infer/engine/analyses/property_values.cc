#include "infer/engine/analyses/property_values.h"

#include <vector>

#include "infer/engine/state/operand_states.h"
#include "infer/operators/rule_function.h"

namespace dimwise {

Dim PropertyValue(const ProgramState& state, NodeId node, PropertyExpr expr, ResultTypes result_types) {
  const ResolvedOperator& resolved = state.operators.Resolve(node);
  if (expr == kNoExpr || resolved.op == nullptr || resolved.rule == nullptr) return Dim();
  const OperatorAttributes& attributes = state.operators.AttributesOf(node, resolved);
  if (attributes.error) return Dim();
  const Graph& graph = state.graph;
  const std::span<const ValueId> values = graph.operands(node);
  const OperandStates states(state, node);
  std::vector<rules::Operand> operands(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    operands[i] = {states.types()[i], states.contents()[i], values[i] != kNoValue};
  std::vector<Type> results(graph.results(node).size());
  for (size_t i = 0; i < results.size() && result_types == ResultTypes::kCurrent; ++i)
    results[i] = state.type(graph.results(node)[i]);
  const BareCall call{state.analysis, state.ScopeOf(node), operands, *attributes.attrs,
                      graph.op(graph.op_of(node)).version};
  return EvaluateProperty(*resolved.rule, call, results, expr);
}

std::optional<int> PropertyAxis(const ProgramState& state, NodeId node, PropertyExpr expr, int rank) {
  const Dim value = PropertyValue(state, node, expr);
  if (!value.is_constant() || value.constant() < 0 || value.constant() >= rank) return std::nullopt;
  return static_cast<int>(value.constant());
}

std::span<const ValueId> OperandsOf(const ProgramState& state, NodeId node, ArgIndex argument) {
  const ResolvedOperator& resolved = state.operators.Resolve(node);
  if (resolved.op == nullptr) return {};
  const std::span<const ValueId> operands = state.graph.operands(node);
  const FlatRange range = FlatRangeOf(resolved.op->def.inputs, argument, operands.size());
  return operands.subspan(range.begin, range.size());
}

ValueId OnlyOperandOf(const ProgramState& state, NodeId node, ArgIndex argument) {
  const std::span<const ValueId> operands = OperandsOf(state, node, argument);
  return operands.size() == 1 ? operands[0] : kNoValue;
}

ArgIndex ArgumentOfResult(const ProgramState& state, ValueId result) {
  const Graph& graph = state.graph;
  const NodeId node = graph.maker(result);
  const ResolvedOperator& resolved = state.operators.Resolve(node);
  if (resolved.op == nullptr) return kNoArg;
  const std::vector<ArgDef>& arguments = resolved.op->def.outputs;
  const size_t index = graph.result_index(result);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const FlatRange range = FlatRangeOf(arguments, static_cast<ArgIndex>(i), graph.results(node).size());
    if (range.begin <= index && index < range.end) return static_cast<ArgIndex>(i);
  }
  return kNoArg;
}

}  // namespace dimwise
