// Evaluates contents of tensors: `value` clauses, element by element, for constants and symbols.
#include <algorithm>

#include "rules/evaluate/contents_indices.h"
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {

Evaluator::Contents Evaluator::MakeInts(ElementType element, std::span<const int64_t> dims,
                                        std::vector<Dim> elements) {
  Contents c;
  c.element = element;
  c.known = true;
  c.dims = StoreAll(std::vector<int64_t>(dims.begin(), dims.end()));
  c.integers = StoreAll(std::move(elements));
  return c;
}

Evaluator::Contents Evaluator::MakeFloats(ElementType element, std::span<const int64_t> dims,
                                          std::vector<Float> elements) {
  Contents c;
  c.element = element;
  c.known = c.is_float = true;
  c.dims = StoreAll(std::vector<int64_t>(dims.begin(), dims.end()));
  c.floats = StoreAll(std::move(elements));
  return c;
}

Evaluator::Contents Evaluator::FromValue(const Value& value, const Type& type) {
  Contents c;
  if (value.is_none() || value.size() > ContentsLimit::current()) return c;
  c.element = type.element == ElementType::kUnknown ? value.element() : type.element;
  c.known = true;
  c.dims = value.dims();
  c.is_float = IsFloat(c.element);
  if (c.is_float) {
    std::vector<Float> floats;
    for (int64_t i = 0; i < value.size(); ++i) floats.push_back(value.FloatingPoint(i));
    c.floats = StoreAll(std::move(floats));
    c.floats_of = value;
  } else {
    std::vector<Dim> ints;
    for (int64_t i = 0; i < value.size(); ++i) ints.push_back(value.Integer(i));
    c.integers = StoreAll(std::move(ints));
  }
  return c;
}

Value Evaluator::ToValue(const Contents& c, const Type& type) {
  ValueTable& values = host_->analysis().values();
  // Contents are dropped if their sizes differ from the shape.
  if (static_cast<int>(c.dims.size()) != type.shape.rank()) return Value();
  for (int i = 0; i < type.shape.rank(); ++i) {
    if (type.shape[i] != Dim(c.dims[static_cast<size_t>(i)])) return Value();
  }
  const ElementType element = type.element == ElementType::kUnknown ? c.element : type.element;
  if (c.is_float) {
    if (!c.floats.empty() && std::ranges::all_of(c.floats, [](const Float& f) { return f.is_unknown(); }))
      return Value();
    const bool is_copy = !c.floats_of.is_none() && c.floats_of.element() == element;
    return is_copy ? values.Reshaped(c.floats_of, c.dims) : values.Floats(element, c.dims, c.floats);
  }
  if (!c.integers.empty() && std::ranges::all_of(c.integers, [](Dim d) { return d.is_none(); }))
    return Value();
  if (element == ElementType::kBool) {
    std::vector<dimwise::Boolean> booleans;
    for (Dim d : c.integers) booleans.push_back({d, nullptr});
    return values.Booleans(c.dims, booleans);
  }
  return values.Integers(element, c.dims, c.integers);
}

Evaluator::Contents Evaluator::Tensor(NodeId id) {
  const Node& n = code_->nodes[id];
  if (!Step()) return {};
  switch (n.op) {
    case Op::kSlot:
      return ReadSlot(n.a).contents;
    case Op::kContents: {
      const auto [first, count] = operand_ranges_[n.a];
      return count == 0 ? Contents{}
                        : FromValue(application_->operands[first].value, application_->operands[first].type);
    }
    case Op::kIf: {
      const Truth t = Decide(n.a).truth;
      return t == Truth::kYes ? Tensor(n.b) : t == Truth::kNo ? Tensor(n.c) : Contents{};
    }
    case Op::kBuiltin:
      return TensorBuiltin(n);
    default:
      return {};
  }
}

Evaluator::Contents Evaluator::EveryElement(NodeId id) {
  const Node& n = code_->nodes[id];
  if (!Step()) return {};
  if (n.op == Op::kContents && operand_ranges_[n.a].second == 1) {
    const Operand& operand = application_->operands[operand_ranges_[n.a].first];
    return FromValue(operand.value.every(), operand.type);
  }
  if (!code_->IsFill(id)) return {};
  Contents number = Tensor(Args(n)[1]);
  if (!number.known || number.size() != 1) return {};
  number.dims = {};
  return number;
}

Value Evaluator::EveryValue(const Contents& scalar, const Type& type) {
  if (!scalar.known || !type.is_tensor()) return Value();
  Type alone = type;
  alone.shape = host_->analysis().shapes().Make({});
  return host_->analysis().values().Every(ToValue(scalar, alone));
}

// For a small operand with unknown contents, returns unknown elements: other operands may still have known
// elements.
Evaluator::Contents Evaluator::PartOf(const Operand& operand) {
  if (!operand.value.is_none()) return FromValue(operand.value, operand.type);
  const Type& type = operand.type;
  if (!type.is_tensor() || type.element == ElementType::kUnknown || type.shape.is_none() ||
      !type.shape.is_constant())
    return {};
  std::vector<int64_t> dims;
  for (Dim d : type.shape.dims()) dims.push_back(d.constant());
  const int64_t count = CountOf(dims);
  if (count > ContentsLimit::current()) return {};
  if (IsFloat(type.element))
    return MakeFloats(type.element, dims, std::vector<Float>(static_cast<size_t>(count)));
  return MakeInts(type.element, dims, std::vector<Dim>(static_cast<size_t>(count)));
}

// Returns the elements of a tensor. If it is an operand with unknown contents, all elements are unknown.
Evaluator::Contents Evaluator::Elements(NodeId id) {
  const Node& n = code_->nodes[id];
  const bool is_operand = n.op == Op::kContents && operand_ranges_[n.a].second == 1;
  return is_operand ? PartOf(application_->operands[operand_ranges_[n.a].first]) : Tensor(id);
}

std::vector<Evaluator::Contents> Evaluator::TensorsOf(NodeId id) {
  const Node& n = code_->nodes[id];
  std::vector<Contents> all;
  if (n.op == Op::kContents) {
    const auto [first, count] = operand_ranges_[n.a];
    const std::span<const Operand> operands = application_->operands.subspan(first, count);
    if (std::ranges::all_of(operands, [](const Operand& o) { return o.value.is_none(); })) return all;
    for (const Operand& o : operands) all.push_back(PartOf(o));
  } else if (n.op == Op::kList) {
    for (NodeId arg : Args(n)) all.push_back(Tensor(arg));
  } else if (n.op == Op::kBuiltin && static_cast<Builtin>(n.immediate) == Builtin::kSplitTensor) {
    const std::optional<std::vector<int64_t>> parts = ConstantsOf(Ints(Args(n)[1]));
    return parts ? Split(Tensor(Args(n)[0]), *parts, Pinned(Int(Args(n)[2]))) : std::move(all);
  } else if (n.op == Op::kBuiltin && static_cast<Builtin>(n.immediate) == Builtin::kUnstack) {
    return Unstack(Tensor(Args(n)[0]), Pinned(Int(Args(n)[1])));
  }
  return all;
}

std::optional<std::vector<int64_t>> Evaluator::ConstantsOf(List list) {
  if (!list.known()) return std::nullopt;
  std::vector<int64_t> out;
  for (Dim element : list.view()) {
    const Dim d = Pinned(element);
    if (!d.is_constant()) return std::nullopt;
    out.push_back(d.constant());
  }
  return out;
}

Evaluator::Contents Evaluator::TensorBuiltin(const Node& n) {
  const std::span<const NodeId> args = Args(n);
  const auto builtin = static_cast<Builtin>(n.immediate);
  switch (builtin) {
    case Builtin::kVector: {
      const List list = Ints(args[0]);
      if (!list.known() || list.count > ContentsLimit::current()) return {};
      const int64_t dims[] = {list.count};
      return MakeInts(ElementType::kUnknown, dims, {list.data, list.data + list.count});
    }
    case Builtin::kRealVector:
    case Builtin::kRealScalar: {
      std::vector<Float> floats;
      const auto add = [&](double d) { floats.push_back(IsUnknown(d) ? Float() : Float::Of(d)); };
      if (builtin == Builtin::kRealScalar) {
        add(Real(args[0]));
      } else {
        const std::span<const double> reals = Reals(args[0]);
        if (IsUnknown(reals)) return {};
        std::ranges::for_each(reals, add);
      }
      if (static_cast<int64_t>(floats.size()) > ContentsLimit::current()) return {};
      const int64_t dims[] = {static_cast<int64_t>(floats.size())};
      return MakeFloats(ElementType::kF32, std::span(dims, builtin == Builtin::kRealVector ? 1 : 0),
                        std::move(floats));
    }
    case Builtin::kScalar: {
      const Dim d = Int(args[0]);
      return d.is_none() ? Contents{} : MakeInts(ElementType::kUnknown, {}, {d});
    }
    case Builtin::kEvery:
      return EveryElement(args[0]);
    case Builtin::kCast: {
      const Contents c = Tensor(args[0]);
      return CastTo(c, TypeOf(args[1]));
    }
    case Builtin::kGather: {
      const Contents data = Tensor(args[0]), at = Tensor(args[1]);
      return Gather(data, at, Pinned(Int(args[2])));
    }
    case Builtin::kConcat: {
      const std::vector<Contents> parts = TensorsOf(args[0]);
      return Concat(parts, Pinned(Int(args[1])));
    }
    case Builtin::kStack: {
      std::vector<Contents> parts = TensorsOf(args[0]);
      return Stack(std::move(parts), Pinned(Int(args[1])));
    }
    case Builtin::kSliceTensor: {
      const Contents data = Tensor(args[0]);
      return Slice(data, {Ints(args[1]), Ints(args[2]), Ints(args[3]), Ints(args[4])});
    }
    case Builtin::kTranspose: {
      const Contents data = Tensor(args[0]);
      return Transpose(data, Ints(args[1]));
    }
    case Builtin::kReshape: {
      const Contents data = Tensor(args[0]);
      return Reshape(data, Ints(args[1]));
    }
    case Builtin::kExpand: {
      const Contents data = Tensor(args[0]);
      return Expand(data, Ints(args[1]));
    }
    case Builtin::kFill: {
      const Contents number = Tensor(args[1]);
      return Filled(Ints(args[0]), number);
    }
    case Builtin::kTile: {
      const Contents data = Tensor(args[0]);
      return Tile(data, Ints(args[1]));
    }
    case Builtin::kReduceSum:
    case Builtin::kReduceProduct:
    case Builtin::kReduceMin:
    case Builtin::kReduceMax: {
      const Contents a = Tensor(args[0]);
      const List axes = Ints(args[1]);
      return Reduce(builtin, a, axes, Ints(args[2]));
    }
    case Builtin::kWhere: {
      const Contents a = Tensor(args[1]), b = Tensor(args[2]);
      return a.known && b.known ? Choose(Elements(args[0]), a, b) : Contents{};
    }
    case Builtin::kNegateTensor:
    case Builtin::kAbsTensor:
    case Builtin::kNotTensor:
    case Builtin::kFloorTensor:
    case Builtin::kCeilTensor:
    case Builtin::kRoundTensor:
    case Builtin::kSqrtTensor:
      return Unary(builtin, Tensor(args[0]));
    case Builtin::kAcos:
    case Builtin::kAcosh:
    case Builtin::kAsin:
    case Builtin::kAsinh:
    case Builtin::kAtan:
    case Builtin::kAtanh:
    case Builtin::kCos:
    case Builtin::kCosh:
    case Builtin::kErf:
    case Builtin::kExp:
    case Builtin::kLog:
    case Builtin::kSigmoid:
    case Builtin::kSin:
    case Builtin::kSinh:
    case Builtin::kSoftplus:
    case Builtin::kTan:
    case Builtin::kTanh:
      return MachineContents(builtin, Tensor(args[0]));
    case Builtin::kTopElements:
    case Builtin::kTopIndices: {
      const Contents a = Tensor(args[0]);
      const Dim count = Int(args[1]), axis = Int(args[2]);
      return TopContents(a, count, axis, Boolean(args[3]), builtin == Builtin::kTopIndices);
    }
    case Builtin::kPowerTensor: {
      const Contents a = Tensor(args[0]), b = Tensor(args[1]);
      if (!a.known || !b.known || a.is_float == b.is_float) return Elementwise(builtin, a, b);
      const auto whole = [](const Float& f) { return !f.is_unknown() && !f.special && f.denominator == 1; };
      if (!std::ranges::all_of(b.floats, whole)) return {};
      return Elementwise(builtin, a, CastTo(b, a.element));
    }
    case Builtin::kSumTensors:
    case Builtin::kMinTensors:
    case Builtin::kMaxTensors: {
      const std::vector<Contents> all = TensorsOf(args[0]);
      if (all.empty()) return {};
      const Builtin step = builtin == Builtin::kSumTensors   ? Builtin::kAddTensor
                           : builtin == Builtin::kMinTensors ? Builtin::kMinTensor
                                                             : Builtin::kMaxTensor;
      Contents c = all[0];
      for (size_t i = 1; i < all.size(); ++i) c = Elementwise(step, c, all[i]);
      return c;
    }
    default:
      if (args.size() == 2) {
        const Contents a = Tensor(args[0]);
        return Elementwise(builtin, a, Tensor(args[1]));
      }
      return {};
  }
}

}  // namespace dimwise::rules
