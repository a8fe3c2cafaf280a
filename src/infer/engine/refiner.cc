#include "dimwise/refiner.h"

#include "graph/graph_walk.h"
#include "infer/engine/engine.h"
#include "infer/engine/guard_list.h"
#include "infer/error.h"

namespace dimwise {

Refiner::Refiner(Graph& graph, const OpRegistry& registry, RefinerOptions options) : graph_(graph) {
  EngineOptions o;
  o.require_shape_functions = options.require_shape_functions;
  o.contents = options.constant_propagation;
  o.functions = options.function_inference;
  engine_ = std::make_unique<Engine>(graph, registry, o);
}
Refiner::~Refiner() = default;

void Refiner::AddAll() { engine_->InferAll(); }

Status Refiner::AddNode(NodeId node) {
  if (!graph_.Has(node)) return Error(Code::kBadHandle, "there is no node {} in the graph", Index(node));
  engine_->SetUp();
  engine_->Place(node);
  engine_->Visit(node);
  engine_->RunToFixedPoint();
  return status(node);
}

Result<bool> Refiner::UpdateNode(NodeId node) {
  if (!graph_.Has(node)) return Error(Code::kBadHandle, "there is no node {} in the graph", Index(node));
  engine_->SetUp();
  const uint32_t before = engine_->state().schedule.version(node);
  engine_->Place(node);
  engine_->DropAssumingEffects();
  engine_->ReadInputsAgain(node);
  engine_->Visit(node);
  // The carrier of a region reads the results of its nodes.
  if (const NodeId around = MemberAround(graph_, node, graph_.body()); around != node && around != kNoNode)
    engine_->Visit(around);
  engine_->RunToFixedPoint();
  if (Status s = status(node); !s) return std::move(s).TakeError();
  return engine_->state().schedule.version(node) != before;
}

Status Refiner::SetShape(ValueId value, Shape shape) {
  if (!graph_.Has(value)) return Error(Code::kBadHandle, "there is no value {} in the graph", Index(value));
  if (shape.is_none()) return Error(Code::kBadHandle, "the shape is missing");
  engine_->SetUp();
  if (Status s = engine_->SetType(value, Type::Tensor(ElementType::kUnknown, shape)); !s) return s;
  engine_->RunToFixedPoint();
  return {};
}

Status Refiner::SetInput(NodeId node, size_t operand, ValueId value) {
  if (Status s = graph_.SetOperand(node, operand, value); !s) return s;
  Result<bool> updated = UpdateNode(node);
  if (!updated) return std::move(updated).TakeError();
  return {};
}

Status Refiner::RemoveNode(NodeId node) {
  if (!graph_.Has(node)) return Error(Code::kBadHandle, "there is no node {} in the graph", Index(node));
  const std::vector<ValueId> results(graph_.results(node).begin(), graph_.results(node).end());
  if (Status s = graph_.RemoveNode(node); !s) return s;
  engine_->Remove(node, results);
  engine_->RunToFixedPoint();
  return {};
}

Type Refiner::type(ValueId value) const { return engine_->state().type(value); }
Value Refiner::contents(ValueId value) const { return engine_->state().contents(value); }
uint32_t Refiner::version(NodeId node) const { return engine_->state().schedule.version(node); }
uint64_t Refiner::visit_count() const { return engine_->state().budget.visits; }

std::vector<ResidualGuard> Refiner::guards() const {
  engine_->SetUp();  // nodes may have been added to the graph since
  return GuardsOf(engine_->state(), NodesWithEffects(engine_->state()));
}

Status Refiner::status(NodeId node) const {
  for (const Graph::Mistake& mistake : graph_.mistakes()) {
    if (mistake.node == node) return Unexpected(mistake.diagnostic);
  }
  const NodeEffects* effects = graph_.Has(node) ? engine_->state().effects_of(node) : nullptr;
  if (effects == nullptr) return {};
  for (const Diagnostic& d : effects->findings) {
    if (d.severity == Severity::kError) return Unexpected(d);
  }
  return {};
}

}  // namespace dimwise
