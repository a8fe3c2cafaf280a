#include "report/text/symbol_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/dims/float_step.h"

namespace dimwise {
namespace {

constexpr size_t kMany = 32;

// Returns the number or symbol that a symbol equals by the facts; none if it is its own representative.
Dim RepresentativeOf(Analysis& analysis, Dim symbol, ScopeId scope) {
  Dim now = symbol;
  // Equalities form a forest, so the loop ends at a root. The bound guards against a cycle.
  for (int step = 0; step < 64; ++step) {
    const Dim next = analysis.facts().Simplify(now, scope);
    if (next == now) break;
    if (!next.is_constant() && analysis.dims().Kind(next) != DimKind::kSymbol) break;
    now = next;
    if (now.is_constant()) break;
  }
  return now == symbol ? Dim() : now;
}

bool AtLeastAsTight(std::optional<int64_t> symbolic, std::optional<int64_t> number, bool is_min) {
  if (!number) return true;
  if (!symbolic) return false;
  return is_min ? *symbolic >= *number : *symbolic <= *number;
}

// Returns a sum such as "a + b" or "a - b".
std::string SumText(DimTable& dims, std::span<const Dim> operands) {
  std::string sum;
  for (const Dim operand : operands) {
    const std::string text = dims.ToString(operand);
    if (sum.empty()) {
      sum = text;
    } else {
      sum += text.starts_with('-') ? " - " + text.substr(1) : " + " + text;
    }
  }
  return sum;
}

}  // namespace

std::string DefinitionText(DimTable& dims, Dim symbol) {
  const Definition* definition = dims.GetDefinition(symbol);
  if (definition == nullptr) return "";
  const std::span<const Dim> of = definition->operands;
  const auto text = [&](size_t i) { return dims.ToString(of[i]); };
  switch (definition->operation) {
    case Operation::kAdd:
      return SumText(dims, of);
    case Operation::kMultiply:
      return fmt::format("({})*({})", text(0), text(1));
    case Operation::kFloorDiv:
      return fmt::format("({})//({})", text(0), text(1));
    case Operation::kMaxZero:
      return fmt::format("max({}, 0)", text(0));
    case Operation::kSelect:
      return fmt::format("{} if {} != 0 else {}", text(1), text(0), text(2));
    case Operation::kFloat:
      return FloatStepText(dims, *definition);
    case Operation::kBroadcast:
      break;
  }
  std::vector<std::string> operands;
  for (size_t i = 0; i < of.size(); ++i) operands.push_back(text(i));
  return fmt::format("broadcast({})", fmt::join(operands, ", "));
}

void SymbolCollector::Mention(Dim dim) {
  if (!dim.is_expression()) return;
  for (const Dim symbol : analysis_.dims().SymbolsOf(dim)) {
    if (IsReal(analysis_.dims(), symbol)) {  // printed as its definition
      for (const Dim operand : analysis_.dims().GetDefinition(symbol)->operands) Mention(operand);
      continue;
    }
    size_t place = symbols_.size();
    if (symbols_.size() < kMany) {
      place = static_cast<size_t>(std::ranges::find(symbols_, symbol, &Mentioned::symbol) - symbols_.begin());
    } else {
      for (size_t i = places_.size(); i < symbols_.size(); ++i) places_.insert({symbols_[i].symbol, i});
      if (const auto it = places_.find(symbol); it != places_.end()) place = it->second;
    }
    if (place == symbols_.size()) {
      symbols_.push_back({symbol, scope_});
    } else if (symbols_[place].scope != scope_) {
      symbols_[place].scope = ScopeId::kRoot;
    }
  }
}

void SymbolCollector::Mention(Shape shape) {
  if (shape.is_none() || shape.is_constant()) return;
  for (const Dim size : shape.dims()) Mention(size);
}

void SymbolCollector::Mention(const Type& type) {
  Mention(type.shape);
  if (type.container == nullptr) return;
  Mention(type.container->length);
  for (const Type& element : type.container->elements) Mention(element);
}

void SymbolCollector::Mention(Value value) {
  if (value.kind() == ValueKind::kBytes || value.is_none()) return;
  for (int64_t i = 0; i < value.size(); ++i) {
    Mention(value.kind() == ValueKind::kFloats ? value.FloatingPoint(i).numerator : value.Integer(i));
  }
}

void SymbolCollector::Mention(const Condition& condition) {
  for (const Clause& clause : condition.clauses) {
    for (const Literal& literal : clause) Mention(literal.value);
  }
}

SymbolFacts SymbolCollector::Describe(Mentioned mentioned) {
  const Dim symbol = mentioned.symbol;
  const ScopeId scope = mentioned.scope;
  DimTable& dims = analysis_.dims();
  Facts& facts = analysis_.facts();
  SymbolFacts symbol_facts;
  symbol_facts.symbol = symbol;
  symbol_facts.name = dims.NameOf(symbol);
  const SymbolInfo info = dims.GetSymbol(symbol);
  symbol_facts.origin = info.origin.empty() && !info.of_user ? origin_of_ours_ : std::string(info.origin);
  symbol_facts.computed = DefinitionText(dims, symbol);
  if (facts.constraint_count() == 0) {  // the common case: only the origin of the symbol is known
    if (info.min != INT64_MIN) symbol_facts.min = info.min;
    if (info.max != INT64_MAX) symbol_facts.max = info.max;
    return symbol_facts;
  }
  symbol_facts.equals = RepresentativeOf(analysis_, symbol, scope);
  if (!symbol_facts.equals.is_none()) return symbol_facts;

  const SizeBounds bounds = facts.Bounds(symbol, scope);
  if (bounds.min) symbol_facts.min = *bounds.min;
  if (bounds.max) symbol_facts.max = *bounds.max;
  // u1 <= N is a fact about u1, not about N. A bound is also omitted if its symbols equal this symbol.
  const auto is_informative = [&](Dim bound) {
    return bound.is_expression() && std::ranges::none_of(dims.SymbolsOf(bound), [&](Dim s) {
             const bool is_ours =
                 !dims.GetSymbol(s).of_user && (!dims.GetDefinition(s) || IsFloatStep(dims, s));
             return s == symbol || (info.of_user && is_ours);
           });
  };
  const Dim lower = facts.Simplify(facts.SymbolicMin(symbol, scope), scope);
  const Dim upper = facts.Simplify(facts.SymbolicMax(symbol, scope), scope);
  if (is_informative(lower) && AtLeastAsTight(facts.Bounds(lower, scope).min, bounds.min, true)) {
    symbol_facts.min = lower;
  }
  if (is_informative(upper) && AtLeastAsTight(facts.Bounds(upper, scope).max, bounds.max, false)) {
    symbol_facts.max = upper;
  }
  symbol_facts.congruence = facts.CongruenceOf(symbol, scope);
  if (symbol_facts.congruence.modulus < 1) symbol_facts.congruence = {};
  return symbol_facts;
}

std::vector<SymbolFacts> SymbolCollector::Collect() {
  std::vector<SymbolFacts> all;
  for (size_t i = 0; i < symbols_.size(); ++i) {  // describing a symbol may mention more
    all.push_back(Describe(symbols_[i]));
    scope_ = symbols_[i].scope;
    Mention(all.back().equals);
    Mention(all.back().min);
    Mention(all.back().max);
    if (const Definition* definition = analysis_.dims().GetDefinition(all.back().symbol)) {
      for (const Dim operand : definition->operands) Mention(operand);
    }
  }
  return all;
}

}  // namespace dimwise
