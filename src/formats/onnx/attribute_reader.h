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
  std::string_view reference;            // inside a function: the attribute of the call to copy; else empty
  AttrValue value;                       // empty for a reference and for graphs
  std::vector<std::string_view> graphs;  // the GraphProtos, if the attribute contains graphs
  bool list_of_graphs = false;
};

// Reads an attribute. Nested messages stay views of their bytes. Returns false if the attribute is damaged.
bool ReadAttribute(ModelSource& source, std::string_view bytes, OnnxAttribute* attribute);

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_ONNX_ATTRIBUTE_READER_H_
