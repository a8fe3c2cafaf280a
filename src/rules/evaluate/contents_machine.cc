// Contents that are computed on numbers only: elementwise functions that machines round differently, and the
// indices of the greatest elements of a tensor.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "core/types/float_format.h"
#include "core/values/machine_values.h"
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {
namespace {

struct MachineFunction {
  Builtin builtin;
  double (*apply)(double);
};

constexpr MachineFunction kMachineFunctions[] = {
    {Builtin::kAcos, [](double x) { return std::acos(x); }},
    {Builtin::kAcosh, [](double x) { return std::acosh(x); }},
    {Builtin::kAsin, [](double x) { return std::asin(x); }},
    {Builtin::kAsinh, [](double x) { return std::asinh(x); }},
    {Builtin::kAtan, [](double x) { return std::atan(x); }},
    {Builtin::kAtanh, [](double x) { return std::atanh(x); }},
    {Builtin::kCos, [](double x) { return std::cos(x); }},
    {Builtin::kCosh, [](double x) { return std::cosh(x); }},
    {Builtin::kErf, [](double x) { return std::erf(x); }},
    {Builtin::kExp, [](double x) { return std::exp(x); }},
    {Builtin::kLog, [](double x) { return std::log(x); }},
    {Builtin::kSigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }},
    {Builtin::kSin, [](double x) { return std::sin(x); }},
    {Builtin::kSinh, [](double x) { return std::sinh(x); }},
    {Builtin::kSoftplus, [](double x) { return std::log1p(std::exp(-std::fabs(x))) + std::max(x, 0.0); }},
    {Builtin::kTan, [](double x) { return std::tan(x); }},
    {Builtin::kTanh, [](double x) { return std::tanh(x); }},
};

// Returns the elements, or nullopt if an element is not a number.
std::optional<std::vector<double>> FloatNumbers(std::span<const Float> elements) {
  std::vector<double> numbers;
  for (const Float& f : elements) {
    const std::optional<double> x = f.constant();
    if (!x) return std::nullopt;
    numbers.push_back(*x);
  }
  return numbers;
}
std::optional<std::vector<int64_t>> IntegerNumbers(std::span<const Dim> elements) {
  std::vector<int64_t> numbers;
  for (const Dim d : elements) {
    if (!d.is_constant()) return std::nullopt;
    numbers.push_back(d.constant());
  }
  return numbers;
}

// An element of a result: its index along the axis, and its index among all elements of the operand.
struct TopElement {
  int64_t along;
  size_t whole;
};

// Returns the first `count` elements along an axis, sorted by `before`, in the order of the result. Of equal
// elements the first comes first.
template <typename Before>
std::vector<TopElement> FirstAlong(std::span<const int64_t> dims, size_t axis, int64_t count, Before before) {
  const int64_t length = dims[axis];
  int64_t outer = 1, inner = 1;
  for (size_t i = 0; i < axis; ++i) outer *= dims[i];
  for (size_t i = axis + 1; i < dims.size(); ++i) inner *= dims[i];
  std::vector<TopElement> found(static_cast<size_t>(outer * count * inner));
  std::vector<int64_t> order(static_cast<size_t>(length));
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      const auto index = [&](int64_t k) { return static_cast<size_t>((o * length + k) * inner + i); };
      std::iota(order.begin(), order.end(), 0);
      std::ranges::stable_sort(order, [&](int64_t a, int64_t b) { return before(index(a), index(b)); });
      for (int64_t k = 0; k < count; ++k) {
        const int64_t along = order[static_cast<size_t>(k)];
        found[static_cast<size_t>((o * count + k) * inner + i)] = {along, index(along)};
      }
    }
  }
  return found;
}

template <typename Number>
std::vector<TopElement> TopOf(const std::vector<Number>& numbers, std::span<const int64_t> dims, size_t axis,
                              int64_t count, bool largest) {
  return FirstAlong(dims, axis, count, [&](size_t a, size_t b) {
    return largest ? numbers[a] > numbers[b] : numbers[a] < numbers[b];
  });
}

}  // namespace

Evaluator::Contents Evaluator::MachineContents(Builtin builtin, const Contents& a) {
  if (!a.known || !a.is_float) return {};
  LeaveOpen();  // a trace does not contain whether they are computed
  const std::optional<FloatFormat> format = FloatFormatOf(a.element);
  const std::optional<std::vector<double>> numbers = FloatNumbers(a.floats);
  if (!MachineValues::are_computed() || !format || !numbers) return {};
  const auto* function = std::ranges::find(kMachineFunctions, builtin, &MachineFunction::builtin);
  std::vector<Float> results;
  for (const double x : *numbers) results.push_back(Float::Of(RoundTo(*format, function->apply(x))));
  return MakeFloats(a.element, a.dims, std::move(results));
}

Evaluator::Contents Evaluator::TopContents(const Contents& a, Dim count, Dim axis, Bool largest,
                                           bool indices) {
  if (!a.known) return {};
  LeaveOpen();
  const auto rank = static_cast<int64_t>(a.dims.size());
  if (!MachineValues::are_computed() || !count.is_constant() || !axis.is_constant()) return {};
  if (largest.truth == Truth::kMaybe || axis.constant() < 0 || axis.constant() >= rank) return {};
  const auto along = static_cast<size_t>(axis.constant());
  if (count.constant() < 0 || count.constant() > a.dims[along]) return {};
  const bool descending = largest.truth == Truth::kYes;
  std::vector<int64_t> dims(a.dims.begin(), a.dims.end());
  dims[along] = count.constant();

  std::vector<TopElement> found;
  if (a.is_float) {
    const std::optional<std::vector<double>> numbers = FloatNumbers(a.floats);
    if (!numbers || std::ranges::any_of(*numbers, [](double x) { return std::isnan(x); })) return {};
    found = TopOf(*numbers, a.dims, along, count.constant(), descending);
  } else {
    const std::optional<std::vector<int64_t>> numbers = IntegerNumbers(a.integers);
    if (!numbers) return {};
    found = TopOf(*numbers, a.dims, along, count.constant(), descending);
  }
  if (a.is_float && !indices) {
    std::vector<Float> elements;
    for (const TopElement& e : found) elements.push_back(a.floats[e.whole]);
    return MakeFloats(a.element, dims, std::move(elements));
  }
  std::vector<Dim> elements;
  for (const TopElement& e : found) elements.push_back(indices ? Dim(e.along) : a.integers[e.whole]);
  return MakeInts(indices ? ElementType::kI64 : a.element, dims, std::move(elements));
}

}  // namespace dimwise::rules
