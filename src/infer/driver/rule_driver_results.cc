// Compares inferred results with the results for numbers.
#include <fmt/format.h>

#include <algorithm>

#include "infer/driver/rule_driver_inference.h"

namespace dimwise {
namespace {

// Compares the inferred types of results with those for numbers.
class ResultComparer {
 public:
  ResultComparer(SampleInference& partial, SampleInference& full) : partial_(partial), full_(full) {}

  Finding Compare(const std::string& name, const Type& partial, const Type& full) {
    if (partial.kind == TypeKind::kUnknown || full.kind == TypeKind::kUnknown) return std::nullopt;
    if (partial.kind != full.kind) {
      return Disagree(
          DisagreementKind::kResult,
          fmt::format("{} is inferred to be {}; with all numbers it is {}", name,
                      ToString(partial_.analysis.dims(), partial), ToString(full_.analysis.dims(), full)));
    }
    if (!partial.is_tensor()) {
      const std::vector<Type>& a = partial.container->elements;
      const std::vector<Type>& b = full.container->elements;
      if (a.size() != b.size() || full.container->length == Dim(0))
        return std::nullopt;  // or it has no elements
      for (size_t i = 0; i < a.size(); ++i) {
        if (Finding f = Compare("an element of " + name, a[i], b[i])) return f;
      }
      return std::nullopt;
    }
    if (partial.element != full.element && partial.element != ElementType::kUnknown &&
        full.element != ElementType::kUnknown) {
      return Disagree(
          DisagreementKind::kElementType,
          fmt::format("the elements of {} are inferred to be {}; with all types known they are {}", name,
                      ToString(partial.element), ToString(full.element)));
    }
    if (partial.shape.is_none() || full.shape.is_none()) return std::nullopt;
    return CompareShapes(name, partial.shape, full.shape);
  }

 private:
  Finding CompareShapes(const std::string& name, Shape partial, Shape full) {
    DimTable& dims = partial_.analysis.dims();
    if (!full.has_rank()) return std::nullopt;
    const auto wrong_rank = [&](std::string_view what) {
      return Disagree(DisagreementKind::kResult,
                      fmt::format("{} is inferred to have {}; with all numbers it is {}", name, what,
                                  ToString(full_.analysis.dims(), full)));
    };
    if (!partial.has_rank()) {
      if (full.rank() < partial.min_rank() || full.rank() > partial.max_rank())
        return wrong_rank(fmt::format("rank {} to {}", partial.min_rank(), partial.max_rank()));
      const auto same = partial_.call.shapes.find(partial);  // it is the shape of an operand
      if (same == partial_.call.shapes.end()) return std::nullopt;
      const bool equal = same->second.size() == static_cast<size_t>(full.rank()) &&
                         std::ranges::equal(same->second, full.dims(), [](int64_t n, Dim d) {
                           return !d.is_constant() || d.constant() == n;
                         });
      return equal ? std::nullopt : Finding(wrong_rank("the sizes of an operand, " + ListOf(same->second)));
    }
    if (partial.rank() != full.rank()) return wrong_rank(fmt::format("rank {}", partial.rank()));
    for (int axis = 0; axis < partial.rank(); ++axis) {
      const Dim d = partial[axis];
      const SizeBounds bounds = partial_.analysis.facts().Bounds(d);
      const auto disagree = [&](std::string_view inferred, std::string_view measure) {
        return Disagree(DisagreementKind::kResult,
                        fmt::format("axis {} of {} is inferred to be {}; with all numbers it is {}", axis,
                                    name, inferred, measure));
      };
      if (!full[axis].is_constant()) {  // it depends on data: the bounds must overlap
        const SizeBounds others = full_.analysis.facts().Bounds(full[axis]);
        const std::optional<int64_t> number = partial_.NumberOf(d);
        const std::optional<int64_t> low = number ? number : bounds.min, high = number ? number : bounds.max;
        if ((low && others.max && *low > *others.max) || (high && others.min && *high < *others.min)) {
          return disagree(
              fmt::format("{} ({})", dims.ToString(d), BoundsText({low, high})),
              fmt::format("{} ({})", full_.analysis.dims().ToString(full[axis]), BoundsText(others)));
        }
        continue;
      }
      const int64_t size = full[axis].constant();
      if (Finding f = CompareSize(d, size, disagree)) return f;
      if (const Dim simple = partial_.analysis.facts().Simplify(d); simple != d) {
        if (Finding f = CompareSize(simple, size, disagree)) return f;
      }
      if ((bounds.min && size < *bounds.min) || (bounds.max && size > *bounds.max)) {
        return disagree(fmt::format("{}, which is {}", dims.ToString(d), BoundsText(bounds)),
                        std::to_string(size));
      }
    }
    return std::nullopt;
  }

