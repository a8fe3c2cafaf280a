// Contents of tensors: `value` clauses, element by element, for constants and symbols alike.
#include <algorithm>
#include <cmath>

#include "core/wide.h"
#include "rules/evaluator.h"

namespace dimwise::rules {
namespace {

int64_t Count(std::span<const int64_t> dims) {
  int64_t n = 1;
  for (int64_t d : dims) n = d > ValueTable::kMaxElements ? ValueTable::kMaxElements + 1 : std::min<int64_t>(n * d, ValueTable::kMaxElements + 1);
  return n;
}

std::vector<int64_t> Strides(std::span<const int64_t> dims) {
  std::vector<int64_t> strides(dims.size());
  int64_t s = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = s;
    s *= dims[i];
  }
  return strides;
}

// Calls f(index) for each place of a tensor of these sizes, row by row.
template <typename F>
void ForPlaces(std::span<const int64_t> dims, F&& f) {
  std::vector<int64_t> index(dims.size(), 0);
  const int64_t n = Count(dims);
  for (int64_t i = 0; i < n; ++i) {
    f(index);
    for (size_t k = dims.size(); k-- > 0;) {
      if (++index[k] < dims[k]) break;
      index[k] = 0;
    }
  }
}

std::optional<std::vector<int64_t>> BroadcastDims(std::span<const int64_t> a, std::span<const int64_t> b) {
  std::vector<int64_t> out(std::max(a.size(), b.size()));
  for (size_t i = 0; i < out.size(); ++i) {
    const int64_t x = i + a.size() < out.size() ? 1 : a[i + a.size() - out.size()];
    const int64_t y = i + b.size() < out.size() ? 1 : b[i + b.size() - out.size()];
    if (x != y && x != 1 && y != 1) return std::nullopt;
    out[i] = x == 1 ? y : x;
  }
  return out;
}

// The place in a tensor of sizes `dims` that broadcasts to `index`.
size_t PlaceOf(std::span<const int64_t> dims, const std::vector<int64_t>& index) {
  int64_t at = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t k = index[index.size() - dims.size() + i];
    at = at * dims[i] + (dims[i] == 1 ? 0 : k);
  }
  return static_cast<size_t>(at);
}

// A machine wraps what does not fit its integers: a number outside the element type is not known.
Dim WithinType(ElementType element, Dim d) {
  const int bits = BitWidth(element);
  if (!d.is_constant() || !IsInteger(element) || bits >= 64) return IsUnsigned(element) && d.is_constant() && d.constant() < 0 ? Dim() : d;
  const int64_t lo = IsUnsigned(element) ? 0 : -(int64_t{1} << (bits - 1)), hi = IsUnsigned(element) ? (int64_t{1} << bits) - 1 : (int64_t{1} << (bits - 1)) - 1;
  return d.constant() < lo || d.constant() > hi ? Dim() : d;
}

std::optional<std::vector<int64_t>> Constants(const List& list) {
  if (!list.known()) return std::nullopt;
  std::vector<int64_t> out;
  for (Dim d : list.view()) {
    if (!d.is_constant()) return std::nullopt;
    out.push_back(d.constant());
  }
  return out;
}

}  // namespace

Evaluator::Contents Evaluator::MakeInts(ElementType element, std::span<const int64_t> dims, std::vector<Dim> elements) {
  Contents c;
  c.element = element;
  c.known = true;
  c.dims = KeepAll(std::vector<int64_t>(dims.begin(), dims.end()));
  c.integers = KeepAll(std::move(elements));
  return c;
}

