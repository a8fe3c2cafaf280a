// A call of a function of the program: its graph is inferred with what the arguments tell, by an engine of
// its own.
//
// Everything that the body asserts belongs to the calling node, and so do its unknowns, whose keys hold the
// path of the call; so two calls with a size that depends on data have two symbols. A body that cannot be
// inferred leaves the results unknown, with a note.
#include "core/base/hash_mix.h"
#include "infer/engine/check_list.h"
#include "infer/engine/engine.h"
#include "infer/error.h"

namespace dimwise {

Status Engine::CallFunction(NodeId node, const Graph& function, InferenceContext* context) {
  if (depth_ >= kMaxDepth) {
    return Error(Code::kNotSupported,
                 "calls of functions are nested more than {} deep at {}; does it call itself?", kMaxDepth,
                 graph_.op_name(node));
  }
  const std::span<const ValueId> parameters = function.inputs(function.body());
  const std::span<const ValueId> outputs = function.outputs(function.body());
  if (static_cast<size_t>(context->num_inputs()) > parameters.size()) {
    return Error(Code::kArity, "the function {} takes {} operands; {} are given", graph_.op_name(node),
                 parameters.size(), context->num_inputs());
  }
  if (static_cast<size_t>(context->num_outputs()) > outputs.size()) {
    return Error(Code::kArity, "the function {} gives {} results; {} are used", graph_.op_name(node),
                 outputs.size(), context->num_outputs());
  }
  uint64_t* const visits_left = site_.visits_left != nullptr ? site_.visits_left : &visits_left_in_calls_;
  const uint64_t nodes = function.node_count() + 1;
  if (*visits_left < nodes) {
    return Error(Code::kNotSupported,
                 "the functions of the program call each other so often that {} is not inferred",
                 graph_.op_name(node));
  }
  *visits_left -= nodes;
  const std::string origin = context->Origin();
  CallSite site;
  site.path = HashMix(site_.path, Index(node) + 1);
  site.owner = context->node().owner;
  site.origin = origin;
  site.scope = context->node().scope;
  site.attrs = RawAttrs(node);
  site.functions = site_.functions != nullptr ? site_.functions : &graph_;
  site.certain = certain(node);
  site.depth = depth_ + 1;
  site.visits_left = visits_left;
  EngineOptions options = options_;
  options.assume_not_empty = false;
  Engine callee(function, registry_, options, site);
  callee.is_trial_ = is_trial_;
  for (int i = 0; i < context->num_inputs(); ++i) {
    if (!context->has_input(i)) continue;
    callee.SetInput(parameters[static_cast<size_t>(i)], context->full_input_type(i),
                    context->input_tensor(i));
  }
  callee.InferAll();
  visits_ += callee.visits_;
  for (const NodeId inside : NodesWithRecords(callee)) {
    const Record* inner = callee.record(inside);
    Record& record = RecordOf(node);
    record.Add(inner->constraints, {});
    if (callee.never_runs(inside)) continue;
    // What is required where the body may not get to cannot be told of the call.
    if (callee.in_every_call(inside)) record.Add({}, inner->checks);
    for (Diagnostic finding : inner->findings) {
      finding.notes.push_back(
          fmt::format("inside the function {}, node '{}'", graph_.op_name(node), finding.node));
      finding.node = graph_.name(node);
      finding.op = graph_.op_name(node);
      finding.index = graph_.position(node);
      record.findings.push_back(std::move(finding));
    }
  }
  if (callee.FailsIn(function.body())) RecordOf(node).failed = true;
  for (int i = 0; i < context->num_outputs(); ++i) {
    const ValueId v = outputs[static_cast<size_t>(i)];
    const Type type = callee.type(v);
    if (type.kind != TypeKind::kUnknown) context->set_full_output_type(i, type);
    context->set_output_value(i, callee.contents(v));
  }
  return {};
}

}  // namespace dimwise
