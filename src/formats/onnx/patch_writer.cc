#include "formats/onnx/patch_writer.h"

#include <algorithm>

#include "formats/onnx/onnx_fields.h"
#include "formats/protobuf/wire_writer.h"

namespace dimwise {
namespace {

using onnx_fields::AttributeType;

std::string RawBytes(const std::vector<int64_t>& numbers, ElementType element) {
  std::string raw;
  const int size = element == ElementType::kI32 ? 4 : 8;
  for (const int64_t number : numbers) {
    for (int i = 0; i < size; ++i) raw += static_cast<char>(static_cast<uint64_t>(number) >> (8 * i));
  }
  return raw;
}

std::string TensorProto(const std::vector<int64_t>& sizes, const std::vector<int64_t>& numbers,
                        ElementType element) {
  namespace f = onnx_fields::tensor;
  std::string out;
  for (const int64_t size : sizes)
    AppendVarintField(out, NumberOfField(f::kDims), static_cast<uint64_t>(size));
  AppendVarintField(out, NumberOfField(f::kDataType),
                    static_cast<uint64_t>(NumberOf(element, TypeSystem::kOnnx).value_or(0)));
  AppendBytesField(out, NumberOfField(f::kRawData), RawBytes(numbers, element));
  return out;
}

std::string AttributeProto(std::string_view name, std::string_view fields, AttributeType type) {
  namespace f = onnx_fields::attribute;
  std::string out;
  AppendBytesField(out, NumberOfField(f::kName), name);
  out += fields;
  AppendVarintField(out, NumberOfField(f::kType), static_cast<uint64_t>(type));
  return out;
}

std::string TensorAttribute(std::string_view name, std::string_view tensor) {
  std::string field;
  AppendBytesField(field, NumberOfField(onnx_fields::attribute::kT), tensor);
  return AttributeProto(name, field, AttributeType::kTensor);
}

std::string IntAttribute(std::string_view name, int64_t number) {
  std::string field;
  AppendVarintField(field, NumberOfField(onnx_fields::attribute::kI), static_cast<uint64_t>(number));
  return AttributeProto(name, field, AttributeType::kInt);
}

std::string IntsAttribute(std::string_view name, const std::vector<int64_t>& numbers) {
  std::string fields;
  for (const int64_t number : numbers) {
    AppendVarintField(fields, NumberOfField(onnx_fields::attribute::kInts), static_cast<uint64_t>(number));
  }
  return AttributeProto(name, fields, AttributeType::kInts);
}

std::string NodeProto(const Patch::NewNode& node) {
  namespace f = onnx_fields::node;
  std::string out;
  for (const std::string& operand : node.operands) AppendBytesField(out, NumberOfField(f::kInput), operand);
  AppendBytesField(out, NumberOfField(f::kOutput), node.result);
  AppendBytesField(out, NumberOfField(f::kName), node.result);
  AppendBytesField(out, NumberOfField(f::kOpType), node.op);
  if (node.op == "Constant") {
    AppendBytesField(out, NumberOfField(f::kAttribute),
                     TensorAttribute("value", TensorProto(node.sizes, node.numbers, ElementType::kI64)));
  }
  for (const auto& [name, number] : node.ints) {
    AppendBytesField(out, NumberOfField(f::kAttribute), IntAttribute(name, number));
  }
  return out;
}

// Returns the attribute of a Constant node that contains the value, with new numbers.
std::pair<std::string, std::string> ConstantAttribute(const Graph& graph, NodeId node,
                                                      const std::vector<int64_t>& numbers) {
  for (const AttrEntry& entry : graph.attrs(graph.attrs_of(node))) {
    if (entry.name == "value_ints") return {entry.name, IntsAttribute(entry.name, numbers)};
    if (entry.name == "value_int") return {entry.name, IntAttribute(entry.name, numbers[0])};
    if (const TensorValue* tensor = AsTensor(entry.value); tensor != nullptr && entry.name == "value") {
      return {entry.name,
              TensorAttribute(entry.name, TensorProto(tensor->shape.dims, numbers, tensor->type))};
    }
  }
  return {};
}

OnnxEdits::NodeEdit& EditOf(OnnxEdits& edits, NodeId node) {
  const auto it = std::ranges::find(edits.nodes, node, &OnnxEdits::NodeEdit::node);
  if (it != edits.nodes.end()) return *it;
  edits.nodes.push_back({node, {}, {}, {}});
  return edits.nodes.back();
}

}  // namespace

OnnxEdits WritePatch(const OnnxModel& model, const Patch& patch) {
  OnnxEdits edits;
  for (const Patch::AtNode& at : patch.nodes) {
    OnnxEdits::NodeEdit& edit = EditOf(edits, at.node);
    for (const Patch::NewNode& node : at.before) edit.before.push_back(NodeProto(node));
    edit.operands = at.operands;
    for (const auto& [name, numbers] : at.attributes)
      edit.attributes.push_back({name, IntsAttribute(name, numbers)});
  }
  for (const Patch::NewContents& contents : patch.contents) {
    const Graph& graph = model.graph;
    if (graph.role(contents.constant) == ValueRole::kConstant) {
      const ElementType element = graph.declared(contents.constant).element;
      edits.constants.push_back({contents.constant, RawBytes(contents.numbers, element)});
    } else {
      const NodeId maker = graph.maker(contents.constant);
      EditOf(edits, maker).attributes.push_back(ConstantAttribute(graph, maker, contents.numbers));
    }
  }
  return edits;
}

}  // namespace dimwise
