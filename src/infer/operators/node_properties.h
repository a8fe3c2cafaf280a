// Properties of the nodes of a graph.
#ifndef DIMWISE_INFER_OPERATORS_NODE_PROPERTIES_H_
#define DIMWISE_INFER_OPERATORS_NODE_PROPERTIES_H_

#include "core/base/function_ref.h"
#include "dimwise/graph.h"
#include "dimwise/op_registry.h"
#include "dimwise/type.h"
#include "dimwise/value.h"

namespace dimwise {

// Returns the registration of the operator of a node. Returns null for a call of a function of the graph, and
// for an operator that is not registered.
const OpRegistrationData* FindRegistration(const OpRegistry& registry, const Graph& graph, NodeId node);

// Returns the operand of a node for an argument that is not variadic, or -1 if the node does not have it.
int FindOperand(const OpDef& def, const Graph& graph, NodeId node, ArgIndex argument);

// What is known of the values of a graph.
struct ValueReader {
  FunctionRef<Type(ValueId)> type;
  FunctionRef<Value(ValueId)> contents;
};

// Computes a property of a node. Returns null if it is unknown.
Dim EvaluateNodeProperty(const OpRegistrationData& op, const Graph& graph, NodeId node, PropertyExpr expr,
                         ScopeId scope, const ValueReader& values);

}  // namespace dimwise

#endif  // DIMWISE_INFER_OPERATORS_NODE_PROPERTIES_H_
