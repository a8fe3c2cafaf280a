#include "report/models/model_json.h"

#include <fmt/format.h>

#include <optional>
#include <unordered_map>

#include "core/dims/symbol_walk.h"
#include "dimwise/report.h"
#include "infer/engine/state/program_state.h"
#include "report/models/node_json.h"
#include "report/models/node_selection.h"
#include "report/models/symbol_descriptions.h"
#include "report/text/symbol_facts.h"
#include "report/text/type_json.h"

namespace dimwise {
namespace {

// Visits all values that reports contain. A name is "x" for an input, or "loop.body/x" in a region.
template <typename F>
void ForEachValue(const ModelReport& report, F&& visit) {
  const Graph& graph = report.graph();
  const auto visit_if_printed = [&](ValueId value) {
    if (report.names.IsReported(value)) visit(value);
  };
  for (uint32_t r = 0; r < graph.region_count(); ++r) {
    const RegionId region{r};
    for (const ValueId value : graph.inputs(region)) visit_if_printed(value);
    for (const ValueId value : graph.constants(region)) visit_if_printed(value);
    for (const NodeId node : graph.nodes(region)) {
      if (!graph.Has(node)) continue;
      for (const ValueId value : graph.results(node)) visit_if_printed(value);
    }
  }
}

// Replaces the node in the origin of a generated symbol by its name, or by its position if the name is not
// unique.
void NameOrigin(const ModelReport& report, SymbolFacts& facts) {
  const Graph& graph = report.graph();
  const SymbolKey* key = report.dims().KeyOf(facts.symbol);
  if (key == nullptr || key->value == 0 || !graph.Has(NodeId{key->value - 1})) return;
  const NodeId node{key->value - 1};
  const auto origin = [&](std::string_view name, std::string_view op) {
    return fmt::format("node {} ({})", name, op);
  };
  const std::string own =
      graph.name(node).empty() ? fmt::format("#{}", graph.position(node)) : std::string(graph.name(node));
  const std::string_view op = ShortName(graph.op_name(node));
  // A node with regions has no definition, so its origin has no operator.
  if (facts.origin == origin(own, op) || facts.origin == origin(own, "?")) {
    facts.origin = origin(report.names.Node(node), op);
  }
}

// Finds origins for symbols without one. A symbol of a built graph gets the first input with it. A symbol for
// a computation gets the first node whose result contains it.
class FirstMentions {
 public:
  explicit FirstMentions(const ModelReport& report) : report_(report), walk_(report.dims()) {
    const Graph& graph = report.graph();
    for (const ValueId input : graph.inputs(graph.body())) {
      const Type type = report.inference.state().type(input);  // before it was merged with another size
      if (!type.is_tensor() || !HasRank(type)) continue;
      for (int axis = 0; axis < type.shape.rank(); ++axis) {
        inputs_.insert({type.shape[axis], fmt::format("input {}, axis {}", graph.name(input), axis)});
      }
    }
    ForEachValue(report, [&](ValueId value) {
      if (graph.role(value) != ValueRole::kResult) return;
      const Type whole = report.type(value);
      const Type& type = CountedType(whole);
      if (!type.is_tensor() || !HasRank(type)) return;
      for (const Dim d : type.shape.dims()) Mention(d, graph.maker(value));
    });
    for (const ResidualGuard& guard : report.inference.guards()) {
      for (const Clause& clause : guard.condition.clauses) {
        for (const Literal& literal : clause) Mention(literal.value, guard.node);
      }
    }
  }

  std::string OriginOf(Dim symbol) const {
    if (const auto input = inputs_.find(symbol); input != inputs_.end()) return input->second;
    const auto it = nodes_.find(symbol);
    if (it == nodes_.end()) return "";
    return fmt::format("node {} ({})", report_.names.Node(it->second),
                       ShortName(report_.graph().op_name(it->second)));
  }

 private:
  void Mention(Dim d, NodeId node) {
    walk_.Visit(d, [&](Dim symbol) {
      nodes_.insert({symbol, node});
      return true;
    });
  }

