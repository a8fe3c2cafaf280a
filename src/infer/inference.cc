#include "dimwise/inference.h"

#include "infer/check_list.h"
#include "infer/engine.h"

namespace dimwise {

Inference::Inference(const Graph& graph, const OpRegistry& registry, InferenceOptions options) {
  EngineOptions o;
  o.require_shape_functions = options.require_shape_functions;
  o.contents = options.contents;
  o.functions = options.functions;
  o.assume_not_empty = options.assume_not_empty;
  o.backward = options.backward;
  o.dead_ends_teach = false;
  engine_ = std::make_unique<Engine>(graph, registry, o);
}
Inference::~Inference() = default;

void Inference::SetInput(ValueId value, Type type, Value contents) {
  engine_->SetInput(value, type, contents);
}

void Inference::Assume(const Condition& condition) { engine_->Assume(condition); }

void Inference::Run() {
  engine_->InferAll();
  findings_.clear();
  const std::vector<NodeId> nodes = NodesWithRecords(*engine_);
  for (const NodeId node : nodes) {
    const std::vector<Diagnostic>& found = engine_->record(node)->findings;
    findings_.insert(findings_.end(), found.begin(), found.end());
  }
  checks_ = ChecksOf(*engine_, nodes);
}

const Graph& Inference::graph() const { return engine_->graph(); }

namespace {

Type Simplified(Analysis& analysis, Type type, ScopeId scope) {
  if (type.container != nullptr) {
    Container inside = *type.container;
    for (Type& t : inside.elements) t = Simplified(analysis, t, scope);
    return analysis.types().Make(std::move(inside));
  }
  if (!type.is_tensor() || type.shape.is_none() || type.shape.is_constant() || !type.shape.has_rank())
    return type;
  std::vector<Dim> sizes;
  sizes.reserve(type.shape.dims().size());
  bool changed = false;
  for (const Dim d : type.shape.dims()) {
    sizes.push_back(analysis.facts().Simplify(d, scope));
    changed |= sizes.back() != d;
  }
  if (changed) type.shape = analysis.shapes().Make(sizes);
  return type;
}

}  // namespace

Type Inference::type(ValueId value) const {
  return Simplified(engine_->analysis(), engine_->type(value), engine_->scope(graph().region(value)));
}
Value Inference::contents(ValueId value) const { return engine_->contents(value); }
ScopeId Inference::scope(RegionId region) const { return engine_->scope(region); }
bool Inference::certain(RegionId region) const { return engine_->certain(region); }
uint64_t Inference::visit_count() const { return engine_->visit_count(); }

}  // namespace dimwise
