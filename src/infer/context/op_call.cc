#include "infer/context/op_call.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/unused_name.h"
#include "infer/context/check_facts.h"
#include "infer/context/simplified_type.h"
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

// Returns the names of the tensors of all arguments, in order: "X", or "inputs[1]" if the argument is a list
// of tensors.
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

// Converts "inputs[1]" to "inputs_1" for use in the name of a symbol.
std::string AsSymbolPart(std::string_view operand) {
  std::string part(operand);
  if (part.ends_with(']') && part.find('[') != std::string::npos) {
    part.pop_back();
    part[part.rfind('[')] = '_';
  }
  return part;
}

// Names unknown parts of an operand: sizes `X_d0`, elements of contents `X_e0`, and sizes behind a handle
// `X_b0_d0`. REQUIRES: all names of the request are declared, so that generated names avoid them.
class OperandNamer {
 public:
  // Appends the named sizes to *generated.
  OperandNamer(Analysis& analysis, std::string_view operand, std::vector<Dim>* generated)
      : analysis_(analysis), operand_(operand), generated_(*generated) {}

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
      if (!is_size) return dims.IntegerSymbol(name, origin);
      generated_.push_back(dims.Symbol(name, origin));
      return generated_.back();
    }
    for (const Dim symbol : dims.SymbolsOf(given)) {
      const SymbolInfo info = dims.GetSymbol(symbol);
      if (info.of_user && info.origin.empty()) dims.IntegerSymbol(info.name, origin);
    }
    return given;
  }

  std::string FreeName(std::string_view name) const {
    return UnusedName(name,
                      [&](std::string_view other) { return analysis_.dims().FindSymbol(other).has_value(); });
  }

  Analysis& analysis_;
  const std::string_view operand_;
  std::vector<Dim>& generated_;
};

// Asserts that every size is >= 0. For a symbol this is known; for `N - 5` it is a given fact.
void AssertSizes(Analysis& analysis, Shape shape) {
  if (shape.is_none() || shape.is_constant()) return;
  for (const Dim size : shape.dims()) {
    if (size.is_constant() || analysis.dims().Kind(size) == DimKind::kSymbol) continue;
    if (analysis.facts().AtLeast(size, 0) == Truth::kYes) continue;
    analysis.facts().Assert(Clause{AtLeast(analysis.dims(), size, 0)}, FactKind::kGiven, /*owner=*/0);
  }
}

// Expresses a size with a generated name by sizes that the caller named, if the facts allow it.
Dim Solved(Analysis& analysis, Dim size, std::span<const Dim> generated) {
  if (generated.empty()) return size;
  const Dim solved = analysis.dims().Substitute(size, [&](Dim atom) {
    if (std::ranges::find(generated, atom) == generated.end()) return Dim();
    return analysis.facts().Simplify(atom, ScopeId::kRoot, FactFilter::kEverything, /*solve=*/true);
  });
  return solved.is_none() ? size : solved;
}

Value Simplified(Analysis& analysis, Value value) {
  if (value.kind() != ValueKind::kIntegers) return value;
  std::vector<Dim> elements;
  for (int64_t i = 0; i < value.size(); ++i) elements.push_back(analysis.facts().Simplify(value.Integer(i)));
  return analysis.values().Integers(value.element(), value.dims(), elements);
}

// A list of sizes is also stored as contents, so that an operator can read either form.
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

// Returns the number of results of a variadic operator without given outputs, or -1 if it is unknown. The
// attribute num_outputs or the contents of `split` define it, as for ONNX's Split.
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

bool AreAsDeclared(const OpDef& def, const AttrMap& attrs) {
  return std::ranges::all_of(attrs, [&](const AttrEntry& entry) {
    const AttrDef* attr = FindAttr(def, entry.name);
    return attr != nullptr && !attr->minimum && attr->allowed_types.empty() &&
           attr->allowed_strings.empty() && attr->kind == KindName(entry.value.kind());
  });
}

