// Changes to an ONNX model: sizes of inputs, operands and attributes of nodes, nodes that are new. The result
// is a model of its own, in memory, in which everything else is byte for byte as it was.
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
  // Numbers for symbols, wherever inputs, outputs and value_info speak of them, in graphs inside as well.
  SymbolNumbers numbers;

  struct InputSize {
    std::string input;
    int axis = 0;
    WrittenSize size;
  };
  std::vector<InputSize> input_sizes;

  // Values of which the file says sizes that may not hold any more: those that are numbers are left open.
  std::vector<ValueId> open_sizes;

  struct NodeEdit {
    NodeId node = kNoNode;
    std::vector<std::string> before;                              // NodeProtos that come to stand before it
    std::vector<std::pair<size_t, std::string>> operands;         // by their index: the name of another value
    std::vector<std::pair<std::string, std::string>> attributes;  // by their names: the AttributeProto
  };
  std::vector<NodeEdit> nodes;  // each node once

  struct NewConstant {
    ValueId initializer = kNoValue;
    std::string raw_data;  // its contents
  };
  std::vector<NewConstant> constants;
};

// REQUIRES: the graph is as it was read.
std::vector<std::byte> EditOnnx(const OnnxModel& model, const OnnxEdits& edits);

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_ONNX_EDITOR_H_
