// Walks the file in parallel with the graph. An existing value_info is updated with the inferred type. Values
// without a value_info get one behind the last existing one. Outputs get the parts of their types that the
// file leaves open. Nested graphs are found through the nodes that contain regions; other nodes are skipped.
#include <tsl/robin_map.h>

#include <optional>
#include <utility>

#include "dimwise/onnx.h"
#include "dimwise/result_macros.h"
#include "formats/atomic_file.h"
#include "formats/declared_names.h"
#include "formats/onnx/graph_messages.h"
#include "formats/onnx/onnx_fields.h"
#include "formats/onnx/type_writer.h"
#include "formats/protobuf/wire_edits.h"
#include "formats/protobuf/wire_writer.h"

namespace dimwise {
namespace {

constexpr uint32_t kValueInfoNumber = NumberOfField(onnx_fields::graph::kValueInfo);

Precedence PrecedenceOf(OutputSizes outputs) {
  switch (outputs) {
    case OutputSizes::kDeclared:
      return Precedence::kDeclared;
    case OutputSizes::kNames:
      return Precedence::kNames;
    case OutputSizes::kInferred:
      break;
  }
  return Precedence::kInferred;
}

class OnnxWriter {
 public:
  OnnxWriter(const OnnxModel& model, const std::function<Type(ValueId)>& type_of, OutputSizes outputs)
      : graph_(model.graph),
        dims_(model.graph.analysis().dims()),
        type_of_(type_of),
        outputs_(PrecedenceOf(outputs)),
        file_(reinterpret_cast<const char*>(model.bytes.data()), model.bytes.size()),
        edits_(file_),
        graphs_(graph_, file_, edits_),
        names_(graph_, type_of_) {}

  Status Write(const OnnxSink& sink) && {
    while (!graphs_.empty()) EditGraph(graphs_.Take());
    return std::move(edits_).Write(sink);
  }

 private:
  // A value of the current graph, and whether the file describes it.
  struct Entry {
    ValueId value = kNoValue;
    bool described = false;
  };
  using Entries = tsl::robin_map<std::string_view, Entry>;

  void EditGraph(const GraphMessage& next) {
    namespace f = onnx_fields::graph;
    const std::span<const NodeId> nodes = graph_.nodes(next.region);
    Entries entries;  // of values with the same name the last one, as in the reader
    for (const NodeId node : nodes) {
      for (const ValueId value : graph_.results(node)) {
        if (!graph_.name(value).empty()) entries[graph_.name(value)] = {value, false};
      }
    }
    const char* place = next.bytes.data();
    size_t position = 0;
    for (WireReader r(next.bytes); r.Next();) {
      if (NumberOfField(r.tag()) <= kValueInfoNumber) place = r.whole().data() + r.whole().size();
      if (r.tag() == f::kNode) {
        if (position < nodes.size() && graph_.carries_regions(nodes[position])) {
          graphs_.AddInside(nodes[position], r.bytes(), edits_.Inside(next.message, r));
        }
        ++position;
      } else if (r.tag() == f::kValueInfo || r.tag() == f::kOutput) {
        EditValueInfo(r, next.message, &entries);
      }
    }

    std::string added;
    for (const NodeId node : nodes) {
      for (const ValueId value : graph_.results(node)) {
        const auto it = entries.find(graph_.name(value));
        if (it == entries.end() || it->second.value != value || it->second.described) continue;
        const Type type = names_.Renamed(type_of_(value));
        if (!CanWriteType(type)) continue;
        std::string info;
        AppendBytesField(info, NumberOfField(onnx_fields::value_info::kName), graph_.name(value));
        AppendBytesField(info, NumberOfField(onnx_fields::value_info::kType), WriteType(dims_, type));
        AppendBytesField(added, kValueInfoNumber, info);
      }
    }
    if (!added.empty()) edits_.Replace(next.message, {place, 0}, std::move(added));
  }

  // Edits a value_info or an output; a value may have both.
  void EditValueInfo(const WireReader& field, WireEdits::Message message, Entries* entries) {
    namespace f = onnx_fields::value_info;
    std::string_view name, old_type;
    const char* place = field.bytes().data() + field.bytes().size();
    std::string_view part(place, 0);
    WireReader r(field.bytes());
    while (r.Next()) {
      if (r.tag() == f::kName) name = r.bytes();
      if (r.tag() == f::kType) {
        old_type = r.bytes();
        part = r.whole();
      }
    }
    const auto it = entries->find(name);
    if (r.damage() != nullptr || it == entries->end()) return;
    it.value().described = true;
    const Type type = names_.Renamed(type_of_(it->second.value));
    if (!CanWriteType(type)) return;
    const Precedence precedence =
        field.tag() == onnx_fields::graph::kOutput ? outputs_ : Precedence::kInferred;
    const std::optional<std::string> new_type = RewriteType(dims_, old_type, type, precedence);
    if (!new_type || (*new_type == old_type && !part.empty())) return;
    std::string bytes;
    AppendBytesField(bytes, NumberOfField(f::kType), *new_type);
    edits_.Replace(edits_.Inside(message, field), part, std::move(bytes));
  }

  const Graph& graph_;
  DimTable& dims_;
  const std::function<Type(ValueId)>& type_of_;
  const Precedence outputs_;
  const std::string_view file_;
  WireEdits edits_;
  GraphMessages graphs_;
  const DeclaredNames names_;
};

}  // namespace

Status WriteOnnx(const OnnxModel& model, const std::function<Type(ValueId)>& type_of, const OnnxSink& sink,
                 OutputSizes outputs) {
  return OnnxWriter(model, type_of, outputs).Write(sink);
}

Status WriteOnnxFile(const OnnxModel& model, const std::function<Type(ValueId)>& type_of,
                     const std::string& path, OutputSizes outputs) {
  DIMWISE_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  DIMWISE_RETURN_IF_ERROR(WriteOnnx(
      model, type_of, [&](std::string_view bytes) { return file.Write(bytes); }, outputs));
  return file.Commit();
}

}  // namespace dimwise
