// Tests properties with random input: the algebra against plain integer arithmetic, answers of facts against
// brute force, and facts after changes against a new Facts with the same constraints.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "core/base/rounds_testing.h"
#include "core/dims/bounds.h"
#include "core/facts/query_tracking.h"
#include "dimwise/facts.h"

namespace dimwise {
namespace {

using Number = std::optional<int64_t>;
constexpr const char* kNames[] = {"N", "M", "K"};

// A random expression as a Dim, and its values, computed operation by operation without the library.
struct Sample {
  Dim dim;
  std::vector<Number> values;  // one for each assignment
  std::string text;            // the operations, for messages
};

class RandomExpressions {
 public:
  RandomExpressions(DimTable& table, uint64_t seed, std::vector<std::vector<int64_t>> assignments)
      : table_(table), random_(seed), assignments_(std::move(assignments)) {}

  Sample Make(int depth) {
    if (depth == 0 || Pick(5) == 0) return Leaf();
    const Sample a = Make(depth - 1);
    const int op = Pick(10);
    if (op == 0) {
      const int64_t c = Pick(7) - 3;
      return c == 0 ? a
                    : Combine(
                          "floordiv", a, Constant(c), [&](Dim x, Dim y) { return table_.FloorDivide(x, y); },
                          FloorDivide);
    }
    if (op == 1) {
      const int64_t c = Pick(6) + 1;
      return Combine(
          "mod", a, Constant(c), [&](Dim x, Dim y) { return table_.Mod(x, y); },
          [](int64_t x, int64_t y) -> Number { return x - y * *FloorDivide(x, y); });
    }
    const Sample b = Make(depth - 1);
    switch (op) {
      case 2:
      case 3:
        return Combine(
            "add", a, b, [&](Dim x, Dim y) { return table_.Add(x, y); },
            [](int64_t x, int64_t y) -> Number { return x + y; });
      case 4:
        return Combine(
            "subtract", a, b, [&](Dim x, Dim y) { return table_.Subtract(x, y); },
            [](int64_t x, int64_t y) -> Number { return x - y; });
      case 5:
        return Combine(
            "multiply", a, b, [&](Dim x, Dim y) { return table_.Multiply(x, y); },
            [](int64_t x, int64_t y) -> Number {
              return std::abs(x) < 1'000'000 && std::abs(y) < 1'000'000 ? Number(x * y) : std::nullopt;
            });
      case 6:
        return Combine(
            "min", a, b, [&](Dim x, Dim y) { return table_.Min(x, y); },
            [](int64_t x, int64_t y) -> Number { return std::min(x, y); });
      case 7:
        return Combine(
            "max", a, b, [&](Dim x, Dim y) { return table_.Max(x, y); },
            [](int64_t x, int64_t y) -> Number { return std::max(x, y); });
      case 8:
        return Combine(
            "floordiv", a, b, [&](Dim x, Dim y) { return y == Dim(0) ? x : table_.FloorDivide(x, y); },
            [](int64_t x, int64_t y) -> Number { return y == 0 ? std::nullopt : FloorDivide(x, y); },
            /*skip_zero=*/true);
      default:
        return Combine(
            "ceildiv", a, Constant(Pick(5) + 1), [&](Dim x, Dim y) { return table_.CeilDivide(x, y); },
            [](int64_t x, int64_t y) -> Number { return -*FloorDivide(-x, y); });
    }
  }

  int Pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }

 private:
  static Number FloorDivide(int64_t a, int64_t b) {
    if (b == 0) return std::nullopt;
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
  }

  Sample Constant(int64_t c) {
    return {Dim(c), std::vector<Number>(assignments_.size(), c), std::to_string(c)};
  }

  Sample Leaf() {
    if (Pick(3) == 0) return Constant(Pick(9) - 4);
    const auto i = static_cast<size_t>(Pick(3));
    Sample s{table_.Symbol(kNames[i]), {}, kNames[i]};
    for (const auto& a : assignments_) s.values.push_back(a[i]);
    return s;
  }

