#include "formats/onnx/graph_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/nearest_name.h"
#include "formats/onnx/onnx_fields.h"

namespace dimwise {
namespace {

// Of graphs inside graphs.
constexpr int kMaxDepth = 64;
// Larger sets of attributes are read without asking whether there was one like it: they hold weights.
constexpr size_t kMaxSharedAttrs = 512;
// For how many missing values the nearest name is looked for.
constexpr size_t kMaxSuggestions = 16;

}  // namespace

GraphReader::GraphReader(ModelSource& source, Graph& graph, const OpsetVersions& opsets, int64_t ir_version)
    : source_(source),
      graph_(graph),
      opsets_(opsets),
      ir_version_(ir_version),
      seed_(reinterpret_cast<uintptr_t>(this)),
      tensors_(source),
      types_(source) {}

bool GraphReader::ReadGraph(std::string_view bytes) {
  scopes_.push_back({.region = graph_.body()});
  return ReadRegion(scopes_.back(), bytes) && ReadPending();
}

bool GraphReader::ReadPending() {
  while (!pending_.empty()) {
    const Pending next = pending_.front();
    pending_.pop_front();
    if (next.around->depth + 1 > kMaxDepth) {
      Diagnostic d;
      d.code = Code::kBadModel;
      d.message = fmt::format("graphs are nested more than {} deep; this one is left out", kMaxDepth);
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
  return true;
}

bool GraphReader::ReadRegion(Scope& scope, std::string_view bytes) {
  Parts parts;
  if (!FindParts(bytes, &parts)) return false;
  const size_t named = parts.inputs.size() + parts.initializers.size() + parts.node_count;
  scope.names.Reserve(named);
  if (scope.around == nullptr) graph_.Reserve(parts.node_count, named, parts.node_count * 2);
  // Up to IR version 3 every constant had to be an input as well; from 4 on that means a default.
  const bool constants_first = ir_version_ < 4;
  if (constants_first && !ReadConstants(scope, parts, true)) return false;
  if (!ReadInputs(scope, parts, constants_first)) return false;
  if (!constants_first && !ReadConstants(scope, parts, false)) return false;
  if (!ReadNodes(scope, parts.nodes, onnx_fields::graph::kNode)) return false;
  if (!ReadOutputs(scope, parts)) return false;
  if (!ReadClaims(scope, parts.value_infos)) return false;
  ReportMissing(scope);
  return true;
}

bool GraphReader::FindParts(std::string_view bytes, Parts* parts) {
  namespace f = onnx_fields::graph;
  const char* first_node = nullptr;
  const char* nodes_end = nullptr;
  WireReader r(bytes);
  while (r.Next()) {
    switch (r.tag()) {
      case f::kNode:
        if (first_node == nullptr) first_node = r.whole().data();
        nodes_end = r.whole().data() + r.whole().size();
        ++parts->node_count;
        break;
      case f::kName:
        if (scopes_.size() == 1) graph_.set_name(r.bytes());
        break;
      case f::kInput:
        parts->inputs.push_back(r.bytes());
        break;
      case f::kOutput:
        parts->outputs.push_back(r.bytes());
        break;
      case f::kValueInfo:
        parts->value_infos.push_back(r.bytes());
        break;
      case f::kInitializer:
        parts->initializers.push_back(r.bytes());
        break;
      case f::kSparseInitializer:
        parts->sparse_initializers.push_back(r.bytes());
        break;
      default:
        break;
    }
  }
  if (first_node != nullptr) parts->nodes = {first_node, static_cast<size_t>(nodes_end - first_node)};
  return source_.Whole(r, "a graph");
}

bool GraphReader::ReadValueInfo(std::string_view bytes, ValueInfo* info) {
  WireReader r(bytes);
  while (r.Next()) {
    if (r.tag() == onnx_fields::value_info::kName) info->name = r.bytes();
    if (r.tag() == onnx_fields::value_info::kType) info->type = r.bytes();
  }
  return source_.Whole(r, "the description of a value");
}

bool GraphReader::ReadInputs(Scope& scope, const Parts& parts, bool constants_first) {
  std::vector<ValueInfo> infos(parts.inputs.size());
  for (size_t i = 0; i < infos.size(); ++i) {
    if (!ReadValueInfo(parts.inputs[i], &infos[i])) return false;
  }
  // The sizes of a graph's inputs are what they are named. What a graph inside says of its own are claims:
  // the node that carries it decides.
  const bool outermost = scope.around == nullptr;
  if (outermost) {
    for (const ValueInfo& info : infos) {
      if (!types_.DeclareNames(info.type, info.name)) return false;
    }
  }
  for (const ValueInfo& info : infos) {
    const ValueId known = Find(scope, info.name, Hash(info.name));
    const bool here = known != kNoValue && graph_.region(known) == scope.region;
    if (here && constants_first && graph_.role(known) == ValueRole::kConstant) continue;
    if (here) {
      source_.Report(Severity::kWarning, Code::kDuplicateName,
                     fmt::format("two inputs have the name '{}'; the later one counts", info.name));
    }
    Type type;
    const ValueId input = graph_.AddInput(scope.region, info.name);
    if (outermost) {
      if (!types_.ReadInput(info.type, info.name, &type)) return false;
    } else if (!types_.ReadClaim(
                   info.type, info.name, [&] { return OriginOf(input); }, &type)) {
      return false;
    }
    graph_.Declare(input, type);
    Name(scope, info.name, input);
  }
  return true;
}

bool GraphReader::ReadConstants(Scope& scope, const Parts& parts, bool constants_first) {
  const auto add = [&](bool sparse) {
    const std::string_view name = tensors_.name();
    const ValueId known = Find(scope, name, Hash(name));
    if (known != kNoValue && graph_.region(known) == scope.region) {
      if (!constants_first && graph_.role(known) == ValueRole::kInput) return;
      source_.Report(Severity::kWarning, Code::kDuplicateName,
                     fmt::format("two initializers have the name '{}'; the later one counts", name));
    }
    const Type type = tensors_.type();
    Value contents;
    if (!sparse) {
      std::string decoded;
      if (std::optional<std::string_view> bytes = tensors_.Contents(&decoded)) {
        if (bytes->data() == decoded.data() && !decoded.empty()) bytes = graph_.Keep(decoded);
        contents = tensors_.ToValue(*bytes);
      }
    }
    Name(scope, name, graph_.AddConstant(scope.region, name, type, contents));
  };
  for (const std::string_view bytes : parts.initializers) {
    if (!tensors_.Read(bytes)) return false;
    add(false);
  }
  for (const std::string_view bytes : parts.sparse_initializers) {
    if (!tensors_.ReadSparse(bytes)) return false;
    add(true);
  }
  return true;
}

bool GraphReader::ReadOutputs(Scope& scope, const Parts& parts) {
  for (const std::string_view bytes : parts.outputs) {
    ValueInfo info;
    if (!ReadValueInfo(bytes, &info)) return false;
    const ValueId value = Use(scope, info.name);
    if (value == kNoValue) {
      source_.Report(Severity::kError, Code::kBadModel, "an output of the graph has no name");
      continue;
    }
    graph_.AddOutput(scope.region, value);
    if (!ReadClaim(info, value)) return false;
  }
  return true;
}

bool GraphReader::ReadClaims(Scope& scope, const std::vector<std::string_view>& infos) {
  for (const std::string_view bytes : infos) {
    ValueInfo info;
    if (!ReadValueInfo(bytes, &info)) return false;
    const uint32_t hash = Hash(info.name);
    scope.names.Reserve(1);
    const size_t place =
        scope.names.Probe(hash, [&](uint32_t id) { return graph_.name(ValueId{id}) == info.name; });
    const uint32_t id = scope.names.at(place);
    if (id != NameTable::kNone && !ReadClaim(info, ValueId{id})) return false;
  }
  return true;
}

// Inputs and constants have their types already. Of two claims the first counts, the output's.
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
  const std::string_view op = graph_.op_name(maker);
  const std::string_view name = graph_.name(maker);
  const std::string_view type = op.substr(op.rfind('.') + 1);
  return name.empty() ? fmt::format("node #{} ({})", graph_.position(maker), type)
                      : fmt::format("node {} ({})", name, type);
}

// ---- Nodes -----------------------------------------------------------------------------------------------

bool GraphReader::ReadNodes(Scope& scope, std::string_view nodes, uint32_t tag) {
  uint32_t position = 0;
  WireReader r(nodes);
  while (r.Next()) {
    if (r.tag() != tag) continue;
    if (graph_.value_count() > UINT32_MAX - (uint32_t{1} << 28)) {
      source_.Damage(source_.OffsetOf(r.whole().data()), "a graph",
                     "it has more values than can be numbered");
      return false;
    }
    if (!ReadNode(scope, r.bytes(), position++)) return false;
  }
  return source_.Whole(r, "a graph");
}

bool GraphReader::ReadNode(Scope& scope, std::string_view bytes, uint32_t position) {
  namespace f = onnx_fields::node;
  operands_.clear();
  results_.clear();
  Graph::NodeSpec spec;
  spec.position = position;
  std::string_view type, domain, overload;
  const char* attrs = nullptr;
  const char* attrs_end = nullptr;
  WireReader r(bytes);
  while (r.Next()) {
    switch (r.tag()) {
      case f::kInput:
        operands_.push_back(Use(scope, r.bytes()));
        break;
      case f::kOutput:
        results_.push_back(r.bytes());
        break;
      case f::kName:
        spec.name = r.bytes();
        break;
      case f::kOpType:
        type = r.bytes();
        break;
      case f::kDomain:
        domain = r.bytes();
        break;
      case f::kOverload:
        overload = r.bytes();
        break;
      case f::kAttribute:
        if (attrs == nullptr) attrs = r.whole().data();
        attrs_end = r.whole().data() + r.whole().size();
        break;
      default:
        break;
    }
  }
  if (!source_.Whole(r, "a node")) return false;
  spec.op = FindOp(domain, type, overload);
  if (attrs != nullptr && !ReadAttrs({attrs, static_cast<size_t>(attrs_end - attrs)}, &spec.attrs)) {
    return false;
  }
  const NodeId node = AddNode(scope, spec);
  if (attrs == nullptr) return true;
  for (const OnnxAttribute& a : references_) graph_.ReferToAttr(node, a.name, a.reference);
  for (const OnnxAttribute& a : graphs_) {
    for (size_t i = 0; i < a.graphs.size(); ++i) {
      const std::string_view name = a.list_of_graphs ? graph_.Keep(fmt::format("{}[{}]", a.name, i)) : a.name;
      pending_.push_back({node, name, a.graphs[i], &scope});
    }
  }
  return true;
}

OpId GraphReader::FindOp(std::string_view domain, std::string_view type, std::string_view overload) {
  const uint32_t hash = Hash(type);
  op_table_.Reserve(1);
  const size_t place = op_table_.Probe(hash, [&](uint32_t i) {
    const KnownOp& op = ops_[i];
    return op.type == type && op.domain == domain && op.overload == overload;
  });
  if (const uint32_t known = op_table_.at(place); known != NameTable::kNone) return ops_[known].id;

  const std::string_view set = domain == "ai.onnx" ? std::string_view() : domain;
  int version = 0;
  if (const auto it = opsets_.find(set); it != opsets_.end()) {
    version = it->second;
  } else if (set.empty() && ir_version_ < 3) {
    version = 1;  // before operator sets had versions
  } else if (reported_domains_.insert({set, true}).second) {
    source_.Report(Severity::kWarning, Code::kBadModel,
                   fmt::format("operator {} is of the domain '{}', for which the model imports no version",
                               type, domain));
  }
  std::string name = fmt::format("{}.{}", set.empty() ? "onnx" : set, type);
  if (!overload.empty()) name = fmt::format("{}:{}", name, overload);
  const OpId id = graph_.UseOp(name, version);
  op_table_.Fill(place, hash, static_cast<uint32_t>(ops_.size()));
  ops_.push_back({domain, type, overload, id});
  return id;
}

// `bytes` reach from the first to the last attribute. Something else may lie between, which makes them
// different from others, no more.
bool GraphReader::ReadAttrs(std::string_view bytes, AttrsId* id) {
  graphs_.clear();
  references_.clear();
  const bool shared = bytes.size() <= kMaxSharedAttrs;
  uint32_t hash = 0;
  size_t place = 0;
  if (shared) {
    hash = Hash(bytes);
    attr_table_.Reserve(1);
    place = attr_table_.Probe(hash, [&](uint32_t i) { return attr_sets_[i].bytes == bytes; });
    if (const uint32_t known = attr_table_.at(place); known != NameTable::kNone) {
      *id = attr_sets_[known].id;
      return true;
    }
  }

  std::vector<OnnxAttribute> attributes;
  WireReader r(bytes);
  while (r.Next()) {
    if (r.tag() != onnx_fields::node::kAttribute) continue;
    OnnxAttribute attribute;
    if (!ReadAttribute(source_, r.bytes(), &attribute)) return false;
    if (!attribute.reference.empty()) {
      references_.push_back(std::move(attribute));
    } else if (!attribute.graphs.empty()) {
      graphs_.push_back(std::move(attribute));
    } else {
      attributes.push_back(std::move(attribute));
    }
  }
  if (!source_.Whole(r, "a node")) return false;
  std::ranges::stable_sort(attributes, {}, &OnnxAttribute::name);
  AttrMap map;
  for (OnnxAttribute& a : attributes) map.Set(std::string(a.name), std::move(a.value));
  *id = graph_.AddAttrs(std::move(map));
  if (shared && graphs_.empty() && references_.empty()) {
    attr_table_.Fill(place, hash, static_cast<uint32_t>(attr_sets_.size()));
    attr_sets_.push_back({bytes, *id});
  }
  return true;
}

// ---- Names -----------------------------------------------------------------------------------------------

ValueId GraphReader::Find(const Scope& scope, std::string_view name, uint32_t hash) const {
  for (const Scope* s = &scope; s != nullptr; s = s->around) {
    if (s->names.size() == 0) continue;
    const size_t place = s->names.Probe(hash, [&](uint32_t id) { return graph_.name(ValueId{id}) == name; });
    if (const uint32_t id = s->names.at(place); id != NameTable::kNone) return ValueId{id};
  }
  return kNoValue;
}

ValueId GraphReader::Use(Scope& scope, std::string_view name) {
  if (name.empty()) return kNoValue;
  const uint32_t hash = Hash(name);
  scope.names.Reserve(1);
  const size_t place = scope.names.Probe(hash, [&](uint32_t id) { return graph_.name(ValueId{id}) == name; });
  if (const uint32_t id = scope.names.at(place); id != NameTable::kNone) [[likely]]
    return ValueId{id};
  if (scope.around != nullptr) {
    if (const ValueId outside = Find(*scope.around, name, hash); outside != kNoValue) return outside;
  }
  const ValueId missing = graph_.AddValue(scope.region, name);
  scope.missing.push_back(missing);
  scope.names.Fill(place, hash, Index(missing));
  return missing;
}

void GraphReader::Name(Scope& scope, std::string_view name, ValueId value) {
  if (name.empty()) return;
  const uint32_t hash = Hash(name);
  scope.names.Reserve(1);
  const size_t place = scope.names.Probe(hash, [&](uint32_t id) { return graph_.name(ValueId{id}) == name; });
  scope.names.Fill(place, hash, Index(value));
}

// The places of the results are looked up before there are values, so that a name which is there already,
// used too early or made twice, is met in time; mostly none is, and the places are filled.
NodeId GraphReader::AddNode(Scope& scope, const Graph::NodeSpec& spec) {
  places_.clear();
  hashes_.clear();
  scope.names.Reserve(results_.size());
  for (const std::string_view name : results_) {
    const uint32_t hash = Hash(name);
    const size_t place =
        scope.names.Probe(hash, [&](uint32_t id) { return graph_.name(ValueId{id}) == name; });
    if (scope.names.at(place) != NameTable::kNone) return AddNodeForKnown(scope, spec);
    places_.push_back(place);
    hashes_.push_back(hash);
  }
  const auto first = static_cast<uint32_t>(graph_.value_count());
  const NodeId node = graph_.AddNode(scope.region, spec, operands_, results_);
  for (size_t i = 0; i < results_.size(); ++i) {
    if (results_[i].empty()) continue;
    const auto id = static_cast<uint32_t>(first + i);
    size_t place = places_[i];
    if (scope.names.at(place) != NameTable::kNone) {  // filled by a result of the same node
      place = scope.names.Probe(hashes_[i],
                                [&](uint32_t other) { return graph_.name(ValueId{other}) == results_[i]; });
      if (scope.names.at(place) != NameTable::kNone) ReportDuplicate(spec, results_[i]);
    }
    scope.names.Fill(place, hashes_[i], id);
  }
  return node;
}

NodeId GraphReader::AddNodeForKnown(Scope& scope, const Graph::NodeSpec& spec) {
  std::vector<ValueId> values;
  for (const std::string_view name : results_) {
    if (name.empty()) {
      values.push_back(graph_.AddValue(scope.region, name));
      continue;
    }
    const uint32_t hash = Hash(name);
    const size_t place =
        scope.names.Probe(hash, [&](uint32_t id) { return graph_.name(ValueId{id}) == name; });
    const ValueId known{scope.names.at(place)};
    const bool awaited = known != kNoValue && graph_.role(known) == ValueRole::kMissing &&
                         std::ranges::find(values, known) == values.end();
    if (known != kNoValue && !awaited) ReportDuplicate(spec, name);
    values.push_back(awaited ? known : graph_.AddValue(scope.region, name));
    scope.names.Fill(place, hash, Index(values.back()));
  }
  return graph_.AddNodeFor(scope.region, spec, operands_, values);
}

// ---- What is wrong ---------------------------------------------------------------------------------------

void GraphReader::ReportDuplicate(const Graph::NodeSpec& spec, std::string_view value) {
  Diagnostic d;
  d.code = Code::kDuplicateName;
  d.severity = Severity::kWarning;
  d.message = fmt::format("there is a value '{}' already; from here on the name means this one", value);
  d.node = spec.name;
  d.op = graph_.op(spec.op).name;
  d.index = spec.position;
  source_.Report(std::move(d));
}

void GraphReader::ReportMissing(Scope& scope) {
  std::vector<std::string_view> candidates;
  for (const ValueId value : scope.missing) {
    if (graph_.role(value) != ValueRole::kMissing) continue;
    NodeId user = kNoNode;
    graph_.ForEachUse(value, [&](NodeId node, size_t) { user = node; });
    Diagnostic d;
    d.code = Code::kMissingValue;
    if (user == kNoNode) {
      d.message = fmt::format("output '{}' is made by no input, initializer or node", graph_.name(value));
    } else {
      d.message = fmt::format("'{}' is used, but no input, initializer or node makes it", graph_.name(value));
      d.node = graph_.name(user);
      d.op = graph_.op_name(user);
      d.index = graph_.position(user);
    }
    if (missing_reported_++ < kMaxSuggestions) {
      if (candidates.empty()) {
        for (uint32_t i = 0; i < graph_.value_count(); ++i) {
          if (graph_.role(ValueId{i}) != ValueRole::kMissing) candidates.push_back(graph_.name(ValueId{i}));
        }
      }
      const std::string_view nearest = NearestName(graph_.name(value), candidates);
      if (!nearest.empty()) d.help = fmt::format("is '{}' meant?", nearest);
    }
    source_.Report(std::move(d));
  }
  scope.missing = {};
}

}  // namespace dimwise