Evaluator::Contents Evaluator::FromValue(const Value& value, const Type& type) {
  Contents c;
  if (value.is_none() || value.size() > ValueTable::kMaxElements) return c;
  c.element = type.element == ElementType::kUnknown ? value.element() : type.element;
  c.known = true;
  c.dims = value.dims();
  c.is_float = IsFloat(c.element);
  if (c.is_float) {
    std::vector<Float> floats;
    for (int64_t i = 0; i < value.size(); ++i) floats.push_back(value.FloatingPoint(i));
    c.floats = KeepAll(std::move(floats));
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
    if (std::ranges::all_of(c.floats, [](const Float& f) { return f.is_unknown(); })) return Value();
    return values.Floats(element, c.dims, c.floats);
  }
  if (!c.integers.empty() && std::ranges::all_of(c.integers, [](Dim d) { return d.is_none(); })) return Value();
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
    case Op::kSlot: return ReadSlot(n.a).contents;
    case Op::kContents: {
      const auto [first, count] = operand_ranges_[n.a];
      return count == 0 ? Contents{} : FromValue(application_->operands[first].value, application_->operands[first].type);
    }
    case Op::kIf: {
      const Truth t = Boolean(n.a).truth;
      return t == Truth::kYes ? Tensor(n.b) : t == Truth::kNo ? Tensor(n.c) : Contents{};
    }
    case Op::kBuiltin: return TensorBuiltin(n);
    default: return {};
  }
}

std::vector<Evaluator::Contents> Evaluator::TensorsOf(NodeId id) {
  const Node& n = code_->nodes[id];
  std::vector<Contents> all;
  if (n.op == Op::kContents) {
    const auto [first, count] = operand_ranges_[n.a];
    for (uint32_t k = first; k < first + count; ++k) all.push_back(FromValue(application_->operands[k].value, application_->operands[k].type));
  } else if (n.op == Op::kList) {
    for (NodeId arg : Args(n)) all.push_back(Tensor(arg));
  }
  return all;
}

Dim Evaluator::ElementInt(Builtin builtin, Dim a, Dim b) {
  const auto truth = [](Bool v) { return v.truth == Truth::kYes ? Dim(1) : v.truth == Truth::kNo ? Dim(0) : Dim(); };
  switch (builtin) {
    case Builtin::kAddTensor: return Arithmetic(Op::kAdd, a, b);
    case Builtin::kSubtractTensor: return Arithmetic(Op::kSubtract, a, b);
    case Builtin::kMultiplyTensor: return Arithmetic(Op::kMultiply, a, b);
    case Builtin::kModTensor: return b == Dim(0) ? Dim() : Arithmetic(Op::kMod, a, b);
    case Builtin::kDivideTensor: {  // towards 0
      if (a.is_none() || b.is_none() || b == Dim(0)) return Dim();
      if (a.is_constant() && b.is_constant()) {
        const Wide r = Wide{a.constant()} / b.constant();
        return FitsInt64(r) ? Dim(static_cast<int64_t>(r)) : Dim();
      }
      // The same as rounding down where both are >= 0.
      const Bool plain = And(Compare(Op::kAtMost, Dim(0), a), Compare(Op::kLess, Dim(0), b));
      return plain.truth == Truth::kYes ? Arithmetic(Op::kFloorDivide, a, b) : Dim();
    }
    case Builtin::kMinTensor:
    case Builtin::kMaxTensor: {
      if (a.is_none() || b.is_none()) return Dim();
      const bool min = builtin == Builtin::kMinTensor;
      const Truth t = Compare(Op::kAtMost, a, b).truth;
      if (t != Truth::kMaybe) return (t == Truth::kYes) == min ? a : b;
      if (site_ == nullptr) return Dim();
      return min ? site_->analysis().dims().Min(a, b) : site_->analysis().dims().Max(a, b);
    }
    case Builtin::kEqualTensor: return truth(Compare(Op::kEqual, a, b));
    case Builtin::kLessTensor: return truth(Compare(Op::kLess, a, b));
    case Builtin::kAtMostTensor: return truth(Compare(Op::kAtMost, a, b));
    case Builtin::kAndTensor:
      if (a == Dim(0) || b == Dim(0)) return 0;
      return a == Dim(1) ? b : b == Dim(1) || a == b ? a : Dim();
    case Builtin::kOrTensor:
      if (a == Dim(1) || b == Dim(1)) return 1;
      return a == Dim(0) ? b : b == Dim(0) || a == b ? a : Dim();
    default: return Dim();
  }
}