  template <typename F, typename G>
  Sample Combine(const char* name, const Sample& a, const Sample& b, F symbolic, G numeric,
                 bool skip_zero = false) {
    if (skip_zero && b.dim == Dim(0)) return a;
    Sample s{symbolic(a.dim, b.dim), {}, name + ("(" + a.text) + ", " + b.text + ")"};
    for (size_t i = 0; i < assignments_.size(); ++i) {
      s.values.push_back(a.values[i] && b.values[i] ? numeric(*a.values[i], *b.values[i]) : std::nullopt);
    }
    return s;
  }

  DimTable& table_;
  std::mt19937_64 random_;
  std::vector<std::vector<int64_t>> assignments_;
};

std::vector<std::vector<int64_t>> RandomSizes(uint64_t seed, int n, int64_t limit) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<int64_t>> all;
  for (int i = 0; i < n; ++i) {
    std::vector<int64_t> a;
    for (size_t k = 0; k < 3; ++k) a.push_back(static_cast<int64_t>(random() % static_cast<uint64_t>(limit)));
    all.push_back(a);
  }
  return all;
}

Number EvaluateAt(const DimTable& table, Dim d, const std::vector<int64_t>& sizes) {
  return table.Evaluate(d, [&](Dim s) -> Number {
    for (size_t i = 0; i < 3; ++i) {
      if (table.GetSymbol(s).name == kNames[i]) return sizes[i];
    }
    return std::nullopt;
  });
}

TEST(AlgebraProperty, NormalForm_RandomExpressions_KeepsValue) {
  const auto sizes = RandomSizes(1, 24, 14);
  for (uint64_t seed = 0; seed < Rounds(3000u); ++seed) {
    DimTable table;
    for (const char* n : kNames) table.Symbol(n);
    const Sample s = RandomExpressions(table, seed, sizes).Make(4);
    ASSERT_FALSE(s.dim.is_none()) << seed;
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (!s.values[i]) continue;
      ASSERT_EQ(EvaluateAt(table, s.dim, sizes[i]), s.values[i])
          << "seed " << seed << ": " << s.text << " = " << table.ToString(s.dim) << " at N=" << sizes[i][0]
          << " M=" << sizes[i][1] << " K=" << sizes[i][2];
    }
  }
}

TEST(AlgebraProperty, ToString_RandomExpressions_ParsesToSameDim) {
  for (uint64_t seed = 0; seed < Rounds(3000u); ++seed) {
    DimTable table;
    for (const char* n : kNames) table.Symbol(n);
    const Sample s = RandomExpressions(table, seed, {}).Make(4);
    const std::string text = table.ToString(s.dim);
    Result<Dim> again = table.Parse(text);
    ASSERT_TRUE(again.has_value()) << text;
    ASSERT_EQ(*again, s.dim) << "seed " << seed << ": " << s.text << " = " << text << " came back as "
                             << table.ToString(*again);
  }
}

TEST(AlgebraProperty, DivideExactly_ProductOfTwo_GivesFactor) {
  for (uint64_t seed = 0; seed < Rounds(1000u); ++seed) {
    DimTable table;
    RandomExpressions random(table, seed, {});
    const Dim a = random.Make(2).dim, b = random.Make(2).dim;
    if (b == Dim(0)) continue;
    const Dim product = table.Multiply(a, b);
    if (table.Kind(product) == DimKind::kSymbol && table.GetDefinition(product) != nullptr) continue;
    const std::optional<Dim> q = table.DivideExactly(product, b);
    ASSERT_TRUE(q.has_value()) << "(" << table.ToString(a) << ") * (" << table.ToString(b) << ")";
    ASSERT_EQ(*q, a);
  }
}

// A random literal over random expressions, and its truth at each assignment.
struct SampleLiteral {
  Literal literal;
  std::vector<std::optional<bool>> truth;
};

