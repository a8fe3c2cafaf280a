#include "infer/engine/kernels.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/types/float_format.h"

namespace dimwise {
namespace {

struct Function {
  std::string_view op;
  double (*apply)(double);
};

constexpr Function kFunctions[] = {
    {"onnx.Acos", [](double x) { return std::acos(x); }},
    {"onnx.Acosh", [](double x) { return std::acosh(x); }},
    {"onnx.Asin", [](double x) { return std::asin(x); }},
    {"onnx.Asinh", [](double x) { return std::asinh(x); }},
    {"onnx.Atan", [](double x) { return std::atan(x); }},
    {"onnx.Atanh", [](double x) { return std::atanh(x); }},
    {"onnx.Cos", [](double x) { return std::cos(x); }},
    {"onnx.Cosh", [](double x) { return std::cosh(x); }},
    {"onnx.Erf", [](double x) { return std::erf(x); }},
    {"onnx.Exp", [](double x) { return std::exp(x); }},
    {"onnx.Log", [](double x) { return std::log(x); }},
    {"onnx.Sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"onnx.Sin", [](double x) { return std::sin(x); }},
    {"onnx.Sinh", [](double x) { return std::sinh(x); }},
    {"onnx.Softplus", [](double x) { return std::log1p(std::exp(-std::fabs(x))) + std::max(x, 0.0); }},
    {"onnx.Sqrt", [](double x) { return std::sqrt(x); }},
    {"onnx.Tan", [](double x) { return std::tan(x); }},
    {"onnx.Tanh", [](double x) { return std::tanh(x); }},
};

// All elements, as floats or as integers; nothing where one is not a number.
std::optional<std::vector<double>> FloatsOf(Value value) {
  std::vector<double> elements;
  for (int64_t i = 0; i < value.size(); ++i) {
    const std::optional<double> x = value.FloatingPoint(i).constant();
    if (!x) return std::nullopt;
    elements.push_back(*x);
  }
  return elements;
}
std::optional<std::vector<int64_t>> IntegersOf(Value value) {
  std::vector<int64_t> elements;
  for (int64_t i = 0; i < value.size(); ++i) {
    const std::optional<int64_t> x = value.ConstantInteger(i);
    if (!x) return std::nullopt;
    elements.push_back(*x);
  }
  return elements;
}

std::vector<Value> RunFunction(Analysis& analysis, const Function& function, Value x) {
  const std::optional<FloatFormat> format = FloatFormatOf(x.element());
  if (!format) return {};
  const std::optional<std::vector<double>> elements = FloatsOf(x);
  if (!elements) return {};
  std::vector<Float> results;
  for (const double e : *elements) results.push_back(Float::Of(RoundTo(*format, function.apply(e))));
  return {analysis.values().Floats(x.element(), x.dims(), results)};
}

// The first `count` of the places along an axis, sorted by `before`, for each line of a tensor.
class Lines {
 public:
  Lines(std::span<const int64_t> dims, size_t axis) : length_(dims[axis]) {
    for (size_t i = 0; i < axis; ++i) outer_ *= dims[i];
    for (size_t i = axis + 1; i < dims.size(); ++i) inner_ *= dims[i];
  }

  // The places along the axis and in the whole tensor, in the order of the result.
  template <typename Before>
  void First(int64_t count, Before before, std::vector<int64_t>* along, std::vector<size_t>* whole) const {
    const auto total = static_cast<size_t>(outer_ * count * inner_);
    along->resize(total);
    whole->resize(total);
    std::vector<int64_t> order(static_cast<size_t>(length_));
    for (int64_t o = 0; o < outer_; ++o) {
      for (int64_t i = 0; i < inner_; ++i) {
        const auto place = [&](int64_t k) { return static_cast<size_t>((o * length_ + k) * inner_ + i); };
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, [&](int64_t a, int64_t b) { return before(place(a), place(b)); });
        for (int64_t k = 0; k < count; ++k) {
          const auto to = static_cast<size_t>((o * count + k) * inner_ + i);
          (*along)[to] = order[static_cast<size_t>(k)];
          (*whole)[to] = place((*along)[to]);
        }
      }
    }
  }

 private:
  int64_t length_, outer_ = 1, inner_ = 1;
};

std::vector<Value> RunTopK(Analysis& analysis, const AttrMap& attrs, Value x, std::span<const Type> results) {
  const auto number = [&](std::string_view name, int64_t otherwise) {
    const AttrValue* a = attrs.Find(name);
    return a == nullptr ? otherwise : AsInt(*a).value_or(otherwise);
  };
  int64_t axis = number("axis", -1);
  if (axis < 0) axis += x.rank();
  if (axis < 0 || axis >= x.rank() || results.size() != 2) return {};
  const Type& type = results[0];
  if (!type.is_tensor() || type.shape.is_none() || !type.shape.is_constant() || type.shape.rank() != x.rank())
    return {};
  std::vector<int64_t> dims;
  for (const Dim d : type.shape.dims()) dims.push_back(d.constant());
  const int64_t count = dims[static_cast<size_t>(axis)];
  if (count > x.dims()[static_cast<size_t>(axis)]) return {};

  const bool largest = number("largest", 1) != 0;
  const Lines lines(x.dims(), static_cast<size_t>(axis));
  std::vector<int64_t> along;
  std::vector<size_t> whole;
  Value values;
  if (IsFloat(x.element())) {
    const std::optional<std::vector<double>> elements = FloatsOf(x);
    if (!elements || std::ranges::any_of(*elements, [](double e) { return std::isnan(e); })) return {};
    const auto& e = *elements;
    lines.First(
        count, [&](size_t a, size_t b) { return largest ? e[a] > e[b] : e[a] < e[b]; }, &along, &whole);
    std::vector<Float> picked;
    for (const size_t place : whole) picked.push_back(Float::Of(e[place]));
    values = analysis.values().Floats(x.element(), dims, picked);
  } else {
    const std::optional<std::vector<int64_t>> elements = IntegersOf(x);
    if (!elements) return {};
    const auto& e = *elements;
    lines.First(
        count, [&](size_t a, size_t b) { return largest ? e[a] > e[b] : e[a] < e[b]; }, &along, &whole);
    std::vector<Dim> picked;
    for (const size_t place : whole) picked.emplace_back(e[place]);
    values = analysis.values().Integers(x.element(), dims, picked);
  }
  const std::vector<Dim> places(along.begin(), along.end());
  return {values, analysis.values().Integers(ElementType::kI64, dims, places)};
}

}  // namespace

std::vector<Value> RunKernel(Analysis& analysis, std::string_view op, const AttrMap& attrs,
                             std::span<const Value> operands, std::span<const Type> results) {
  if (operands.empty() || operands[0].is_none()) return {};
  if (op == "onnx.TopK") return RunTopK(analysis, attrs, operands[0], results);
  const auto* function = std::ranges::find(kFunctions, op, &Function::op);
  return function == std::end(kFunctions) ? std::vector<Value>()
                                          : RunFunction(analysis, *function, operands[0]);
}

}  // namespace dimwise