namespace {

bool IsComparison(Builtin b) { return b == Builtin::kEqualTensor || b == Builtin::kLessTensor || b == Builtin::kAtMostTensor; }

// Floats in their format: f32 is rounded at each step; other formats only where both are exact integers.
Float ElementFloat(Builtin builtin, ElementType format, const Float& a, const Float& b) {
  const std::optional<double> x = a.constant(), y = b.constant();
  if (!x || !y) return {};
  double r = 0;
  switch (builtin) {
    case Builtin::kAddTensor: r = *x + *y; break;
    case Builtin::kSubtractTensor: r = *x - *y; break;
    case Builtin::kMultiplyTensor: r = *x * *y; break;
    case Builtin::kDivideTensor: r = *x / *y; break;
    case Builtin::kMinTensor: r = std::isnan(*x) || std::isnan(*y) ? NAN : std::fmin(*x, *y); break;
    case Builtin::kMaxTensor: r = std::isnan(*x) || std::isnan(*y) ? NAN : std::fmax(*x, *y); break;
    default: return {};
  }
  if (format == ElementType::kF64) return Float::Of(r);
  if (format == ElementType::kF32) {
    // The double result of two floats rounds once more to the float that the machine computes.
    return Float::Of(static_cast<double>(static_cast<float>(r)));
  }
  return {};
}

Dim CompareFloats(Builtin builtin, const Float& a, const Float& b) {
  const std::optional<double> x = a.constant(), y = b.constant();
  if (!x || !y) return Dim();
  return Dim(builtin == Builtin::kEqualTensor ? *x == *y : builtin == Builtin::kLessTensor ? *x < *y : *x <= *y);
}

}  // namespace

Evaluator::Contents Evaluator::Elementwise(Builtin builtin, Contents a, Contents b) {
  if (!a.known || !b.known || a.is_float != b.is_float) return {};
  const std::optional<std::vector<int64_t>> dims = BroadcastDims(a.dims, b.dims);
  if (!dims || Count(*dims) > ValueTable::kMaxElements) return {};
  const bool compares = IsComparison(builtin);
  Contents c;
  c.known = true;
  c.element = compares ? ElementType::kBool : a.element;
  std::vector<Dim> ints;
  std::vector<Float> floats;
  ForPlaces(*dims, [&](const std::vector<int64_t>& index) {
    const size_t i = PlaceOf(a.dims, index), k = PlaceOf(b.dims, index);
    if (!a.is_float) {
      // What overflows in these contents is not known; it is no error of the operator.
      const Dim r = Branch([&] { return ElementInt(builtin, a.integers[i], b.integers[k]); });
      ints.push_back(compares ? r : WithinType(a.element, r));
    } else if (compares) {
      ints.push_back(CompareFloats(builtin, a.floats[i], b.floats[k]));
    } else {
      floats.push_back(ElementFloat(builtin, a.element, a.floats[i], b.floats[k]));
    }
  });
  c.is_float = a.is_float && !compares;
  c.dims = KeepAll(std::vector<int64_t>(*dims));
  c.integers = KeepAll(std::move(ints));
  c.floats = KeepAll(std::move(floats));
  return c;
}

Evaluator::Contents Evaluator::Reindex(const Contents& a, std::span<const int64_t> dims, const std::vector<size_t>& from) {
  Contents c = a;
  c.dims = KeepAll(std::vector<int64_t>(dims.begin(), dims.end()));
  if (a.is_float) {
    std::vector<Float> floats;
    for (size_t i : from) floats.push_back(a.floats[i]);
    c.floats = KeepAll(std::move(floats));
  } else {
    std::vector<Dim> ints;
    for (size_t i : from) ints.push_back(a.integers[i]);
    c.integers = KeepAll(std::move(ints));
  }
  return c;
}

