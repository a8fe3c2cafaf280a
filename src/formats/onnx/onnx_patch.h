// Converts changes of sizes to edits of an ONNX program: new contents of constants, and new nodes. An
// expression over the symbols is computed from the shapes of the inputs.
#ifndef DIMWISE_FORMATS_ONNX_ONNX_PATCH_H_
#define DIMWISE_FORMATS_ONNX_ONNX_PATCH_H_

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "infer/generalize/generalize.h"

namespace dimwise {

struct Patch {
  // An ONNX node with one result. The contents of a Constant are stored here.
  struct NewNode {
    std::string op;
    std::vector<std::string> operands;
    std::string result;                                 // also the name of the node
    std::vector<std::pair<std::string, int64_t>> ints;  // attributes
    std::vector<int64_t> sizes, numbers;                // shape and contents of a Constant of i64
  };
  struct AtNode {
    NodeId node = kNoNode;
    std::vector<NewNode> before;
    std::vector<std::pair<size_t, std::string>> operands;  // by index: the new operand
    std::vector<std::pair<std::string, std::vector<int64_t>>>
        attributes;  // attributes that are lists of integers
  };
  std::vector<AtNode> nodes;

  // A constant whose contents change for all its users.
  struct NewContents {
    ValueId constant = kNoValue;
    std::vector<int64_t> numbers;
  };
  std::vector<NewContents> contents;

  size_t new_node_count() const;
};

// Returns the patch, or an error if ONNX cannot express a change. New names are unique in the program.
Result<Patch> MakePatch(const Graph& graph, std::span<const SizeChange> changes,
                        std::span<const InputSymbol> symbols);

// Applies the patch to the graph.
void ApplyPatch(Graph& graph, const Patch& patch);

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_ONNX_PATCH_H_
