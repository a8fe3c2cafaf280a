// A program with some sizes made symbolic and some operands changed, inferred: what stands in the way now.
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
  // The symbols are taken to be larger than what they were, so that what holds for that one size only is an
  // error. Without symbols or changes it is the program as it is.
  static Result<std::unique_ptr<Attempt>> Make(const LoadProgram& load, const OpRegistry& registry,
                                               std::span<const InputSymbol> symbols,
                                               std::span<const SizeChange> changes);
  // The same, but nothing is inferred yet: nodes of the body are visited one by one, in the order of the
  // program, and may be changed before they are.
  static Result<std::unique_ptr<Attempt>> Begin(const LoadProgram& load, const OpRegistry& registry,
                                                std::span<const InputSymbol> symbols,
                                                std::span<const SizeChange> changes);
  void Change(const SizeChange& change);
  void Visit(NodeId node);

  // A node that fails, or whose check holds for none of the sizes that are tried.
  struct Problem {
    size_t place = 0;  // in the order of the program
    NodeId node = kNoNode;
    Diagnostic diagnostic;
  };
  // In the order of the program, without those of nodes that fail in `baseline` too, where there is one.
  std::vector<Problem> Problems(const Attempt* baseline) const;

  const Graph& graph() const { return *program_.graph; }
  Analysis& analysis() const { return program_.graph->analysis(); }
  DimTable& dims() const { return analysis().dims(); }
  // The type as operators found it, and with the symbols put back to what they were.
  Type type(ValueId value) const { return engine_->type(value); }
  Value contents(ValueId value) const { return engine_->contents(value); }
  Dim AsBefore(Dim size) const;
  // The nodes in the order of the program.
  const std::vector<NodeId>& order() const { return order_; }
  bool HasError(NodeId node) const;
  // Whether a size speaks of one of the symbols.
  bool Speaks(Dim size) const;
  // What a symbol that was put in somewhere has to be by the facts: itself where they do not tell.
  Dim Solved(std::string_view symbol) const;

 private:
  Attempt() = default;
  static Result<std::unique_ptr<Attempt>> Load(const LoadProgram& load, std::span<const InputSymbol> symbols,
                                               std::span<const SizeChange> changes);
  std::vector<Condition> Assumptions() const;
  void Apply(const SizeChange& change);
  bool HoldsNowhere(const Clause& clause) const;

  LoadedProgram program_;
  std::unique_ptr<Inference> inference_;  // of a whole one
  std::unique_ptr<Engine> own_engine_;    // of one that goes node by node
  const Engine* engine_ = nullptr;        // of either
  std::vector<InputSymbol> symbols_;
  std::vector<NodeId> order_;
};

// What reports call a node: its name, or its number.
std::string NodeText(const Graph& graph, NodeId node);

}  // namespace dimwise

#endif  // DIMWISE_INFER_GENERALIZE_ATTEMPT_H_
