#include "infer/engine/control/branch_join.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

#include "core/base/hash_mix.h"
#include "core/dims/dim_select.h"
#include "core/dims/float_step.h"
#include "core/types/known_parts.h"
#include "infer/context/certain_size.h"
#include "infer/engine/control/symbol_roles.h"
#include "infer/engine/control/type_join.h"

namespace dimwise {
namespace {

constexpr uint64_t kChoicePath = 0x63686F6963650000u;  // part of the keys of choices

bool HaveEqualForm(const Type& a, const Type& b) {
  return IsRanked(a) && IsRanked(b) && a.shape.rank() == b.shape.rank() && a.element == b.element &&
         a.storage == b.storage;
}

}  // namespace

BranchJoin::BranchJoin(ControlFlowContext& c, BranchCondition condition, Value value, RegionId if_true,
                       RegionId if_false)
    : c_(c), context_(c.context), condition_(condition), if_true_(if_true), if_false_(if_false) {
  const Dim number = OnlyInteger(value);
  if (!number.is_expression() || value.element() != ElementType::kBool) return;
  // The number of a trip counts as an input: a body may select the first trip by it.
  DimTable& dims = context_->dims();
  const auto is_input = [&](Dim symbol) {
    const SymbolKey* key = dims.KeyOf(symbol);
    return dims.GetSymbol(symbol).of_user || (key != nullptr && key->role == kTripRole);
  };
  if (std::ranges::all_of(dims.SymbolsOf(number), is_input)) number_ = number;
}

// ---- Types and contents ----

Type BranchJoin::TypeOf(const Type& if_true, const Type& if_false) {
  if (if_true == if_false || !HaveEqualForm(if_true, if_false)) return JoinTypes(context_, if_true, if_false);
  Type type = if_true;
  std::vector<Dim> sizes;
  for (int axis = 0; axis < if_true.shape.rank(); ++axis)
    sizes.push_back(
        JoinSizes(WithChoices(if_true.shape[axis], true), WithChoices(if_false.shape[axis], false)));
  if (std::ranges::any_of(sizes, [](Dim d) { return d.is_none(); }))
    return JoinTypes(context_, if_true, if_false);
  type.shape = context_->analysis().shapes().Make(sizes);
  return type;
}

Value BranchJoin::ContentsOf(Value if_true, Value if_false) {
  const bool have_equal_form = !if_true.is_none() && !if_false.is_none() && if_true != if_false &&
                               if_true.element() == if_false.element() &&
                               std::ranges::equal(if_true.dims(), if_false.dims()) &&
                               if_true.size() <= ValueTable::kMaxElements;
  std::vector<Dim> elements;
  for (int64_t i = 0; have_equal_form && i < if_true.size(); ++i) {
    const Dim x = WithChoices(if_true.Integer(i), true), y = WithChoices(if_false.Integer(i), false);
    if (x.is_none() || y.is_none() || !ComeFromOutside(x, y)) break;
    elements.push_back(x == y ? x : Select(x, y, /*are_sizes=*/false));
  }
  if (!have_equal_form || static_cast<int64_t>(elements.size()) != if_true.size())
    return JoinContents(context_, if_true, if_false);
  return context_->analysis().values().Integers(if_true.element(), if_true.dims(), elements);
}

// ---- One size ----

Dim BranchJoin::JoinSizes(Dim if_true, Dim if_false) {
  if (if_true == if_false) return if_true;
  if_true = WithRequirements(if_true, if_true_);
  if_false = WithRequirements(if_false, if_false_);
  if (if_true == if_false) return if_true;
  for (const JoinedSize& known : joined_) {
    if (known.if_true == if_true && known.if_false == if_false) return known.joined;
  }
  const Dim joined = ComeFromOutside(if_true, if_false)
                         ? Select(if_true, if_false, /*are_sizes=*/true)
                         : SizeBetween(BoundsOf(if_true, if_true_), BoundsOf(if_false, if_false_));
  if (!if_true.is_none() && !if_false.is_none()) joined_.push_back({if_true, if_false, joined});
  return joined;
}

// Returns the one of two values that the condition selects. REQUIRES: both come from outside.
Dim BranchJoin::Select(Dim if_true, Dim if_false, bool are_sizes) {
  DimTable& dims = context_->dims();
  if (!number_.is_none()) {
    const Dim selected = dimwise::Select(dims, number_, if_true, if_false);
    if (are_sizes && !selected.is_none() && !IsCertainlySize(dims, selected)) StateSize(selected);
    return selected;
  }
  if (condition_.number == kNoNumber || context_->Equal(if_true, if_false) == Truth::kYes)
    return context_->Relax(if_true, if_false);
  // Choices belong to the condition without its negation.
  const Dim first = condition_.is_negated ? if_false : if_true;
  const Dim second = condition_.is_negated ? if_true : if_false;
  const auto accepts = [&](const BranchChoices::Choice& choice, Dim expression) {
    return IsInside(choice.region) && (!are_sizes || IsSize(expression));
  };
  BranchChoices& choices = c_.memory.choices;
  Dim selected = choices.Find(dims, condition_.number, first, second, accepts);
  if (selected.is_none()) {
    selected = NewChoice(first, second, are_sizes);
    choices.Add(condition_.number, {c_.graph().region(c_.node), first, second, selected});
  }
  StateBounds(selected, if_true, if_false);
  if (are_sizes && !IsCertainlySize(dims, selected)) StateSize(selected);
  return selected;
}

Dim BranchJoin::NewChoice(Dim if_true, Dim if_false, bool are_sizes) {
  DimTable& dims = context_->dims();
  const bool is_size = are_sizes || (IsCertainlySize(dims, if_true) && IsCertainlySize(dims, if_false));
  int64_t min = is_size ? 0 : INT64_MIN, max = INT64_MAX;
  if (if_true.is_constant() && if_false.is_constant()) {
    min = std::min(if_true.constant(), if_false.constant());
    max = std::max(if_true.constant(), if_false.constant());
  }
  uint64_t path = HashMix(kChoicePath, uint64_t{Index(condition_.number)} << 1 | condition_.is_negated);
  path = HashMix(path, static_cast<uint64_t>(min));
  for (const Dim d : {if_true, if_false}) path = HashMix(path, static_cast<uint64_t>(d.bits()));
  return dims.Fresh(SymbolKey{path, context_->node().owner, kChoiceRole}, min, max, context_->Origin());
}

Dim BranchJoin::SizeBetween(Bounds a, Bounds b) {
  DimTable& dims = context_->dims();
  const Dim size = context_->UnknownDim();
  const Dim low = Smaller(a.low, b.low);
  const Dim high = dims.Negate(Smaller(dims.Negate(a.high), dims.Negate(b.high)));
  if (!low.is_none()) context_->Ensure(AtLeast(dims, size, low));
  if (!high.is_none()) context_->Ensure(AtMost(dims, size, high));
  return size;
}

// ---- What is known in a region ----

// Replaces symbols that the same condition selects by the selected values.
Dim BranchJoin::WithChoices(Dim d, bool is_true) const {
  if (!d.is_expression() || condition_.number == kNoNumber) return d;
  const Dim resolved =
      c_.memory.choices.Resolve(context_->dims(), condition_.number, d, is_true != condition_.is_negated);
  return resolved.is_none() ? d : resolved;
}

// Simplifies an expression by what the region requires: if a requirement fails, the region has no result.
// Facts of outer scopes are not used, since they may rest on the results of this branch.
Dim BranchJoin::WithRequirements(Dim d, RegionId region) const {
  DimTable& dims = context_->dims();
  if (!d.is_expression() || dims.Kind(d) == DimKind::kSymbol) return d;
  const bool has_requirements = std::ranges::any_of(c_.graph().nodes(region), [&](NodeId node) {
    const NodeEffects* effects = c_.state.effects_of(node);
    return effects != nullptr && !effects->guards.empty();
  });
  if (!has_requirements) return d;
  const Dim simple = context_->facts().Simplify(d, c_.state.scope(region));
  if (simple.is_none() || simple == context_->facts().Simplify(d, context_->scope())) return d;
  const std::span<const Dim> symbols = dims.SymbolsOf(d);
  const auto is_in_d = [&](Dim symbol) { return std::ranges::find(symbols, symbol) != symbols.end(); };
  return std::ranges::all_of(dims.SymbolsOf(simple), is_in_d) ? simple : d;
}

// Returns bounds that are valid outside: the size itself, or the bounds that the region implies.
BranchJoin::Bounds BranchJoin::BoundsOf(Dim size, RegionId region) const {
  if (c_.state.IsInvariant(size, region)) return {size, size};
  Facts& facts = context_->facts();
  const ScopeId scope = c_.state.scope(region);
  const SizeBounds numbers = facts.Bounds(size, scope, FactFilter::kWithoutAssumed);
  const bool is_symbol = context_->dims().Kind(size) == DimKind::kSymbol;
  const auto outside = [&](Dim bound, std::optional<int64_t> number) {
    if (!bound.is_none() && c_.state.IsInvariant(bound, region)) return bound;
    return number ? Dim(*number) : Dim();
  };
  return {outside(is_symbol ? facts.SymbolicMin(size, scope) : Dim(), numbers.min),
          outside(is_symbol ? facts.SymbolicMax(size, scope) : Dim(), numbers.max)};
}

Dim BranchJoin::Smaller(Dim a, Dim b) const {
  if (a.is_none() || b.is_none()) return Dim();
  const auto is_at_least = [&](Dim x, Dim y) {
    return context_->facts().AtLeast(x, y, context_->scope(), FactFilter::kWithoutChecked) == Truth::kYes;
  };
  if (is_at_least(a, b)) return b;
  return is_at_least(b, a) ? a : context_->dims().Min(a, b);
}

bool BranchJoin::ComeFromOutside(Dim if_true, Dim if_false) const {
  return c_.state.IsInvariant(if_true, if_true_) && c_.state.IsInvariant(if_false, if_false_);
}

// Returns whether the branch is inside a region.
bool BranchJoin::IsInside(RegionId region) const {
  for (RegionId r = c_.graph().region(c_.node); r != kNoRegion; r = c_.graph().parent(r)) {
    if (r == region) return true;
  }
  return false;
}

bool BranchJoin::IsSize(Dim d) const {
  return IsCertainlySize(context_->dims(), d) ||
         context_->facts().AtLeast(d, 0, context_->scope(), FactFilter::kWithoutAssumed) == Truth::kYes;
}

// ---- Facts about choices ----

// States that a selected size is not negative. If it contains a defined symbol, this holds by definition of
// the symbol. Otherwise it holds only if no region fails, and nodes before the branch must not rely on it.
void BranchJoin::StateSize(Dim size) {
  DimTable& dims = context_->dims();
  const auto is_defined = [&](Dim symbol) {
    return dims.GetDefinition(symbol) != nullptr && !IsFloatStep(dims, symbol);
  };
  const Literal is_size = AtLeast(dims, size, 0);
  if (std::ranges::any_of(dims.SymbolsOf(size), is_defined)) return context_->Ensure(is_size);
  (void)context_->Require(is_size, "a branch would give a negative size", Code::kAssumption);
}

// States that a choice lies between both values and satisfies their common congruence. Both facts are derived
// without checked facts, which may depend on the choice.
void BranchJoin::StateBounds(Dim choice, Dim a, Dim b) {
  DimTable& dims = context_->dims();
  if (dims.Kind(choice) != DimKind::kSymbol) return;
  const Dim low = Smaller(a, b);
  const Dim high = dims.Negate(Smaller(dims.Negate(a), dims.Negate(b)));
  if (!low.is_none()) context_->Ensure(AtLeast(dims, choice, low));
  if (!high.is_none()) context_->Ensure(AtMost(dims, choice, high));
  const Congruence p = context_->facts().CongruenceOf(a, context_->scope(), FactFilter::kWithoutChecked);
  const Congruence q = context_->facts().CongruenceOf(b, context_->scope(), FactFilter::kWithoutChecked);
  int64_t gap = 0;
  if (__builtin_sub_overflow(p.remainder, q.remainder, &gap) || gap == INT64_MIN) return;
  const int64_t step = std::gcd(std::gcd(p.modulus, q.modulus), gap);
  if (step > 1) context_->Ensure(Equal(dims, dims.Mod(dims.Subtract(choice, p.remainder), step), 0));
}

}  // namespace dimwise