SampleLiteral RandomLiteral(RandomExpressions& random) {
  const Sample s = random.Make(2);
  const Relation r = random.Pick(4) == 0   ? Relation::kNotEqual
                     : random.Pick(2) == 0 ? Relation::kEqual
                                           : Relation::kAtLeast;
  SampleLiteral l{{s.dim, r}, {}};
  for (const Number& v : s.values) {
    l.truth.push_back(!v ? std::nullopt
                         : std::optional<bool>(r == Relation::kEqual      ? *v == 0
                                               : r == Relation::kNotEqual ? *v != 0
                                                                          : *v >= 0));
  }
  return l;
}

std::vector<std::vector<int64_t>> Grid(int64_t limit) {
  std::vector<std::vector<int64_t>> all;
  for (int64_t n = 0; n < limit; ++n) {
    for (int64_t m = 0; m < limit; ++m) {
      for (int64_t k = 0; k < limit; ++k) all.push_back({n, m, k});
    }
  }
  return all;
}

// Each answer must be true at all sizes at which the random facts hold.
TEST(FactsProperty, Queries_RandomFacts_AreTrueWhereFactsHold) {
  const auto grid = Grid(9);
  int decided = 0;
  for (uint64_t seed = 0; seed < Rounds(1500u); ++seed) {
    DimTable table;
    for (const char* n : kNames) table.Symbol(n);
    Facts facts(table);
    RandomExpressions random(table, seed, grid);
    std::vector<bool> meets(grid.size(), true);
    std::string text;
    const int count = 1 + random.Pick(3);
    for (int c = 0; c < count; ++c) {
      Clause clause;
      std::vector<bool> holds(grid.size(), false);
      for (int k = 0; k <= random.Pick(2); ++k) {
        const SampleLiteral l = RandomLiteral(random);
        clause.push_back(l.literal);
        for (size_t i = 0; i < grid.size(); ++i) holds[i] = holds[i] || l.truth[i].value_or(false);
      }
      text += ToString(table, clause) + "; ";
      facts.Assert(clause, FactKind::kGiven, static_cast<OwnerId>(c));
      for (size_t i = 0; i < grid.size(); ++i) meets[i] = meets[i] && holds[i];
    }
    const bool possible = std::ranges::find(meets, true) != meets.end();
    if (possible) {
      ASSERT_FALSE(facts.FindContradiction(ScopeId::kRoot).has_value()) << "seed " << seed << ": " << text;
    }
    for (int q = 0; q < 6; ++q) {
      const SampleLiteral query = RandomLiteral(random);
      const Truth t = facts.Holds(query.literal);
      decided += t != Truth::kMaybe;
      for (size_t i = 0; i < grid.size(); ++i) {
        if (!meets[i] || !query.truth[i]) continue;
        ASSERT_FALSE((t == Truth::kYes && !*query.truth[i]) || (t == Truth::kNo && *query.truth[i]))
            << "seed " << seed << ": " << text << "|- " << ToString(table, query.literal)
            << " at N=" << grid[i][0] << " M=" << grid[i][1] << " K=" << grid[i][2];
      }
      const Sample e = random.Make(3);
      const Dim simple = facts.Simplify(e.dim, ScopeId::kRoot, FactFilter::kEverything, q % 2 == 0);
      const SizeBounds bounds = facts.Bounds(e.dim);
      const Congruence congruence = facts.CongruenceOf(e.dim);
      for (size_t i = 0; i < grid.size(); i += 3) {
        if (!meets[i] || !e.values[i]) continue;
        const int64_t v = *e.values[i];
        ASSERT_EQ(EvaluateAt(table, simple, grid[i]), e.values[i])
            << "seed " << seed << ": " << text << "|- " << table.ToString(e.dim) << " = "
            << table.ToString(simple) << " at N=" << grid[i][0] << " M=" << grid[i][1] << " K=" << grid[i][2];
        ASSERT_TRUE((!bounds.min || *bounds.min <= v) && (!bounds.max || v <= *bounds.max))
            << "seed " << seed << ": " << text << e.text << " in " << bounds.min.value_or(INT64_MIN) << " .. "
            << bounds.max.value_or(INT64_MAX) << " at N=" << grid[i][0] << " M=" << grid[i][1]
            << " K=" << grid[i][2];
        ASSERT_TRUE(congruence.modulus == 0 ? v == congruence.remainder
                                            : (v - congruence.remainder) % congruence.modulus == 0)
            << "seed " << seed << ": " << text << table.ToString(e.dim) << " % " << congruence.modulus
            << " == " << congruence.remainder;
      }
    }
  }
  EXPECT_GT(decided, Rounds(2000)) << "most queries are open";
}

