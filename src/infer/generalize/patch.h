// Changes of sizes as changes of a program: which constants get other contents, and which nodes are new. An
// expression over the symbols is computed from the shapes of the inputs.
#ifndef DIMWISE_INFER_GENERALIZE_PATCH_H_
#define DIMWISE_INFER_GENERALIZE_PATCH_H_

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "infer/generalize/generalize.h"

namespace dimwise {

struct Patch {
  // A node of ONNX with one result; a Constant has its contents here.
  struct NewNode {
    std::string op;
    std::vector<std::string> operands;
    std::string result;                                 // also the node's name
    std::vector<std::pair<std::string, int64_t>> ints;  // attributes
    std::vector<int64_t> sizes, numbers;                // of a Constant, of i64
  };
  struct AtNode {
    NodeId node = kNoNode;
    std::vector<NewNode> before;
    std::vector<std::pair<size_t, std::string>> operands;  // by index: the value that it uses instead
    std::vector<std::pair<std::string, std::vector<int64_t>>> attributes;  // that are lists of ints
  };
  std::vector<AtNode> nodes;

  // A constant that changes for all who use it, where it stands.
  struct NewContents {
    ValueId constant = kNoValue;
    std::vector<int64_t> numbers;
  };
  std::vector<NewContents> contents;

  size_t new_node_count() const;
};

// An error where ONNX has no way to say it. The names of what is new are those of nothing else in the
// program.
Result<Patch> MakePatch(const Graph& graph, std::span<const SizeChange> changes,
                        std::span<const InputSymbol> symbols);

// Makes the changes in the graph itself.
void ApplyPatch(Graph& graph, const Patch& patch);

}  // namespace dimwise

#endif  // DIMWISE_INFER_GENERALIZE_PATCH_H_
