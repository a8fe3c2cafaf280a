#include "infer/engine/size_namer.h"

#include <algorithm>
#include <utility>

#include "core/base/hash_mix.h"
#include "core/dims/bounds.h"
#include "infer/context/certain_size.h"

namespace dimwise {
namespace {

constexpr uint64_t kSizePath = 0x73697A6500000000u;
constexpr int kMaxDefinitions = 6;  // inside of each other

}  // namespace

SizeNamer::SizeNamer(InferenceContext* context, Limits limits, std::function<bool(Dim)> is_read)
    : context_(context),
      dims_(context->dims()),
      limits_(std::move(limits)),
      is_read_(std::move(is_read)),
      origin_(context->Origin()) {}

bool SizeNamer::IsOwn(const InferenceContext& context, Dim size) {
  const DimTable& dims = context.dims();
  if (!size.is_expression() || dims.Kind(size) != DimKind::kSymbol) return false;
  const SymbolKey* key = dims.KeyOf(size);
  return key != nullptr && key->value == context.node().owner_of_unknowns() && dims.GetSymbol(size).min >= 0;
}

bool SizeNamer::IsNumber(Dim d) const {
  if (!d.is_expression() || dims_.Kind(d) != DimKind::kSymbol) return false;
  const SymbolKey* key = dims_.KeyOf(d);
  return key != nullptr && key->path == kNumberPath;
}

// Whether all in an expression is known elsewhere, and so it is the same wherever it is computed.
bool SizeNamer::IsDetermined(Dim d, int depth_left, std::vector<Dim>* numbers) const {
  if (!d.is_expression()) return !d.is_none();
  return std::ranges::all_of(dims_.SymbolsOf(d), [&](Dim symbol) {
    if (const Definition* definition = dims_.GetDefinition(symbol); definition != nullptr) {
      return depth_left > 0 && std::ranges::all_of(definition->operands, [&](Dim operand) {
               return IsDetermined(operand, depth_left - 1, numbers);
             });
    }
    if (IsNumber(symbol) && std::ranges::find(*numbers, symbol) == numbers->end()) numbers->push_back(symbol);
    return dims_.KeyOf(symbol) != nullptr || dims_.GetSymbol(symbol).of_user;
  });
}

Dim SizeNamer::Name(Dim told, Dim own) {
  std::vector<Dim> numbers;
  if (told.is_none() || !IsDetermined(told, kMaxDefinitions, &numbers)) return Dim();
  if (numbers.empty()) {  // what it would be checked for, if it were known at once, is not given
    const SymbolInfo bounds = dims_.GetSymbol(own);
    const bool is_plain = bounds.min == 0 && bounds.max == INT64_MAX && context_->constraints().empty();
    return is_plain && IsCertainlySize(dims_, told) ? told : Dim();
  }
  Dim size = InSizes(told);
  if (size.is_none()) {
    if (dims_.Kind(told) == DimKind::kMaxZero) told = dims_.Operands(told)[0];
    if (numbers.size() == 1 && IsTimesSizes(told, numbers[0])) {
      size =
          dims_.Substitute(told, [&](Dim atom) { return atom == numbers[0] ? SizeOf(numbers[0]) : Dim(); });
    } else {
      size = SizeOf(told);
    }
  }
  if (!size.is_none()) KeepBounds(size, own);
  return size;
}

// Whether a number is a size in every run that goes on, and one that can be read.
bool SizeNamer::IsSize(Dim number) const {
  if (std::ranges::find(sizes_, number) != sizes_.end()) return true;
  return dims_.GetSymbol(number).min >= 0 && is_read_(number);
}

// The expression in which each number is a size: `k + 1`; none where not all are, or the whole may be none.
Dim SizeNamer::InSizes(Dim told) {
  std::vector<Dim> numbers;
  if (!IsDetermined(told, 0, &numbers) || !std::ranges::all_of(numbers, [&](Dim n) { return IsSize(n); }))
    return Dim();
  const Dim size = dims_.Substitute(told, [&](Dim atom) { return IsNumber(atom) ? SizeOf(atom) : Dim(); });
  if (size.is_none()) return Dim();
  return IsCertainlySize(dims_, size) || Holds(AtLeast(dims_, size, 0)) ? size : Dim();
}

// By what is given, without what is checked or assumed.
bool SizeNamer::Holds(const Literal& literal) const {
  const auto holds = [&](Trust trust) {
    return context_->facts().Holds(literal, context_->scope(), trust) == Truth::kYes;
  };
  return holds(Trust::kWithoutChecked) && holds(Trust::kWithoutAssumed);
}

// Whether it is the number, once, times sizes: `3*N*k`. Then it is a size only if the number is one too, or
// if it is 0 anyway.
bool SizeNamer::IsTimesSizes(Dim d, Dim number) const {
  if (dims_.TermCount(d) != 1 || dims_.GetTerm(d, 0).coefficient < 0) return false;
  const std::span<const Dim> factors = dims_.GetTerm(d, 0).factors;
  return std::ranges::count(factors, number) == 1 && std::ranges::all_of(factors, [&](Dim factor) {
           return factor == number ||
                  (dims_.Kind(factor) == DimKind::kSymbol && dims_.GetDefinition(factor) == nullptr &&
                   dims_.GetSymbol(factor).min >= 0);
         });
}

// max(number, 0), by a name. No run that goes on has a negative size.
Dim SizeNamer::SizeOf(Dim number) {
  const uint64_t path = HashMix(kSizePath, static_cast<uint64_t>(number.bits()));
  const Dim size = dims_.Fresh(SymbolKey{path, 0, 0}, 0, INT64_MAX, origin_);
  Limit(size, number);
  return size;
}

// Says of a size what follows from the expression that it stands for.
void SizeNamer::Limit(Dim size, Dim number) {
  const Interval bounds = IntrinsicBounds(dims_, number);
  if (bounds.lo > 0 && bounds.lo < INT32_MAX)
    context_->Ensure(AtLeast(dims_, size, static_cast<int64_t>(bounds.lo)));
  if (bounds.hi < INT32_MAX)
    context_->Ensure(AtMost(dims_, size, std::max<int64_t>(static_cast<int64_t>(bounds.hi), 0)));
  for (const Dim limit : LimitsOf(number)) {
    if (limit.is_constant()) context_->Ensure(AtMost(dims_, size, std::max<int64_t>(limit.constant(), 0)));
    if (!limit.is_expression() || !IsCertainlySize(dims_, limit)) continue;
    if (Holds(AtMost(dims_, number, limit))) context_->Ensure(AtMost(dims_, size, limit));
  }
}

// What an expression of numbers may be not more than: either of min(a, b), which is a - max(0, a - b); a size
// in it; and what it is for the largest numbers. Where it is a constant it is so.
std::vector<Dim> SizeNamer::LimitsOf(Dim number) {
  std::vector<Dim> limits;
  for (size_t i = 0; i < dims_.TermCount(number); ++i) {
    const Term term = dims_.GetTerm(number, i);
    if (term.coefficient != -1 || term.factors.size() != 1) continue;
    const Dim more = term.factors[0];
    if (dims_.Kind(more) != DimKind::kMaxZero) continue;
    limits.push_back(dims_.Add(number, more));
    limits.push_back(dims_.Subtract(limits.back(), dims_.Operands(more)[0]));
  }
  for (const Dim symbol : dims_.SymbolsOf(number)) {
    if (!IsNumber(symbol) && dims_.GetDefinition(symbol) == nullptr) limits.push_back(symbol);
  }
  const auto limit_of = [&](Dim atom) -> Dim {
    const auto limit = std::ranges::find(limits_, atom, &Limits::value_type::first);
    return limit == limits_.end() ? Dim() : limit->second;
  };
  if (const Dim limit = dims_.Substitute(number, limit_of); limit.is_expression() && limit != number)
    limits.push_back(limit);
  std::erase_if(limits, [&](Dim limit) {
    return std::ranges::any_of(dims_.SymbolsOf(limit), [&](Dim symbol) { return IsNumber(symbol); });
  });
  return limits;
}

// What the operator says of its own unknown holds of the size.
void SizeNamer::KeepBounds(Dim size, Dim own) {
  const SymbolInfo info = dims_.GetSymbol(own);
  const Dim low = context_->facts().SymbolicMin(own, context_->scope());
  const Dim high = context_->facts().SymbolicMax(own, context_->scope());
  if (info.min > 0) context_->Ensure(AtLeast(dims_, size, info.min));
  if (info.max < INT64_MAX) context_->Ensure(AtMost(dims_, size, info.max));
  if (low.is_expression()) context_->Ensure(AtLeast(dims_, size, low));
  if (high.is_expression()) context_->Ensure(AtMost(dims_, size, high));
}

}  // namespace dimwise