// Constraints are added and retracted in random order.
TEST(FactsProperty, Queries_RandomChanges_DependOnSetOnly) {
  for (uint64_t seed = 0; seed < Rounds(300u); ++seed) {
    DimTable table;
    for (const char* n : kNames) table.Symbol(n);
    Facts facts(table);
    RandomExpressions random(table, seed, {});
    std::map<uint32_t, Clause> present;
    for (int step = 0; step < 24; ++step) {
      if (!present.empty() && random.Pick(3) == 0) {
        auto it = present.begin();
        std::advance(it, random.Pick(static_cast<int>(present.size())));
        facts.Retract(ConstraintId{it->first});
        present.erase(it);
      } else if (present.size() < 5) {
        Clause clause{RandomLiteral(random).literal};
        if (random.Pick(3) == 0) clause.push_back(RandomLiteral(random).literal);
        present[static_cast<uint32_t>(facts.Assert(clause, FactKind::kGiven, static_cast<OwnerId>(step)))] =
            clause;
      }
      // A query between the changes derives facts for sets that change afterwards.
      const Literal query = RandomLiteral(random).literal;
      const Dim expression = random.Make(3).dim;
      Facts fresh(table);
      std::vector<Clause> shuffled;
      for (const auto& [id, clause] : present) shuffled.push_back(clause);
      std::mt19937_64 order(seed * 31 + static_cast<uint64_t>(step));
      std::ranges::shuffle(shuffled, order);
      for (const Clause& c : shuffled) fresh.Assert(c, FactKind::kGiven, 1);
      ASSERT_EQ(facts.Holds(query), fresh.Holds(query)) << "seed " << seed << " step " << step;
      ASSERT_EQ(facts.Simplify(expression), fresh.Simplify(expression))
          << "seed " << seed << " step " << step;
      ASSERT_EQ(facts.Bounds(expression), fresh.Bounds(expression)) << "seed " << seed << " step " << step;
      ASSERT_EQ(facts.FindContradiction(ScopeId::kRoot).has_value(),
                fresh.FindContradiction(ScopeId::kRoot).has_value())
          << "seed " << seed;
    }
  }
}

