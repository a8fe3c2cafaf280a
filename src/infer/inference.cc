#include "dimwise/inference.h"

#include "infer/check_list.h"
#include "infer/engine.h"
#include "infer/simplified_type.h"

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

Type Inference::type(ValueId value) const {
  return SimplifiedType(engine_->analysis(), engine_->type(value), engine_->scope(graph().region(value)));
}
Value Inference::contents(ValueId value) const { return engine_->contents(value); }
ScopeId Inference::scope(RegionId region) const { return engine_->scope(region); }
bool Inference::certain(RegionId region) const { return engine_->certain(region); }
uint64_t Inference::visit_count() const { return engine_->visit_count(); }

}  // namespace dimwise
