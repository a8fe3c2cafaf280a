// The nodes of a graph, and the names that they make and use.
#include <fmt/format.h>

#include <algorithm>

#include "core/nearest_name.h"
#include "formats/onnx/graph_reader.h"
#include "formats/onnx/onnx_fields.h"

namespace dimwise {
namespace {

// Larger sets of attributes are read without asking whether there was one like it: they hold weights.
constexpr size_t kMaxSharedAttrs = 512;
// For how many missing values the nearest name is looked for.
constexpr size_t kMaxSuggestions = 16;

}  // namespace

// The name of a result is mostly a new one, so its place in the table is far from what was read last: it is
// asked for some nodes ahead.
bool GraphReader::ReadNodes(Scope& scope, std::string_view nodes, uint32_t tag) {
  uint32_t position = 0;
  Awaited awaited[kAhead];
  uint32_t seen = 0;
  WireReader ahead(nodes);
  scope.names.Reserve(1);
  WireReader r(nodes);
  while (r.Next()) {
    if (r.tag() != tag) continue;
    while (seen < position + kAhead && ahead.Next()) {
      if (ahead.tag() == tag) awaited[seen++ % kAhead] = LookAhead(scope, ahead.bytes());
    }
    first_result_ = awaited[position % kAhead];
    if (graph_.value_count() > UINT32_MAX - (uint32_t{1} << 28)) {
      source_.Damage(source_.OffsetOf(r.whole().data()), "a graph",
                     "it has more values than can be numbered");
      return false;
    }
    if (!ReadNode(scope, r.bytes(), position++)) return false;
  }
  return source_.Whole(r, "a graph");
}

GraphReader::Awaited GraphReader::LookAhead(const Scope& scope, std::string_view node) const {
  WireReader r(node);
  while (r.Next()) {
    if (r.tag() != onnx_fields::node::kOutput) continue;
    const uint32_t hash = Hash(r.bytes());
    scope.names.Prefetch(hash);
    return {r.bytes().data(), hash};
  }
  return {};
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
  std::string name(set.empty() ? "onnx" : set);
  name.append(".").append(type);
  if (!overload.empty()) name.append(":").append(overload);
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
  if (!std::ranges::is_sorted(attributes, {}, &OnnxAttribute::name)) {
    std::ranges::stable_sort(attributes, {}, &OnnxAttribute::name);
  }
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
  // Mostly it is the result of the node before.
  if (scope.latest != kNoValue && graph_.name(scope.latest) == name) return scope.latest;
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
    const uint32_t hash = name.data() == first_result_.name ? first_result_.hash : Hash(name);
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
    scope.latest = ValueId{id};
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
    scope.latest = values.back();
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

// Inference cuts a cycle and goes on, but no runtime does.
void GraphReader::ReportCycles() {
  if (graph_.in_order()) return;
  for (uint32_t r = 0; r < graph_.region_count(); ++r) {
    std::vector<NodeId> cut;
    graph_.Order(RegionId{r}, &cut);
    std::ranges::sort(cut);
    for (const NodeId node : cut) {
      const std::span<const ValueId> results = graph_.results(node);
      Diagnostic d;
      d.code = Code::kBadModel;
      d.message = "the node waits for its own results: it stands on a cycle";
      if (!results.empty() && !graph_.name(results[0]).empty()) {
        const std::string_view name = graph_.name(results[0]);
        d.message = fmt::format("'{}' (byte {}) is computed from itself: the node stands on a cycle", name,
                                source_.OffsetOf(name.data()));
      }
      d.help = "a graph of ONNX has no cycles; what repeats is the body of a Loop or a Scan";
      d.node = graph_.name(node);
      d.op = graph_.op_name(node);
      d.index = graph_.position(node);
      source_.Report(std::move(d));
    }
  }
}

}  // namespace dimwise