Evaluator::Contents Evaluator::Reduce(Builtin builtin, const Contents& a, List axes, List sizes) {
  const std::optional<std::vector<int64_t>> over = Constants(axes), dims = Constants(sizes);
  if (!a.known || a.is_float || !over || !dims || Count(*dims) > ValueTable::kMaxElements) return {};
  std::vector<int64_t> kept(a.dims.begin(), a.dims.end());
  for (int64_t axis : *over) {
    if (axis < 0 || axis >= static_cast<int64_t>(kept.size())) return {};
    kept[static_cast<size_t>(axis)] = 1;
  }
  if (Count(kept) != Count(*dims)) return {};
  const bool product = builtin == Builtin::kReduceProduct, sum = builtin == Builtin::kReduceSum;
  if (!product && !sum && a.integers.empty()) return {};
  std::vector<Dim> out(static_cast<size_t>(Count(kept)), product ? Dim(1) : Dim(0));
  std::vector<bool> begun(out.size(), false);
  const Builtin step = product ? Builtin::kMultiplyTensor : sum ? Builtin::kAddTensor : builtin == Builtin::kReduceMin ? Builtin::kMinTensor : Builtin::kMaxTensor;
  size_t i = 0;
  ForPlaces(a.dims, [&](const std::vector<int64_t>& index) {
    const size_t at = PlaceOf(kept, index);
    out[at] = !begun[at] && !product && !sum ? a.integers[i] : Branch([&] { return WithinType(a.element, ElementInt(step, out[at], a.integers[i])); });
    begun[at] = true;
    ++i;
  });
  return MakeInts(a.element, *dims, std::move(out));
}

// Floats in a narrower format: f32 as the machine rounds; others only where the number is a small integer.
Evaluator::Contents Evaluator::RoundedTo(const Contents& c, ElementType to) {
  std::vector<Float> floats;
  for (const Float& f : c.floats) {
    const std::optional<double> v = f.constant();
    if (to == ElementType::kF32 && v) {
      floats.push_back(Float::Of(static_cast<double>(static_cast<float>(*v))));
    } else {
      floats.push_back(v && std::fabs(*v) <= 256 && *v == std::trunc(*v) && (to == ElementType::kF16 || to == ElementType::kBF16) ? f : Float());
    }
  }
  Contents r = c;
  r.element = to;
  r.floats = KeepAll(std::move(floats));
  return r;
}

