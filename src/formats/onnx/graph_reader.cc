#include "formats/onnx/graph_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/failure.h"
#include "formats/onnx/onnx_fields.h"
#include "graph/program_names.h"

namespace dimwise {
namespace {

// The limit for nested graphs.
constexpr int kMaxGraphDepth = 64;
// The distance of the prefetch in bytes: a few nodes.
constexpr size_t kBytesAhead = 2048;

}  // namespace

GraphReader::GraphReader(ModelSource& source, Graph& graph, const OpsetVersions& opsets, int64_t ir_version)
    : source_(source),
      graph_(graph),
      opsets_(opsets),
      ir_version_(ir_version),
      hash_(reinterpret_cast<uintptr_t>(this)),
      tensors_(source),
      types_(source),
      attributes_(source, graph, hash_) {}

bool GraphReader::ReadGraph(std::string_view bytes) {
  scopes_.push_back({.region = graph_.body()});
  return ReadRegion(scopes_.back(), bytes) && ReadPending();
}

bool GraphReader::ReadPending() {
  while (!pending_.empty()) {
    const Pending next = pending_.front();
    pending_.pop_front();
    if (next.around->depth + 1 > kMaxGraphDepth) {
      Diagnostic d = MakeDiagnostic(
          Code::kBadModel,
          fmt::format("graphs are nested more than {} deep; this one is omitted", kMaxGraphDepth));
      d.node = graph_.name(next.carrier);
      d.op = graph_.op_name(next.carrier);
      d.index = graph_.position(next.carrier);
      source_.Report(std::move(d));
      continue;
    }
    const RegionId region = graph_.AddRegion(next.carrier, next.attribute);
    scopes_.push_back({.region = region, .around = next.around, .depth = next.around->depth + 1});
    if (!ReadRegion(scopes_.back(), next.bytes)) return false;
  }
  ReportCycles();
  return true;
}

bool GraphReader::ReadRegion(Scope& scope, std::string_view bytes) {
  Parts parts;
  if (!FindParts(bytes, &parts)) return false;
  const size_t named = parts.inputs.count + parts.initializers.count + parts.nodes.count;
  scope.names.Reserve(named + 1);
  if (scope.around == nullptr) {
    graph_.Reserve(parts.nodes.count, named, parts.nodes.count * 2, parts.initializers.count);
  }
  // Up to IR version 3 each constant had to be an input too. Since version 4 such an input has a default
  // value.
  const bool constants_first = ir_version_ < 4;
  if (constants_first && !ReadConstants(scope, parts, true)) return false;
  if (!ReadInputs(scope, parts, constants_first)) return false;
  if (!constants_first && !ReadConstants(scope, parts, false)) return false;
  if (!ReadNodes(scope, parts.nodes)) return false;
  if (!ReadOutputs(scope, parts)) return false;
  if (!ReadClaims(scope, parts.value_infos)) return false;
  ReportMissing(scope);
  return true;
}

bool GraphReader::FindParts(std::string_view bytes, Parts* parts) {
  namespace f = onnx_fields::graph;
  Fields nodes{.tag = f::kNode}, initializers{.tag = f::kInitializer};
  parts->inputs.tag = f::kInput;
  parts->outputs.tag = f::kOutput;
  parts->value_infos.tag = f::kValueInfo;
  parts->sparse_initializers.tag = f::kSparseInitializer;
  WireReader r(bytes);
  do {
    while (r.Take(f::kNode)) {
      nodes.Add(r.whole());
      r.Prefetch(kBytesAhead);
    }
    while (r.Take(f::kName)) {
      if (scopes_.size() == 1) graph_.set_name(r.bytes());
    }
    while (r.Take(f::kInitializer)) initializers.Add(r.whole());
    while (r.Take(f::kInput)) parts->inputs.Add(r.whole());
    while (r.Take(f::kOutput)) parts->outputs.Add(r.whole());
    while (r.Take(f::kValueInfo)) parts->value_infos.Add(r.whole());
    while (r.Take(f::kSparseInitializer)) parts->sparse_initializers.Add(r.whole());
  } while (r.NextRound());
  parts->nodes = nodes;
  parts->initializers = initializers;
  return source_.Whole(r, "a graph");
}

bool GraphReader::ReadValueInfo(std::string_view bytes, ValueInfo* info) {
  WireReader r(bytes);
  do {
    while (r.Take(onnx_fields::value_info::kName)) info->name = r.bytes();
    while (r.Take(onnx_fields::value_info::kType)) info->type = r.bytes();
  } while (r.NextRound());
  return source_.Whole(r, "the description of a value");
}

bool GraphReader::ReadInputs(Scope& scope, const Parts& parts, bool constants_first) {
  std::vector<ValueInfo> infos;
  infos.reserve(parts.inputs.count);
  const bool read = parts.inputs.ForEach([&](std::string_view bytes) {
    ValueInfo info;
    if (!ReadValueInfo(bytes, &info)) return false;
    const bool is_constant =
        constants_first && scope.names.at(Probe(scope, info.name, hash_(info.name))) != NameTable::kNone;
    if (!is_constant) infos.push_back(info);
    return true;
  });
  if (!read) return false;
  // The sizes of the inputs of the main graph are declarations. Those of a nested graph are claims, because
  // the node that contains the graph decides them.
  const bool outermost = scope.around == nullptr;
  if (outermost) {
    for (ValueInfo& info : infos) {
      if (!types_.DeclareNames(info.type, info.name, &info.known)) return false;
    }
  }
  scope.names.Reserve(infos.size());
  for (const ValueInfo& info : infos) {
    const uint32_t hash = hash_(info.name);
    const size_t place = Probe(scope, info.name, hash);
    if (scope.names.at(place) != NameTable::kNone) {
      source_.Report(Severity::kWarning, Code::kDuplicateName,
                     fmt::format("two inputs have the name '{}'; the later one counts", info.name));
    }
    const ValueId input = graph_.AddInput(scope.region, info.name, info.known);
    if (!info.name.empty()) scope.names.Fill(place, hash, Index(input));
    if (info.known.kind != TypeKind::kUnknown) continue;
    Type type;
    const bool good = outermost ? types_.ReadInput(info.type, info.name, &type)
                                : types_.ReadClaim(
                                      info.type, info.name, [&] { return OriginOf(input); }, &type);
    if (!good) return false;
    graph_.Declare(input, type);
  }
  return true;
}

bool GraphReader::ReadConstants(Scope& scope, const Parts& parts, bool constants_first) {
  const bool read = parts.initializers.ForEach([&](std::string_view bytes) {
    if (!tensors_.Read(bytes)) return false;
    AddConstant(scope, constants_first, false);
    return true;
  });
  return read && parts.sparse_initializers.ForEach([&](std::string_view bytes) {
    if (!tensors_.ReadSparse(bytes)) return false;
    AddConstant(scope, constants_first, true);
    return true;
  });
}

// Adds the tensor that was read last.
void GraphReader::AddConstant(Scope& scope, bool constants_first, bool sparse) {
  const std::string_view name = tensors_.name();
  const uint32_t hash = hash_(name);
  scope.names.Reserve(1);
  const size_t place = Probe(scope, name, hash);
  if (const ValueId known{scope.names.at(place)}; known != kNoValue) {
    if (!constants_first && graph_.role(known) == ValueRole::kInput) {
      graph_.SetDefault(known);
      return;
    }
    source_.Report(Severity::kWarning, Code::kDuplicateName,
                   fmt::format("two initializers have the name '{}'; the later one counts", name));
  }
  const Type type = tensors_.type();
  Value contents;
  if (!sparse) contents = tensors_.ToValue(graph_);
  const ValueId constant = graph_.AddConstant(scope.region, name, type, contents);
  if (!name.empty()) scope.names.Fill(place, hash, Index(constant));
}

bool GraphReader::ReadOutputs(Scope& scope, const Parts& parts) {
  return parts.outputs.ForEach([&](std::string_view bytes) {
    ValueInfo info;
    if (!ReadValueInfo(bytes, &info)) return false;
    const ValueId value = Use(scope, info.name);
    if (value == kNoValue) {
      source_.Report(Severity::kError, Code::kBadModel, "an output of the graph has no name");
      return true;
    }
    graph_.AddOutput(scope.region, value);
    return ReadClaim(info, value);
  });
}

bool GraphReader::ReadClaims(Scope& scope, const Fields& infos) {
  return infos.ForEach([&](std::string_view bytes) {
    ValueInfo info;
    if (!ReadValueInfo(bytes, &info)) return false;
    const uint32_t id = scope.names.at(Probe(scope, info.name, hash_(info.name)));
    return id == NameTable::kNone || ReadClaim(info, ValueId{id});
  });
}

// Inputs and constants already have a type. Of two claims the first is used, which is that of the output.
bool GraphReader::ReadClaim(const ValueInfo& info, ValueId value) {
  if (info.type.empty() || graph_.role(value) == ValueRole::kInput ||
      graph_.role(value) == ValueRole::kConstant) {
    return true;
  }
  const Type before = graph_.declared(value);
  const bool has_shape = before.is_tensor() ? !before.shape.is_none() : before.kind != TypeKind::kUnknown;
  if (has_shape) return true;
  Type type;
  if (!types_.ReadClaim(
          info.type, info.name, [&] { return OriginOf(value); }, &type))
    return false;
  graph_.Declare(value, type);
  return true;
}

std::string GraphReader::OriginOf(ValueId value) const {
  const NodeId maker = graph_.maker(value);
  if (maker == kNoNode) return fmt::format("input {}", graph_.name(value));
  const std::string_view name = graph_.name(maker);
  const std::string_view type = ShortName(graph_.op_name(maker));
  return name.empty() ? fmt::format("node #{} ({})", graph_.position(maker), type)
                      : fmt::format("node {} ({})", name, type);
}

}  // namespace dimwise