Result<AttrMap> ReadAttrs(const OpDef& def, const AttrMap& attrs, std::optional<NumbersAsText> numbers) {
  const std::optional<TypeSystem> system = TypeSystemOf(def.set);
  if (!numbers) numbers = system == TypeSystem::kMxnet ? NumbersAsText::kRead : NumbersAsText::kRefuse;
  AttrMap read;
  for (const AttrEntry& entry : attrs) {
    const AttrDef* attr = FindAttr(def, entry.name);
    if (attr == nullptr || entry.value.kind() == AttrKind::kNothing) continue;
    const int64_t* number = entry.value.get_if<int64_t>();
    if (attr->kind == "type" && number != nullptr) {
      if (const auto type = system ? ElementTypeOf(*number, *system) : std::nullopt) {
        DIMWISE_ASSIGN_OR_RETURN(AttrValue value, ReadAttr(*attr, AttrValue(*type)));
        read.Set(entry.name, std::move(value));
        continue;
      }
    }
    if (numbers == NumbersAsText::kRead && attr->kind != "string" && IsNothing(entry.value)) continue;
    DIMWISE_ASSIGN_OR_RETURN(AttrValue value, ReadAttr(*attr, entry.value, *numbers));
    read.Set(entry.name, std::move(value));
  }
  return read;
}

namespace {

// A call in progress.
class Caller {
 public:
  Caller(Analysis& analysis, const OpCall& call) : analysis_(analysis), call_(call), def_(call.op->def) {}

  Result<OpAnswer> Run() {
    DIMWISE_RETURN_IF_ERROR(ReadAttributes());
    DIMWISE_RETURN_IF_ERROR(ReadInputs());
    NodeDescription node;
    node.op = &def_;
    node.attrs = &attrs_;
    node.graph_def_version = call_.graph_def_version;
    node.version = call_.version == OpRegistry::kLatest ? 0 : call_.version;
    node.num_outputs =
        call_.num_outputs >= 0 ? call_.num_outputs : CountResults(def_, attrs_, answer_.inputs);
    if (call_.num_outputs >= 0) {
      DIMWISE_RETURN_IF_ERROR(CheckResultCount(def_, static_cast<size_t>(call_.num_outputs), &attrs_));
    }
    InferenceContext context(analysis_, node, types_, contents_, as_shapes_);
    if (call_.both) context.set_known_outputs(call_.known_outputs);
    DIMWISE_RETURN_IF_ERROR(RunIn(context));
    while (call_.both && NameFoundRanks(context)) {
      DIMWISE_RETURN_IF_ERROR(RunIn(context));
    }
    if (call_.both) {
      DIMWISE_RETURN_IF_ERROR(CheckFacts(analysis_, "must hold and cannot", "must both hold and cannot"));
      RefineInputs(context);
    }
    TakeOutputs(context);
    return std::move(answer_);
  }

 private:
  Status ReadAttributes() {
    if (call_.attrs == nullptr || call_.attrs->empty()) return {};
    Result<AttrMap> read = ReadAttrs(def_, *call_.attrs);
    if (!read) {
      read.error().op = def_.FullName();
      return std::move(read).TakeError();
    }
    attrs_ = *std::move(read);
    return {};
  }

  Status ReadInputs() {
    answer_.def = &def_;
    answer_.inputs.assign(call_.operands.begin(), call_.operands.end());
    if (call_.both) AddMissing();
    const size_t count = answer_.inputs.size();
    answer_.input_names = ArgumentNames(InputRanges(def_, attrs_, count), "input", count);
    for (size_t i = 0; i < std::min(call_.operand_names.size(), count); ++i) {
      if (!call_.operand_names[i].empty()) answer_.input_names[i] = call_.operand_names[i];
    }
    types_.resize(count);
    contents_.resize(count);
    as_shapes_.resize(count);
    for (size_t i = 0; i < count; ++i) {
      OpOperand& operand = answer_.inputs[i];
      if (!operand.given) continue;
      if (operand.type.kind == TypeKind::kUnknown) {
        operand.type = Type::Tensor(operand.type.element, operand.type.shape, operand.type.storage);
      }
      if (operand.type.is_tensor() && operand.type.shape.is_none())
        operand.type.shape = analysis_.shapes().Unknown();
      OperandNamer(analysis_, answer_.input_names[i], &generated_).Name(&operand);
      CompleteContents(analysis_, operand);
      AssertSizes(analysis_, operand.type.shape);
      AssertSizes(analysis_, operand.as_shape);
      types_[i] = operand.type;
      contents_[i] = operand.value;
      as_shapes_[i] = operand.as_shape;
    }
    for (const Type& known : call_.known_outputs) AssertSizes(analysis_, known.shape);
    return CheckFacts(analysis_, "is given and cannot hold", "are both given and cannot both hold");
  }

