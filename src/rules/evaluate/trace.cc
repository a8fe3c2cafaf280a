#include "rules/evaluate/trace.h"

#include <algorithm>

#include "core/base/scratch_array.h"

namespace dimwise::rules {

bool Trace::HasSizes(const Form& form, const Type& type) {
  if (!form.is_small) return !MayHaveContents(type);
  return std::ranges::equal(form.sizes, type.shape.dims(),
                            [](int64_t size, Dim d) { return Dim(size) == d; });
}

// REQUIRES: the numbers of elements are equal.
bool Trace::HasFloats(const Form& form, const Value& value) {
  int64_t k = 0;
  return std::ranges::all_of(form.floats, [&](const Float& f) {
    const Float other = value.FloatingPoint(k++);
    if (!f.numerator.is_expression()) return other == f;
    return other.numerator.is_expression() && other.denominator == f.denominator;
  });
}

bool Trace::HasIntegers(const Form& form, const Value& value) {
  int64_t k = 0;
  return std::ranges::all_of(form.integers, [&](Dim number) {
    const Dim other = value.Integer(k++);
    return number.is_none() ? other.is_expression() : other == number;
  });
}

bool Trace::Run(std::span<const RunTimeOperand> operands) {
  if (operands.size() != forms_.size()) return false;
  int64_t* input = line_.inputs().data();
  for (size_t i = 0; i < operands.size(); ++i) {
    const RunTimeOperand& o = operands[i];
    const Form& form = forms_[i];
    if (o.given != form.given) return false;
    if (!o.given) continue;
    if (static_cast<int>(o.shape.size()) != form.rank) return false;
    int64_t all = 0;
    for (int64_t size : o.shape) {
      all |= size;
      *input++ = size;
    }
    if (all < 0) return false;
    if (!form.reads_contents) continue;
    if (static_cast<int64_t>(o.contents.size()) != std::max<int64_t>(form.contents, 0)) return false;
    input = std::copy(o.contents.begin(), o.contents.end(), input);
  }
  return line_.Run();
}

bool Trace::RunLine(std::span<const Operand> operands, RuleHost& host) {
  int64_t* const first = line_.inputs().data();
  int64_t* input = first;
  uint64_t symbolic = 0;
  const auto load = [&](Dim d) {
    symbolic |= uint64_t{d.is_expression()} << (input - first);
    *input++ = d.bits();
  };
  const Form* next = forms_.data();
  for (const Operand& o : operands) {
    const Form& form = *next++;
    if (!o.given) continue;
    const Shape shape = o.type.shape;
    if (!form.is_small && shape.is_constant()) {
      for (const Dim d : shape.dims()) *input++ = d.bits();
    } else if (!form.is_small) {
      for (const Dim d : shape.dims()) load(d);
    }
    if (form.contents <= 0) continue;
    if (!form.floats.empty()) {
      for (int64_t k = 0; k < form.contents; ++k) {
        if (form.floats[static_cast<size_t>(k)].numerator.is_expression())
          load(o.value.FloatingPoint(k).numerator);
      }
      continue;
    }
    const std::vector<Dim>& fixed = form.integers;
    for (int64_t k = 0; k < form.contents && !form.is_opaque; ++k) {
      if (!fixed.empty() && !fixed[static_cast<size_t>(k)].is_none()) continue;
      const Dim d = o.value.Integer(k);
      if (d.is_none()) return false;
      load(d);
    }
  }
  if (symbolic != symbolic_) return false;
  for (const auto& [a, b] : same_) {
    if (first[a] != first[b]) return false;
  }
  return line_.Run(host);
}

void Trace::Results(std::vector<int64_t>* sizes, std::vector<std::pair<size_t, int>>* results) const {
  for (const ResultForm& result : results_) {
    results->push_back({sizes->size(), result.ranked ? static_cast<int>(result.sizes.size()) : -1});
    for (LinearCode::Register r : result.sizes) sizes->push_back(line_.at(r));
  }
}

Float Trace::FloatFrom(const FloatSource& source, std::span<const Operand> operands) const {
  if (source.operand >= 0)
    return operands[static_cast<size_t>(source.operand)].value.FloatingPoint(source.element);
  if (source.integer) return {.numerator = line_.size_at(*source.integer), .denominator = 1, .special = {}};
  return source.number;
}

Value Trace::KnownContents(const ResultForm& result, std::span<const Operand> operands,
                           RuleHost& host) const {
  if (result.element == ElementType::kUnknown) return Value();
  if (result.copies >= 0)
    return host.analysis().values().Reshaped(operands[static_cast<size_t>(result.copies)].value, result.dims);
  size_t n = 0;
  if (result.of_floats) {
    ScratchArray<Float, ValueTable::kMaxElements> floats;
    bool any_known = result.floats.empty();
    for (const FloatSource& source : result.floats) {
      floats[n] = FloatFrom(source, operands);
      any_known |= !floats[n].is_unknown();
      ++n;
    }
    if (!any_known) return Value();
    return host.analysis().values().Floats(result.element, result.dims,
                                           std::span<const Float>(floats.data(), n));
  }
  ScratchArray<Dim, ValueTable::kMaxElements> elements;
  for (LinearCode::Register r : result.contents) elements[n++] = line_.size_at(r);
  return host.analysis().values().Integers(result.element, result.dims,
                                           std::span<const Dim>(elements.data(), n));
}

Value Trace::EveryOf(const Every& every, RuleHost& host) {
  ValueTable& values = host.analysis().values();
  if (every.element == ElementType::kBool) {
    const Boolean boolean{every.integer, nullptr};
    return values.Every(values.Booleans({}, std::span(&boolean, 1)));
  }
  if (every.integer.is_none())
    return values.Every(values.Floats(every.element, {}, std::span(&every.number, 1)));
  return values.Every(values.Integers(every.element, {}, std::span(&every.integer, 1)));
}

Shape Trace::ShapeOf(const ResultForm& result, ShapeTable& shapes) const {
  ScratchArray<Dim, kMaxRank> sizes;
  size_t n = 0;
  for (LinearCode::Register r : result.sizes) sizes[n++] = line_.size_at(r);
  return shapes.Make(std::span<const Dim>(sizes.data(), n));
}

}  // namespace dimwise::rules
