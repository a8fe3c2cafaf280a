#include "infer/program/program_memory.h"

#include "core/values/value_bytes.h"
#include "dimwise/op_registry.h"
#include "infer/engine/state/program_state.h"
#include "infer/operators/node_properties.h"
#include "infer/program/peak_envelope.h"

namespace dimwise {
namespace {

// Returns whether a value is an activation: an input, or a result with a name of a node that runs.
bool Counts(const Inference& inference, ValueId v) {
  const Graph& graph = inference.graph();
  if (IsWeight(inference, v)) return false;
  if (graph.role(v) != ValueRole::kResult) return graph.role(v) == ValueRole::kInput;
  const NodeId maker = graph.maker(v);
  return maker != kNoNode && inference.state().live(maker) && !graph.name(v).empty();
}

PeakEnvelope EnvelopeOf(const std::vector<MemoryStep>& schedule, Facts& facts, ScopeId scope) {
  PeakEnvelope envelope(facts, scope);
  NodeId last = kNoNode;  // the last node that increased the sum
  for (const MemoryStep& step : schedule) {
    for (const Dim bytes : step.begins) envelope.Add(bytes, 1);
    if (!step.begins.empty()) last = step.node;
    if (step.ends.empty()) continue;  // the sum does not decrease before the next step
    envelope.Offer(last);
    for (const Dim bytes : step.ends) envelope.Add(bytes, -1);
  }
  envelope.Offer(last);
  return envelope;
}

}  // namespace

Dim BytesOf(DimTable& dims, const Type& type) {
  if (!type.is_tensor() || type.shape.is_none() || !type.shape.has_rank()) return {};
  const int64_t bits = ByteSize(type.element, 8).value_or(0);  // of one element in memory
  if (bits == 0) return {};
  Dim count = bits % 8 == 0 ? bits / 8 : bits;
  for (const Dim d : type.shape.dims()) count = dims.Multiply(count, d);
  return bits % 8 == 0 ? count : dims.CeilDivide(count, 8);
}

bool IsWeight(const Inference& inference, ValueId value) {
  const Graph& graph = inference.graph();
  if (graph.role(value) == ValueRole::kConstant || graph.has_default(value)) return true;
  if (graph.role(value) != ValueRole::kResult) return false;
  const OpRegistrationData* op = FindRegistration(inference.registry(), graph, graph.maker(value));
  return op != nullptr && op->def.properties.computes == Computation::kConstant;
}

MemoryPeak PeakOf(const Inference& inference, const std::function<Type(ValueId)>& type_of,
                  const std::function<bool(Dim)>& is_known) {
  const Graph& graph = inference.graph();
  DimTable& dims = graph.analysis().dims();
  MemoryPeak peak;
  std::vector<Dim> bytes(graph.value_count());
  for (uint32_t v = 0; v < graph.value_count(); ++v) {
    const ValueRole role = graph.role(ValueId{v});
    if ((role != ValueRole::kInput && role != ValueRole::kResult) || IsWeight(inference, ValueId{v}))
      continue;
    bytes[v] = BytesOf(dims, type_of(ValueId{v}));
    if (!bytes[v].is_none() && !is_known(bytes[v])) bytes[v] = Dim();
    if (bytes[v].is_none() && Counts(inference, ValueId{v})) ++peak.not_counted;
  }
  peak.schedule = MemoryScheduleOf(inference, [&](ValueId v) { return bytes[Index(v)]; });
  const PeakEnvelope envelope =
      EnvelopeOf(peak.schedule, graph.analysis().facts(), inference.scope(graph.body()));
  peak.step_count = envelope.step_count();
  const auto candidates = envelope.Candidates();
  if (!candidates || candidates->size() > MemoryPeak::kMaxCandidates) return peak;
  for (const auto& [node, sum] : *candidates) {
    peak.candidates.push_back({sum.Total(dims), sum.Text(dims), node});
  }
  return peak;
}

}  // namespace dimwise
