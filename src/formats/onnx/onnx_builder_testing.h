// Writes ONNX messages for tests and benchmarks. Each function returns the bytes of one message.
#ifndef DIMWISE_FORMATS_ONNX_ONNX_BUILDER_TESTING_H_
#define DIMWISE_FORMATS_ONNX_ONNX_BUILDER_TESTING_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dimwise::onnx_build {

enum DataType : int {
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kUint64 = 13,
  kInt4 = 22
};

// A number, a name, or "" for a dimension without a value.
using Size = std::variant<int64_t, std::string_view>;

std::string TensorType(int element, std::vector<Size> sizes);
std::string UnrankedType(int element);
std::string SequenceType(std::string_view element);
std::string OptionalType(std::string_view element);
std::string MapType(int key, std::string_view value);
std::string ValueInfoProto(std::string_view name, std::string_view type);
// Returns a ValueInfoProto for a tensor of f32.
std::string F32(std::string_view name, std::vector<Size> sizes);

struct TensorSpec {
  std::string_view name = {};
  int element = kInt64;
  std::vector<int64_t> dims = {};
  std::string raw = {};              // omitted if empty
  std::vector<int64_t> int64s = {};  // int64_data, packed
  std::vector<int64_t> int32s = {};  // int32_data, packed
  std::vector<float> floats = {};    // float_data, packed
  bool external = false;
};
std::string TensorProto(const TensorSpec& spec);
// Returns the bytes of integers in little-endian order.
std::string RawInts(std::vector<int64_t> numbers);

std::string IntAttr(std::string_view name, int64_t value);
std::string IntsAttr(std::string_view name, std::vector<int64_t> values);
std::string FloatAttr(std::string_view name, float value);
std::string StringAttr(std::string_view name, std::string_view value);
std::string TensorAttr(std::string_view name, std::string_view tensor);
std::string GraphAttr(std::string_view name, std::string_view graph);
std::string GraphsAttr(std::string_view name, std::vector<std::string_view> graphs);
std::string RefAttr(std::string_view name, std::string_view of_call);

struct NodeSpec {
  std::string_view op = {};
  std::vector<std::string_view> inputs = {}, outputs = {};
  std::string_view name = {};
  std::vector<std::string> attributes = {};
  std::string_view domain = {};
  std::string_view overload = {};
};
std::string NodeProto(const NodeSpec& spec);

struct GraphSpec {
  std::vector<std::string> nodes = {}, initializers = {}, inputs = {}, outputs = {}, value_infos = {};
  std::string_view name = "g";
};
std::string GraphProto(const GraphSpec& spec);

struct FunctionSpec {
  std::string_view domain = {}, name = {};
  std::vector<std::string_view> inputs = {}, outputs = {}, attributes = {};
  std::vector<std::string> attribute_protos = {}, nodes = {};
  std::string_view overload = {};
};
std::string FunctionProto(const FunctionSpec& spec);

struct ModelSpec {
  std::string graph = {};
  int64_t ir_version = 8;
  int64_t opset = 17;  // 0: no opset_import
  std::vector<std::string> functions = {};
};
std::string ModelProto(const ModelSpec& spec);

std::span<const std::byte> BytesOf(std::string_view text);

}  // namespace dimwise::onnx_build

#endif  // DIMWISE_FORMATS_ONNX_ONNX_BUILDER_TESTING_H_
