// Makes constant sizes of a program's inputs symbolic, and finds the constants in the program that stand in
// the way.
//
// A program that was traced with one size has it in places where a shape is written down: a Reshape to [1,
// 16, 768], the sizes of a ConstantOfShape, an initial state of one sample. Which of these mean the size that
// becomes a symbol, and which are a 1 or a 16 of another kind? Two things tell it.
//
//  - A Reshape keeps the order of the elements, so where an axis of its operand goes is mostly certain
//    (reshape_alignment.h); so it is for a Slice that takes all of an axis, and a Resize that keeps its size.
//  - Where the symbol meets a number and the operator requires that they are equal, the number is at fault.
//    It is followed back to the constants that it comes from; these are made unknown, and inference says what
//    they have to be. Where it leaves a choice (a size of 1 would do as well), the symbol is tried in their
//    place, or a size that the operator's other operands have, since they had its value.
//
// What is found is a list of changes to operands, each with its old contents and its new ones, which may be
// expressions over the symbols. Nothing is changed that need not be: a mask of one sample that is broadcast
// to all stays. Where a number cannot be replaced (it is the size of a weight), that is a refusal, which
// names it. Inference is sound, so a program without an error and without a check that speaks of the symbols
// runs at every size.
//
// What a program computes is beyond shapes: an operator that mixes the samples of a batch (a mean over axis
// 0) still does.
#ifndef DIMWISE_INFER_GENERALIZE_GENERALIZE_H_
#define DIMWISE_INFER_GENERALIZE_GENERALIZE_H_

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dimwise/graph.h"
#include "dimwise/op_registry.h"

namespace dimwise {

// A size of an input that becomes a symbol, and what it was.
struct InputSymbol {
  ValueId input = kNoValue;
  int axis = 0;
  std::string symbol;
  int64_t was = 0;
  bool is_trial = false;  // nothing is taken to be known of it: what it has to be is asked
};

// What changes in a node.
struct SizeChange {
  enum class Kind : uint8_t {
    kContents,   // an operand that holds sizes gets other contents
    kExpand,     // an operand is broadcast to sizes before the node sees it
    kAttribute,  // an attribute that holds sizes gets others, which are numbers
  };
  Kind kind = Kind::kContents;
  NodeId node = kNoNode;
  uint32_t operand = 0;
  std::string attribute;                    // kAttribute
  ElementType element = ElementType::kI64;  // of the operand
  int rank = 1;                             // of the operand's contents: 0 for a single number
  std::vector<std::string> before;    // the elements, or the sizes of the operand: numbers, or expressions
  std::vector<std::string> elements;  // what they become
  bool is_choice = false;             // they could become something else, as far as the node itself tells
};

// A copy of the program, of its own, in an analysis of its own; the ids in it are always the same.
struct LoadedProgram {
  std::shared_ptr<void> owner;
  Graph* graph = nullptr;
};
using LoadProgram = std::function<Result<LoadedProgram>()>;

struct Generalization {
  std::vector<SizeChange> changes;
  std::optional<Diagnostic> refusal;  // in the place of changes: why it cannot be
};

// An error where the program cannot be loaded.
Result<Generalization> Generalize(const LoadProgram& load, const OpRegistry& registry,
                                  std::span<const InputSymbol> symbols);

// What stands in the way in a program as it is: nodes that fail where the symbols are larger than what they
// were.
Result<std::vector<Diagnostic>> FindProblems(const LoadProgram& load, const OpRegistry& registry,
                                             std::span<const InputSymbol> symbols);

}  // namespace dimwise

#endif  // DIMWISE_INFER_GENERALIZE_GENERALIZE_H_
