#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/base/rounds_testing.h"
#include "core/facts/derived_facts.h"

namespace dimwise {
namespace {

constexpr int kSymbols = 7;

std::string SymbolName(size_t i) { return fmt::format("s{}", i); }

// Returns a random condition; many have a form that Extended accepts.
std::string RandomConditionText(std::mt19937& random) {
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const std::string a = SymbolName(below(kSymbols)), b = SymbolName(below(kSymbols)),
                    c = SymbolName(below(kSymbols));
  const unsigned k = below(6);
  switch (below(12)) {
    case 0:
    case 1:
    case 2:
      return fmt::format("{} == {}", a, b);
    case 3:
    case 4:
      return fmt::format("{} >= {}", a, k);
    case 5:
      return fmt::format("{} <= {}", a, k + 3);
    case 6:
    case 7:
      return fmt::format("{0} == {1} or {0} == 1 or {1} == 1", a, b);
    case 8:
      return fmt::format("{} + {} <= {}", a, b, c);
    case 9:
      return fmt::format("{} % {} == 0", a, k + 2);
    case 10:
      return fmt::format("{} * {} == {} * {}", a, b, k + 1, c);
    default:
      return fmt::format("{} == {}", a, k + 1);
  }
}

// Returns all derived facts about these symbols as text.
std::string TextOf(DimTable& table, const DerivedFacts& k) {
  if (k.conflict()) return "conflict";
  std::string result = fmt::format("points {:x}\n", k.points());
  for (size_t i = 0; i < kSymbols; ++i) {
    const Dim s = table.Symbol(SymbolName(i));
    const Dim solution = k.SolutionOf(s), equal = k.EqualSymbolOf(s);
    const Congruence residue = k.ResidueOf(s);
    result += fmt::format("{} = {} = {} % {} {}\n", i, solution.is_none() ? "" : table.ToString(solution),
                          equal.is_none() ? "" : table.ToString(equal), residue.modulus, residue.remainder);
  }
  std::set<std::string> forms, open;
  for (const DerivedFacts::FormFact& f : k.forms()) {
    forms.insert(fmt::format("{} in {} {}", table.ToString(f.form), static_cast<double>(f.interval.lo),
                             static_cast<double>(f.interval.hi)));
  }
  for (const Clause& c : k.open_clauses()) open.insert(ToString(table, c));
  for (const std::string& text : forms) result += text + "\n";
  for (const std::string& text : open) result += text + "\n";
  return result;
}

bool Mentions(const DimTable& table, const Clause& clause, Dim symbol) {
  return std::ranges::any_of(clause, [&](const Literal& l) {
    return l.value.is_expression() && std::ranges::count(table.SymbolsOf(l.value), symbol) > 0;
  });
}

TEST(DerivedFactsExtensionTest, Extended_RandomClauses_EqualsBuild) {
  std::mt19937 random(22);
  int extended = 0;
  for (int trial = 0; trial < Rounds(3000); ++trial) {
    DimTable table;
    for (size_t i = 0; i < kSymbols; ++i) table.Symbol(SymbolName(i));
    std::vector<SourcedClause> clauses;
    std::string text;
    DerivedFacts known = DerivedFacts::Build(table, {});
    for (uint32_t step = 0; step < 9; ++step) {
      const std::string condition = RandomConditionText(random);
      std::vector<SourcedClause> more;
      const Condition parsed = *ParseCondition(table, condition);
      for (const Clause& c : parsed.clauses) more.push_back({Normalize(table, c), ConstraintId{step}, step});
      const auto is_new = [&](Dim symbol) {
        return std::ranges::none_of(
            clauses, [&](const SourcedClause& c) { return Mentions(table, c.clause, symbol); });
      };
      std::optional<DerivedFacts> grown = known.Extended(table, more, is_new);
      clauses.insert(clauses.end(), more.begin(), more.end());
      std::ranges::stable_sort(clauses, [&](const SourcedClause& a, const SourcedClause& b) {
        return ComesFirst(table, a.clause, a.owner, b.clause, b.owner);
      });
      text += condition + ", ";
      const DerivedFacts built = DerivedFacts::Build(table, clauses);
      if (grown) {
        ++extended;
        ASSERT_EQ(TextOf(table, *grown), TextOf(table, built)) << text;
      }
      if (built.conflict()) break;
      known = grown ? *std::move(grown) : built;
    }
  }
  EXPECT_GT(extended, Rounds(2000));
}

}  // namespace
}  // namespace dimwise