  template <typename F>
  Finding CompareSize(Dim d, int64_t size, const F& disagree) {
    DimTable& dims = partial_.analysis.dims();
    if (const std::optional<int64_t> number = partial_.NumberOf(d)) {
      if (*number == size) return std::nullopt;
      return disagree(
          d.is_constant() ? dims.ToString(d) : fmt::format("{}, which is {} here", dims.ToString(d), *number),
          std::to_string(size));
    }
    if (dims.Kind(d) == DimKind::kSymbol) {  // a symbol of inference has the value of the reference
      partial_.call.numbers.emplace(d, size);
      for (const auto& [bound, is_max] : {std::pair(partial_.analysis.facts().SymbolicMin(d), false),
                                          std::pair(partial_.analysis.facts().SymbolicMax(d), true)}) {
        const std::optional<int64_t> n = bound.is_none() ? std::nullopt : partial_.NumberOf(bound);
        if (n && (is_max ? size > *n : size < *n)) {
          return disagree(
              fmt::format("at {} {}, which is {} here", is_max ? "most" : "least", dims.ToString(bound), *n),
              std::to_string(size));
        }
      }
      return std::nullopt;
    }
    const bool decided =
        std::ranges::all_of(dims.SymbolsOf(d), [&](Dim s) { return partial_.call.numbers.contains(s); });
    return decided ? Finding(disagree(fmt::format("{}, which has no value here", dims.ToString(d)),
                                      std::to_string(size)))
                   : std::nullopt;
  }

  static std::string BoundsText(const SizeBounds& b) {
    if (b.min && b.max)
      return *b.min == *b.max ? std::to_string(*b.min) : fmt::format("{} to {}", *b.min, *b.max);
    return b.min   ? fmt::format("at least {}", *b.min)
           : b.max ? fmt::format("at most {}", *b.max)
                   : "anything";
  }

  SampleInference& partial_;
  SampleInference& full_;
};

}  // namespace

Finding CompareResult(const std::string& name, SampleInference& partial, const Type& partial_type,
                      SampleInference& full, const Type& full_type) {
  return ResultComparer(partial, full).Compare(name, partial_type, full_type);
}

Finding CompareContents(const std::string& name, SampleInference& partial, Value partial_value,
                        Value full_value) {
  if (partial_value.is_none() || full_value.is_none()) return std::nullopt;
  for (int64_t i = 0; i < std::min(partial_value.size(), full_value.size()); ++i) {
    const Dim d = partial_value.Integer(i), measure = full_value.Integer(i);
    const std::optional<int64_t> number = d.is_none() ? std::nullopt : partial.NumberOf(d);
    if (number && measure.is_constant() && *number != measure.constant()) {
      return Disagree(
          DisagreementKind::kContents,
          fmt::format("element {} of {} is inferred to be {}, which is {} here; with all numbers it is {}", i,
                      name, partial.analysis.dims().ToString(d), *number, measure.constant()));
    }
    const std::optional<double> f = partial_value.FloatingPoint(i).constant(),
                                g = full_value.FloatingPoint(i).constant();
    if (f && g && *f != *g && !(*f != *f && *g != *g)) {
      return Disagree(
          DisagreementKind::kContents,
          fmt::format("element {} of {} is inferred to be {}; with all numbers it is {}", i, name, *f, *g));
    }
  }
  return std::nullopt;
}

}  // namespace dimwise
