// Walks the file in parallel with the graph: the nodes of a graph in the file are those of its region, in
// order.
#include "formats/onnx/onnx_editor.h"

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <algorithm>
#include <optional>

#include "formats/onnx/graph_messages.h"
#include "formats/onnx/onnx_fields.h"
#include "formats/protobuf/wire_edits.h"
#include "formats/protobuf/wire_writer.h"

namespace dimwise {
namespace {

class OnnxEditor {
 public:
  OnnxEditor(const OnnxModel& model, const OnnxEdits& changes)
      : graph_(model.graph),
        changes_(changes),
        file_(reinterpret_cast<const char*>(model.bytes.data()), model.bytes.size()),
        edits_(file_),
        graphs_(graph_, file_, edits_) {
    for (const OnnxEdits::NodeEdit& edit : changes.nodes) node_edits_[Index(edit.node)] = &edit;
    for (const OnnxEdits::NewConstant& c : changes.constants) constants_[NameIn(c.initializer)] = &c;
    for (const ValueId value : changes.open_sizes) open_.insert(NameIn(value));
  }

  std::vector<std::byte> Edit() && {
    while (!graphs_.empty()) EditGraph(graphs_.Take());
    std::vector<std::byte> out;
    out.reserve(file_.size() + file_.size() / 16);
    // Writing to memory does not fail.
    static_cast<void>(std::move(edits_).Write([&](std::string_view piece) {
      const auto* bytes = reinterpret_cast<const std::byte*>(piece.data());
      out.insert(out.end(), bytes, bytes + piece.size());
      return Status();
    }));
    return out;
  }

 private:
  using Place = std::pair<uint32_t, std::string_view>;  // a region and a name in it
  struct PlaceHash {
    size_t operator()(const Place& place) const {
      return std::hash<std::string_view>()(place.second) + place.first;
    }
  };
  Place NameIn(ValueId value) const { return {Index(graph_.region(value)), graph_.name(value)}; }

  void EditGraph(const GraphMessage& graph) {
    namespace f = onnx_fields::graph;
    const std::span<const NodeId> nodes = graph_.nodes(graph.region);
    size_t position = 0;
    for (WireReader r(graph.bytes); r.Next();) {
      if (r.tag() == f::kNode) {
        if (position < nodes.size()) EditNode(nodes[position], r, graph.message);
        ++position;
      } else if (r.tag() == f::kInitializer) {
        if (!constants_.empty()) EditInitializer(graph.region, r, graph.message);
      } else if (r.tag() == f::kInput || r.tag() == f::kOutput || r.tag() == f::kValueInfo) {
        EditValueInfo(graph.region, r, graph.message);
      }
    }
  }

  // Replaces the contents of a tensor, in any of its encodings.
  void EditInitializer(RegionId region, const WireReader& field, WireEdits::Message graph) {
    namespace f = onnx_fields::tensor;
    std::string_view name;
    for (WireReader r(field.bytes()); r.Next();) {
      if (r.tag() == f::kName) name = r.bytes();
    }
    const auto it = constants_.find(Place{Index(region), name});
    if (it == constants_.end()) return;
    std::string tensor;
    for (WireReader r(field.bytes()); r.Next();) {
      const uint32_t number = NumberOfField(r.tag());
      const bool contents = r.tag() == f::kRawData || number == f::kInt32Data || number == f::kInt64Data;
      if (!contents) tensor += r.whole();
    }
    AppendBytesField(tensor, NumberOfField(f::kRawData), it->second->raw_data);
    std::string bytes;
    AppendBytesField(bytes, NumberOfField(onnx_fields::graph::kInitializer), tensor);
    edits_.Replace(graph, field.whole(), std::move(bytes));
  }

  void EditValueInfo(RegionId region, const WireReader& field, WireEdits::Message graph) {
    namespace f = onnx_fields::value_info;
    std::string_view name, whole, type;
    WireReader r(field.bytes());
    while (r.Next()) {
      if (r.tag() == f::kName) name = r.bytes();
      if (r.tag() == f::kType) {
        whole = r.whole();
        type = r.bytes();
      }
    }
    if (r.damage() != nullptr || whole.empty()) return;
    const bool input = field.tag() == onnx_fields::graph::kInput && region == graph_.body();
    const bool open = open_.contains(Place{Index(region), name});
    const std::optional<std::string> edited =
        EditSizes(type, [&](std::string_view param, int axis) -> std::optional<WrittenSize> {
          if (input) {
            for (const OnnxEdits::InputSize& size : changes_.input_sizes) {
              if (size.input == name && size.axis == axis) return size.size;
            }
          }
          if (open && param.empty()) return std::string();
          return WithNumbers(param, changes_.numbers);
        });
    if (!edited) return;
    std::string bytes;
    AppendBytesField(bytes, NumberOfField(f::kType), *edited);
    edits_.Replace(edits_.Inside(graph, field), whole, std::move(bytes));
  }

  void EditNode(NodeId node, const WireReader& field, WireEdits::Message graph) {
    namespace f = onnx_fields::node;
    const auto it = node_edits_.find(Index(node));
    const OnnxEdits::NodeEdit* edit = it == node_edits_.end() ? nullptr : it->second;
    if (edit == nullptr && !graph_.carries_regions(node)) return;
    if (edit != nullptr && !edit->before.empty()) {
      std::string bytes;
      for (const std::string& other : edit->before)
        AppendBytesField(bytes, NumberOfField(onnx_fields::graph::kNode), other);
      edits_.Replace(graph, {field.whole().data(), 0}, std::move(bytes));
    }
    const WireEdits::Message message = edits_.Inside(graph, field);
    graphs_.AddInside(node, field.bytes(), message);
    if (edit == nullptr) return;
    size_t operand = 0;
    for (WireReader r(field.bytes()); r.Next();) {
      if (r.tag() == f::kAttribute) EditAttribute(*edit, r, message);
      if (r.tag() == f::kInput) EditOperand(*edit, operand++, r, message);
    }
  }

  void EditOperand(const OnnxEdits::NodeEdit& edit, size_t operand, const WireReader& field,
                   WireEdits::Message node) {
    for (const auto& [index, name] : edit.operands) {
      if (index != operand) continue;
      std::string bytes;
      AppendBytesField(bytes, NumberOfField(onnx_fields::node::kInput), name);
      edits_.Replace(node, field.whole(), std::move(bytes));
    }
  }

  void EditAttribute(const OnnxEdits::NodeEdit& edit, const WireReader& field, WireEdits::Message node) {
    std::string_view name;
    for (WireReader r(field.bytes()); r.Next();) {
      if (r.tag() == onnx_fields::attribute::kName) name = r.bytes();
    }
    for (const auto& [attribute, bytes] : edit.attributes) {
      if (attribute != name) continue;
      std::string whole;
      AppendBytesField(whole, NumberOfField(onnx_fields::node::kAttribute), bytes);
      edits_.Replace(node, field.whole(), std::move(whole));
      return;
    }
  }

  const Graph& graph_;
  const OnnxEdits& changes_;
  const std::string_view file_;
  WireEdits edits_;
  GraphMessages graphs_;
  tsl::robin_map<uint32_t, const OnnxEdits::NodeEdit*> node_edits_;  // by node
  tsl::robin_map<Place, const OnnxEdits::NewConstant*, PlaceHash> constants_;
  tsl::robin_set<Place, PlaceHash> open_;
};

}  // namespace

std::vector<std::byte> EditOnnx(const OnnxModel& model, const OnnxEdits& edits) {
  return OnnxEditor(model, edits).Edit();
}

}  // namespace dimwise
