#include "report/models/node_json.h"

#include "report/text/attr_value_json.h"

namespace dimwise {
namespace {

void WriteAttributes(JsonWriter& json, const AttrMap& attrs) {
  if (attrs.empty()) return;
  json.Key("attributes");
  json.BeginObject();
  for (const AttrEntry& entry : attrs) {
    json.Key(entry.name);
    WriteAttrValue(json, entry.value);
  }
  json.EndObject();
}

void WriteRegions(JsonWriter& json, const ModelReport& report, NodeId node) {
  if (!report.graph().carries_regions(node)) return;
  json.Key("regions");
  json.BeginObject();
  for (const Graph::Carried& carried : report.graph().regions_of(node)) {
    json.Key(carried.attribute);
    json.BeginObject();
    json.Key("inputs");
    WriteValueNames(json, report, report.graph().inputs(carried.region));
    json.Key("outputs");
    WriteValueNames(json, report, report.graph().outputs(carried.region));
    json.EndObject();
  }
  json.EndObject();
}

void WriteNode(JsonWriter& json, const ModelReport& report, NodeId node) {
  const Graph& graph = report.graph();
  json.BeginObject();
  json.Key("name");
  json.String(report.names.Node(node));
  json.Key("index");
  json.Int(graph.position(node));
  const Graph::Op& op = graph.op(graph.op_of(node));
  json.Key("op");
  json.String(op.name);
  if (op.version > 0) {
    json.Key("version");
    json.Int(op.version);
  }
  if (std::string region = report.names.Prefix(graph.region(node)); !region.empty()) {
    region.pop_back();  // remove the slash
    json.Key("region");
    json.String(region);
  }
  json.Key("inputs");
  WriteValueNames(json, report, graph.operands(node));
  json.Key("outputs");
  WriteValueNames(json, report, graph.results(node));
  WriteAttributes(json, graph.attrs(graph.attrs_of(node)));
  WriteRegions(json, report, node);
  json.EndObject();
}

}  // namespace

void WriteValueNames(JsonWriter& json, const ModelReport& report, std::span<const ValueId> values) {
  json.BeginArray();
  for (const ValueId value : values) {
    if (value == kNoValue || report.graph().name(value).empty()) {
      json.Null();
    } else {
      json.String(report.names.Value(value));
    }
  }
  json.EndArray();
}

void WriteNodes(JsonWriter& json, const ModelReport& report, std::span<const NodeId> nodes) {
  json.BeginArray();
  for (const NodeId node : nodes) WriteNode(json, report, node);
  json.EndArray();
}

}  // namespace dimwise
