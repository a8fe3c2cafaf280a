#include "core/dims/sample_points.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/base/hash_mix.h"
#include "core/dims/condition_logic.h"
#include "core/dims/dim_table.h"
#include "core/dims/float_step.h"
#include "core/dims/limits.h"

namespace dimwise {
namespace {

// At the first points all symbols have the same value. At the last points each symbol has its own value.
constexpr std::array<int64_t, kSamplePoints> kSizes = {0,  1,  2,   3,   5, 8,  16, 32,
                                                       64, 96, 224, 640, 1, 17, 32, 100};
constexpr int kFirstOfOwn = 12;
constexpr std::array<int64_t, kSamplePoints - kFirstOfOwn> kSteps = {1, 13, 32, 1};
constexpr uint64_t kDifferent = 61;

}  // namespace

int64_t SampleSize(int point, Dim symbol, const SymbolInfo& info) {
  int64_t size = kSizes[static_cast<size_t>(point)];
  if (point >= kFirstOfOwn) {
    const uint64_t own = Mix(symbol.id() + static_cast<uint64_t>(point) * 0x10001);
    size += static_cast<int64_t>(own % kDifferent) * kSteps[static_cast<size_t>(point - kFirstOfOwn)];
    if (info.min < 0 && own >> 63 != 0) size = -size;
  }
  return std::clamp(size, info.min, std::max(info.min, info.max));
}

namespace {

using Sampled = DimTable::Impl::Sampled;

template <typename F>
void ForEachPoint(PointSet points, F&& visit) {
  for (unsigned left = points; left != 0; left &= left - 1)
    visit(static_cast<size_t>(std::countr_zero(left)));
}

class Sampler {
 public:
  explicit Sampler(DimTable::Impl& impl) : impl_(impl) {}

  // Returns the value at each point, except at points with overflow, division by 0 or an invalid broadcast.
  Sampled Of(Dim d) {
    if (!d.is_expression()) {
      Sampled number{d.bits(), d.is_constant() ? kAllPoints : PointSet{0}, {}};
      if (d.is_constant()) number.at.fill(d.constant());
      return number;
    }
    Sampled& known = impl_.sampled[d.id() & (impl_.sampled.size() - 1)];
    if (known.value == d.bits()) return known;
    Sampled computed{d.bits(), kAllPoints, {}};  // a local: its parts may use the same cache slot
    Compute(d, &computed);
    return is_cut_ ? computed : known = computed;
  }

 private:
  static void Drop(size_t point, Sampled* out) {
    out->points = static_cast<PointSet>(out->points & ~(1u << point));
  }

  void Compute(Dim d, Sampled* out) {
    const Entry e = impl_.At(d);
    switch (e.kind) {
      case DimKind::kSum:
        return Sum(e, out);
      case DimKind::kSymbol:
        if (e.symbol->defined) return Defined(*e.symbol, out);
        for (int p = 0; p < kSamplePoints; ++p)
          out->at[static_cast<size_t>(p)] = SampleSize(p, d, e.symbol->info);
        return;
      case DimKind::kFloorDiv:
        return FloorDivide(Of(e.operands[0]), Of(e.operands[1]), out);
      case DimKind::kMaxZero:
        return MaxZero(Of(e.operands[0]), out);
      case DimKind::kBroadcast:
        return Broadcast({e.operands, e.count}, out);
      case DimKind::kConflict:
        return Conflict({e.operands, e.count}, out);
      case DimKind::kConstant:
        return;  // not an expression
    }
  }

  // Evaluates the definition of a symbol at the points where the result lies within the symbol's minimum and
  // maximum.
  void Defined(const SymbolEntry& symbol, Sampled* out) {
    is_cut_ = is_cut_ || definitions_++ == kMaxSampledDefinitions;
    if (is_cut_) {
      out->points = 0;
      return;
    }
    OfDefinition(symbol.definition, out);
    ForEachPoint(out->points, [&](size_t p) {
      if (out->at[p] < symbol.info.min || out->at[p] > symbol.info.max) Drop(p, out);
    });
  }

  void OfDefinition(const Definition& definition, Sampled* out) {
    const std::span<const Dim> x = definition.operands;
    switch (definition.operation) {
      case Operation::kAdd:
        return Pairwise(Of(x[0]), Of(x[1]), out,
                        [](int64_t a, int64_t b, int64_t* r) { return __builtin_add_overflow(a, b, r); });
      case Operation::kMultiply:
        return Pairwise(Of(x[0]), Of(x[1]), out,
                        [](int64_t a, int64_t b, int64_t* r) { return __builtin_mul_overflow(a, b, r); });
      case Operation::kFloorDiv:
        return FloorDivide(Of(x[0]), Of(x[1]), out);
      case Operation::kMaxZero:
        return MaxZero(Of(x[0]), out);
      case Operation::kBroadcast:
        return Broadcast(x, out);
      case Operation::kSelect:
        return Select(Of(x[0]), Of(x[1]), Of(x[2]), out);
      case Operation::kFloat:
        return RunStep(StepOf(definition), Of(x[0]), Of(x.back()), out);
    }
  }

