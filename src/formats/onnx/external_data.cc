#include "formats/onnx/external_data.h"

#include <algorithm>
#include <utility>

#include "formats/onnx/onnx_fields.h"
#include "formats/protobuf/wire_edits.h"
#include "formats/protobuf/wire_writer.h"

namespace dimwise {
namespace {

enum class MessageKind : uint8_t {
  kModel,
  kTraining,
  kGraph,
  kFunction,
  kNode,
  kAttribute,
  kSparseTensor,
  kTensor,
  kEntry,
};

// A field that leads to tensors.
struct TensorPath {
  MessageKind from;
  uint32_t tag;
  MessageKind to;
};

constexpr uint32_t kTrainingInfo = BytesField(20);
constexpr uint32_t kInitialization = BytesField(1), kAlgorithm = BytesField(2);
constexpr uint32_t kIndices = BytesField(2);
constexpr uint32_t kKey = BytesField(1), kText = BytesField(2);

constexpr TensorPath kTensorPaths[] = {
    {MessageKind::kModel, onnx_fields::model::kGraph, MessageKind::kGraph},
    {MessageKind::kModel, kTrainingInfo, MessageKind::kTraining},
    {MessageKind::kModel, onnx_fields::model::kFunctions, MessageKind::kFunction},
    {MessageKind::kTraining, kInitialization, MessageKind::kGraph},
    {MessageKind::kTraining, kAlgorithm, MessageKind::kGraph},
    {MessageKind::kGraph, onnx_fields::graph::kNode, MessageKind::kNode},
    {MessageKind::kGraph, onnx_fields::graph::kInitializer, MessageKind::kTensor},
    {MessageKind::kGraph, onnx_fields::graph::kSparseInitializer, MessageKind::kSparseTensor},
    {MessageKind::kFunction, onnx_fields::function::kNode, MessageKind::kNode},
    {MessageKind::kFunction, onnx_fields::function::kAttributeProto, MessageKind::kAttribute},
    {MessageKind::kNode, onnx_fields::node::kAttribute, MessageKind::kAttribute},
    {MessageKind::kAttribute, onnx_fields::attribute::kT, MessageKind::kTensor},
    {MessageKind::kAttribute, onnx_fields::attribute::kTensors, MessageKind::kTensor},
    {MessageKind::kAttribute, onnx_fields::attribute::kG, MessageKind::kGraph},
    {MessageKind::kAttribute, onnx_fields::attribute::kGraphs, MessageKind::kGraph},
    {MessageKind::kAttribute, onnx_fields::attribute::kSparseTensor, MessageKind::kSparseTensor},
    {MessageKind::kAttribute, onnx_fields::attribute::kSparseTensors, MessageKind::kSparseTensor},
    {MessageKind::kSparseTensor, onnx_fields::sparse_tensor::kValues, MessageKind::kTensor},
    {MessageKind::kSparseTensor, kIndices, MessageKind::kTensor},
    {MessageKind::kTensor, onnx_fields::tensor::kExternalData, MessageKind::kEntry},
};

// Visits all locations of a model. The stack is on the heap, because graphs may be nested deeply.
class LocationWalker {
 public:
  // `edits` may be null.
  LocationWalker(std::string_view model, WireEdits* edits) : edits_(edits) {
    waiting_.push_back({MessageKind::kModel, model, WireEdits::kFile});
  }

  // Calls visit(location, whole, message) with the field that contains the location.
  template <typename Visit>
  void Walk(const Visit& visit) {
    while (!waiting_.empty()) {
      const Waiting next = waiting_.back();
      waiting_.pop_back();
      if (next.kind == MessageKind::kEntry) {
        VisitEntry(next, visit);
      } else {
        AddNested(next);
      }
    }
  }

 private:
  struct Waiting {
    MessageKind kind;
    std::string_view bytes;
    WireEdits::Message message;
  };

  void AddNested(const Waiting& around) {
    for (WireReader r(around.bytes); r.Next();) {
      for (const TensorPath& path : kTensorPaths) {
        if (path.from != around.kind || path.tag != r.tag()) continue;
        const WireEdits::Message message =
            edits_ == nullptr ? WireEdits::kFile : edits_->Inside(around.message, r);
        waiting_.push_back({path.to, r.bytes(), message});
      }
    }
  }

  template <typename Visit>
  void VisitEntry(const Waiting& entry, const Visit& visit) {
    std::string_view key, text, whole;
    for (WireReader r(entry.bytes); r.Next();) {
      if (r.tag() == kKey) key = r.bytes();
      if (r.tag() != kText) continue;
      text = r.bytes();
      whole = r.whole();
    }
    if (key == "location" && !text.empty()) visit(text, whole, entry.message);
  }

  WireEdits* edits_;
  std::vector<Waiting> waiting_;
};

}  // namespace

std::vector<std::string> ExternalLocations(std::string_view model) {
  std::vector<std::string> all;
  LocationWalker(model, nullptr).Walk([&](std::string_view location, std::string_view, WireEdits::Message) {
    all.emplace_back(location);
  });
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Status WriteWithLocations(std::string_view model, const NewLocations& locations,
                          const std::function<Status(std::string_view)>& sink) {
  WireEdits edits(model);
  LocationWalker(model, &edits)
      .Walk([&](std::string_view location, std::string_view whole, WireEdits::Message message) {
        const auto it = locations.find(location);
        if (it == locations.end()) return;
        std::string bytes;
        AppendBytesField(bytes, NumberOfField(kText), it->second);
        edits.Replace(message, whole, std::move(bytes));
      });
  return std::move(edits).Write(sink);
}

}  // namespace dimwise
