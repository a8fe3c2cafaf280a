#include "infer/engine/analyses/size_namer.h"

#include <algorithm>
#include <utility>

#include "core/base/hash_mix.h"
#include "core/dims/bounds.h"
#include "infer/context/certain_size.h"

namespace dimwise {
namespace {

constexpr uint64_t kSizePath = 0x73697A6500000000u;
constexpr int kMaxNestedDefinitions = 6;

}  // namespace

SizeNamer::SizeNamer(InferenceContext* context, std::vector<IntegerLimit> limits,
                     std::function<bool(Dim)> is_read)
    : context_(context),
      dims_(context->dims()),
      limits_(std::move(limits)),
      is_read_(std::move(is_read)),
      origin_(context->Origin()) {}

bool SizeNamer::IsOwn(const InferenceContext& context, Dim size) {
  const DimTable& dims = context.dims();
  if (!size.is_expression() || dims.Kind(size) != DimKind::kSymbol) return false;
  const SymbolKey* key = dims.KeyOf(size);
  return key != nullptr && key->value == context.node().unknowns().owner && dims.GetSymbol(size).min >= 0;
}

bool SizeNamer::IsUnknownInteger(Dim d) const {
  if (!d.is_expression() || dims_.Kind(d) != DimKind::kSymbol) return false;
  const SymbolKey* key = dims_.KeyOf(d);
  return key != nullptr && key->path == kIntegerPath;
}

// Returns whether all symbols of an expression have a fixed meaning, so that equal expressions are equal
// sizes. Adds the unknown integers in it to a list.
bool SizeNamer::IsDetermined(Dim d, int depth_left, std::vector<Dim>* integers) const {
  if (!d.is_expression()) return !d.is_none();
  return std::ranges::all_of(dims_.SymbolsOf(d), [&](Dim symbol) {
    if (const Definition* definition = dims_.GetDefinition(symbol); definition != nullptr) {
      return depth_left > 0 && std::ranges::all_of(definition->operands, [&](Dim operand) {
               return IsDetermined(operand, depth_left - 1, integers);
             });
    }
    if (IsUnknownInteger(symbol) && std::ranges::find(*integers, symbol) == integers->end())
      integers->push_back(symbol);
    return dims_.KeyOf(symbol) != nullptr || dims_.GetSymbol(symbol).of_user;
  });
}

Dim SizeNamer::Name(Dim expression, Dim own) {
  std::vector<Dim> integers;
  if (expression.is_none() || !IsDetermined(expression, kMaxNestedDefinitions, &integers)) return Dim();
  if (integers.empty()) {
    // If the rule knew the size, it would guard these bounds. So a size with bounds is not replaced.
    const SymbolInfo bounds = dims_.GetSymbol(own);
    const bool is_plain = bounds.min == 0 && bounds.max == INT64_MAX && context_->constraints().empty();
    return is_plain && IsCertainlySize(dims_, expression) ? expression : Dim();
  }
  Dim size = WithSizes(expression);
  if (size.is_none()) {
    if (dims_.Kind(expression) == DimKind::kMaxZero) expression = dims_.Operands(expression)[0];
    if (integers.size() == 1 && IsTimesSizes(expression, integers[0])) {
      size = dims_.Substitute(expression,
                              [&](Dim atom) { return atom == integers[0] ? SizeOf(integers[0]) : Dim(); });
    } else {
      size = SizeOf(expression);
    }
  }
  if (!size.is_none()) CopyBounds(size, own);
  return size;
}

// Returns whether an unknown integer is a size in every run that does not fail, and a run can read it.
bool SizeNamer::IsSize(Dim integer) const {
  if (std::ranges::find(sizes_, integer) != sizes_.end()) return true;
  return dims_.GetSymbol(integer).min >= 0 && is_read_(integer);
}

// Replaces each unknown integer by its size: `k + 1`. Returns none if an integer is not a size, or if the
// result may be negative.
Dim SizeNamer::WithSizes(Dim expression) {
  std::vector<Dim> integers;
  if (!IsDetermined(expression, 0, &integers) ||
      !std::ranges::all_of(integers, [&](Dim n) { return IsSize(n); }))
    return Dim();
  const Dim size =
      dims_.Substitute(expression, [&](Dim atom) { return IsUnknownInteger(atom) ? SizeOf(atom) : Dim(); });
  if (size.is_none()) return Dim();
  return IsCertainlySize(dims_, size) || Holds(AtLeast(dims_, size, 0)) ? size : Dim();
}

// Returns whether a literal follows both without checked facts and without assumed facts.
bool SizeNamer::Holds(const Literal& literal) const {
  const auto holds = [&](FactFilter filter) {
    return context_->facts().Holds(literal, context_->scope(), filter) == Truth::kYes;
  };
  return holds(FactFilter::kWithoutChecked) && holds(FactFilter::kWithoutAssumed);
}

// Returns whether an expression is the integer times sizes: `3*N*k`. Then it is negative only if the integer
// is.
bool SizeNamer::IsTimesSizes(Dim d, Dim integer) const {
  if (dims_.TermCount(d) != 1 || dims_.GetTerm(d, 0).coefficient < 0) return false;
  const std::span<const Dim> factors = dims_.GetTerm(d, 0).factors;
  return std::ranges::count(factors, integer) == 1 && std::ranges::all_of(factors, [&](Dim factor) {
           return factor == integer ||
                  (dims_.Kind(factor) == DimKind::kSymbol && dims_.GetDefinition(factor) == nullptr &&
                   dims_.GetSymbol(factor).min >= 0);
         });
}

// Returns the symbol for max(expression, 0). In a run with a negative expression the node fails.
Dim SizeNamer::SizeOf(Dim expression) {
  const uint64_t path = HashMix(kSizePath, static_cast<uint64_t>(expression.bits()));
  const Dim size = dims_.Fresh(SymbolKey{path, 0, 0}, 0, INT64_MAX, origin_);
  AddBounds(size, expression);
  return size;
}

// Asserts the bounds of a size that follow from its expression.
void SizeNamer::AddBounds(Dim size, Dim expression) {
  const Interval bounds = IntrinsicBounds(dims_, expression);
  if (bounds.lo > 0 && bounds.lo < INT32_MAX)
    context_->Ensure(AtLeast(dims_, size, static_cast<int64_t>(bounds.lo)));
  if (bounds.hi < INT32_MAX)
    context_->Ensure(AtMost(dims_, size, std::max<int64_t>(static_cast<int64_t>(bounds.hi), 0)));
  for (const Dim limit : LimitsOf(expression)) {
    if (limit.is_constant()) context_->Ensure(AtMost(dims_, size, std::max<int64_t>(limit.constant(), 0)));
    if (!limit.is_expression() || !IsCertainlySize(dims_, limit)) continue;
    if (Holds(AtMost(dims_, expression, limit))) context_->Ensure(AtMost(dims_, size, limit));
  }
}

// Returns candidates for upper bounds without unknown integers: both operands of min(a, b), which has the
// form a - max(0, a - b); the sizes in the expression; and its value at the limits of the integers. A
// constant candidate is a bound; an expression has to be proved.
std::vector<Dim> SizeNamer::LimitsOf(Dim expression) {
  std::vector<Dim> limits;
  for (size_t i = 0; i < dims_.TermCount(expression); ++i) {
    const Term term = dims_.GetTerm(expression, i);
    if (term.coefficient != -1 || term.factors.size() != 1) continue;
    const Dim more = term.factors[0];
    if (dims_.Kind(more) != DimKind::kMaxZero) continue;
    limits.push_back(dims_.Add(expression, more));
    limits.push_back(dims_.Subtract(limits.back(), dims_.Operands(more)[0]));
  }
  for (const Dim symbol : dims_.SymbolsOf(expression)) {
    if (!IsUnknownInteger(symbol) && dims_.GetDefinition(symbol) == nullptr) limits.push_back(symbol);
  }
  const auto limit_of = [&](Dim atom) -> Dim {
    const auto limit = std::ranges::find(limits_, atom, &IntegerLimit::integer);
    return limit == limits_.end() ? Dim() : limit->limit;
  };
  if (const Dim limit = dims_.Substitute(expression, limit_of); limit.is_expression() && limit != expression)
    limits.push_back(limit);
  std::erase_if(limits, [&](Dim limit) {
    return std::ranges::any_of(dims_.SymbolsOf(limit), [&](Dim symbol) { return IsUnknownInteger(symbol); });
  });
  return limits;
}

// Asserts the bounds of the node's own symbol for the size that replaces it.
void SizeNamer::CopyBounds(Dim size, Dim own) {
  const SymbolInfo info = dims_.GetSymbol(own);
  const Dim low = context_->facts().SymbolicMin(own, context_->scope());
  const Dim high = context_->facts().SymbolicMax(own, context_->scope());
  if (info.min > 0) context_->Ensure(AtLeast(dims_, size, info.min));
  if (info.max < INT64_MAX) context_->Ensure(AtMost(dims_, size, info.max));
  if (low.is_expression()) context_->Ensure(AtLeast(dims_, size, low));
  if (high.is_expression()) context_->Ensure(AtMost(dims_, size, high));
}

}  // namespace dimwise
