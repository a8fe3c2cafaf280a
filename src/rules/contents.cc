// Contents of tensors: `value` clauses, element by element, for constants and symbols alike.
#include <algorithm>

#include "rules/contents_places.h"
#include "rules/evaluator.h"

namespace dimwise::rules {
namespace {

constexpr size_t kNowhere = SIZE_MAX;  // a place that is not known

}  // namespace
Evaluator::Contents Evaluator::MakeInts(ElementType element, std::span<const int64_t> dims,
                                        std::vector<Dim> elements) {
  Contents c;
  c.element = element;
  c.known = true;
  c.dims = KeepAll(std::vector<int64_t>(dims.begin(), dims.end()));
  c.integers = KeepAll(std::move(elements));
  return c;
}

Evaluator::Contents Evaluator::MakeFloats(ElementType element, std::span<const int64_t> dims,
                                          std::vector<Float> elements) {
  Contents c;
  c.element = element;
  c.known = c.is_float = true;
  c.dims = KeepAll(std::vector<int64_t>(dims.begin(), dims.end()));
  c.floats = KeepAll(std::move(elements));
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
    c.floats = KeepAll(std::move(floats));
    c.floats_of = value;
  } else {
    std::vector<Dim> ints;
    for (int64_t i = 0; i < value.size(); ++i) ints.push_back(value.Integer(i));
    c.integers = KeepAll(std::move(ints));
  }
  return c;
}

Value Evaluator::ToValue(const Contents& c, const Type& type) {
  ValueTable& values = site_->analysis().values();
  // A value says what its shape says, or nothing.
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
  alone.shape = site_->analysis().shapes().Make({});
  return site_->analysis().values().Every(ToValue(scalar, alone));
}

// Of a small operand whose contents are not known, as many elements that are not: others beside it may be.
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

// A tensor with as many elements as it has, also where it is an operand of which none is known.
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
    return Split(Tensor(Args(n)[0]), Ints(Args(n)[1]), Pinned(Int(Args(n)[2])));
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

// Contents cut into parts of these sizes along an axis.
std::vector<Evaluator::Contents> Evaluator::Split(const Contents& data, List sizes, Dim at) {
  const std::optional<std::vector<int64_t>> parts = ConstantsOf(sizes);
  if (!data.known || !parts || !at.is_constant() || at.constant() < 0 ||
      at.constant() >= static_cast<int64_t>(data.dims.size()))
    return {};
  const auto axis = static_cast<size_t>(at.constant());
  std::vector<Contents> all;
  int64_t begin = 0;
  for (int64_t size : *parts) {
    if (size < 0 || size > data.dims[axis] - begin) return {};
    std::vector<int64_t> dims(data.dims.begin(), data.dims.end());
    dims[axis] = size;
    std::vector<size_t> from;
    ForEachPlace(dims, [&](std::span<const int64_t> place) {
      std::vector<int64_t> index(place.begin(), place.end());
      index[axis] += begin;
      int64_t flat = 0;
      for (size_t i = 0; i < index.size(); ++i) flat = flat * data.dims[i] + index[i];
      from.push_back(static_cast<size_t>(flat));
    });
    all.push_back(Reindex(data, dims, from));
    begin += size;
  }
  return all;
}

