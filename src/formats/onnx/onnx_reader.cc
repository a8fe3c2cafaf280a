// Reads a ModelProto: operator sets, functions and the main graph.
#include <fmt/format.h>

#include <limits>

#include "dimwise/onnx.h"
#include "formats/onnx/graph_reader.h"
#include "formats/onnx/onnx_fields.h"

namespace dimwise {
namespace {

std::string_view TextOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool ReadOpset(ModelSource& source, std::string_view bytes, OpsetVersions* versions,
               std::vector<OnnxModel::Opset>* opsets) {
  namespace f = onnx_fields::opset;
  std::string_view domain;
  int64_t version = 0;
  WireReader r(bytes);
  while (r.Next()) {
    if (r.tag() == f::kDomain) domain = r.bytes();
    if (r.tag() == f::kVersion) version = r.integer();
  }
  if (!source.Whole(r, "an operator set")) return false;
  if (domain == "ai.onnx") domain = {};
  if (version < 0 || version > std::numeric_limits<int>::max()) {
    source.Report(Severity::kError, Code::kBadModel,
                  fmt::format("the operator set '{}' has version {}", domain, version));
    version = 0;
  }
  const auto [it, added] = versions->insert({domain, static_cast<int>(version)});
  if (!added && it->second != version) {
    source.Report(
        Severity::kWarning, Code::kBadModel,
        fmt::format("two versions of the operator set '{}' are imported, {} and {}; the first counts", domain,
                    it->second, version));
  }
  if (added && opsets != nullptr) opsets->push_back({domain, static_cast<int>(version)});
  return true;
}

bool ReadFunction(ModelSource& source, std::string_view bytes, OnnxModel& model) {
  namespace f = onnx_fields::function;
  std::string_view name, domain, overload;
  OpsetVersions versions;
  WireReader r(bytes);
  while (r.Next()) {
    switch (r.tag()) {
      case f::kName:
        name = r.bytes();
        break;
      case f::kDomain:
        domain = r.bytes();
        break;
      case f::kOverload:
        overload = r.bytes();
        break;
      case f::kOpsetImport:
        if (!ReadOpset(source, r.bytes(), &versions, nullptr)) return false;
        break;
      default:
        break;
    }
  }
  if (!source.Whole(r, "a function")) return false;
  if (domain.empty() || domain == "ai.onnx") domain = "onnx";
  const std::string full_name = fmt::format("{}.{}{}{}", domain, name, overload.empty() ? "" : ":", overload);
  if (model.graph.FindFunction(full_name) != nullptr) {
    source.Report(Severity::kWarning, Code::kDuplicateName,
                  fmt::format("there are two functions {}; the first counts", full_name));
    return true;
  }
  return GraphReader(source, *model.graph.AddFunction(full_name), versions, model.ir_version)
      .ReadFunction(bytes);
}

}  // namespace

bool LooksLikeOnnx(std::span<const std::byte> bytes) {
  namespace f = onnx_fields::model;
  // Files of other formats may use the same field numbers. An ONNX file is recognized by a version and a
  // graph or operator set with the right wire types, and by the absence of fields that a ModelProto does not
  // have.
  bool version = false, contents = false;
  WireReader r(TextOf(bytes));
  for (int fields = 0; fields < 256 && r.Next(); ++fields) {
    version = version || r.tag() == f::kIrVersion;
    contents = contents || r.tag() == f::kGraph || r.tag() == f::kOpsetImport;
    if (NumberOfField(r.tag()) > 26) return false;
    if (NumberOfField(r.tag()) == 1 && r.tag() != f::kIrVersion) return false;
    if (NumberOfField(r.tag()) == 7 && r.tag() != f::kGraph) return false;
  }
  // The graph may extend past the given bytes.
  if (r.damage() != nullptr) contents = contents || r.tag() == f::kGraph;
  return version && contents;
}

Result<std::unique_ptr<OnnxModel>> ReadOnnx(std::span<const std::byte> bytes, Analysis& analysis) {
  namespace f = onnx_fields::model;
  auto model = std::make_unique<OnnxModel>(analysis);
  model->bytes = bytes;
  ModelSource source("ONNX", TextOf(bytes), analysis, model->findings);
  const auto damaged = [&] { return Unexpected(std::move(*source.damage())); };

  std::vector<std::string_view> graphs, functions;
  OpsetVersions versions;
  WireReader r(TextOf(bytes));
  while (r.Next()) {
    switch (r.tag()) {
      case f::kIrVersion:
        model->ir_version = r.integer();
        break;
      case f::kProducerName:
        model->producer_name = r.bytes();
        break;
      case f::kProducerVersion:
        model->producer_version = r.bytes();
        break;
      case f::kDomain:
        model->domain = r.bytes();
        break;
      case f::kModelVersion:
        model->model_version = r.integer();
        break;
      case f::kOpsetImport:
        if (!ReadOpset(source, r.bytes(), &versions, &model->opsets)) return damaged();
        break;
      case f::kGraph:
        graphs.push_back(r.bytes());
        break;
      case f::kFunctions:
        functions.push_back(r.bytes());
        break;
      default:
        break;
    }
  }
  if (!source.Whole(r, "the model")) return damaged();
  if (graphs.size() != 1) {
    source.Damage(0, "the model", graphs.empty() ? "it has no graph" : "it has more than one graph");
    return damaged();
  }
  for (const std::string_view function : functions) {
    if (!ReadFunction(source, function, *model)) return damaged();
  }
  if (!GraphReader(source, model->graph, versions, model->ir_version).ReadGraph(graphs[0])) return damaged();
  source.FinishFindings();
  model->distinct_values = !source.shared_names();
  return model;
}

}  // namespace dimwise
