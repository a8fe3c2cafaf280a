// Infers a program with some sizes made symbolic and some operands changed, and reports the nodes that fail.
#ifndef DIMWISE_INFER_GENERALIZE_ATTEMPT_H_
#define DIMWISE_INFER_GENERALIZE_ATTEMPT_H_

#include <memory>
#include <span>
#include <vector>

#include "dimwise/inference.h"
#include "infer/engine/engine.h"
#include "infer/generalize/generalize.h"

namespace dimwise {

class Attempt {
 public:
  // Each symbol is assumed to be larger than its old size, so that a fact that holds only for the old size
  // becomes an error. Without symbols and changes the program is inferred as it is.
  static Result<std::unique_ptr<Attempt>> Make(const LoadProgram& load, const OpRegistry& registry,
                                               std::span<const InputSymbol> symbols,
                                               std::span<const SizeChange> changes);
  // Begin infers nothing. The caller visits the nodes of the body one by one in program order, and may change
  // a node before it is visited.
  static Result<std::unique_ptr<Attempt>> Begin(const LoadProgram& load, const OpRegistry& registry,
                                                std::span<const InputSymbol> symbols,
                                                std::span<const SizeChange> changes);
  void Change(const SizeChange& change);
  void Visit(NodeId node);

  // A node that fails, or whose guard is false at all sizes that are tried.
  struct Problem {
    size_t position = 0;  // position in program order
    NodeId node = kNoNode;
    Diagnostic diagnostic;
  };
  // Returns the problems in program order, except those of nodes that fail in `baseline` too.
  std::vector<Problem> Problems(const Attempt* baseline) const;

  const Graph& graph() const { return *program_.graph; }
  Analysis& analysis() const { return program_.graph->analysis(); }
  DimTable& dims() const { return analysis().dims(); }
  // The types before simplification. AsBefore replaces the symbols by their old sizes.
  Type type(ValueId value) const { return state_->type(value); }
  Value contents(ValueId value) const { return state_->contents(value); }
  Dim AsBefore(Dim size) const;
  // Returns the nodes in program order.
  const std::vector<NodeId>& order() const { return order_; }
  bool HasError(NodeId node) const;
  // Returns the definition of the operator of a node, or null if there is none.
  const OpDef* Definition(NodeId node) const;
  // Return the operand of a node for an argument that is not variadic: the value, or kNoValue; its index, or
  // -1.
  ValueId Operand(NodeId node, ArgIndex argument) const;
  int OperandAt(NodeId node, ArgIndex argument) const;
  // Computes a property of a node. Returns null if it is unknown.
  Dim EvaluateProperty(NodeId node, PropertyExpr expr) const;
  // Returns whether a size contains one of the symbols.
  bool Mentions(Dim size) const;
  // Returns the value that the facts require for an inserted symbol, or the symbol itself if they do not
  // determine it.
  Dim Solved(std::string_view symbol) const;

 private:
  Attempt() = default;
  static Result<std::unique_ptr<Attempt>> Load(const LoadProgram& load, std::span<const InputSymbol> symbols,
                                               std::span<const SizeChange> changes);
  std::vector<Condition> Assumptions() const;
  void Apply(const SizeChange& change);
  bool HoldsNowhere(const Clause& clause) const;

  LoadedProgram program_;
  std::unique_ptr<Inference> inference_;  // set by Make
  std::unique_ptr<Engine> own_engine_;    // set by Begin
  const ProgramState* state_ = nullptr;   // of either
  const OpRegistry* registry_ = nullptr;
  std::vector<InputSymbol> symbols_;
  std::vector<NodeId> order_;
};

// Returns the name of a node in reports, or its number.
std::string NodeText(const Graph& graph, NodeId node);

}  // namespace dimwise

#endif  // DIMWISE_INFER_GENERALIZE_ATTEMPT_H_
