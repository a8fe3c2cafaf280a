// Reads the declarations of an operator (dimwise/op_properties.h) for one node: the values of expressions,
// and the operands and results that arguments denote.
#ifndef DIMWISE_INFER_ENGINE_ANALYSES_PROPERTY_VALUES_H_
#define DIMWISE_INFER_ENGINE_ANALYSES_PROPERTY_VALUES_H_

#include <optional>
#include <span>

#include "dimwise/op_properties.h"
#include "infer/engine/state/program_state.h"

namespace dimwise {

// Whether expressions may read the types of the results. Before the evaluation of a node, these are missing
// or those of an earlier evaluation.
enum class ResultTypes : uint8_t { kCurrent, kUnknown };

// Returns the value of an expression; none if it is unknown.
Dim PropertyValue(const ProgramState& state, NodeId node, PropertyExpr expr,
                  ResultTypes result_types = ResultTypes::kCurrent);
// Returns the value of an expression as an axis of a tensor of this rank. Returns nullopt if it is no
// constant in 0 .. rank - 1.
std::optional<int> PropertyAxis(const ProgramState& state, NodeId node, PropertyExpr expr, int rank);

// Returns the operands of an argument; empty if the node does not have the argument.
std::span<const ValueId> OperandsOf(const ProgramState& state, NodeId node, ArgIndex argument);
// Returns the operand of an argument; kNoValue if there is none, or several.
ValueId OnlyOperandOf(const ProgramState& state, NodeId node, ArgIndex argument);
// Returns the argument that a result of a node belongs to; kNoArg if the operator is unknown.
ArgIndex ArgumentOfResult(const ProgramState& state, ValueId result);

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_ANALYSES_PROPERTY_VALUES_H_
