// Reads an AttrValue of TensorFlow, and a TensorProto.
#ifndef DIMWISE_FORMATS_TENSORFLOW_ATTR_VALUE_READER_H_
#define DIMWISE_FORMATS_TENSORFLOW_ATTR_VALUE_READER_H_

#include <string>
#include <string_view>
#include <vector>

#include "dimwise/attr_value.h"
#include "dimwise/graph.h"
#include "formats/protobuf/model_source.h"

namespace dimwise {

// One attribute of a node.
struct TensorFlowAttr {
  std::string_view name;
  AttrValue value;           // nothing for a tensor
  std::string_view tensor;   // the bytes of a TensorProto
  std::string_view of_call;  // inside a function: the attribute of the call that holds the value
};

// Reads an entry of a map of attributes. Returns false if it is damaged.
bool ReadAttrEntry(ModelSource& source, std::string_view bytes, TensorFlowAttr* attr);

// Reads a TensorProto. All its encodings are decoded: bytes, lists of numbers, and lists that are shorter
// than the tensor, whose last element repeats.
class TensorProtoReader {
 public:
  explicit TensorProtoReader(ModelSource& source) : source_(source) {}

  // Returns false if the tensor is damaged. The methods below are about the last tensor.
  bool Read(std::string_view bytes);

  ElementType element() const { return element_; }
  // Returns the type. Its shape is unknown if the sizes are invalid, which is reported with the name.
  Type TypeOf(std::string_view name);
  // Returns the contents. The graph owns what is decoded. Returns none for unknown contents and for texts.
  Value ToValue(Graph& graph);

 private:
  bool ReadNumbers(uint32_t field, const WireReader& r);
  Value Repeated(Graph& graph, const std::string& elements, size_t width, int64_t count);

  ModelSource& source_;
  ElementType element_ = ElementType::kUnknown;
  ShapeProto shape_;
  std::string_view content_;
  std::vector<uint64_t> numbers_;  // the bits of each
};

}  // namespace dimwise

#endif  // DIMWISE_FORMATS_TENSORFLOW_ATTR_VALUE_READER_H_
