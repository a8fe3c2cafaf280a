#include "dimwise/inference.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include "core/base/hash_mix.h"
#include "infer/context/simplified_type.h"
#include "infer/engine/assumptions.h"
#include "infer/engine/engine.h"
#include "infer/engine/guard_list.h"

namespace dimwise {

// Stores simplified shapes: a program has few different ones. An entry is valid while the facts of its scope
// are unchanged.
struct Inference::Simplified {
  struct Key {
    uint32_t shape = 0;
    ScopeId scope{};
    bool operator==(const Key&) const = default;
  };
  struct HashKey {
    size_t operator()(const Key& k) const { return HashMix(k.shape, static_cast<uint64_t>(k.scope)); }
  };
  struct Entry {
    Shape shape;
    uint64_t version = 0;
  };

  Type Of(Analysis& analysis, Type type, ScopeId scope) {
    if (!type.is_tensor() || type.shape.is_none() || type.shape.is_constant() || !type.shape.has_rank()) {
      return SimplifiedType(analysis, type, scope);
    }
    const uint64_t now = analysis.facts().version(scope);
    const auto [it, added] = shapes.insert({Key{type.shape.id(), scope}, {}});
    if (added || it->second.version != now) it.value() = {SimplifiedType(analysis, type, scope).shape, now};
    type.shape = it->second.shape;
    return type;
  }

  tsl::robin_map<Key, Entry, HashKey> shapes;
};

Inference::Inference(const Graph& graph, const OpRegistry& registry, InferenceOptions options)
    : registry_(registry), used_assumptions_(options.used_assumptions) {
  EngineOptions o;
  o.require_shape_functions = options.require_shape_functions;
  o.contents = options.contents;
  o.functions = options.functions;
  o.assume_not_empty = options.assume_not_empty;
  o.backward = options.backward;
  o.program_is_fixed = true;
  o.use_facts_of_dead_nodes = false;
  o.analyses = options.analyses;
  engine_ = std::make_unique<Engine>(graph, registry, o);
  engine_->state().analysis.facts().SetMaxQuerySteps(options.max_query_steps);
  simplified_ = std::make_unique<Simplified>();
}

namespace {

Diagnostic EffortFinding(const ProgramState& state) {
  Diagnostic d;
  d.code = Code::kEffort;
  d.severity = Severity::kWarning;
  d.message = fmt::format(
      "{} queries about sizes were given up, first at this node: results are right, but may be less precise",
      state.analysis.facts().unfinished_queries());
  d.node = state.graph.name(state.first_unfinished);
  d.op = state.graph.op_name(state.first_unfinished);
  d.index = state.graph.position(state.first_unfinished);
  d.help = "allow more steps with --effort high, or simplify the sizes with --set or --assume";
  return d;
}

}  // namespace

void Inference::SetInput(ValueId value, Type type, Value contents) {
  engine_->SetInput(value, type, contents);
}

void Inference::Assume(const Condition& condition) { engine_->Assume(condition); }

void Inference::Run() {
  if (has_run_) {
    engine_->StartAgain();
    engine_->RunToFixedPoint();
  } else {
    engine_->InferAll();
    has_run_ = true;
  }
  assumptions_ = AssumptionsOf(*engine_);
  guards_.reset();
  if (used_assumptions_)
    FindUsed(
        *engine_, [&](ValueId v) { return type(v); }, guards(), &assumptions_);
  findings_.clear();
  for (const Graph::Mistake& mistake : graph().mistakes()) findings_.push_back(mistake.diagnostic);
  for (const NodeId node : NodesWithEffects(state())) {
    if (state().never_runs(node)) continue;
    const std::vector<Diagnostic>& found = state().effects_of(node)->findings;
    findings_.insert(findings_.end(), found.begin(), found.end());
  }
  if (state().first_unfinished != kNoNode) findings_.push_back(EffortFinding(state()));
}

const std::vector<ResidualGuard>& Inference::guards() const {
  if (!guards_) guards_ = GuardsOf(state(), NodesWithEffects(state()));
  return *guards_;
}

const Graph& Inference::graph() const { return state().graph; }

const ProgramState& Inference::state() const { return engine_->state(); }

Inference::~Inference() = default;

Type Inference::type(ValueId value) const {
  return simplified_->Of(state().analysis, state().type(value), state().scope(graph().region(value)));
}
Value Inference::contents(ValueId value) const { return state().contents(value); }
std::vector<ValueId> Inference::inputs_with_contents() const {
  std::vector<ValueId> given;
  for (const ValueId input : graph().inputs(graph().body())) {
    const Value known = contents(input);
    if (!known.is_none() && known.size() > 0) given.push_back(input);
  }
  return given;
}
ScopeId Inference::scope(RegionId region) const { return state().scope(region); }
bool Inference::certain(RegionId region) const { return state().certain(region); }
bool Inference::certain(NodeId node) const { return state().certain(node); }
uint64_t Inference::visit_count() const { return state().budget.visits; }

}  // namespace dimwise
