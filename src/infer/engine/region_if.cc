// If: the branch that is taken where the condition is known, else what both branches share.
#include "infer/engine/engine.h"
#include "infer/engine/join.h"
#include "infer/error.h"

namespace dimwise {

RegionOp FindRegionOp(std::string_view op_name) {
  if (op_name == "onnx.If") return InferIf;
  if (op_name == "onnx.Loop") return InferLoop;
  if (op_name == "onnx.Scan") return InferScan;
  if (op_name == "onnx.SequenceMap") return InferSequenceMap;
  return nullptr;
}

namespace {

bool HasRank(const Type& type) { return type.is_tensor() && !type.shape.is_none() && type.shape.has_rank(); }

}  // namespace

Status InferIf(Engine& engine, NodeId node, InferenceContext* context) {
  const RegionId branches[] = {engine.FindRegion(node, "else_branch"),
                               engine.FindRegion(node, "then_branch")};
  if (branches[0] == kNoRegion || branches[1] == kNoRegion) {
    return Error(Code::kMissingAttribute, "If needs a then_branch and an else_branch");
  }
  const Value condition = context->input_tensor(0);
  std::optional<int64_t> known;
  if (!condition.is_none() && condition.size() == 1) known = condition.ConstantInteger(0);
  const auto results = static_cast<size_t>(context->num_outputs());
  for (const RegionId branch : branches) {
    if (engine.graph().outputs(branch).size() < results) {
      return Error(Code::kArity, "If has {} results; its {} gives {}", results,
                   engine.graph().attribute(branch), engine.graph().outputs(branch).size());
    }
  }
  // What that branch requires is required now; where the other one would be taken, other nodes fail.
  if (const std::optional<bool> decided = engine.DecidedBranch(node); decided && !known)
    known = *decided ? 1 : 0;
  if (known) {
    const RegionId taken = branches[*known != 0 ? 1 : 0];
    DIMWISE_RETURN_IF_ERROR(engine.RunRegion(branches[*known != 0 ? 0 : 1], {}, {}, /*certain=*/false));
    DIMWISE_RETURN_IF_ERROR(engine.RunRegion(taken, {}, {}, /*certain=*/true));
    for (size_t i = 0; i < results; ++i) {
      const ValueId v = engine.graph().outputs(taken)[i];
      context->set_full_output_type(static_cast<int64_t>(i), engine.type(v));
      context->set_output_value(static_cast<int64_t>(i), engine.contents(v));
    }
    return {};
  }
  for (const RegionId branch : branches) {
    DIMWISE_RETURN_IF_ERROR(engine.RunRegion(branch, {}, {}, /*certain=*/false));
  }
  for (size_t i = 0; i < results; ++i) {
    const ValueId otherwise = engine.graph().outputs(branches[0])[i],
                  then = engine.graph().outputs(branches[1])[i];
    const Type joined = JoinTypes(context, engine.type(then), engine.type(otherwise));
    if (HasRank(engine.type(then)) && HasRank(engine.type(otherwise)) &&
        engine.type(then).shape.rank() != engine.type(otherwise).shape.rank())
      engine.LeaveBranchOpen(node);
    if (joined.kind != TypeKind::kUnknown) context->set_full_output_type(static_cast<int64_t>(i), joined);
    context->set_output_value(static_cast<int64_t>(i),
                              JoinContents(context, engine.contents(then), engine.contents(otherwise)));
  }
  return {};
}

}  // namespace dimwise
