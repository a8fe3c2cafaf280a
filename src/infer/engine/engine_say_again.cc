// What one node would say now, asked without a visit: the facts may be others than those that the program has
// settled with, and what is known of all values stays as it is.
#include <utility>

#include "graph/graph_walk.h"
#include "infer/engine/engine.h"

namespace dimwise {

// What the node has said before stays among the facts meanwhile.
std::optional<Engine::Said> Engine::SayAgain(NodeId node) {
  if (!graph_.Has(node) || graph_.carries_regions(node) || guide_ != nullptr || has_cuts_)
    return std::nullopt;
  Resolved& resolved = Resolve(graph_.op_of(node));
  if (!resolved.is_plain || resolved.op == nullptr || !resolved.op->shape_fn) return std::nullopt;
  const Attributes& attributes = AttributesOf(node, resolved);
  if (attributes.error) return std::nullopt;
  ++visits_;
  const size_t operand_count = graph_.operands(node).size();
  std::vector<Type> types(operand_count);
  std::vector<Value> contents(operand_count);
  ReadOperands(node, types, contents);
  if (LooksBack(node, resolved, types)) return std::nullopt;
  const auto made_up = [&] { return analysis_.dims().fresh_count() + analysis_.shapes().unknown_count(); };
  const uint64_t made_up_before = made_up();
  const NodeDescription description = Describe(node, &resolved.op->def, attributes.attrs);
  context_.Reset(description, types, contents);
  const Status status = context_.Run([&](InferenceContext* c) -> Status {
    DIMWISE_RETURN_IF_ERROR(resolved.op->shape_fn(c));
    return RequireIndices(node, resolved, c);
  });
  for (const ConstraintId c : context_.constraints()) analysis_.facts().Retract(c);
  if (made_up() != made_up_before) return std::nullopt;
  Said said{.results = {}, .checks = {}, .fails = !status};
  if (!status) return said;
  for (size_t i = 0; i < graph_.results(node).size(); ++i) {
    const auto result = static_cast<int64_t>(i);
    said.results.push_back(
        {context_.full_output_type(result), options_.contents ? context_.output_value(result) : Value()});
  }
  said.checks.assign(context_.checks().begin(), context_.checks().end());
  return said;
}

}  // namespace dimwise
