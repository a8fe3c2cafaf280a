#include "formats/onnx/graph_messages.h"

#include <fmt/format.h>

#include <optional>

#include "formats/onnx/onnx_fields.h"

namespace dimwise {

GraphMessages::GraphMessages(const Graph& graph, std::string_view file, WireEdits& edits)
    : graph_(graph), edits_(edits) {
  for (WireReader r(file); r.Next();) {
    if (r.tag() != onnx_fields::model::kGraph) continue;
    waiting_.push_back({graph.body(), r.bytes(), edits.Inside(WireEdits::kFile, r)});
  }
}

GraphMessage GraphMessages::Take() {
  const GraphMessage next = waiting_.back();
  waiting_.pop_back();
  return next;
}

// Regions have the order of the graphs, but the reader may have omitted some. The name of a region is a view
// into the file, so its address identifies the graph. The graphs of a list are numbered.
void GraphMessages::AddInside(NodeId node, std::string_view bytes, WireEdits::Message message) {
  namespace f = onnx_fields::attribute;
  std::span<const Graph::Carried> regions = graph_.regions_of(node);
  for (WireReader a(bytes); a.Next();) {
    if (a.tag() != onnx_fields::node::kAttribute) continue;
    std::string_view name;
    std::vector<WireReader> graphs;  // in the order of ReadAttribute
    bool is_list = false;
    for (WireReader r(a.bytes()); r.Next();) {
      if (r.tag() == f::kName) name = r.bytes();
      if (r.tag() == f::kG) graphs.assign(1, r);
      if (r.tag() != f::kGraphs) continue;
      graphs.push_back(r);
      is_list = true;
    }
    std::optional<WireEdits::Message> attribute;
    for (size_t i = 0; i < graphs.size() && !regions.empty(); ++i) {
      const Graph::Carried& next = regions.front();
      const bool is_it =
          is_list ? next.attribute == fmt::format("{}[{}]", name, i) : next.attribute.data() == name.data();
      if (!is_it) continue;
      if (!attribute) attribute = edits_.Inside(message, a);
      waiting_.push_back({next.region, graphs[i].bytes(), edits_.Inside(*attribute, graphs[i])});
      regions = regions.subspan(1);
    }
  }
}

}  // namespace dimwise
