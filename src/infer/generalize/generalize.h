// Makes constant sizes of a program's inputs symbolic, and changes the constants in the program that prevent
// it.
//
// A program that was traced with one size contains that size wherever a shape is written down: a Reshape to
// [1, 16, 768], the sizes of a ConstantOfShape, an initial state of one sample. The task is to find which of
// these constants depend on the size that becomes a symbol. There are two sources of evidence.
//
// - A Reshape keeps the order of the elements, so the position of an axis of its operand is mostly certain
//   (reshape_alignment.h). The same holds for a Slice of a whole axis and a Resize that keeps a size.
// - If the symbol meets a number and the operator requires that both are equal, the number has to change. It
//   is traced back to constants. The constants are made unknown, and inference determines them. If it leaves
//   a choice (a size of 1 would also be valid), the symbol is tried, and then sizes of the operator's other
//   operands that had the same value.
//
// The result is a list of changes to operands, each with its old and new contents, which may be expressions
// over the symbols. Constants that need not change stay, such as a mask of one sample that is broadcast. A
// number that cannot be replaced, such as a size of a weight, is an error that names it. Inference is sound,
// so a program without errors and without guards on the symbols runs at every size.
//
// Shapes do not show whether an operator mixes the samples of a batch, such as a mean over axis 0. Such
// programs are not detected.
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

// A size of an input that becomes a symbol, and its old value.
struct InputSymbol {
  ValueId input = kNoValue;
  int axis = 0;
  std::string symbol;
  int64_t was = 0;
  bool is_trial = false;  // whether inference has to determine it; then nothing is assumed about it
};

// A change of a node.
struct SizeChange {
  enum class Kind : uint8_t {
    kContents,   // an operand that contains sizes gets other contents
    kExpand,     // an operand is expanded to sizes before the node
    kAttribute,  // an attribute that contains sizes gets other numbers
  };
  Kind kind = Kind::kContents;
  NodeId node = kNoNode;
  uint32_t operand = 0;
  std::string attribute;                    // kAttribute
  ElementType element = ElementType::kI64;  // of the operand
  int rank = 1;                             // of the operand's contents; 0 for a scalar
  std::vector<std::string> before;    // the elements, or the sizes of the operand: numbers or expressions
  std::vector<std::string> elements;  // the new elements or sizes
  bool is_choice = false;             // the node would also accept other elements
};

// A copy of the program in an analysis of its own. All copies have equal IDs.
struct LoadedProgram {
  std::shared_ptr<void> owner;
  Graph* graph = nullptr;
};
using LoadProgram = std::function<Result<LoadedProgram>()>;

struct Generalization {
  std::vector<SizeChange> changes;
  std::optional<Diagnostic> refusal;  // if set, the reason why there are no changes
};

// Finds the changes. Returns an error if the program cannot be loaded.
Result<Generalization> Generalize(const LoadProgram& load, const OpRegistry& registry,
                                  std::span<const InputSymbol> symbols);

// Returns the errors of nodes that fail when each symbol is larger than its old size, without changing the
// program.
Result<std::vector<Diagnostic>> FindProblems(const LoadProgram& load, const OpRegistry& registry,
                                             std::span<const InputSymbol> symbols);

}  // namespace dimwise

#endif  // DIMWISE_INFER_GENERALIZE_GENERALIZE_H_
