// Tests that integer code computes the value of expressions, and that it fails exactly where conditions do
// not hold.
#include "core/dims/integer_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace dimwise {
namespace {

class RandomDims {
 public:
  RandomDims(DimTable& dims, uint32_t seed) : dims_(dims), random_(seed) {
    for (const char* name : {"N", "M", "K"}) symbols_.push_back(dims.IntegerSymbol(name));
  }

  int64_t Below(int64_t end) { return std::uniform_int_distribution<int64_t>(0, end - 1)(random_); }
  const std::vector<Dim>& symbols() const { return symbols_; }

  Dim Next(int depth) {
    if (depth == 0) return Below(3) == 0 ? Dim(Below(9) - 4) : symbols_[static_cast<size_t>(Below(3))];
    const Dim a = Next(depth - 1), b = Next(depth - 1);
    const auto or_a = [&](Dim d) { return d.is_none() ? a : d; };
    switch (Below(8)) {
      case 0:
        return dims_.Add(a, b);
      case 1:
        return dims_.Subtract(a, b);
      case 2:
        return dims_.Multiply(a, b);
      case 3:
        return or_a(dims_.FloorDivide(a, b));
      case 4:
        return dims_.Max(a, b);
      case 5:
        return or_a(dims_.Mod(a, b));
      case 6:
        return or_a(dims_.Broadcast(a, b));
      default: {
        const Dim operands[] = {Next(depth - 1), a, b};
        return dims_.Defined({Operation::kSelect, 0, operands});
      }
    }
  }

 private:
  DimTable& dims_;
  std::mt19937 random_;
  std::vector<Dim> symbols_;
};

// Evaluate computes both sides of a choice, so it may fail where the code succeeds.
TEST(IntegerCodeTest, Compute_RandomExpressions_AgreesWithEvaluate) {
  int compared = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    DimTable dims;
    RandomDims random(dims, seed);
    IntegerCodeBuilder builder(dims);
    for (const Dim s : random.symbols()) builder.AddInput(s);
    std::vector<Dim> expressions;
    std::vector<size_t> ends;
    std::vector<TableIndex> indices;
    for (int i = 0; i < 6; ++i) {
      expressions.push_back(random.Next(3));
      indices.push_back(builder.Compute(expressions.back()).value());
      ends.push_back(builder.position());
    }
    for (int run = 0; run < 20; ++run) {
      std::vector<int64_t> table = builder.table();
      for (size_t s = 0; s < 3; ++s) table[s] = random.Below(12) - 3;
      if (run == 0) table[0] = INT64_MAX - 1;
      for (size_t i = 0; i < expressions.size(); ++i) {
        const size_t begin = i == 0 ? 0 : ends[i - 1];
        const int code = RunIntegerCode(builder.code().subspan(begin, ends[i] - begin), table.data());
        const auto number = dims.Evaluate(expressions[i], [&](Dim symbol) -> std::optional<int64_t> {
          const auto at = std::ranges::find(random.symbols(), symbol);
          return at == random.symbols().end()
                     ? std::nullopt
                     : std::optional(table[static_cast<size_t>(at - random.symbols().begin())]);
        });
        if (code != kRanThrough) {
          // The code has 64-bit intermediates, Evaluate has 128-bit intermediates.
          EXPECT_TRUE(!number || code == kOverflow) << dims.ToString(expressions[i]) << " seed " << seed;
          break;  // later expressions may use the missing result
        }
        if (!number) continue;
        EXPECT_EQ(table[indices[i]], *number) << dims.ToString(expressions[i]) << " seed " << seed;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 10000);
}

struct ClauseCase {
  const char* condition;
  int64_t n, m;
  int code;
};

// An undefined literal fails the run only if no other literal of the clause holds.
TEST(IntegerCodeTest, Need_TableOfClauses_EndsRunWithExpectedCode) {
  const ClauseCase cases[] = {
      {"N == 3", 3, 0, 0},
      {"N == 3", 2, 0, 1},
      {"N == M or N == 1 or M == 1", 4, 4, 0},
      {"N == M or N == 1 or M == 1", 1, 4, 0},
      {"N == M or N == 1 or M == 1", 4, 1, 0},
      {"N == M or N == 1 or M == 1", 4, 2, 1},
      {"M % N == 0 or N == 0", 0, 5, 0},
      {"M % N == 0 or N == 0", 2, 6, 0},
      {"M % N == 0 or N == 0", 2, 5, 1},
      {"M % N == 0", 0, 5, kDividesByZero},
      {"N*M >= 0", int64_t{1} << 62, 4, kOverflow},
      {"N <= 512 and M < N", 512, 511, 0},
      {"N <= 512 and M < N", 513, 511, 1},
      {"N <= 512 and M < N", 512, 512, 2},
  };
  for (const ClauseCase& c : cases) {
    DimTable dims;
    IntegerCodeBuilder builder(dims);
    builder.AddInput(dims.Symbol("N"));
    builder.AddInput(dims.Symbol("M"));
    const Condition condition = ParseCondition(dims, c.condition).value();
    uint32_t code = 0;
    for (const Clause& clause : condition.clauses) ASSERT_TRUE(builder.Need(clause, ++code));
    std::vector<int64_t> table = builder.table();
    table[0] = c.n;
    table[1] = c.m;
    EXPECT_EQ(RunIntegerCode(builder.code(), table.data()), c.code)
        << c.condition << " at " << c.n << ", " << c.m;
  }
}

TEST(IntegerCodeTest, Compute_RepeatedSubexpressions_EmitsEachOperationOnce) {
  DimTable dims;
  IntegerCodeBuilder builder(dims);
  builder.AddInput(dims.Symbol("N"));
  builder.AddInput(dims.Symbol("S"));
  for (const char* text : {"N*S", "N*S*768", "768*N*S + 1", "max(N*S, 4)"}) {
    ASSERT_TRUE(builder.Compute(dims.Parse(text).value()));
  }
  EXPECT_EQ(std::ranges::count(builder.code(), IntegerOp::kMultiply, &Instruction::op), 2);
}

TEST(IntegerCodeTest, Compute_LongChainOfDefinitions_DoesNotRecurse) {
  DimTable dims;
  const Dim n = dims.Symbol("N");
  Dim sum = n, choice = n;
  for (int i = 0; i < 20000; ++i) {
    const Dim add[] = {sum, Dim(1)};
    sum = dims.Defined({Operation::kAdd, 0, add});
    const Dim select[] = {n, choice, Dim(i)};
    choice = dims.Defined({Operation::kSelect, 0, select});
  }
  IntegerCodeBuilder builder(dims);
  builder.AddInput(n);
  const TableIndex a = builder.Compute(sum).value(), b = builder.Compute(choice).value();
  std::vector<int64_t> table = builder.table();
  table[0] = 5;
  ASSERT_EQ(RunIntegerCode(builder.code(), table.data()), kRanThrough);
  EXPECT_EQ(table[a], 20005);
  EXPECT_EQ(table[b], 5);
}

TEST(IntegerCodeTest, Compute_SymbolThatIsNoInput_ReturnsFalse) {
  DimTable dims;
  IntegerCodeBuilder builder(dims);
  builder.AddInput(dims.Symbol("N"));
  EXPECT_FALSE(builder.Compute(dims.Parse("N + M").value()));
  EXPECT_FALSE(builder.Need(ParseCondition(dims, "N == 1 or M == 2").value().clauses[0], 1));
  EXPECT_TRUE(builder.code().empty());
}

}  // namespace
}  // namespace dimwise