  static void RunStep(FloatStep step, const Sampled& a, const Sampled& b, Sampled* out) {
    out->points = a.points & b.points;
    ForEachPoint(out->points, [&](size_t p) {
      const std::optional<int64_t> result = RunFloatStep(step, a.at[p], b.at[p]);
      if (!result) return Drop(p, out);
      out->at[p] = *result;
    });
  }

  template <typename Overflows>
  static void Pairwise(const Sampled& a, const Sampled& b, Sampled* out, Overflows overflows) {
    out->points = a.points & b.points;
    ForEachPoint(out->points, [&](size_t p) {
      if (overflows(a.at[p], b.at[p], &out->at[p])) Drop(p, out);
    });
  }

  static void MaxZero(const Sampled& operand, Sampled* out) {
    out->points = operand.points;
    for (size_t p = 0; p < operand.at.size(); ++p) out->at[p] = std::max<int64_t>(operand.at[p], 0);
  }

  static void Select(const Sampled& which, const Sampled& a, const Sampled& b, Sampled* out) {
    out->points = which.points & a.points & b.points;
    ForEachPoint(out->points, [&](size_t p) {
      out->at[p] = which.at[p] != 0 ? a.at[p] : b.at[p];
      if (which.at[p] != 0 && which.at[p] != 1) Drop(p, out);
    });
  }

  static void FloorDivide(const Sampled& dividend, const Sampled& divisor, Sampled* out) {
    out->points = dividend.points & divisor.points;
    ForEachPoint(out->points, [&](size_t p) {
      const int64_t n = dividend.at[p], by = divisor.at[p];
      if (by == 0 || (by == -1 && n == INT64_MIN)) return Drop(p, out);
      out->at[p] = n / by - (n % by != 0 && (n < 0) != (by < 0) ? 1 : 0);
    });
  }

  void Sum(const Entry& e, Sampled* out) {
    for (uint32_t i = 0; i < e.count; ++i) {
      std::array<int64_t, kSamplePoints> product;
      product.fill(e.terms[i].coefficient);
      const Product p = impl_.products[e.terms[i].product];
      for (uint32_t k = 0; k < p.count; ++k) {
        const Sampled factor = Of(p.factors[k]);
        out->points &= factor.points;
        ForEachPoint(out->points, [&](size_t at) {
          if (__builtin_mul_overflow(product[at], factor.at[at], &product[at])) Drop(at, out);
        });
      }
      ForEachPoint(out->points, [&](size_t at) {
        if (__builtin_add_overflow(out->at[at], product[at], &out->at[at])) Drop(at, out);
      });
    }
  }

  void Broadcast(std::span<const Dim> sizes, Sampled* out) {
    out->at.fill(1);
    for (const Dim d : sizes) {
      const Sampled size = Of(d);
      out->points &= size.points;
      ForEachPoint(out->points, [&](size_t p) {
        if (size.at[p] == 1) return;
        if (out->at[p] != 1 && out->at[p] != size.at[p]) return Drop(p, out);
        out->at[p] = size.at[p];
      });
    }
  }

  void Conflict(std::span<const Dim> sizes, Sampled* out) {
    std::array<int64_t, kSamplePoints> common;
    common.fill(1);
    for (const Dim d : sizes) {
      const Sampled size = Of(d);
      out->points &= size.points;
      ForEachPoint(out->points, [&](size_t p) {
        if (size.at[p] != 1 && common[p] != 1 && size.at[p] != common[p]) out->at[p] = 1;
        if (common[p] == 1) common[p] = size.at[p];
      });
    }
  }

  DimTable::Impl& impl_;
  int definitions_ = 0;
  bool is_cut_ = false;  // too many definitions: some symbol has no value
};

}  // namespace

PointTruth EvaluateAtPoints(const DimTable& table, const Literal& literal, PointSet points) {
  if (points == 0) return {};
  const Sampled value = Sampler(table.impl()).Of(literal.value);
  PointTruth tried{static_cast<PointSet>(value.points & points), 0};
  ForEachPoint(tried.computed, [&](size_t p) {
    if (IsTrueFor(literal.relation, value.at[p])) tried.holds = static_cast<PointSet>(tried.holds | 1u << p);
  });
  return tried;
}

SampleRange RangeAt(const DimTable& table, Dim d, PointSet points) {
  SampleRange range;
  if (points == 0) return range;
  const Sampled value = Sampler(table.impl()).Of(d);
  ForEachPoint(value.points & points, [&](size_t p) {
    range.least = std::min(range.least, value.at[p]);
    range.greatest = std::max(range.greatest, value.at[p]);
  });
  return range;
}

PointSet PointsOf(const DimTable& table, const Clause& clause, PointSet points) {
  const auto has_definition = [&](Dim symbol) { return table.GetDefinition(symbol) != nullptr; };
  PointSet holds = 0;
  for (const Literal& l : clause) {
    if (std::ranges::none_of(table.SymbolsOf(l.value), has_definition))
      holds |= EvaluateAtPoints(table, l, points).holds;
  }
  return holds;
}

}  // namespace dimwise
