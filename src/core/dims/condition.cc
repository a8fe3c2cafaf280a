#include "dimwise/condition.h"

#include <algorithm>
#include <optional>

#include "core/dims/broadcastable.h"
#include "core/dims/condition_logic.h"
#include "core/dims/expression_parser.h"
#include "core/dims/normalize_literal.h"

namespace dimwise {

Literal Equal(DimTable& table, Dim a, Dim b) { return {table.Subtract(a, b), Relation::kEqual}; }
Literal NotEqual(DimTable& table, Dim a, Dim b) { return {table.Subtract(a, b), Relation::kNotEqual}; }
// INT64_MAX is used as "to the end", so it counts as at least every number.
Literal AtLeast(DimTable& table, Dim a, Dim b) {
  if (a == Dim(INT64_MAX) && !b.is_none()) return kTrueLiteral;
  return {table.Subtract(a, b), Relation::kAtLeast};
}
Literal AtMost(DimTable& table, Dim a, Dim b) { return AtLeast(table, b, a); }
Literal LessThan(DimTable& table, Dim a, Dim b) {
  return {table.Subtract(table.Subtract(b, a), 1), Relation::kAtLeast};
}

Literal Not(DimTable& table, Literal literal) {
  switch (literal.relation) {
    case Relation::kEqual:
      return {literal.value, Relation::kNotEqual};
    case Relation::kNotEqual:
      return {literal.value, Relation::kEqual};
    case Relation::kAtLeast:
      return LessThan(table, literal.value, 0);
  }
  return literal;
}

std::optional<Condition> EitherOf(const Condition& a, const Condition& b) {
  if (a.clauses.size() * b.clauses.size() > kMaxClauses) return std::nullopt;
  Condition result;
  for (const Clause& x : a.clauses) {
    for (const Clause& y : b.clauses) {
      Clause joined = x;
      joined.insert(joined.end(), y.begin(), y.end());
      if (joined.size() > kMaxClauses) return std::nullopt;
      result.clauses.push_back(std::move(joined));
    }
  }
  return result;
}

std::optional<Condition> NotOf(DimTable& table, const Condition& a) {
  Condition result{{{}}};  // false; the negations of the clauses are added to it with `or`
  for (const Clause& clause : a.clauses) {
    Condition negated;
    for (const Literal& l : clause) negated.clauses.push_back({Not(table, l)});
    std::optional<Condition> both = EitherOf(result, negated);
    if (!both) return std::nullopt;
    result = std::move(*both);
  }
  return result;
}

bool IsImpliedBy(DimTable& table, const Literal& what, const Literal& from) {
  const Literal normal = Normalize(table, what);
  return normal == kTrueLiteral || Implies(table, Normalize(table, from), normal);
}

Clause Normalize(DimTable& table, const Clause& clause) {
  Clause result;
  for (const Literal& l : clause) {
    const Literal n = Normalize(table, l);
    if (n == kTrueLiteral) return {kTrueLiteral};
    if (n == kFalseLiteral) continue;
    if (n.relation != Relation::kEqual || BroadcastableSizes(table, n).size() != 2) {
      result.push_back(n);
      continue;
    }
    for (const Literal& alternative : Broadcastable(table, BroadcastableSizes(table, n))) {
      const Literal normal = Normalize(table, alternative);
      if (normal != kFalseLiteral) result.push_back(normal);
    }
  }
  std::ranges::sort(result, [&](const Literal& a, const Literal& b) {
    if (const auto o = table.Order(a.value, b.value); o != 0) return o < 0;
    return a.relation < b.relation;
  });
  result.erase(std::unique(result.begin(), result.end()), result.end());
  // ComplementaryBounds: N >= 8 or N <= 7 always holds.
  for (size_t i = 0; i < result.size(); ++i) {
    for (size_t j = i + 1; j < result.size(); ++j) {
      if (result[i].relation != Relation::kAtLeast || result[j].relation != Relation::kAtLeast) continue;
      const Dim apart = table.Add(result[i].value, result[j].value);
      if (apart.is_constant() && apart.constant() >= -1) return {kTrueLiteral};
    }
  }
  // ImpliedAlternative: remove each literal that implies another one.
  for (size_t i = result.size(); i-- > 0;) {
    const bool implies = std::ranges::any_of(result, [&](const Literal& other) {
      return &other != &result[i] && Implies(table, result[i], other);
    });
    if (implies) result.erase(result.begin() + static_cast<ptrdiff_t>(i));
  }
  return result;
}

namespace {

// Prints `value REL 0` with the negative terms on the right side.
std::string PrintComparison(DimTable& table, Dim value, std::string_view relation, std::string_view flipped) {
  Dim left = 0, right = 0;
  for (size_t i = 0; i < table.TermCount(value); ++i) {
    const Term t = table.GetTerm(value, i);
    Dim product = t.coefficient;
    for (Dim f : t.factors) product = table.Multiply(product, f);
    Dim& side = t.coefficient > 0 ? left : right;
    side = t.coefficient > 0 ? table.Add(side, product) : table.Subtract(side, product);
  }
  const auto text = [&](Dim a, std::string_view rel, Dim b) {
    return table.ToString(a) + " " + std::string(rel) + " " + table.ToString(b);
  };
  const bool constant_first = left.is_constant() && !right.is_constant();
  const std::string split = constant_first ? text(right, flipped, left) : text(left, relation, right);
  const Dim sum = table.WithoutConstant(value), constant = table.ConstantTerm(value);
  std::string shortest = split;
  for (const std::string& other :
       {text(sum, relation, table.Negate(constant)), text(table.Negate(sum), flipped, constant)}) {
    if (other.size() < shortest.size()) shortest = other;
  }
  return shortest;
}

std::string PrintBroadcastable(DimTable& table, std::span<const Dim> sizes) {
  std::vector<Dim> sorted(sizes.begin(), sizes.end());
  std::ranges::sort(sorted, [&](Dim a, Dim b) { return table.Order(a, b) < 0; });
  std::string text;
  for (const Dim size : sorted) text += (text.empty() ? "" : ", ") + table.ToString(size);
  return "broadcastable(" + text + ")";
}

}  // namespace

std::string ToString(DimTable& table, const Literal& literal) {
  if (const std::span<const Dim> sizes = BroadcastableSizes(table, literal); !sizes.empty())
    return (literal.relation == Relation::kEqual ? "" : "not ") + PrintBroadcastable(table, sizes);
  switch (literal.relation) {
    case Relation::kEqual:
      return PrintComparison(table, CeilingIsExact(table, literal.value), "==", "==");
    case Relation::kNotEqual:
      return PrintComparison(table, CeilingIsExact(table, literal.value), "!=", "!=");
    case Relation::kAtLeast:
      return PrintComparison(table, literal.value, ">=", "<=");
  }
  return {};
}

std::string ToString(DimTable& table, const Clause& clause) {
  if (clause.empty()) return "1 == 0";
  std::string text;
  for (const Literal& l : clause) text += (text.empty() ? "" : " or ") + ToString(table, l);
  return text;
}

std::string ToString(DimTable& table, const Condition& condition) {
  if (condition.clauses.empty()) return "0 == 0";
  std::string text;
  for (const Clause& c : condition.clauses) {
    const std::string one = ToString(table, c);
    text += (text.empty() ? "" : " and ") +
            (c.size() > 1 && condition.clauses.size() > 1 ? "(" + one + ")" : one);
  }
  return text;
}

Result<Condition> ParseCondition(DimTable& table, std::string_view text) {
  return ExpressionParser(table, text).ParseConditions();
}

}  // namespace dimwise