  // Adds required operands that are not given, with unknown types.
  void AddMissing() {
    size_t needed = 0;
    for (size_t i = 0; i < def_.inputs.size(); ++i) {
      const ArgDef& arg = def_.inputs[i];
      if (arg.variadic || !arg.number_attr.empty() || !arg.type_list_attr.empty()) return;
      if (!arg.optional) needed = i + 1;
    }
    for (size_t i = answer_.inputs.size(); i < needed; ++i) {
      answer_.inputs.emplace_back().given = !def_.inputs[i].optional;
    }
  }

  Status RunIn(InferenceContext& context) {
    if (call_.op->shape_fn) return context.Run(call_.op->shape_fn);
    return context.Run([](InferenceContext*) { return Status(); });
  }

  // Names the sizes of operands whose rank was inferred. Returns whether there were any.
  bool NameFoundRanks(InferenceContext& context) {
    bool found = false;
    for (size_t i = 0; i < answer_.inputs.size(); ++i) {
      OpOperand& operand = answer_.inputs[i];
      const Type refined = context.refined_input_type(static_cast<int64_t>(i));
      if (!operand.given || !operand.type.is_tensor() || operand.type.shape.has_rank()) continue;
      if (!refined.is_tensor() || !refined.shape.has_rank()) continue;
      operand.type.shape = refined.shape;
      OperandNamer(analysis_, answer_.input_names[i], &generated_).Name(&operand);
      context.SetInput(static_cast<int64_t>(i), operand.type);
      found = true;
    }
    return found;
  }

  // Simplifies a type. Sizes with generated names are expressed by sizes that the caller named, if the facts
  // allow it.
  Type Solve(const Type& type) {
    return SimplifiedType(analysis_, type, ScopeId::kRoot,
                          [&](Dim d) { return Solved(analysis_, d, generated_); });
  }

  void RefineInputs(const InferenceContext& context) {
    for (size_t i = 0; i < answer_.inputs.size(); ++i) {
      OpOperand& operand = answer_.inputs[i];
      if (!operand.given) continue;
      operand.type = Solve(context.refined_input_type(static_cast<int64_t>(i)));
    }
  }

  void TakeOutputs(InferenceContext& context) {
    const auto count = static_cast<size_t>(context.num_outputs());
    answer_.output_names = ArgumentNames(OutputRanges(def_, attrs_, count), "output", count);
    for (int i = 0; i < context.num_outputs(); ++i) {
      Type type = context.full_output_type(i);
      if (type.kind == TypeKind::kUnknown) type.kind = TypeKind::kTensor;
      if (type.is_tensor() && type.shape.is_none()) type.shape = context.UnknownShape();
      answer_.outputs.push_back(call_.both ? Solve(type) : SimplifiedType(analysis_, type, ScopeId::kRoot));
      answer_.output_values.push_back(Simplified(analysis_, context.output_value(i)));
    }
    answer_.guards.assign(context.guards().begin(), context.guards().end());
  }

  Analysis& analysis_;
  const OpCall& call_;
  const OpDef& def_;
  AttrMap attrs_;
  OpAnswer answer_;
  std::vector<Type> types_;
  std::vector<Value> contents_;
  std::vector<Shape> as_shapes_;
  std::vector<Dim> generated_;  // sizes of operands with generated names
};

}  // namespace

Result<OpAnswer> CallOp(Analysis& analysis, const OpCall& call) { return Caller(analysis, call).Run(); }

}  // namespace dimwise