Evaluator::Contents Evaluator::Reindex(const Contents& a, std::span<const int64_t> dims,
                                       const std::vector<size_t>& from) {
  Contents c = a;
  c.dims = KeepAll(std::vector<int64_t>(dims.begin(), dims.end()));
  c.floats_of = Value();
  if (a.is_float) {
    std::vector<Float> floats;
    for (size_t i : from) floats.push_back(i == kNowhere ? Float() : a.floats[i]);
    c.floats = KeepAll(std::move(floats));
  } else {
    std::vector<Dim> ints;
    for (size_t i : from) ints.push_back(i == kNowhere ? Dim() : a.integers[i]);
    c.integers = KeepAll(std::move(ints));
  }
  return c;
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
      const Dim axis_dim = Pinned(Int(args[2]));
      if (!data.known || !at.known || at.is_float || !axis_dim.is_constant() || data.dims.empty()) return {};
      const int64_t axis = axis_dim.constant();
      if (axis < 0 || axis >= static_cast<int64_t>(data.dims.size())) return {};
      std::vector<int64_t> dims(data.dims.begin(), data.dims.begin() + axis);
      dims.insert(dims.end(), at.dims.begin(), at.dims.end());
      dims.insert(dims.end(), data.dims.begin() + axis + 1, data.dims.end());
      if (CountOf(dims) > ContentsLimit::current()) return {};
      std::vector<size_t> from;
      bool valid = true;
      const std::vector<int64_t> strides = StridesOf(data.dims), at_strides = StridesOf(at.dims);
      ForEachPlace(dims, [&](std::span<const int64_t> index) {
        size_t which = 0;
        for (size_t k = 0; k < at.dims.size(); ++k)
          which += static_cast<size_t>(index[static_cast<size_t>(axis) + k] * at_strides[k]);
        const Dim d = Pinned(at.integers[which]);
        const int64_t n_axis = data.dims[static_cast<size_t>(axis)];
        if (!d.is_constant()) {
          from.push_back(kNowhere);
          return;
        }
        if (d.constant() < -n_axis || d.constant() >= n_axis) {
          valid = false;
          return;
        }
        const int64_t i = d.constant() < 0 ? d.constant() + n_axis : d.constant();
        int64_t place = i * strides[static_cast<size_t>(axis)];
        for (int64_t k = 0; k < axis; ++k)
          place += index[static_cast<size_t>(k)] * strides[static_cast<size_t>(k)];
        for (size_t k = static_cast<size_t>(axis) + 1; k < data.dims.size(); ++k)
          place += index[k - 1 + at.dims.size()] * strides[k];
        from.push_back(static_cast<size_t>(place));
      });
      return valid ? Reindex(data, dims, from) : Contents{};
    }
    case Builtin::kConcat: {
      const std::vector<Contents> parts = TensorsOf(args[0]);
      const Dim axis_dim = Pinned(Int(args[1]));
      if (parts.empty() || !axis_dim.is_constant()) return {};
      int64_t total = 0;
      const int64_t axis = axis_dim.constant();
      for (const Contents& p : parts) {
        if (!p.known || p.is_float != parts[0].is_float || p.dims.size() != parts[0].dims.size() ||
            axis < 0 || axis >= static_cast<int64_t>(p.dims.size()))
          return {};
        if (__builtin_add_overflow(total, p.dims[static_cast<size_t>(axis)], &total)) return {};
      }
      std::vector<int64_t> dims(parts[0].dims.begin(), parts[0].dims.end());
      dims[static_cast<size_t>(axis)] = total;
      if (CountOf(dims) > ContentsLimit::current()) return {};
      std::vector<Dim> ints;
      std::vector<Float> floats;
      bool valid = true;
      ForEachPlace(dims, [&](std::span<const int64_t> place) {
        std::vector<int64_t> index(place.begin(), place.end());
        for (const Contents& p : parts) {
          int64_t& k = index[static_cast<size_t>(axis)];
          if (k >= p.dims[static_cast<size_t>(axis)]) {
            k -= p.dims[static_cast<size_t>(axis)];
            continue;
          }
          const size_t at = PlaceOf(p.dims, index);
          valid = valid && at < p.size();
          if (!valid) return;
          if (p.is_float) {
            floats.push_back(p.floats[at]);
          } else {
            ints.push_back(p.integers[at]);
          }
          return;
        }
      });
      if (!valid) return {};
      return parts[0].is_float ? MakeFloats(parts[0].element, dims, std::move(floats))
                               : MakeInts(parts[0].element, dims, std::move(ints));
    }
    case Builtin::kSliceTensor: {
      const Contents data = Tensor(args[0]);
      const std::optional<std::vector<int64_t>> starts = ConstantsOf(Ints(args[1])),
                                                ends = ConstantsOf(Ints(args[2])),
                                                axes = ConstantsOf(Ints(args[3])),
                                                steps = ConstantsOf(Ints(args[4]));
      if (!data.known || !starts || !ends || !axes || !steps || starts->size() != ends->size() ||
          axes->size() != starts->size() || steps->size() != starts->size())
        return {};
      std::vector<int64_t> dims(data.dims.begin(), data.dims.end()), first(dims.size(), 0),
          step(dims.size(), 1);
      for (size_t i = 0; i < axes->size(); ++i) {
        const int64_t axis = (*axes)[i];
        if (axis < 0 || axis >= static_cast<int64_t>(dims.size()) || (*steps)[i] == 0) return {};
        const int64_t size = data.dims[static_cast<size_t>(axis)], s = (*steps)[i];
        const auto place = [&](int64_t v) { return v < 0 ? v + size : v; };
        if (size == 0) continue;  // nothing to take
        const int64_t b = s > 0 ? std::clamp<int64_t>(place((*starts)[i]), 0, size)
                                : std::clamp<int64_t>(place((*starts)[i]), 0, size - 1);
        const int64_t e = s > 0 ? std::clamp<int64_t>(place((*ends)[i]), 0, size)
                                : std::clamp<int64_t>(place((*ends)[i]), -1, size - 1);
        const int64_t span = s > 0 ? e - b : b - e;  // from the first to where it ends
        const Wide stride = s > 0 ? Wide{s} : -Wide{s};
        first[static_cast<size_t>(axis)] = b;
        step[static_cast<size_t>(axis)] = s;
        dims[static_cast<size_t>(axis)] = span > 0 ? static_cast<int64_t>((span - 1) / stride) + 1 : 0;
      }
      const std::vector<int64_t> strides = StridesOf(data.dims);
      std::vector<size_t> from;
      ForEachPlace(dims, [&](std::span<const int64_t> index) {
        int64_t at = 0;
        for (size_t k = 0; k < dims.size(); ++k)
          at += (first[k] + (index[k] == 0 ? 0 : index[k] * step[k])) * strides[k];
        from.push_back(static_cast<size_t>(at));
      });
      return Reindex(data, dims, from);
    }
    case Builtin::kTranspose: {
      const Contents data = Tensor(args[0]);
      const std::optional<std::vector<int64_t>> perm = ConstantsOf(Ints(args[1]));
      if (!data.known || !perm || perm->size() != data.dims.size()) return {};
      std::vector<int64_t> dims;
      for (int64_t p : *perm) {
        if (p < 0 || p >= static_cast<int64_t>(data.dims.size())) return {};
        dims.push_back(data.dims[static_cast<size_t>(p)]);
      }
      const std::vector<int64_t> strides = StridesOf(data.dims);
      std::vector<size_t> from;
      ForEachPlace(dims, [&](std::span<const int64_t> index) {
        int64_t at = 0;
        for (size_t k = 0; k < dims.size(); ++k) at += index[k] * strides[static_cast<size_t>((*perm)[k])];
        from.push_back(static_cast<size_t>(at));
      });
      return Reindex(data, dims, from);
    }
    case Builtin::kReshape: {
      Contents data = Tensor(args[0]);
      const std::optional<std::vector<int64_t>> dims = ConstantsOf(Ints(args[1]));
      if (!data.known || !dims || CountOf(*dims) != static_cast<int64_t>(data.size())) return {};
      data.dims = KeepAll(std::vector<int64_t>(*dims));
      return data;
    }
    case Builtin::kExpand:
    case Builtin::kFill: {
      const bool fill = builtin == Builtin::kFill;
      const Contents data = Tensor(args[fill ? 1 : 0]);
      const std::optional<std::vector<int64_t>> wanted = ConstantsOf(Ints(args[fill ? 0 : 1]));
      if (!data.known || !wanted) return {};
      std::optional<std::vector<int64_t>> dims = fill ? wanted : BroadcastPlaces(data.dims, *wanted);
      if (!dims || CountOf(*dims) > ContentsLimit::current() || (fill && data.size() != 1)) return {};
      std::vector<size_t> from;
      ForEachPlace(*dims, [&](std::span<const int64_t> index) {
        from.push_back(fill ? 0 : PlaceOf(data.dims, index));
      });
      return Reindex(data, *dims, from);
    }
    case Builtin::kTile: {
      const Contents data = Tensor(args[0]);
      const std::optional<std::vector<int64_t>> repeats = ConstantsOf(Ints(args[1]));
      if (!data.known || !repeats || repeats->size() != data.dims.size()) return {};
      std::vector<int64_t> dims;
      for (size_t i = 0; i < repeats->size(); ++i) {
        if ((*repeats)[i] < 0 || (*repeats)[i] > ContentsLimit::current()) return {};
        if (__builtin_mul_overflow(data.dims[i], (*repeats)[i], &dims.emplace_back())) return {};
      }
      if (CountOf(dims) > ContentsLimit::current()) return {};
      std::vector<size_t> from;
      ForEachPlace(dims, [&](std::span<const int64_t> place) {
        std::vector<int64_t> index(place.begin(), place.end());
        for (size_t k = 0; k < index.size(); ++k) index[k] %= std::max<int64_t>(1, data.dims[k]);
        from.push_back(PlaceOf(data.dims, index));
      });
      return Reindex(data, dims, from);
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
