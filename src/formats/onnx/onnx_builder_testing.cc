#include "formats/onnx/onnx_builder_testing.h"

#include <bit>
#include <utility>

#include "formats/protobuf/wire_writer.h"

namespace dimwise::onnx_build {
namespace {

std::string Packed(const std::vector<int64_t>& numbers) {
  std::string out;
  for (const int64_t n : numbers) AppendVarint(out, static_cast<uint64_t>(n));
  return out;
}

void AppendFloatField(std::string& out, uint32_t field, float number) {
  AppendVarint(out, field << 3 | 5);
  const auto bits = std::bit_cast<uint32_t>(number);
  for (int i = 0; i < 4; ++i) out += static_cast<char>(bits >> (8 * i));
}

std::string Attr(std::string_view name, uint64_t type, std::string_view value) {
  std::string out;
  AppendBytesField(out, 1, name);
  out += value;
  AppendVarintField(out, 20, type);
  return out;
}

std::string Opset(std::string_view domain, int64_t version) {
  std::string out;
  AppendBytesField(out, 1, domain);
  AppendVarintField(out, 2, static_cast<uint64_t>(version));
  return out;
}

void AppendEach(std::string& out, uint32_t field, const std::vector<std::string>& messages) {
  for (const std::string& message : messages) AppendBytesField(out, field, message);
}
void AppendEach(std::string& out, uint32_t field, const std::vector<std::string_view>& texts) {
  for (const std::string_view text : texts) AppendBytesField(out, field, text);
}

std::string InField(uint32_t field, std::string_view message) {
  std::string out;
  AppendBytesField(out, field, message);
  return out;
}

}  // namespace

std::string TensorType(int element, std::vector<Size> sizes) {
  std::string shape;
  for (const Size& size : sizes) {
    std::string dim;
    if (const int64_t* number = std::get_if<int64_t>(&size)) {
      AppendVarintField(dim, 1, static_cast<uint64_t>(*number));
    } else if (!std::get<std::string_view>(size).empty()) {
      AppendBytesField(dim, 2, std::get<std::string_view>(size));
    }
    AppendBytesField(shape, 1, dim);
  }
  std::string tensor;
  AppendVarintField(tensor, 1, static_cast<uint64_t>(element));
  AppendBytesField(tensor, 2, shape);
  return InField(1, tensor);
}

std::string UnrankedType(int element) {
  std::string tensor;
  AppendVarintField(tensor, 1, static_cast<uint64_t>(element));
  return InField(1, tensor);
}

std::string SequenceType(std::string_view element) { return InField(4, InField(1, element)); }
std::string OptionalType(std::string_view element) { return InField(9, InField(1, element)); }

std::string MapType(int key, std::string_view value) {
  std::string map;
  AppendVarintField(map, 1, static_cast<uint64_t>(key));
  AppendBytesField(map, 2, value);
  return InField(5, map);
}

std::string ValueInfoProto(std::string_view name, std::string_view type) {
  std::string out;
  AppendBytesField(out, 1, name);
  if (!type.empty()) AppendBytesField(out, 2, type);
  return out;
}

std::string F32(std::string_view name, std::vector<Size> sizes) {
  return ValueInfoProto(name, TensorType(kFloat, std::move(sizes)));
}

std::string TensorProto(const TensorSpec& spec) {
  std::string out;
  for (const int64_t size : spec.dims) AppendVarintField(out, 1, static_cast<uint64_t>(size));
  AppendVarintField(out, 2, static_cast<uint64_t>(spec.element));
  if (!spec.floats.empty()) {
    std::string packed;
    for (const float f : spec.floats) {
      std::string field;
      AppendFloatField(field, 1, f);
      packed += field.substr(1);
    }
    AppendBytesField(out, 4, packed);
  }
  if (!spec.int32s.empty()) AppendBytesField(out, 5, Packed(spec.int32s));
  if (!spec.int64s.empty()) AppendBytesField(out, 7, Packed(spec.int64s));
  AppendBytesField(out, 8, spec.name);
  if (!spec.raw.empty()) AppendBytesField(out, 9, spec.raw);
  if (spec.external) AppendVarintField(out, 14, 1);
  return out;
}

std::string RawInts(std::vector<int64_t> numbers) {
  std::string out;
  for (const int64_t n : numbers) {
    for (int i = 0; i < 8; ++i) out += static_cast<char>(static_cast<uint64_t>(n) >> (8 * i));
  }
  return out;
}

std::string IntAttr(std::string_view name, int64_t value) {
  std::string field;
  AppendVarintField(field, 3, static_cast<uint64_t>(value));
  return Attr(name, 2, field);
}
std::string IntsAttr(std::string_view name, std::vector<int64_t> values) {
  std::string fields;
  for (const int64_t value : values) AppendVarintField(fields, 8, static_cast<uint64_t>(value));
  return Attr(name, 7, fields);
}
std::string FloatAttr(std::string_view name, float value) {
  std::string field;
  AppendFloatField(field, 2, value);
  return Attr(name, 1, field);
}
std::string StringAttr(std::string_view name, std::string_view value) {
  return Attr(name, 3, InField(4, value));
}
std::string TensorAttr(std::string_view name, std::string_view tensor) {
  return Attr(name, 4, InField(5, tensor));
}
std::string GraphAttr(std::string_view name, std::string_view graph) {
  return Attr(name, 5, InField(6, graph));
}
std::string GraphsAttr(std::string_view name, std::vector<std::string_view> graphs) {
  std::string fields;
  AppendEach(fields, 11, graphs);
  return Attr(name, 10, fields);
}
std::string RefAttr(std::string_view name, std::string_view of_call) {
  return Attr(name, 2, InField(21, of_call));
}

std::string NodeProto(const NodeSpec& spec) {
  std::string out;
  AppendEach(out, 1, spec.inputs);
  AppendEach(out, 2, spec.outputs);
  if (!spec.name.empty()) AppendBytesField(out, 3, spec.name);
  AppendBytesField(out, 4, spec.op);
  AppendEach(out, 5, spec.attributes);
  if (!spec.domain.empty()) AppendBytesField(out, 7, spec.domain);
  if (!spec.overload.empty()) AppendBytesField(out, 8, spec.overload);
  return out;
}

std::string GraphProto(const GraphSpec& spec) {
  std::string out;
  AppendEach(out, 1, spec.nodes);
  AppendBytesField(out, 2, spec.name);
  AppendEach(out, 5, spec.initializers);
  AppendEach(out, 11, spec.inputs);
  AppendEach(out, 12, spec.outputs);
  AppendEach(out, 13, spec.value_infos);
  return out;
}

std::string FunctionProto(const FunctionSpec& spec) {
  std::string out;
  AppendBytesField(out, 1, spec.name);
  AppendEach(out, 4, spec.inputs);
  AppendEach(out, 5, spec.outputs);
  AppendEach(out, 6, spec.attributes);
  AppendEach(out, 7, spec.nodes);
  AppendBytesField(out, 9, Opset("", 18));
  AppendBytesField(out, 10, spec.domain);
  AppendEach(out, 11, spec.attribute_protos);
  if (!spec.overload.empty()) AppendBytesField(out, 13, spec.overload);
  return out;
}

std::string ModelProto(const ModelSpec& spec) {
  std::string out;
  AppendVarintField(out, 1, static_cast<uint64_t>(spec.ir_version));
  AppendBytesField(out, 2, "builder");
  AppendBytesField(out, 7, spec.graph);
  if (spec.opset != 0) AppendBytesField(out, 8, Opset("", spec.opset));
  AppendEach(out, 25, spec.functions);
  return out;
}

std::span<const std::byte> BytesOf(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

}  // namespace dimwise::onnx_build
