#include "infer/operators/operands.h"

#include "infer/error.h"

namespace dimwise {
namespace {

// The element type of a type variable, and the operand that determined it.
struct Binding {
  std::string_view variable;
  ElementType type;
  int operand;
};

std::string_view KindWord(TypeKind kind) {
  switch (kind) {
    case TypeKind::kSequence:
      return "a sequence";
    case TypeKind::kOptional:
      return "an optional";
    case TypeKind::kMap:
      return "a map";
    case TypeKind::kHandle:
      return "a handle";
    case TypeKind::kUnknown:
    case TypeKind::kTensor:
      break;
  }
  return "no tensor";
}

Status CheckGiven(const InferenceContext* c, const ArgDef& arg, int i) {
  if (arg.any_type || !c->input(i).is_none()) return {};
  if (c->has_input(i)) {
    return Error(Code::kElementType, "{} takes a tensor as {}, not {}", OpName(c), OperandName(c, i),
                 KindWord(c->full_input_type(i).kind));
  }
  if (arg.optional || (arg.variadic && arg.min_count == 0)) return {};
  return Error(Code::kArity, "{} needs {}, which is not given", OpName(c), OperandName(c, i));
}

Unexpected WrongType(const InferenceContext* c, int i, const std::string& allowed) {
  return Error(Code::kElementType, "{} takes {} of {}, not {}", OpName(c), OperandName(c, i), allowed,
               ToString(c->input_type(i)));
}

}  // namespace

std::string_view OpName(const InferenceContext* c) {
  return c->op() != nullptr ? std::string_view(c->op()->name) : "the operator";
}

std::string OperandName(const InferenceContext* c, int i) {
  if (c->op() == nullptr || c->op()->inputs.empty()) return fmt::format("input {}", i);
  const std::vector<ArgDef>& args = c->op()->inputs;
  const auto last = static_cast<int>(args.size()) - 1;
  if (i < last || (i == last && !args.back().variadic)) return args[static_cast<size_t>(i)].name;
  return fmt::format("{}[{}]", args.back().name, i - last);
}

std::string OperandText(const InferenceContext* c, int i) {
  return fmt::format("{} {}", OperandName(c, i), c->DebugString(c->input(i)));
}

Status CheckOperands(InferenceContext* c) {
  const OpDef& def = *c->op();
  internal::SmallList<Binding, 8> bindings;
  const auto find = [&](std::string_view variable) -> const Binding* {
    for (const Binding& b : bindings) {
      if (b.variable == variable) return &b;
    }
    return nullptr;
  };

  for (int i = 0; i < c->num_inputs(); ++i) {
    const ArgDef& arg =
        static_cast<size_t>(i) < def.inputs.size() ? def.inputs[static_cast<size_t>(i)] : def.inputs.back();
    DIMWISE_RETURN_IF_ERROR(CheckGiven(c, arg, i));
    const ElementType type = c->input_type(i);
    if (type == ElementType::kUnknown) continue;
    if (arg.type != ElementType::kUnknown && arg.type != type)
      return WrongType(c, i, std::string(ToString(arg.type)));
    if (arg.type_attr.empty()) continue;
    if (const Binding* b = find(arg.type_attr)) {
      if (b->type == type) continue;
      return Error(Code::kElementType, "{} has {} of {} and {} of {}; both must have the same element type",
                   OpName(c), OperandName(c, b->operand), ToString(b->type), OperandName(c, i),
                   ToString(type));
    }
    const AttrDef* variable = FindAttr(def, arg.type_attr);
    if (variable != nullptr && !variable->allowed_types.empty() && !variable->allowed_types.Contains(type)) {
      return WrongType(c, i, ToString(variable->allowed_types));
    }
    bindings.push_back({arg.type_attr, type, i});
  }

  for (int i = 0; i < c->num_outputs(); ++i) {
    const ArgDef& arg = static_cast<size_t>(i) < def.outputs.size() ? def.outputs[static_cast<size_t>(i)]
                                                                    : def.outputs.back();
    if (arg.type != ElementType::kUnknown) {
      c->set_output_type(i, arg.type);
    } else if (const Binding* b = find(arg.type_attr)) {
      c->set_output_type(i, b->type);
    }
  }
  return {};
}

Result<int> ReadAxis(const InferenceContext* c, int64_t axis, int rank) {
  if (axis >= -rank && axis < rank) return static_cast<int>(axis < 0 ? axis + rank : axis);
  if (rank == 0)
    return Error(Code::kOutOfRange, "{} names axis {}, but a scalar has no axes", OpName(c), axis);
  return Error(Code::kOutOfRange, "{} names axis {}, but a tensor of rank {} has the axes {} .. {}",
               OpName(c), axis, rank, -rank, rank - 1);
}

}  // namespace dimwise
