// Reads the nodes of a graph, and resolves the names that they define and use.
#include <fmt/format.h>
#include <tsl/robin_set.h>

#include <algorithm>

#include "core/base/failure.h"
#include "core/base/nearest_name.h"
#include "core/base/same_bytes.h"
#include "formats/onnx/graph_reader.h"
#include "formats/onnx/onnx_fields.h"
#include "graph/program_names.h"

namespace dimwise {
namespace {

// A smaller hash table fits the cache, so prefetching does not help.
constexpr size_t kManyNodes = 10000;
constexpr uint32_t kAhead = 16;
// The limit on missing values that get a suggestion, because each takes a search for the nearest name.
constexpr size_t kMaxSuggestions = 16;

}  // namespace

// Most results are new names. In a large hash table their entries are not in the cache, so they are
// prefetched a few nodes ahead.
bool GraphReader::ReadNodes(Scope& scope, const Fields& nodes) {
  scope.names.Reserve(1);
  // GCC considers a function that only prefetches free of side effects and would drop the call. Hence
  // always_inline.
  const auto look_ahead = [&](std::string_view node) __attribute__((always_inline)) {
    WireReader r(node);
    while (r.Take(onnx_fields::node::kInput)) {
    }
    if (r.Take(onnx_fields::node::kOutput)) scope.names.Prefetch(hash_(r.bytes()));
  };
  WireReader ahead(nodes.count >= kManyNodes ? nodes.bytes : std::string_view());
  uint32_t seen = 0, position = 0;
  return nodes.ForEach([&](std::string_view bytes) {
    while (seen < position + kAhead && ahead.Next()) {
      if (ahead.tag() != nodes.tag) continue;
      look_ahead(ahead.bytes());
      ++seen;
    }
    if (graph_.value_count() > UINT32_MAX - (uint32_t{1} << 28)) {
      source_.Damage(source_.OffsetOf(bytes.data()), "a graph", "it has too many values");
      return false;
    }
    return ReadNode(scope, bytes, position++);
  });
}

bool GraphReader::ReadNode(Scope& scope, std::string_view bytes, uint32_t position) {
  namespace f = onnx_fields::node;
  operands_.clear();
  results_.clear();
  Graph::NodeSpec spec;
  spec.position = position;
  std::string_view type, domain, overload;
  Fields attrs;
  WireReader r(bytes);
  do {
    while (r.Take(f::kInput)) operands_.push_back(Use(scope, r.bytes()));
    while (r.Take(f::kOutput)) results_.push_back(r.bytes());
    if (r.Take(f::kName)) spec.name = r.bytes();
    if (r.Take(f::kOpType)) type = r.bytes();
    while (r.Take(f::kAttribute)) attrs.Add(r.whole());
    if (r.Take(f::kDomain)) domain = r.bytes();
    if (r.Take(f::kOverload)) overload = r.bytes();
  } while (r.NextRound());
  if (!source_.Whole(r, "a node")) return false;
  spec.op = FindOp(domain, type, overload);
  if (attrs.count > 0 && !attributes_.Read(attrs.bytes, attrs.count, &spec.attrs)) return false;
  const NodeId node = AddNode(scope, spec);
  if (attrs.count == 0) return true;
  for (const OnnxAttribute& a : attributes_.references()) graph_.ReferToAttr(node, a.name, a.reference);
  for (const OnnxAttribute& a : attributes_.graphs()) {
    for (size_t i = 0; i < a.graphs.size(); ++i) {
      const std::string_view name =
          a.list_of_graphs ? graph_.StoreCopy(fmt::format("{}[{}]", a.name, i)) : a.name;
      pending_.push_back({node, name, a.graphs[i], &scope});
    }
  }
  return true;
}

inline OpId GraphReader::FindOp(std::string_view domain, std::string_view type, std::string_view overload) {
  op_table_.Reserve(1);
  uint32_t hash = hash_(type);
  if (!domain.empty()) hash = hash * 5 + hash_(domain);
  if (!overload.empty()) hash = hash * 5 + hash_(overload);
  const size_t place = op_table_.Probe(hash, [&](uint32_t i) {
    const KnownOp& op = ops_[i];
    return SameBytes(op.type, type) && SameBytes(op.domain, domain) && SameBytes(op.overload, overload);
  });
  if (const uint32_t known = op_table_.at(place); known != NameTable::kNone) [[likely]]
    return ops_[known].id;
  op_table_.Fill(place, hash, static_cast<uint32_t>(ops_.size()));
  return AddOp(domain, type, overload);
}

OpId GraphReader::AddOp(std::string_view domain, std::string_view type, std::string_view overload) {
  const std::string_view set = domain == "ai.onnx" ? std::string_view() : domain;
  int version = 0;
  if (const auto it = opsets_.find(set); it != opsets_.end()) {
    version = it->second;
  } else if (set.empty() && ir_version_ < 3) {
    version = 1;  // models that predate versions of operator sets
  } else if (reported_domains_.insert({set, true}).second) {
    source_.Report(Severity::kWarning, Code::kBadModel,
                   fmt::format("operator {} is of the domain '{}', for which the model imports no version",
                               type, domain));
  }
  std::string name(set.empty() ? "onnx" : set);
  name += '.';
  name += type;
  if (!overload.empty()) (name += ':') += overload;
  const OpId id = graph_.UseOp(name, version);
  ops_.push_back({domain, type, overload, id});
  return id;
}

// ---- Names ----

ValueId GraphReader::Find(const Scope& scope, std::string_view name, uint32_t hash) const {
  for (const Scope* s = &scope; s != nullptr; s = s->around) {
    if (s->names.size() == 0) continue;
    if (const uint32_t id = s->names.at(Probe(*s, name, hash)); id != NameTable::kNone) return ValueId{id};
  }
  return kNoValue;
}

ValueId GraphReader::UseFromAround(Scope& scope, std::string_view name, uint32_t hash) {
  if (scope.around != nullptr) {
    if (const ValueId outside = Find(*scope.around, name, hash); outside != kNoValue) return outside;
  }
  const ValueId missing = graph_.AddValue(scope.region, name);
  scope.missing.push_back(missing);
  Name(scope, name, missing);
  return missing;
}

void GraphReader::Name(Scope& scope, std::string_view name, ValueId value) {
  if (name.empty()) return;
  const uint32_t hash = hash_(name);
  scope.names.Reserve(1);
  const size_t place = Probe(scope, name, hash);
  scope.names.Fill(place, hash, Index(value));
}

inline NodeId GraphReader::AddNode(Scope& scope, const Graph::NodeSpec& spec) {
  if (!scope.missing.empty() && MakesMissing(scope)) return AddNodeForMissing(scope, spec);
  scope.names.Reserve(results_.size());
  auto id = static_cast<uint32_t>(graph_.value_count());
  const NodeId node = graph_.AddNode(scope.region, spec, operands_, results_);
  for (const std::string_view name : results_) {
    if (!name.empty()) {
      const uint32_t hash = hash_(name);
      const size_t place = Probe(scope, name, hash);
      if (scope.names.at(place) != NameTable::kNone) ReportDuplicate(spec, name);
      scope.names.Fill(place, hash, id);
      scope.latest = ValueId{id};
    }
    ++id;
  }
  return node;
}

// Returns whether the current node defines a name that was used before.
bool GraphReader::MakesMissing(const Scope& scope) const {
  return std::ranges::any_of(results_, [&](std::string_view name) {
    const uint32_t known = scope.names.at(Probe(scope, name, hash_(name)));
    return known != NameTable::kNone && graph_.role(ValueId{known}) == ValueRole::kMissing;
  });
}

NodeId GraphReader::AddNodeForMissing(Scope& scope, const Graph::NodeSpec& spec) {
  scope.names.Reserve(results_.size());
  std::vector<ValueId> values;
  tsl::robin_set<uint32_t> made;  // values defined here that were used before
  for (const std::string_view name : results_) {
    if (name.empty()) {
      values.push_back(graph_.AddValue(scope.region, name));
      continue;
    }
    const uint32_t hash = hash_(name);
    const size_t place = Probe(scope, name, hash);
    const ValueId known{scope.names.at(place)};
    const bool awaited =
        known != kNoValue && graph_.role(known) == ValueRole::kMissing && made.insert(Index(known)).second;
    if (known != kNoValue && !awaited) ReportDuplicate(spec, name);
    values.push_back(awaited ? known : graph_.AddValue(scope.region, name));
    scope.names.Fill(place, hash, Index(values.back()));
    scope.latest = values.back();
  }
  return graph_.AddNodeFor(scope.region, spec, operands_, values);
}

// ---- Findings ----

void GraphReader::ReportDuplicate(const Graph::NodeSpec& spec, std::string_view value) {
  Diagnostic d;
  d.code = Code::kDuplicateName;
  d.severity = Severity::kWarning;
  d.message = fmt::format("there is already a value '{}'; later uses of the name refer to this one", value);
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
      d.message = fmt::format("no input, initializer or node defines output '{}'", graph_.name(value));
    } else {
      d.message =
          fmt::format("'{}' is used, but no input, initializer or node defines it", graph_.name(value));
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
      if (!nearest.empty()) d.help = fmt::format("did you mean '{}'?", nearest);
    }
    source_.Report(std::move(d));
  }
  scope.missing = {};
}

// Inference cuts a cycle and continues, but a runtime rejects the model.
void GraphReader::ReportCycles() {
  if (graph_.in_order()) return;
  for (uint32_t r = 0; r < graph_.region_count(); ++r) {
    std::vector<NodeId> cut;
    graph_.Order(RegionId{r}, &cut);
    std::ranges::sort(cut);
    for (const NodeId node : cut) {
      const std::string_view name = graph_.name(node);
      const std::span<const ValueId> results = graph_.results(node);
      const std::string_view result = results.empty() ? "" : graph_.name(results[0]);
      Diagnostic d = MakeDiagnostic(
          Code::kBadModel, fmt::format("{} '{}' depends on its own result{}: it is on a cycle",
                                       ShortName(graph_.op_name(node)),
                                       name.empty() ? fmt::format("#{}", graph_.position(node)) : name,
                                       result.empty() ? "" : fmt::format(" '{}'", result)));
      d.help = "an ONNX graph must not contain cycles; use Loop or Scan for repeated nodes";
      d.node = graph_.name(node);
      d.op = graph_.op_name(node);
      d.index = graph_.position(node);
      source_.Report(std::move(d));
    }
  }
}

}  // namespace dimwise
