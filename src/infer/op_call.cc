#include "infer/op_call.h"

#include <algorithm>
#include <array>
#include <optional>

#include "infer/error.h"

namespace dimwise {
namespace {

std::optional<TypeSystem> TypeSystemOf(std::string_view set) {
  if (set == "tensorflow") return TypeSystem::kTensorFlow;
  if (set == "mxnet") return TypeSystem::kMxnet;
  if (set == "onnx" || set.starts_with("ai.onnx") || set.starts_with("com.microsoft"))
    return TypeSystem::kOnnx;
  return std::nullopt;
}

// What the tensors of arguments are called, in order: "X", or "inputs[1]" where an argument is a row of them.
std::vector<std::string> ArgumentNames(const Result<NameRangeMap>& ranges, std::string_view noun,
                                       size_t count) {
  std::vector<std::string> names;
  names.reserve(count);
  if (ranges) {
    for (const NameRange& range : *ranges) {
      for (size_t i = range.begin; i < range.end && names.size() < count; ++i) {
        names.push_back(range.size() == 1 ? std::string(range.name)
                                          : fmt::format("{}[{}]", range.name, i - range.begin));
      }
    }
  }
  while (names.size() < count) names.push_back(fmt::format("{} {}", noun, names.size()));
  return names;
}

// "inputs_1" for "inputs[1]": a part of a symbol's name.
std::string AsSymbolPart(std::string_view operand) {
  std::string part(operand);
  if (part.ends_with(']') && part.find('[') != std::string::npos) {
    part.pop_back();
    part[part.rfind('[')] = '_';
  }
  return part;
}

// Names and origins of what is known of an operand: its sizes `X_d0`, the elements of its contents `X_e0`,
// and the sizes behind it, where it is a handle, `X_b0_d0`. Each name of ours stands for something that the
// caller left open. REQUIRES: all names of the request are declared, so that those made up here avoid them.
class OperandNamer {
 public:
  OperandNamer(Analysis& analysis, std::string_view operand) : analysis_(analysis), operand_(operand) {}

  void Name(OpOperand* operand) {
    operand->type.shape = NameShape(operand->type.shape, "_d", ", axis ");
    operand->as_shape = NameShape(operand->as_shape, "_e", ", element ");
    operand->value = NameContents(operand->value);
    if (operand->type.kind == TypeKind::kHandle)
      operand->type.container = NameBehind(*operand->type.container);
  }

 private:
  Shape NameShape(Shape shape, std::string_view mark, std::string_view place) {
    if (shape.is_none() || shape.is_constant() || !shape.has_rank()) return shape;
    std::array<Dim, kMaxRank> sizes;
    for (size_t i = 0; i < shape.dims().size(); ++i) {
      sizes[i] = NameOne(shape.dims()[i], mark, place, i, /*is_size=*/true);
    }
    return analysis_.shapes().Make(std::span<const Dim>(sizes.data(), shape.dims().size()));
  }

  Value NameContents(Value value) {
    if (value.kind() != ValueKind::kIntegers) return value;
    std::array<Dim, ValueTable::kMaxElements> elements;
    bool changed = false;
    const auto count = static_cast<size_t>(value.size());
    for (size_t i = 0; i < count; ++i) {
      const Dim given = value.Integer(static_cast<int64_t>(i));
      elements[i] = NameOne(given, "_e", ", element ", i, /*is_size=*/false);
      changed = changed || elements[i] != given;
    }
    if (!changed) return value;
    return analysis_.values().Integers(value.element(), value.dims(),
                                       std::span<const Dim>(elements.data(), count));
  }

  const Container* NameBehind(const Container& container) {
    std::vector<Type> behind = container.elements;
    for (size_t i = 0; i < behind.size(); ++i) {
      behind[i].shape =
          NameShape(behind[i].shape, fmt::format("_b{}_d", i), fmt::format(", behind {}, axis ", i));
    }
    return analysis_.types().Handle(behind).container;
  }

  Dim NameOne(Dim given, std::string_view mark, std::string_view place, size_t index, bool is_size) {
    DimTable& dims = analysis_.dims();
    if (!given.is_expression()) return given;
    const std::string origin = fmt::format("input {}{}{}", operand_, place, index);
    if (dims.Kind(given) == DimKind::kSymbol && !dims.GetSymbol(given).of_user &&
        dims.GetDefinition(given) == nullptr) {
      const std::string name = FreeName(fmt::format("{}{}{}", AsSymbolPart(operand_), mark, index));
      return is_size ? dims.Symbol(name, origin) : dims.IntegerSymbol(name, origin);
    }
    for (const Dim symbol : dims.SymbolsOf(given)) {
      const SymbolInfo info = dims.GetSymbol(symbol);
      if (info.of_user && info.origin.empty()) dims.IntegerSymbol(info.name, origin);
    }
    return given;
  }

