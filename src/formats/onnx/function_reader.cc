// Reads the body of a FunctionProto: a graph whose inputs and outputs have names only.
#include <algorithm>

#include "formats/onnx/graph_reader.h"
#include "formats/onnx/onnx_fields.h"

namespace dimwise {

bool GraphReader::ReadFunction(std::string_view bytes) {
  namespace f = onnx_fields::function;
  Scope& scope = scopes_.emplace_back();
  scope.region = graph_.body();
  std::vector<std::string_view> outputs;
  Fields nodes{.tag = f::kNode}, value_infos{.tag = f::kValueInfo};
  WireReader first(bytes);
  while (first.Next()) {
    switch (first.tag()) {
      case f::kInput:
        Name(scope, first.bytes(), graph_.AddInput(scope.region, first.bytes()));
        break;
      case f::kOutput:
        outputs.push_back(first.bytes());
        break;
      case f::kAttribute:
        graph_.function_attrs.push_back({.name = first.bytes(), .otherwise = nullptr});
        break;
      case f::kAttributeProto:
        if (!ReadFunctionAttrs(first.bytes())) return false;
        break;
      case f::kValueInfo:
        value_infos.Add(first.whole());
        break;
      case f::kNode:
        nodes.Add(first.whole());
        break;
      default:
        break;
    }
  }
  if (!source_.Whole(first, "a function") || !ReadNodes(scope, nodes)) return false;
  for (const std::string_view name : outputs) {
    const ValueId value = Use(scope, name);
    if (value == kNoValue) {
      source_.Report(Severity::kError, Code::kBadModel, "an output of a function has no name");
    } else {
      graph_.AddOutput(scope.region, value);
    }
  }
  if (!ReadClaims(scope, value_infos)) return false;
  ReportMissing(scope);
  return ReadPending();
}

// Reads an attribute with a default value.
bool GraphReader::ReadFunctionAttrs(std::string_view bytes) {
  OnnxAttribute attribute;
  if (!ReadAttribute(source_, bytes, &attribute)) return false;
  AttrMap map;
  map.Set(std::string(attribute.name), std::move(attribute.value));
  const AttrsId kept = graph_.AddAttrs(std::move(map));
  graph_.function_attrs.push_back(
      {.name = attribute.name, .otherwise = graph_.attrs(kept).Find(attribute.name)});
  return true;
}

}  // namespace dimwise