  const ModelReport& report_;
  SymbolWalk walk_;
  std::unordered_map<Dim, std::string> inputs_;
  std::unordered_map<Dim, NodeId> nodes_;
};

// Collects the symbols. They are written first, but found only by visiting everything else.
std::vector<SymbolFacts> CollectSymbols(const ModelReport& report) {
  const Graph& graph = report.graph();
  SymbolCollector symbols(graph.analysis(), {});
  for (const ValueId input : graph.inputs(graph.body())) {
    symbols.Mention(
        report.inference.state().type(input));  // as given, before it was merged with another size
  }
  ForEachValue(report, [&](ValueId value) {
    symbols.set_scope(report.inference.scope(graph.region(value)));
    symbols.Mention(report.type(value));
  });
  for (const ResidualGuard& guard : report.inference.guards()) {
    symbols.set_scope(report.inference.scope(graph.region(guard.node)));
    symbols.Mention(guard.condition);
  }
  std::vector<SymbolFacts> all = symbols.Collect();
  std::optional<FirstMentions> mentions;
  SymbolDescriptions descriptions(report);
  for (SymbolFacts& facts : all) {
    NameOrigin(report, facts);
    facts.description = descriptions.Of(facts.symbol);
    if (!facts.origin.empty()) continue;
    if (!mentions) mentions.emplace(report);
    facts.origin = mentions->OriginOf(facts.symbol);
  }
  return all;
}

void WriteValue(JsonWriter& json, const ModelReport& report, ValueId value) {
  const Type type = report.type(value);
  json.Key(report.names.Value(value));
  json.BeginObject();
  if (type.kind == TypeKind::kTensor || type.kind == TypeKind::kUnknown) {
    json.Key("kind");
    json.String("tensor");
  }
  WriteTypeFields(json, report.dims(), type);
  json.EndObject();
}

void WriteValues(JsonWriter& json, const ModelReport& report) {
  json.BeginObject();
  ForEachValue(report, [&](ValueId value) { WriteValue(json, report, value); });
  json.EndObject();
}

// Writes the operands and results of these nodes.
void WriteValuesOf(JsonWriter& json, const ModelReport& report, std::span<const NodeId> nodes) {
  const Graph& graph = report.graph();
  std::vector<bool> is_written(graph.value_count());
  json.BeginObject();
  for (const NodeId node : nodes) {
    for (const std::span<const ValueId> values : {graph.operands(node), graph.results(node)}) {
      for (const ValueId value : values) {
        if (value == kNoValue || !report.names.IsReported(value) || is_written[Index(value)]) continue;
        is_written[Index(value)] = true;
        WriteValue(json, report, value);
      }
    }
  }
  json.EndObject();
}

// Writes the guards of the whole program, or those of nodes that may not run.
void WriteGuards(JsonWriter& json, const ModelReport& report, bool certain) {
  json.BeginArray();
  for (const ResidualGuard& guard : report.inference.guards()) {
    if (report.inference.certain(guard.node) != certain) continue;
    WriteGuard(json, report.dims(), {guard.condition, guard.message, guard.code},
               report.names.Node(guard.node), report.Within(guard.node), report.OperandNames(guard.node));
  }
  json.EndArray();
}

void WriteAssumptions(JsonWriter& json, const ModelReport& report) {
  json.BeginArray();
  for (const Assumption& a : report.inference.assumptions()) {
    if (!a.is_used) continue;
    const Guard guard{Condition{{a.clause}}, a.message(), Code::kAssumption};
    if (a.node == kNoNode) {
      WriteGuard(json, report.dims(), guard, "");
    } else {
      WriteGuard(json, report.dims(), guard, report.names.Node(a.node), "", report.OperandNames(a.node));
    }
  }
  json.EndArray();
}

// Writes the contents that inputs were given, if there are any.
void WriteInputContents(JsonWriter& json, const ModelReport& report) {
  const std::vector<ValueId> inputs = report.inference.inputs_with_contents();
  if (inputs.empty()) return;
  json.Key("input_contents");
  json.BeginObject();
  for (const ValueId input : inputs) {
    const Value contents = report.inference.contents(input);
    json.Key(report.names.Value(input));
    WriteContents(json, report.dims(), contents);
  }
  json.EndObject();
}

}  // namespace

void WriteFailedModel(JsonWriter& json, std::string_view file, const Diagnostic& failure) {
  json.BeginObject();
  json.Key("dimwise");
  json.Int(kFormatVersion);
  json.Key("model");
  json.BeginObject();
  json.Key("format");
  json.Null();
  json.Key("name");
  json.String("");
  json.Key("file");
  json.String(file);
  json.Key("nodes");
  json.Int(0);
  json.EndObject();
  json.Key("diagnostics");
  json.BeginArray();
  WriteDiagnostic(json, failure);
  json.EndArray();
  json.EndObject();
}

void WriteModelHead(JsonWriter& json, const ModelReport& report) {
  json.Key("dimwise");
  json.Int(kFormatVersion);
  json.Key("model");
  json.BeginObject();
  json.Key("format");
  json.String(report.format);
  json.Key("name");
  json.String(report.graph().name());
  json.Key("file");
  json.String(report.file);
  json.Key("nodes");
  json.Int(static_cast<int64_t>(report.stats.nodes));
  json.EndObject();
}

void WriteStats(JsonWriter& json, const ModelStats& stats, bool with_nodes) {
  json.BeginObject();
  const auto field = [&](std::string_view key, size_t count) {
    json.Key(key);
    json.Int(static_cast<int64_t>(count));
  };
  if (with_nodes) field("nodes", stats.nodes);
  field("values", stats.values);
  field("ranked", stats.ranked);
  field("static", stats.constant);
  field("symbolic", stats.symbolic);
  field("unknown", stats.unknown);
  json.EndObject();
}

void WriteModel(JsonWriter& json, const ModelReport& report, unsigned parts,
                const std::vector<Diagnostic>* diagnostics) {
  if (diagnostics == nullptr && (parts & kDiagnosticsPart) != 0) diagnostics = &report.findings;
  json.BeginObject();
  WriteModelHead(json, report);
  if ((parts & kValuesPart) != 0) {
    json.Key("inputs");
    WriteValueNames(json, report, report.graph().inputs(report.graph().body()));
    json.Key("outputs");
    WriteValueNames(json, report, report.graph().outputs(report.graph().body()));
  }
  if ((parts & kSymbolsPart) != 0) {
    json.Key("symbols");
    WriteSymbols(json, report.dims(), CollectSymbols(report));
  }
  if ((parts & kValuesPart) != 0) {
    json.Key("values");
    WriteValues(json, report);
  }
  if ((parts & kNodesPart) != 0) {
    json.Key("nodes");
    WriteNodes(json, report, SelectNodes(report));
  }
  if (diagnostics != nullptr) {
    json.Key("diagnostics");
    json.BeginArray();
    for (const Diagnostic& finding : *diagnostics) WriteDiagnostic(json, finding);
    json.EndArray();
  }
  if ((parts & kGuardsPart) != 0) {
    json.Key("checks");
    WriteGuards(json, report, /*certain=*/true);
    json.Key("conditional_checks");
    WriteGuards(json, report, /*certain=*/false);
  }
  if ((parts & kAssumptionsPart) != 0) {
    json.Key("assumptions");
    WriteAssumptions(json, report);
    WriteInputContents(json, report);
  }
  if ((parts & kStatsPart) != 0) {
    json.Key("stats");
    WriteStats(json, report.stats);
  }
  json.EndObject();
}

void WriteNodeSelection(JsonWriter& json, const ModelReport& report, std::span<const NodeId> nodes) {
  json.BeginObject();
  WriteModelHead(json, report);
  json.Key("symbols");
  WriteSymbols(json, report.dims(), CollectSymbols(report));
  json.Key("values");
  WriteValuesOf(json, report, nodes);
  json.Key("nodes");
  WriteNodes(json, report, nodes);
  json.EndObject();
}

std::string InferenceAsJson(const Inference& inference) {
  std::string text;
  JsonWriter json(&text);
  WriteModel(json, ReportOf(inference));
  return text + "\n";
}

}  // namespace dimwise
