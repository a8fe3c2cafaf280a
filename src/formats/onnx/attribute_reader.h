// Reads an AttributeProto.
#ifndef DIMWISE_FORMATS_ONNX_ATTRIBUTE_READER_H_
#define DIMWISE_FORMATS_ONNX_ATTRIBUTE_READER_H_

#include <string_view>
#include <vector>

#include "dimwise/attr_value.h"
#include "formats/onnx/tensor_reader.h"
#include "formats/onnx/type_reader.h"

namespace dimwise {

struct OnnxAttribute {
  std::string_view name;
  std::string_view reference;  // inside a function: the attribute of the call that it is; else empty
  AttrValue value;             // nothing where it is a reference or holds graphs
  std::vector<std::string_view> graphs;  // the GraphProtos of one that holds some
  bool list_of_graphs = false;
};

// Appends the strings of a GraphProto, TensorProto and so on at their place. False where it is damaged.
bool ReadAttribute(ModelSource& source, std::string_view bytes, OnnxAttribute* attribute);

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_ATTRIBUTE_READER_H_
