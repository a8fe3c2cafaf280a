// The field numbers of TensorFlow's messages: GraphDef, NodeDef, AttrValue, TensorProto, FunctionDef. Source:
// tensorflow/core/framework/*.proto of TensorFlow 2.21.
#ifndef DIMWISE_FORMATS_TENSORFLOW_TENSORFLOW_FIELDS_H_
#define DIMWISE_FORMATS_TENSORFLOW_TENSORFLOW_FIELDS_H_

#include "formats/protobuf/wire_reader.h"

namespace dimwise::tensorflow_fields {

namespace graph {
constexpr uint32_t kNode = BytesField(1), kLibrary = BytesField(2), kVersions = BytesField(4);
}
namespace versions {
constexpr uint32_t kProducer = VarintField(1);
}
namespace node {
constexpr uint32_t kName = BytesField(1), kOp = BytesField(2), kInput = BytesField(3), kAttr = BytesField(5);
}
namespace map_entry {
constexpr uint32_t kKey = BytesField(1), kValue = BytesField(2);
}
namespace attr {
constexpr uint32_t kList = BytesField(1), kString = BytesField(2), kInt = VarintField(3),
                   kFloat = Fixed32Field(4), kBool = VarintField(5), kType = VarintField(6),
                   kShape = BytesField(7), kTensor = BytesField(8), kPlaceholder = BytesField(9),
                   kFunction = BytesField(10);
}
namespace list {
constexpr uint32_t kString = 2, kInt = 3, kFloat = 4, kBool = 5, kType = 6, kShape = 7, kTensor = 8,
                   kFunction = 9;
}
namespace shape {
constexpr uint32_t kDim = BytesField(2), kUnknownRank = VarintField(3), kDimSize = VarintField(1);
}
namespace tensor {
constexpr uint32_t kType = VarintField(1), kShape = BytesField(2), kContent = BytesField(4),
                   kStrings = BytesField(8);
// Lists of numbers, packed or one by one.
constexpr uint32_t kFloats = 5, kDoubles = 6, kInts = 7, kInt64s = 10, kBools = 11, kHalfs = 13,
                   kUint32s = 16, kUint64s = 17;
}  // namespace tensor
namespace name_attrs {
constexpr uint32_t kName = BytesField(1), kAttr = BytesField(2);
}
namespace library {
constexpr uint32_t kFunction = BytesField(1);
}
namespace function {
constexpr uint32_t kSignature = BytesField(1), kNode = BytesField(3), kReturn = BytesField(4);
}
namespace signature {
constexpr uint32_t kName = BytesField(1), kInput = BytesField(2), kOutput = BytesField(3);
}
namespace argument {
constexpr uint32_t kName = BytesField(1), kType = VarintField(3), kTypeAttr = BytesField(4),
                   kNumberAttr = BytesField(5), kTypeListAttr = BytesField(6);
}

}  // namespace dimwise::tensorflow_fields

#endif  // DIMWISE_FORMATS_TENSORFLOW_TENSORFLOW_FIELDS_H_
