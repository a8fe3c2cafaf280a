// Edits an ONNX model: sizes of inputs, operands and attributes of nodes, new nodes. The result is a model in
// memory. All other bytes stay as they were.
#ifndef DIMWISE_FORMATS_ONNX_ONNX_EDITOR_H_
#define DIMWISE_FORMATS_ONNX_ONNX_EDITOR_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "dimwise/onnx.h"
#include "formats/onnx/size_editor.h"

namespace dimwise {

struct OnnxEdits {
  // Numbers for symbols, in inputs, outputs and value_info, including those of nested graphs.
  SymbolNumbers numbers;

  struct InputSize {
    std::string input;
    int axis = 0;
    WrittenSize size;
  };
  std::vector<InputSize> input_sizes;

  // Values whose sizes in the file may no longer hold. Their constant sizes are removed.
  std::vector<ValueId> open_sizes;

  struct NodeEdit {
    NodeId node = kNoNode;
    std::vector<std::string> before;                              // NodeProtos to insert before the node
    std::vector<std::pair<size_t, std::string>> operands;         // by index: the name of the new operand
    std::vector<std::pair<std::string, std::string>> attributes;  // by name: the AttributeProto
  };
  std::vector<NodeEdit> nodes;  // at most one entry per node

  struct NewConstant {
    ValueId initializer = kNoValue;
    std::string raw_data;  // the new contents
  };
  std::vector<NewConstant> constants;
};

// REQUIRES: the graph has not been changed since it was read.
std::vector<std::byte> EditOnnx(const OnnxModel& model, const OnnxEdits& edits);

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_ONNX_EDITOR_H_
