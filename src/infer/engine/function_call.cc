// Calls of functions: the graph of the function is inferred for the operands by an engine of its own.
//
// All facts of the body belong to the calling node. Symbols of the body have the path of the call in their
// keys, so a data-dependent size has a different symbol in each call. A body that cannot be inferred leaves
// the results unknown, with a finding.
#include "core/base/hash_mix.h"
#include "infer/engine/engine.h"
#include "infer/engine/guard_list.h"
#include "infer/error.h"

namespace dimwise {
namespace {

Status CheckCall(std::string_view name, const Graph& function, const InferenceContext& context, int nesting) {
  const size_t parameters = function.inputs(function.body()).size();
  const size_t outputs = function.outputs(function.body()).size();
  if (nesting >= kMaxNesting) {
    return Error(Code::kNotSupported,
                 "calls of functions are nested more than {} deep at {}; does it call itself?", kMaxNesting,
                 name);
  }
  if (static_cast<size_t>(context.num_inputs()) > parameters) {
    return Error(Code::kArity, "the function {} takes {} operands; {} are given", name, parameters,
                 context.num_inputs());
  }
  if (static_cast<size_t>(context.num_outputs()) > outputs) {
    return Error(Code::kArity, "the function {} gives {} results; {} are used", name, outputs,
                 context.num_outputs());
  }
  return {};
}

}  // namespace

Status Engine::CallFunction(NodeId node, const Graph& function, InferenceContext* context,
                            NodeEffects* effects) {
  const std::string_view name = graph_.op_name(node);
  DIMWISE_RETURN_IF_ERROR(CheckCall(name, function, *context, state_.nesting));
  uint64_t* const visits_left =
      state_.site.visits_in_calls != nullptr ? state_.site.visits_in_calls : &state_.budget.left_in_calls;
  const uint64_t nodes = function.node_count() + 1;
  if (*visits_left < nodes) {
    return Error(Code::kNotSupported,
                 "the functions of the program call each other so often that {} is not inferred", name);
  }
  *visits_left -= nodes;
  const std::string origin = context->Origin();
  CallSite site;
  site.path = HashMix(state_.site.path, Index(node) + 1);
  site.owner = context->node().owner;
  site.origin = origin;
  site.scope = context->node().scope;
  site.attrs = &state_.operators.StatedAttributes(node);
  site.functions = state_.site.functions != nullptr ? state_.site.functions : &graph_;
  site.certain = state_.certain(node);
  site.nesting = state_.nesting + 1;
  site.visits_in_calls = visits_left;
  EngineOptions options = state_.options;
  options.assume_not_empty = false;
  Engine callee(function, state_.registry, options, site);
  callee.state_.is_trial = state_.is_trial;
  const std::span<const ValueId> parameters = function.inputs(function.body());
  for (int i = 0; i < context->num_inputs(); ++i) {
    if (context->has_input(i))
      callee.SetInput(parameters[static_cast<size_t>(i)], context->full_input_type(i),
                      context->input_tensor(i));
  }
  callee.InferAll();
  state_.budget.visits += callee.state_.budget.visits;
  callee.AddEffectsTo(node, graph_, effects);
  for (int i = 0; i < context->num_outputs(); ++i) {
    const ValueId v = function.outputs(function.body())[static_cast<size_t>(i)];
    const Type type = callee.state_.type(v);
    if (type.kind != TypeKind::kUnknown) context->set_full_output_type(i, type);
    context->set_output_value(i, callee.state_.contents(v));
  }
  return {};
}

// Adds the effects of the nodes of a function to those of the node that calls it.
void Engine::AddEffectsTo(NodeId call, const Graph& caller, NodeEffects* effects) const {
  for (const NodeId inside : NodesWithEffects(state_)) {
    const NodeEffects& inner = *state_.effects_of(inside);
    effects->Add(inner.constraints, {});
    if (state_.never_runs(inside)) continue;
    // A guard of a node that may not run cannot be required of the call.
    if (state_.in_every_call(inside)) effects->Add({}, inner.guards);
    for (Diagnostic finding : inner.findings) {
      finding.notes.push_back(
          fmt::format("inside the function {}, node '{}'", caller.op_name(call), finding.node));
      finding.node = caller.name(call);
      finding.op = caller.op_name(call);
      finding.index = caller.position(call);
      effects->findings.push_back(std::move(finding));
    }
  }
  if (state_.FailsIn(graph_.body())) effects->fails = true;
}

}  // namespace dimwise
