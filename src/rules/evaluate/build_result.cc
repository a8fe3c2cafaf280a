// Builds results from patterns whose names are bound.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/scratch_array.h"
#include "dimwise/result_macros.h"
#include "rules/evaluate/evaluator.h"

namespace dimwise::rules {
namespace {

// Returns whether the form of d shows that it is not negative: a sum of products of sizes with positive
// coefficients. This is a cheap test.
bool IsNonNegativeByForm(const DimTable& table, Dim d) {
  if (d.is_constant()) return d.constant() >= 0;
  switch (table.Kind(d)) {
    case DimKind::kSymbol:
      return table.GetSymbol(d).min >= 0;
    case DimKind::kMaxZero:
    case DimKind::kConflict:
      return true;
    case DimKind::kFloorDiv: {
      const std::span<const Dim> x = table.Operands(d);
      return IsNonNegativeByForm(table, x[0]) && IsNonNegativeByForm(table, x[1]);
    }
    case DimKind::kBroadcast:
      return std::ranges::all_of(table.Operands(d), [&](Dim x) { return IsNonNegativeByForm(table, x); });
    default:
      for (size_t i = 0; i < table.TermCount(d); ++i) {
        const Term t = table.GetTerm(d, i);
        if (t.coefficient < 0 ||
            !std::ranges::all_of(t.factors, [&](Dim f) { return IsNonNegativeByForm(table, f); }))
          return false;
      }
      return true;
  }
}

}  // namespace

ElementType Evaluator::BuildElement(const Pattern& p, size_t index) {
  if (p.fixed != ElementType::kUnknown) return p.fixed;
  if (p.type_variable != kNone) {
    const TypeVariable& v = code_->type_variables[p.type_variable];
    if (p.each_element && v.each_slot != kNone) {
      const SlotValue& slot = slots_[v.each_slot];
      return slot.state == SlotValue::State::kFull && index < slot.types.size() ? slot.types[index]
                                                                                : ElementType::kUnknown;
    }
    const ElementType bound = type_variables_[p.type_variable];
    return bound == ElementType::kUnknown && v.allowed != 0 ? ElementTypeSet::FromBits(v.allowed).Single()
                                                            : bound;
  }
  if (p.element == kNone) return ElementType::kUnknown;
  if (p.each_element) {
    const std::span<const ElementType> types = TypesOf(p.element);
    return index < types.size() ? types[index] : ElementType::kUnknown;
  }
  return TypeOf(p.element);
}

Result<Type> Evaluator::BuildType(const Pattern& p, const CompiledArgument& a, size_t result, size_t index) {
  if (p.kind == PatternKind::kAnything) {
    Type type = p.whole == kNone ? Type() : whole_types_[p.whole];
    if (type.is_tensor() && type.shape.is_none() && host_ != nullptr)
      type.shape = host_->FreshShape(static_cast<uint32_t>(result << 16), 0, kMaxRank);
    return type;
  }
  if (p.kind == PatternKind::kTensor) {
    const ElementType element = BuildElement(p, index);
    DIMWISE_ASSIGN_OR_RETURN(const Shape shape, BuildShape(p, a, result, index));
    if (failed()) return TakeFailure();
    Storage storage = p.storage;
    if (p.storage_variable != kNone) {
      const std::vector<Storage>& allowed = code_->storage_variables[p.storage_variable].allowed;
      storage = storage_variables_[p.storage_variable];
      if (!storage.is_known() && allowed.size() == 1) storage = allowed[0];
    }
    return Type::Tensor(element, shape, storage);
  }
  if (host_ == nullptr) return Type();
  std::vector<Type> inside;
  for (const Pattern& q : p.inside) {
    DIMWISE_ASSIGN_OR_RETURN(Type t, BuildType(q, a, result, index));
    inside.push_back(t);
  }
  TypeTable& types = host_->analysis().types();
  switch (p.kind) {
    case PatternKind::kSequence: {
      const Type element = inside.empty() ? Type() : inside[0];
      return types.Sequence(element, p.length == kNone ? Dim() : Int(p.length), OwnSizes(element));
    }
    case PatternKind::kOptional:
      return types.Optional(inside.empty() ? Type() : inside[0]);
    case PatternKind::kMap:
      return types.Map(p.key_variable != kNone ? type_variables_[p.key_variable] : p.key,
                       inside.empty() ? Type() : inside[0]);
    default:
      return types.Handle(inside);
  }
}

// Returns the symbols of a type that this run created.
std::vector<Dim> Evaluator::OwnSizes(const Type& type) {
  std::vector<Dim> found;
  if (own_.empty() || !type.is_tensor() || type.shape.is_none()) return found;
  for (const Dim d : type.shape.dims()) {
    if (!d.is_expression()) continue;
    for (const Dim symbol : host_->analysis().dims().SymbolsOf(d)) {
      if (std::ranges::find(own_, symbol) != own_.end()) found.push_back(symbol);
    }
  }
  return found;
}

Result<Shape> Evaluator::BuildShape(const Pattern& p, const CompiledArgument& a, size_t result,
                                    size_t index) {
  const auto role = static_cast<uint32_t>(result << 16);
  if (!p.has_shape || p.unknown_shape)
    return host_ == nullptr ? Shape() : host_->FreshShape(role, 0, kMaxRank);
  ScratchArray<Dim, kMaxRank> dims;
  size_t n = 0;
  bool open = false;
  int min_rank = 0, max_rank = 0;
  for (const Item& item : p.items) {
    if (item.kind == ItemKind::kList) {
      List list;
      if (item.each) {
        const std::span<const List> lists = Lists(item.expr);
        list = index < lists.size() ? lists[index] : List{nullptr, -1, 0, {}};
      } else {
        list = Ints(item.expr);
      }
      if (failed()) return TakeFailure();
      if (p.items.size() == 1 && !list.shape.is_none()) return list.shape;
      if (!list.known()) {
        open = true;
        min_rank += list.min_count;
        max_rank += list.max_count;
        continue;
      }
      if (n + static_cast<size_t>(list.count) > dims.size())
        return Fail(Code::kOutOfRange,
                    [&] {
                      return fmt::format("{} of {} would have more than {} axes", a.name, application_->op,
                                         kMaxRank);
                    })
            .TakeError();
      std::copy(list.data, list.data + list.count, dims.begin() + static_cast<std::ptrdiff_t>(n));
      n += static_cast<size_t>(list.count);
      continue;
    }
    Dim d;
    if (item.each) {
      const List sizes = Ints(item.expr);
      if (sizes.known() && static_cast<int>(index) < sizes.count) d = sizes.data[index];
    } else if (item.expr != kNone) {
      d = Int(item.expr);
    }
    if (failed()) return TakeFailure();
    if (n == dims.size())
      return Fail(Code::kOutOfRange,
                  [&] {
                    return fmt::format("{} of {} would have more than {} axes", a.name, application_->op,
                                       kMaxRank);
                  })
          .TakeError();
    dims[n++] = d;
  }
  if (open)
    return host_ == nullptr ? Shape()
                            : host_->FreshShape(role, min_rank + static_cast<int>(n),
                                                std::min(max_rank + static_cast<int>(n), kMaxRank));
  for (size_t i = 0; i < n; ++i) {
    Dim& d = dims[i];
    if (application_->after_error && d.is_constant() && d.constant() < 0) d = Dim();
    if (d.is_constant()) {
      if (d.constant() < 0 && !probing_) {
        return Fail(Code::kNegativeSize,
                    [&] {
                      return fmt::format("{} of {} would have the size {} on axis {}", a.name,
                                         application_->op, d.constant(), i);
                    })
            .TakeError();
      }
    } else if (d.is_none()) {
      if (host_ == nullptr) continue;
      d = host_->Fresh(role | static_cast<uint32_t>(i), 0, INT64_MAX);
      own_.push_back(d);
    } else if (host_ != nullptr && !probing_ && !IsNonNegativeByForm(host_->analysis().dims(), d)) {
      DIMWISE_RETURN_IF_ERROR(host_->Require(
          Condition{{{AtLeast(host_->analysis().dims(), d, 0)}}},
          [&] {
            return fmt::format("{} of {} would have the size {} on axis {}, which must not be negative",
                               a.name, application_->op, Print(d), i);
          },
          Code::kNegativeSize));
    }
  }
  const std::span<const Dim> all(dims.data(), n);
  if (host_ != nullptr) return host_->analysis().shapes().Make(all);
  // At run time there is no shape table; the sizes stay in the evaluator's memory.
  ShapeData& data = own_shapes_[result];
  data.rank = data.min_rank = data.max_rank = static_cast<int32_t>(n);
  data.constant = true;
  data.dims = Store(all).data;
  return Shape(&data);
}

}  // namespace dimwise::rules