// Constraints of all kinds are added and retracted in nested scopes. Answers equal those of a new Facts with
// the same constraints. A query whose stamp is not outdated has the same answer again.
TEST(FactsProperty, IsOutdated_RandomChanges_IsTrueWhereverAnswersChange) {
  constexpr FactKind kKinds[] = {FactKind::kGiven, FactKind::kChecked, FactKind::kAssumed};
  constexpr FactFilter kFactFilters[] = {FactFilter::kEverything, FactFilter::kWithoutAssumed,
                                         FactFilter::kWithoutChecked};
  struct Present {
    Clause clause;
    FactKind kind;
    int depth;
  };
  struct Asked {
    Literal literal;
    int depth;
    FactFilter filter;
    uint64_t asked;
    Truth truth;
  };
  int unchanged = 0, changed = 0;
  for (uint64_t seed = 0; seed < Rounds(300u); ++seed) {
    DimTable table;
    for (const char* n : kNames) table.Symbol(n);
    const auto scopes_of = [](Facts& facts) {
      const ScopeId outer = facts.NewScope(ScopeId::kRoot);
      return std::array{ScopeId::kRoot, outer, facts.NewScope(outer)};
    };
    Facts facts(table);
    const auto scopes = scopes_of(facts);
    RandomExpressions random(table, seed, {});
    std::map<uint32_t, Present> present;
    std::vector<Asked> all;
    for (int step = 0; step < 24; ++step) {
      if (!present.empty() && random.Pick(3) == 0) {
        auto it = present.begin();
        std::advance(it, random.Pick(static_cast<int>(present.size())));
        facts.Retract(ConstraintId{it->first});
        present.erase(it);
      } else if (present.size() < 6) {
        Present p{{RandomLiteral(random).literal}, kKinds[random.Pick(3)], random.Pick(3)};
        if (random.Pick(4) == 0) p.clause.push_back(RandomLiteral(random).literal);
        if (!present.empty() && random.Pick(4) == 0) p.clause = present.begin()->second.clause;
        present[static_cast<uint32_t>(
            facts.Assert(p.clause, p.kind, 1, scopes[static_cast<size_t>(p.depth)]))] = p;
      }
      Asked now{RandomLiteral(random).literal, random.Pick(3), kFactFilters[random.Pick(3)], 0,
                Truth::kMaybe};
      const ScopeId scope = scopes[static_cast<size_t>(now.depth)];
      const QueryTracking tracking(facts);
      const QueryCount queries = tracking.count();
      const uint64_t version = facts.version(scope);
      now.truth = facts.Holds(now.literal, scope, now.filter);
      now.asked = tracking.StampSince(queries, version);
      Facts fresh(table);
      const auto fresh_scopes = scopes_of(fresh);
      for (const auto& [id, p] : present)
        fresh.Assert(p.clause, p.kind, 1, fresh_scopes[static_cast<size_t>(p.depth)]);
      ASSERT_EQ(now.truth, fresh.Holds(now.literal, fresh_scopes[static_cast<size_t>(now.depth)], now.filter))
          << "seed " << seed << " step " << step;
      all.push_back(now);
      for (const Asked& then : all) {
        const ScopeId there = scopes[static_cast<size_t>(then.depth)];
        if (tracking.IsOutdated(then.asked, then.literal.value, there)) {
          ++changed;
          continue;
        }
        unchanged += tracking.IsOutdated(then.asked, there) ? 1 : 0;
        const Truth again = facts.Holds(then.literal, there, then.filter);
        // A contradictory component is ignored.
        if (again == Truth::kMaybe && facts.FindContradiction(there)) continue;
        ASSERT_EQ(again, then.truth) << "seed " << seed << " step " << step << ": "
                                     << ToString(table, then.literal);
      }
    }
  }
  EXPECT_GT(unchanged, changed / 10) << "too many stamps are outdated";
}

// Sizes of which the first has a large lower bound.
class LargeFirst : public BoundsSource {
 public:
  explicit LargeFirst(Dim first) : first_(first) {}
  Interval OfSymbol(Dim symbol) const override { return {symbol == first_ ? 7 : 0, Interval::kInfinity}; }

 private:
  const Dim first_;
};

// With `enough`, the first interval that decides the query decides it as the tightest interval does.
TEST(AlgebraProperty, Bounds_WithEnough_DecidesAsTightestBounds) {
  int decided = 0;
  for (uint64_t seed = 0; seed < Rounds(2000u); ++seed) {
    DimTable table;
    RandomExpressions make(table, seed, {{7, 3, 5}});
    const LargeFirst source(table.Symbol(kNames[0]));
    const Sample e = make.Make(4);
    const Interval tightest = Bounds(table, e.dim, source);
    if (tightest.empty()) continue;
    for (const int64_t limit : {-4, 0, 3}) {
      const auto decides = [&](const Interval& bounds) {
        return !bounds.empty() && (bounds.lo >= limit || bounds.hi < limit);
      };
      const EnoughBounds enough = decides;
      const Interval first = Bounds(table, e.dim, source, &enough);
      ASSERT_EQ(decides(first), decides(tightest)) << e.text << ", seed " << seed;
      ASSERT_EQ(first.Hull(tightest), first) << e.text << ", seed " << seed;
      decided += decides(first) && first != tightest ? 1 : 0;
    }
  }
  EXPECT_GT(decided, Rounds(100));
}

}  // namespace
}  // namespace dimwise