Evaluator::Contents Evaluator::TensorBuiltin(const Node& n) {
  const std::span<const NodeId> args = Args(n);
  const auto builtin = static_cast<Builtin>(n.immediate);
  switch (builtin) {
    case Builtin::kVector: {
      const List list = Ints(args[0]);
      if (!list.known() || list.count > ValueTable::kMaxElements) return {};
      const int64_t dims[] = {list.count};
      return MakeInts(ElementType::kUnknown, dims, {list.data, list.data + list.count});
    }
    case Builtin::kRealVector:
    case Builtin::kRealScalar: {
      std::vector<Float> floats;
      if (builtin == Builtin::kRealScalar) {
        floats.push_back(Float::Of(Real(args[0])));
      } else {
        for (double d : Reals(args[0])) floats.push_back(Float::Of(d));
      }
      if (floats.size() > ValueTable::kMaxElements) return {};
      Contents c;
      c.element = ElementType::kF32;
      c.known = c.is_float = true;
      if (builtin == Builtin::kRealVector) c.dims = KeepAll(std::vector<int64_t>{static_cast<int64_t>(floats.size())});
      c.floats = KeepAll(std::move(floats));
      return c;
    }
    case Builtin::kScalar: {
      const Dim d = Int(args[0]);
      return d.is_none() ? Contents{} : MakeInts(ElementType::kUnknown, {}, {d});
    }
    case Builtin::kCast: {
      Contents c = Tensor(args[0]);
      const ElementType to = TypeOf(args[1]);
      if (!c.known || to == ElementType::kUnknown) return {};
      c.element = to;
      if (c.is_float == IsFloat(to)) {
        if (c.is_float) return to == ElementType::kF64 ? c : RoundedTo(c, to);
        if (to != ElementType::kBool) {
          std::vector<Dim> ints;
          for (Dim d : c.integers) ints.push_back(WithinType(to, d));
          return MakeInts(to, c.dims, std::move(ints));
        }
      }
      if (!c.is_float && to == ElementType::kBool) {
        std::vector<Dim> ints;
        for (Dim d : c.integers) {
          const Bool zero = Compare(Op::kEqual, d, Dim(0));
          ints.push_back(zero.truth == Truth::kMaybe ? Dim() : Dim(zero.truth == Truth::kNo ? 1 : 0));
        }
        return MakeInts(to, c.dims, std::move(ints));
      }
      if (c.is_float) {  // towards 0
        std::vector<Dim> ints;
        for (const Float& f : c.floats) {
          const std::optional<double> v = f.constant();
          if (v && std::isfinite(*v) && std::fabs(*v) < 9e18) {
            ints.push_back(to == ElementType::kBool ? Dim(*v != 0) : WithinType(to, Dim(static_cast<int64_t>(std::trunc(*v)))));
          } else if (!f.is_unknown() && f.denominator == 1 && !f.special) {
            ints.push_back(f.numerator);
          } else {
            ints.push_back(Dim());
          }
        }
        return MakeInts(to, c.dims, std::move(ints));
      }
      std::vector<Float> floats;
      for (Dim d : c.integers) {
        Float f;
        f.numerator = d;
        // Exact while every value in range is representable: 2^24 in f32, 2^53 in f64.
        const int64_t limit = to == ElementType::kF64 ? int64_t{1} << 53 : to == ElementType::kF32 ? int64_t{1} << 24 : int64_t{1} << 8;
        if (d.is_constant() && (d.constant() > limit || d.constant() < -limit)) f = to == ElementType::kF32 ? Float::Of(static_cast<double>(static_cast<float>(d.constant()))) : Float();
        floats.push_back(f);
      }
      c.is_float = true;
      c.floats = KeepAll(std::move(floats));
      return c;
    }
    case Builtin::kGather: {
      const Contents data = Tensor(args[0]), at = Tensor(args[1]);
      const Dim axis_dim = Int(args[2]);
      if (!data.known || !at.known || at.is_float || !axis_dim.is_constant() || data.dims.empty()) return {};
      const int64_t axis = axis_dim.constant();
      if (axis < 0 || axis >= static_cast<int64_t>(data.dims.size())) return {};
      std::vector<int64_t> dims(data.dims.begin(), data.dims.begin() + axis);
      dims.insert(dims.end(), at.dims.begin(), at.dims.end());
      dims.insert(dims.end(), data.dims.begin() + axis + 1, data.dims.end());
      if (Count(dims) > ValueTable::kMaxElements) return {};
      std::vector<size_t> from;
      bool valid = true;
      const std::vector<int64_t> strides = Strides(data.dims), at_strides = Strides(at.dims);
      ForPlaces(dims, [&](const std::vector<int64_t>& index) {
        size_t which = 0;
        for (size_t k = 0; k < at.dims.size(); ++k) which += static_cast<size_t>(index[static_cast<size_t>(axis) + k] * at_strides[k]);
        Dim d = at.integers[which];
        const int64_t n_axis = data.dims[static_cast<size_t>(axis)];
        if (!d.is_constant() || d.constant() < -n_axis || d.constant() >= n_axis) {
          valid = false;
          return;
        }
        const int64_t i = d.constant() < 0 ? d.constant() + n_axis : d.constant();
        int64_t place = i * strides[static_cast<size_t>(axis)];
        for (int64_t k = 0; k < axis; ++k) place += index[static_cast<size_t>(k)] * strides[static_cast<size_t>(k)];
        for (size_t k = static_cast<size_t>(axis) + 1; k < data.dims.size(); ++k) place += index[k - 1 + at.dims.size()] * strides[k];
        from.push_back(static_cast<size_t>(place));
      });
      return valid ? Reindex(data, dims, from) : Contents{};
    }
    case Builtin::kConcat: {
      const std::vector<Contents> parts = TensorsOf(args[0]);
      const Dim axis_dim = Int(args[1]);
      if (parts.empty() || !axis_dim.is_constant()) return {};
      int64_t total = 0;
      const int64_t axis = axis_dim.constant();
      for (const Contents& p : parts) {
        if (!p.known || p.is_float != parts[0].is_float || p.dims.size() != parts[0].dims.size() || axis < 0 || axis >= static_cast<int64_t>(p.dims.size())) return {};
        total += p.dims[static_cast<size_t>(axis)];
      }
      std::vector<int64_t> dims(parts[0].dims.begin(), parts[0].dims.end());
      dims[static_cast<size_t>(axis)] = total;
      if (Count(dims) > ValueTable::kMaxElements) return {};
      std::vector<Dim> ints;
      std::vector<Float> floats;
      bool valid = true;
      ForPlaces(dims, [&](std::vector<int64_t> index) {
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
      Contents c = MakeInts(parts[0].element, dims, std::move(ints));
      c.is_float = parts[0].is_float;
      c.floats = KeepAll(std::move(floats));
      return c;
    }
    case Builtin::kSliceTensor: {
      const Contents data = Tensor(args[0]);
      const std::optional<std::vector<int64_t>> starts = Constants(Ints(args[1])), ends = Constants(Ints(args[2])), axes = Constants(Ints(args[3])), steps = Constants(Ints(args[4]));
      if (!data.known || !starts || !ends || !axes || !steps || starts->size() != ends->size() || axes->size() != starts->size() || steps->size() != starts->size()) return {};
      std::vector<int64_t> dims(data.dims.begin(), data.dims.end()), first(dims.size(), 0), step(dims.size(), 1);
      for (size_t i = 0; i < axes->size(); ++i) {
        const int64_t axis = (*axes)[i];
        if (axis < 0 || axis >= static_cast<int64_t>(dims.size()) || (*steps)[i] == 0) return {};
        const int64_t size = data.dims[static_cast<size_t>(axis)], s = (*steps)[i];
        const auto place = [&](int64_t v) { return v < 0 ? std::max<int64_t>(v, INT64_MIN + size) + size : v; };
        const int64_t b = s > 0 ? std::clamp<int64_t>(place((*starts)[i]), 0, size) : std::clamp<int64_t>(place((*starts)[i]), 0, size - 1);
        const int64_t e = s > 0 ? std::clamp<int64_t>(place((*ends)[i]), 0, size) : std::clamp<int64_t>(place((*ends)[i]), -1, size - 1);
        const int64_t length = s > 0 ? (e - b + s - 1) / s : s == INT64_MIN ? (b > e ? 1 : 0) : (b - e + (-s) - 1) / (-s);
        first[static_cast<size_t>(axis)] = b;
        step[static_cast<size_t>(axis)] = s;
        dims[static_cast<size_t>(axis)] = std::max<int64_t>(0, length);
      }
      const std::vector<int64_t> strides = Strides(data.dims);
      std::vector<size_t> from;
      ForPlaces(dims, [&](const std::vector<int64_t>& index) {
        int64_t at = 0;
        for (size_t k = 0; k < dims.size(); ++k) at += (first[k] + (index[k] == 0 ? 0 : index[k] * step[k])) * strides[k];
        from.push_back(static_cast<size_t>(at));
      });
      return Reindex(data, dims, from);
    }
    case Builtin::kTranspose: {
      const Contents data = Tensor(args[0]);
      const std::optional<std::vector<int64_t>> perm = Constants(Ints(args[1]));
      if (!data.known || !perm || perm->size() != data.dims.size()) return {};
      std::vector<int64_t> dims;
      for (int64_t p : *perm) {
        if (p < 0 || p >= static_cast<int64_t>(data.dims.size())) return {};
        dims.push_back(data.dims[static_cast<size_t>(p)]);
      }
      const std::vector<int64_t> strides = Strides(data.dims);
      std::vector<size_t> from;
      ForPlaces(dims, [&](const std::vector<int64_t>& index) {
        int64_t at = 0;
        for (size_t k = 0; k < dims.size(); ++k) at += index[k] * strides[static_cast<size_t>((*perm)[k])];
        from.push_back(static_cast<size_t>(at));
      });
      return Reindex(data, dims, from);
    }
    case Builtin::kReshape: {
      Contents data = Tensor(args[0]);
      const std::optional<std::vector<int64_t>> dims = Constants(Ints(args[1]));
      if (!data.known || !dims || Count(*dims) != static_cast<int64_t>(data.size())) return {};
      data.dims = KeepAll(std::vector<int64_t>(*dims));
      return data;
    }
    case Builtin::kExpand:
    case Builtin::kFill: {
      const bool fill = builtin == Builtin::kFill;
      const Contents data = Tensor(args[fill ? 1 : 0]);
      const std::optional<std::vector<int64_t>> wanted = Constants(Ints(args[fill ? 0 : 1]));
      if (!data.known || !wanted) return {};
      std::optional<std::vector<int64_t>> dims = fill ? wanted : BroadcastDims(data.dims, *wanted);
      if (!dims || Count(*dims) > ValueTable::kMaxElements || (fill && data.size() != 1)) return {};
      std::vector<size_t> from;
      ForPlaces(*dims, [&](const std::vector<int64_t>& index) { from.push_back(fill ? 0 : PlaceOf(data.dims, index)); });
      return Reindex(data, *dims, from);
    }
    case Builtin::kTile: {
      const Contents data = Tensor(args[0]);
      const std::optional<std::vector<int64_t>> repeats = Constants(Ints(args[1]));
      if (!data.known || !repeats || repeats->size() != data.dims.size()) return {};
      std::vector<int64_t> dims;
      for (size_t i = 0; i < repeats->size(); ++i) {
        if ((*repeats)[i] < 0 || (*repeats)[i] > ValueTable::kMaxElements) return {};
        dims.push_back(data.dims[i] * (*repeats)[i]);
      }
      if (Count(dims) > ValueTable::kMaxElements) return {};
      std::vector<size_t> from;
      ForPlaces(dims, [&](std::vector<int64_t> index) {
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
      const Contents c = Tensor(args[0]), a = Tensor(args[1]), b = Tensor(args[2]);
      if (!c.known || c.is_float || !a.known || !b.known || a.is_float || b.is_float) return {};
      std::optional<std::vector<int64_t>> dims = BroadcastDims(a.dims, b.dims);
      if (dims) dims = BroadcastDims(*dims, c.dims);
      if (!dims || Count(*dims) > ValueTable::kMaxElements) return {};
      std::vector<Dim> ints;
      ForPlaces(*dims, [&](const std::vector<int64_t>& index) {
        const Dim which = c.integers[PlaceOf(c.dims, index)], x = a.integers[PlaceOf(a.dims, index)], y = b.integers[PlaceOf(b.dims, index)];
        ints.push_back(which == Dim(1) || x == y ? x : which == Dim(0) ? y : Dim());
      });
      return MakeInts(a.element, *dims, std::move(ints));
    }
    case Builtin::kNegateTensor:
    case Builtin::kAbsTensor:
    case Builtin::kNotTensor: {
      const Contents a = Tensor(args[0]);
      if (!a.known || a.is_float) return {};
      std::vector<Dim> ints;
      for (Dim d : a.integers) {
        if (builtin == Builtin::kNotTensor) {
          ints.push_back(d.is_constant() ? Dim(d == Dim(0) ? 1 : 0) : Dim());
        } else {
          const Dim negated = Branch([&] { return WithinType(a.element, Arithmetic(Op::kSubtract, Dim(0), d)); });
          ints.push_back(builtin == Builtin::kNegateTensor ? negated : ElementInt(Builtin::kMaxTensor, d, negated));
        }
      }
      return MakeInts(a.element, a.dims, std::move(ints));
    }
    case Builtin::kFloorTensor:
    case Builtin::kCeilTensor: {
      Contents a = Tensor(args[0]);
      if (!a.known || !a.is_float) return {};
      std::vector<Float> floats;
      for (const Float& f : a.floats) {
        Float r;
        if (const std::optional<double> v = f.constant()) {
          r = Float::Of(builtin == Builtin::kFloorTensor ? std::floor(*v) : std::ceil(*v));
        } else if (!f.is_unknown() && !f.special && site_ != nullptr) {
          DimTable& t = site_->analysis().dims();
          r.numerator = builtin == Builtin::kFloorTensor ? t.FloorDivide(f.numerator, f.denominator) : t.CeilDivide(f.numerator, f.denominator);
        }
        floats.push_back(r);
      }
      a.floats = KeepAll(std::move(floats));
      return a;
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
