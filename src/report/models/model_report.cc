#include "report/models/model_report.h"

#include <tsl/robin_set.h>

#include <algorithm>
#include <map>

#include "core/types/known_parts.h"
#include "infer/engine/guard_list.h"
#include "infer/engine/state/program_state.h"
#include "report/models/declared_types.h"
#include "report/text/text_style.h"

namespace dimwise {
namespace {

constexpr size_t kSideWidth = 76;  // of an operand in a message, with its contents

// Returns where an operand comes from: "from Reshape 'q_heads'", "an input", "a constant".
std::string ReasonOf(const ModelReport& report, ValueId value) {
  const Graph& graph = report.graph();
  switch (graph.role(value)) {
    case ValueRole::kInput:
      return graph.region(value) == graph.body() ? "an input" : "an input of the sub-graph";
    case ValueRole::kConstant:
      return "a constant";
    case ValueRole::kResult: {
      const NodeId maker = graph.maker(value);
      return "from " + std::string(ShortName(graph.op_name(maker))) + " '" + report.names.Node(maker) + "'";
    }
    case ValueRole::kMissing:
      break;
  }
  return "made by nothing";
}

// Adds information that a shape function does not have: the file, the names of the tensors, and their
// origins.
Diagnostic Placed(const ModelReport& report, NodeId node, Diagnostic finding) {
  const Graph& graph = report.graph();
  finding.source.file = report.file;
  finding.node = report.names.Node(node);
  finding.op = ShortName(graph.op_name(node));
  finding.index = graph.position(node);
  std::vector<ValueId> given;
  for (const ValueId v : graph.operands(node)) {
    if (v != kNoValue) given.push_back(v);
  }
  if (finding.sides.size() != given.size()) return finding;  // the sides do not correspond to the operands
  for (size_t i = 0; i < given.size(); ++i) {
    Side& side = finding.sides[i];
    side.value = Clipped("'" + std::string(graph.name(given[i])) + "' " + side.value, kSideWidth);
    if (side.reason.empty()) side.reason = ReasonOf(report, given[i]);
  }
  return finding;
}

// Names generated symbols in program order. A symbol is named when it is first printed, so all formats agree
// on the names.
void NameUnknowns(DimTable& dims, std::span<const Type> types) {
  tsl::robin_set<uint32_t> named;
  Shape last;
  for (const Type& type : types) {
    const Type& counted = CountedType(type);
    if (!IsRanked(counted) || counted.shape == last) continue;
    last = counted.shape;
    for (const Dim d : last.dims()) {
      if (d.is_expression() && named.insert(d.id()).second) (void)dims.ToString(d);
    }
  }
}

}  // namespace

ModelReport::ModelReport(std::string file_name, std::string format_name, const Inference& found,
                         bool distinct_values)
    : file(std::move(file_name)),
      format(std::move(format_name)),
      inference(found),
      names(found.graph(), distinct_values) {
  const Graph& program = graph();
  for (uint32_t i = 0; i < program.node_count(); ++i) stats.nodes += program.Has(NodeId{i}) ? 1u : 0u;
  for (uint32_t r = 0; r < program.region_count(); ++r) {
    const std::span<const NodeId> nodes = program.nodes(RegionId{r});
    reached_.push_back(r == 0 || nodes.empty() ||
                       std::ranges::any_of(nodes, [&](NodeId n) { return inference.state().visited(n); }));
  }
  types_.reserve(program.value_count());
  std::map<ValueId, Diagnostic> disagreements;
  for (uint32_t i = 0; i < program.value_count(); ++i) {
    const ValueId value{i};
    types_.push_back(inference.type(value));
    if (names.IsReported(value) && reached(value)) CountValue(types_.back(), stats);
    if (program.role(value) != ValueRole::kResult) continue;
    if (auto disagreement = Disagreement(*this, value))
      disagreements.emplace(value, std::move(*disagreement));
  }
  NameUnknowns(dims(), types_);
  for (const Graph::Mistake& mistake : program.mistakes()) {
    findings.push_back(mistake.node == kNoNode ? mistake.diagnostic
                                               : Placed(*this, mistake.node, mistake.diagnostic));
  }
  const ProgramState& state = inference.state();
  if (disagreements.empty() && state.effects.empty()) return;
  ForEachInOrder(program, [&](NodeId node) {
    if (const NodeEffects* record = state.effects_of(node); record != nullptr) {
      for (const Diagnostic& finding : record->findings) findings.push_back(Placed(*this, node, finding));
    }
    for (const ValueId result : program.results(node)) {
      const auto it = disagreements.find(result);
      if (it != disagreements.end()) findings.push_back(std::move(it->second));
    }
  });
}

std::vector<std::string> ModelReport::OperandNames(NodeId node) const {
  std::vector<std::string> operands;
  for (const ValueId v : graph().operands(node)) {
    if (v != kNoValue) operands.push_back(names.Value(v));
  }
  return operands;
}

std::string ModelReport::Within(NodeId node) const {
  std::string within = names.Prefix(graph().region(node));
  if (!inference.state().live(node)) return within + "unused";
  if (!within.empty()) within.pop_back();  // remove the slash
  return within;
}

bool ModelReport::has_errors() const {
  return std::ranges::any_of(findings, [](const Diagnostic& f) { return f.severity == Severity::kError; });
}

ModelReport ReportOf(const Inference& inference) {
  const std::string_view name = inference.graph().name();
  return {name.empty() ? "the graph" : std::string(name), "graph", inference};
}

void AddReaderFindings(ModelReport& report, std::vector<Diagnostic> findings) {
  for (Diagnostic& finding : findings) {
    if (finding.source.file.empty()) finding.source.file = report.file;
    if (!finding.op.empty()) finding.op = ShortName(finding.op);
  }
  report.findings.insert(report.findings.begin(), std::make_move_iterator(findings.begin()),
                         std::make_move_iterator(findings.end()));
}

std::vector<NodeId> WhereShapesAreLost(const ModelReport& report) {
  if (report.stats.unknown == 0) return {};
  const Graph& graph = report.graph();
  const auto known = [&](ValueId v) { return v == kNoValue || HasRank(CountedType(report.type(v))); };
  std::vector<NodeId> lost;
  ForEachInOrder(graph, [&](NodeId node) {
    if (!report.inference.state().visited(node)) return;
    const bool unknown_result = std::ranges::any_of(
        graph.results(node), [&](ValueId v) { return !graph.name(v).empty() && !known(v); });
    if (unknown_result && std::ranges::all_of(graph.operands(node), known)) lost.push_back(node);
  });
  return lost;
}

// Returns the type to count. Of several elements with different types it is the least known.
const Type& CountedType(const Type& type) {
  const auto rest = [](const Type& t) {
    return !HasRank(t) ? 2 : t.shape.is_none() || t.shape.is_constant() ? 0 : 1;
  };
  const Type* counted = &type;
  while (counted->container != nullptr && counted->kind != TypeKind::kHandle &&
         !counted->container->elements.empty()) {
    counted = &*std::ranges::max_element(counted->container->elements, {}, rest);
  }
  return *counted;
}

void CountValue(const Type& type, ModelStats& stats) {
  ++stats.values;
  const Type& counted = CountedType(type);
  if (!HasRank(counted)) {
    ++stats.unknown;
    return;
  }
  ++stats.ranked;
  ++(!IsRanked(counted) || counted.shape.is_constant() ? stats.constant : stats.symbolic);
}

bool HasRank(const Type& type) {
  return type.kind == TypeKind::kHandle || (!type.shape.is_none() && type.shape.has_rank());
}

}  // namespace dimwise
