// The fields of onnx.proto that the reader uses, as tags of the wire format, and its enumerations.
#ifndef DIMWISE_FORMATS_ONNX_ONNX_FIELDS_H_
#define DIMWISE_FORMATS_ONNX_ONNX_FIELDS_H_

#include "formats/protobuf/wire_reader.h"

namespace dimwise::onnx_fields {

namespace model {
inline constexpr uint32_t kIrVersion = VarintField(1), kProducerName = BytesField(2),
                          kProducerVersion = BytesField(3), kDomain = BytesField(4),
                          kModelVersion = VarintField(5), kGraph = BytesField(7),
                          kOpsetImport = BytesField(8), kFunctions = BytesField(25);
}
namespace opset {
inline constexpr uint32_t kDomain = BytesField(1), kVersion = VarintField(2);
}
namespace graph {
inline constexpr uint32_t kNode = BytesField(1), kName = BytesField(2), kInitializer = BytesField(5),
                          kInput = BytesField(11), kOutput = BytesField(12), kValueInfo = BytesField(13),
                          kSparseInitializer = BytesField(15);
}
namespace function {
inline constexpr uint32_t kName = BytesField(1), kInput = BytesField(4), kOutput = BytesField(5),
                          kAttribute = BytesField(6), kNode = BytesField(7), kOpsetImport = BytesField(9),
                          kDomain = BytesField(10), kAttributeProto = BytesField(11),
                          kValueInfo = BytesField(12), kOverload = BytesField(13);
}
namespace node {
inline constexpr uint32_t kInput = BytesField(1), kOutput = BytesField(2), kName = BytesField(3),
                          kOpType = BytesField(4), kAttribute = BytesField(5), kDomain = BytesField(7),
                          kOverload = BytesField(8);
}
namespace attribute {
inline constexpr uint32_t kName = BytesField(1), kF = Fixed32Field(2), kI = VarintField(3),
                          kS = BytesField(4), kT = BytesField(5), kG = BytesField(6),
                          kFloats = Fixed32Field(7), kFloatsPacked = BytesField(7), kInts = VarintField(8),
                          kIntsPacked = BytesField(8), kStrings = BytesField(9), kTensors = BytesField(10),
                          kGraphs = BytesField(11), kTp = BytesField(14), kTypeProtos = BytesField(15),
                          kType = VarintField(20), kRefAttrName = BytesField(21),
                          kSparseTensor = BytesField(22), kSparseTensors = BytesField(23);
}
// AttributeProto.AttributeType.
enum class AttributeType : uint8_t {
  kUndefined = 0,
  kFloat = 1,
  kInt = 2,
  kString = 3,
  kTensor = 4,
  kGraph = 5,
  kFloats = 6,
  kInts = 7,
  kStrings = 8,
  kTensors = 9,
  kGraphs = 10,
  kSparseTensor = 11,
  kSparseTensors = 12,
  kTypeProto = 13,
  kTypeProtos = 14,
};
namespace value_info {
inline constexpr uint32_t kName = BytesField(1), kType = BytesField(2);
}
namespace type {
inline constexpr uint32_t kTensor = BytesField(1), kSequence = BytesField(4), kMap = BytesField(5),
                          kDenotation = BytesField(6), kOpaque = BytesField(7), kSparseTensor = BytesField(8),
                          kOptional = BytesField(9);
// Tags of a tensor and a sparse tensor, of a sequence and an optional, and of a map.
inline constexpr uint32_t kElemType = VarintField(1), kShape = BytesField(2);
inline constexpr uint32_t kElement = BytesField(1);
inline constexpr uint32_t kKeyType = VarintField(1), kValueType = BytesField(2);
}  // namespace type
namespace shape {
inline constexpr uint32_t kDim = BytesField(1);
inline constexpr uint32_t kDimValue = VarintField(1), kDimParam = BytesField(2);
}  // namespace shape
namespace tensor {
inline constexpr uint32_t kDims = VarintField(1), kDimsPacked = BytesField(1), kDataType = VarintField(2),
                          kStringData = BytesField(6), kName = BytesField(8), kRawData = BytesField(9),
                          kExternalData = BytesField(13), kDataLocation = VarintField(14);
// The numbers of the fields with elements: floats, int32s, int64s, doubles, uint64s.
inline constexpr uint32_t kFloatData = 4, kInt32Data = 5, kInt64Data = 7, kDoubleData = 10, kUint64Data = 11;
}  // namespace tensor
namespace sparse_tensor {
inline constexpr uint32_t kValues = BytesField(1), kDims = VarintField(3), kDimsPacked = BytesField(3);
}

}  // namespace dimwise::onnx_fields

#endif  // DIMWISE_FORMATS_ONNX_ONNX_FIELDS_H_