  std::string FreeName(std::string name) const {
    if (!analysis_.dims().FindSymbol(name)) return name;
    for (int attempt = 2;; ++attempt) {
      std::string other = fmt::format("{}_{}", name, attempt);
      if (!analysis_.dims().FindSymbol(other)) return other;
    }
  }

  Analysis& analysis_;
  const std::string_view operand_;
};

// Every size is >= 0: of a symbol that is known, of `N - 5` it is a fact that the caller gives.
void AssertSizes(Analysis& analysis, Shape shape) {
  if (shape.is_none() || shape.is_constant()) return;
  for (const Dim size : shape.dims()) {
    if (size.is_constant() || analysis.dims().Kind(size) == DimKind::kSymbol) continue;
    if (analysis.facts().AtLeast(size, 0) == Truth::kYes) continue;
    analysis.facts().Assert(Clause{AtLeast(analysis.dims(), size, 0)}, FactKind::kGiven, /*owner=*/0);
  }
}

Status CheckFacts(Analysis& analysis) {
  if (analysis.facts().constraint_count() == 0) return {};
  const std::optional<Contradiction> conflict = analysis.facts().FindContradiction(ScopeId::kRoot);
  if (!conflict) return {};
  if (conflict->first_text == conflict->second_text) {
    return Error(Code::kContradiction, "{} is given and cannot hold", conflict->first_text);
  }
  return Error(Code::kContradiction, "{} and {} are both given and cannot both hold", conflict->first_text,
               conflict->second_text);
}

Shape Simplified(Analysis& analysis, Shape shape) {
  if (shape.is_none() || shape.is_constant() || !shape.has_rank()) return shape;
  std::array<Dim, kMaxRank> sizes;
  for (size_t i = 0; i < shape.dims().size(); ++i) sizes[i] = analysis.facts().Simplify(shape.dims()[i]);
  return analysis.shapes().Make(std::span<const Dim>(sizes.data(), shape.dims().size()));
}

Value Simplified(Analysis& analysis, Value value) {
  if (value.kind() != ValueKind::kIntegers) return value;
  std::vector<Dim> elements;
  for (int64_t i = 0; i < value.size(); ++i) elements.push_back(analysis.facts().Simplify(value.Integer(i)));
  return analysis.values().Integers(value.element(), value.dims(), elements);
}

// A list of sizes is contents too, so that an operator may read it either way.
void CompleteContents(Analysis& analysis, OpOperand& operand) {
  const Shape list = operand.as_shape;
  if (list.is_none() || !list.has_rank()) return;
  const auto length = static_cast<int64_t>(list.rank());
  if (!operand.type.shape.is_none() && !operand.type.shape.has_rank()) {
    operand.type.shape = analysis.shapes().Make({Dim(length)});
  }
  if (!operand.value.is_none() || length > ValueTable::kMaxElements) return;
  operand.value = analysis.values().Integers(operand.type.element, std::span(&length, 1), list.dims());
}

// How many results there are where the operator leaves that to the node and there is none: as many as ONNX's
// Split is told to make, by the attribute num_outputs or by the sizes that it is given. -1: not told.
int CountResults(const OpDef& def, const AttrMap& attrs, std::span<const OpOperand> operands) {
  if (def.outputs.empty() || !def.outputs.back().variadic) return -1;
  int64_t count = -1;
  if (const AttrValue* number = attrs.Find("num_outputs")) count = AsInt(*number).value_or(-1);
  if (const AttrValue* sizes = attrs.Find("split"))
    count = static_cast<int64_t>(sizes->ListSize().value_or(0));
  for (size_t i = 0; i < std::min(def.inputs.size(), operands.size()); ++i) {
    if (def.inputs[i].name != "split" || !operands[i].given) continue;
    const Shape shape = operands[i].type.shape;
    if (!shape.is_none() && shape.rank() == 1 && shape[0].is_constant()) count = shape[0].constant();
  }
  constexpr int64_t kMaxResults = 1 << 16;
  return count > 0 && count <= kMaxResults ? static_cast<int>(count) : -1;
}

}  // namespace

Result<AttrMap> ReadAttrs(const OpDef& def, const AttrMap& attrs) {
  AttrMap read;
  for (const AttrEntry& entry : attrs) {
    const AttrDef* attr = FindAttr(def, entry.name);
    if (attr == nullptr || entry.value.kind() == AttrKind::kNothing) continue;
    const int64_t* number = entry.value.get_if<int64_t>();
    if (attr->kind == "type" && number != nullptr) {
      const std::optional<TypeSystem> system = TypeSystemOf(def.set);
      if (const auto type = system ? ElementTypeOf(*number, *system) : std::nullopt) {
        DIMWISE_ASSIGN_OR_RETURN(AttrValue value, ReadAttr(*attr, AttrValue(*type)));
        read.Set(entry.name, std::move(value));
        continue;
      }
    }
    if (attr->kind != "string" && IsNothing(entry.value)) continue;
    DIMWISE_ASSIGN_OR_RETURN(AttrValue value, ReadAttr(*attr, entry.value));
    read.Set(entry.name, std::move(value));
  }
  return read;
}

Result<OpAnswer> CallOp(Analysis& analysis, const OpCall& call) {
  const OpDef& def = call.op->def;
  AttrMap attrs;
  if (call.attrs != nullptr && !call.attrs->empty()) {
    Result<AttrMap> read = ReadAttrs(def, *call.attrs);
    if (!read) {
      read.error().op = def.FullName();
      return std::move(read).TakeError();
    }
    attrs = *std::move(read);
  }

  OpAnswer answer;
  answer.def = &def;
  answer.inputs.assign(call.operands.begin(), call.operands.end());
  answer.input_names =
      ArgumentNames(InputRanges(def, attrs, call.operands.size()), "input", call.operands.size());
  for (size_t i = 0; i < std::min(call.operand_names.size(), answer.input_names.size()); ++i) {
    if (!call.operand_names[i].empty()) answer.input_names[i] = call.operand_names[i];
  }
  std::vector<Type> types(answer.inputs.size());
  std::vector<Value> contents(answer.inputs.size());
  std::vector<Shape> as_shapes(answer.inputs.size());
  for (size_t i = 0; i < answer.inputs.size(); ++i) {
    OpOperand& operand = answer.inputs[i];
    if (!operand.given) continue;
    if (operand.type.kind == TypeKind::kUnknown) {
      operand.type = Type::Tensor(operand.type.element, operand.type.shape, operand.type.storage);
    }
    if (operand.type.is_tensor() && operand.type.shape.is_none())
      operand.type.shape = analysis.shapes().Unknown();
    OperandNamer(analysis, answer.input_names[i]).Name(&operand);
    CompleteContents(analysis, operand);
    AssertSizes(analysis, operand.type.shape);
    AssertSizes(analysis, operand.as_shape);
    types[i] = operand.type;
    contents[i] = operand.value;
    as_shapes[i] = operand.as_shape;
  }
  DIMWISE_RETURN_IF_ERROR(CheckFacts(analysis));

  NodeDescription node;
  node.op = &def;
  node.attrs = &attrs;
  node.graph_def_version = call.graph_def_version;
  node.version = call.version;
  node.num_outputs = call.num_outputs >= 0 ? call.num_outputs : CountResults(def, attrs, answer.inputs);
  if (call.num_outputs >= 0) {
    DIMWISE_RETURN_IF_ERROR(CheckResultCount(def, static_cast<size_t>(call.num_outputs), &attrs));
  }
  InferenceContext context(analysis, node, types, contents, as_shapes);
  if (call.op->shape_fn) {
    DIMWISE_RETURN_IF_ERROR(context.Run(call.op->shape_fn));
  } else {
    DIMWISE_RETURN_IF_ERROR(context.Run([](InferenceContext*) { return Status(); }));
  }

  const auto count = static_cast<size_t>(context.num_outputs());
  answer.output_names = ArgumentNames(OutputRanges(def, attrs, count), "output", count);
  for (int i = 0; i < context.num_outputs(); ++i) {
    Type type = context.full_output_type(i);
    if (type.kind == TypeKind::kUnknown) type.kind = TypeKind::kTensor;
    if (type.is_tensor() && type.shape.is_none()) type.shape = context.UnknownShape();
    type.shape = Simplified(analysis, type.shape);
    answer.outputs.push_back(type);
    answer.output_values.push_back(Simplified(analysis, context.output_value(i)));
  }
  answer.checks.assign(context.checks().begin(), context.checks().end());
  return answer;
}

}  // namespace dimwise
