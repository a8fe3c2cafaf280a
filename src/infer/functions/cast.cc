#include "infer/error.h"
#include "infer/functions/element_arithmetic.h"
#include "infer/functions/elementwise.h"
#include "infer/functions/onnx_ops.h"

namespace dimwise {
namespace {

// The type that `to` names: ONNX's number in files, a name from people.
Result<ElementType> ReadTo(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(const AttrValue* to, c->GetAttr<const AttrValue*>("to"));
  const std::optional<int64_t> number = AsInt(*to);
  const std::optional<ElementType> type = number ? ElementTypeOf(*number, TypeSystem::kOnnx) : AsType(*to);
  if (!type || *type == ElementType::kUnknown) {
    return Error(Code::kBadAttribute, "{} has to = {}, which is no element type", OpName(c), ToString(*to));
  }
  return *type;
}

void ConvertTo(InferenceContext* c, ElementType to) {
  c->set_output(0, c->input(0));
  c->set_output_type(0, to);
  const ElementType from = c->input_type(0);
  CombineContents<1>(c, 0, [&](const auto& x) { return Convert(c, from, to, x[0]); });
}

Status Cast(InferenceContext* c) {
  DIMWISE_ASSIGN_OR_RETURN(const ElementType to, ReadTo(c));
  ConvertTo(c, to);
  return {};
}

Status CastLike(InferenceContext* c) {
  ConvertTo(c, c->input_type(1));
  return {};
}

}  // namespace

void AddCast(OnnxOps& ops) {
  ops.Add(6, "Cast(input: T1; to: type) -> (output: to)", Cast);
  ops.Add(19, "Cast(input: T1; to: type, saturate: int = 1) -> (output: to)", Cast);
  ops.Add(24, "Cast(input: T1; to: type, saturate: int = 1, round_mode: string = 'up') -> (output: to)",
          Cast);
  ops.Add(15, "CastLike(input: T1, target_type: T2; saturate: int = 1) -> (output: T2)", CastLike);
}

}  // namespace dimwise
