// Tests the algebra of sizes with tables: an expression and its normal form.
#include "dimwise/dim.h"

#include <gtest/gtest.h>

#include "core/dims/dim_select.h"

namespace dimwise {
namespace {

// Evaluates d with the size n for every user symbol; defined symbols are computed.
std::optional<int64_t> EvaluateAt(const DimTable& table, Dim d, int64_t n) {
  return table.Evaluate(
      d, [&](Dim s) { return table.GetSymbol(s).of_user ? std::optional<int64_t>(n) : std::nullopt; });
}

std::string Normal(std::string_view text) {
  DimTable table;
  for (const char* name : {"N", "M", "K", "H", "W"}) table.Symbol(name);
  Result<Dim> d = table.Parse(text);
  if (!d) return d.error().message;
  const std::string printed = table.ToString(*d);
  Result<Dim> again = table.Parse(printed);
  EXPECT_TRUE(again.has_value()) << printed;
  if (again) {
    EXPECT_EQ(*again, *d) << text << " printed as " << printed;
  }
  return printed;
}

struct Rewriting {
  const char* written;
  const char* becomes;
};

TEST(DimTest, Parse_TableOfExpressions_GivesNormalForm) {
  const Rewriting rows[] = {
      // Sums and products.
      {"3 + 4", "7"},
      {"N - N", "0"},
      {"2*N//2", "N"},
      {"M + N", "N + M"},
      {"N*3 + N", "4*N"},
      {"(N + 1)*(N - 1)", "N*N - 1"},
      {"-N + M", "M - N"},
      {"1 - N", "1 - N"},
      {"-(N + 1)", "-N - 1"},
      {"H*W*2 + 3", "2*H*W + 3"},
      // Floor division: multiples are moved out, common factors cancel, nested divisions combine.
      {"(4*N + 3)//4", "N"},
      {"(2*N + 1)//4", "N//2"},
      {"(N//2)//3", "N//6"},
      {"((H + 1)//2 + 1)//2", "(H + 3)//4"},
      {"5*N//4", "N + N//4"},
      {"N//1", "N"},
      {"-((-N)//2)", "(N + 1)//2"},
      {"N//-2", "-((N + 1)//2)"},
      {"7//2", "3"},
      {"-7//2", "-4"},
      {"-\t5", "-5"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"N*M//N", "N*M//N"},  // N may be 0
      {"2*(N//2)", "2*(N//2)"},
      {"(N//2)*M", "M*(N//2)"},
      {"N//M//K", "(N//M)//K"},
      // Each way to round up to a multiple gives the same atom; rounding is monotone.
      {"N + (4 - N % 4) % 4", "4*((N + 3)//4)"},
      {"N + (-N) % 4", "4*((N + 3)//4)"},
      {"N - 3*N//4", "(N + 3)//4"},
      {"3*N//4", "3*N//4"},
      {"2 - 5*(2*N//3) + M", "M - 5*(2*N//3) + 2"},
      {"max(2*N, 1)//2", "max(N, 0)"},
      {"max(N - 1, 0)//3", "max((N + 2)//3 - 1, 0)"},
      // Two halves combine to a whole.
      {"N//2 + (N + 1)//2", "N"},
      {"N - (N + 1)//2", "N//2"},
      {"N - N//2", "(N + 1)//2"},
      {"2*N - N//2", "N + (N + 1)//2"},
      {"3*((N + 1)//2) + 2*(N//2)", "2*N + (N + 1)//2"},
      {"(N + 1)//2 - N//2", "N % 2"},
      {"2*((N + 1)//2) - N", "N % 2"},
      {"(N + 1)//4 + (N + 3)//4", "(N + 1)//2"},
      {"M + N - (N + M + 1)//2", "(N + M)//2"},
      {"2*M - N + N//2", "2*M - (N + 1)//2"},
      // Remainders.
      {"N//4*4 + N % 4", "N"},
      {"N % 4", "N % 4"},
      {"3*N % 2", "N % 2"},
      {"(N % 4) % 2", "N % 2"},
      {"(N % 4 + 4*M)//8", "M//2"},  // N % 4 has no effect next to multiples of 4
      {"(N + 4*((N + 2)//4) - 4*(N//4) - 12)//8", "(N + 6)//8 - 2"},
      {"(N + 48*(N//4))//56", "N//4 - (N + 52)//56"},
      {"(N % 4 + 4*M + 1)//8", "(N + 4*M + 4*(N//4) + 1)//8 - N//4"},  // here N % 4 may have an effect
      {"2*(N % 3) + 1", "2*(N % 3) + 1"},
      {"(N + 1) % M", "(N + 1) % M"},
      // Minimum and maximum.
      {"max(N, M) + min(N, M)", "N + M"},
      {"min(N, N + 1)", "N"},
      {"max(N, N + 1)", "N + 1"},
      {"min(N, 10)", "min(N, 10)"},
      {"min(10, N)", "min(N, 10)"},
      {"max(M, N)", "max(N, M)"},
      {"max(2*N, 2*M)", "max(2*N, 2*M)"},
      {"min(min(N, 5), 7)", "min(N, 5)"},
      {"max(max(N, 5), 3)", "max(N, 5)"},
      {"max(0, N - 1) + K*M", "M*K + max(N - 1, 0)"},
      {"3*max(N, 0)", "3*max(N, 0)"},
      {"max(N, M) - N", "max(M - N, 0)"},
      {"max(max(N - 1, 0) - 1, 0)", "max(N - 2, 0)"},
      {"max(2*max(N - 1, 0) - 3, 0)", "max(2*N - 5, 0)"},
      {"max(max(N - 3, 0) + 1, 0)", "max(N - 2, 1)"},
      {"9223372036854775807*min(N, 50)", "9223372036854775807*N - 9223372036854775807*max(N - 50, 0)"},
      {"min(max(N - 3, 0), 8)", "min(max(N - 3, 0), 8)"},
      {"max(min(N - 3, 8), 0)", "min(max(N - 3, 0), 8)"},
      {"max(min(N, -8), 0)", "0"},
      {"2*min(max(N - 3, 0), 8)", "min(2*max(N - 3, 0), 16)"},
      {"1 - min(max(N - 3, 0), 1)", "1 - min(max(N - 3, 0), 1)"},
      {"K - 2*min(max(N - 3, 0), 8)", "K - 2*min(max(N - 3, 0), 8)"},
      {"K*M*min(N, 50)", "M*K*min(N, 50)"},
      {"M*M*max(M, N)", "M*M*max(N, M)"},
      // Broadcasting is not max: broadcast(0, 1) is 0.
      {"broadcast(N, 1)", "N"},
      {"broadcast(N, N)", "N"},
      {"broadcast(N, 8)", "8"},
      {"broadcast(0, 1)", "0"},
      {"broadcast(M, N, broadcast(K, N))", "broadcast(N, M, K)"},
      // A broadcast with a maximum or minimum of another operand drops it.
      {"broadcast(N - 2, max(N - 2, 0))", "N - 2"},
      {"broadcast(max(2 - N, 0), M, 2 - N)", "broadcast(2 - N, M)"},
      {"broadcast(N, min(N, 8))", "N"},
      {"broadcast(N, min(N, 0))", "broadcast(N, min(N, 0))"},
      {"broadcast(N, max(N, 2))", "broadcast(N, max(N, 2))"},
      {"broadcast(N, min(N, M))", "broadcast(N, min(N, M))"},
  };
  for (const Rewriting& row : rows) EXPECT_EQ(Normal(row.written), row.becomes) << row.written;
}

// Checks every size at which broadcasting is defined.
TEST(DimTest, Broadcast_MaxOrMinOfOperand_KeepsValue) {
  DimTable table;
  const Dim n = table.Symbol("N");
  for (const int64_t factor : {-2, -1, 1, 2}) {
    for (int64_t offset = -6; offset <= 6; ++offset) {
      const Dim x = table.Add(table.Multiply(factor, n), offset);
      for (int64_t k = -2; k <= 4; ++k) {
        for (const Dim y : {table.Max(x, k), table.Min(x, k)}) {
          const Dim both = table.Broadcast(x, y), again = table.Broadcast(y, x);
          EXPECT_EQ(both, again);
          for (int64_t size = 0; size < 12; ++size) {
            const int64_t a = *EvaluateAt(table, x, size), b = *EvaluateAt(table, y, size);
            if (a < 0 || b < 0 || (a != b && a != 1 && b != 1)) continue;
            EXPECT_EQ(EvaluateAt(table, both, size), a == 1 ? b : a)
                << table.ToString(x) << ", " << table.ToString(y);
          }
        }
      }
    }
  }
}

TEST(DimTest, Parse_QuotedNames_PrintsQuotesWhereNeeded) {
  const Rewriting rows[] = {
      {"`p2o.DynamicDimension.1` + 1", "`p2o.DynamicDimension.1` + 1"},
      {"`None`", "`None`"},
      {"`N`", "N"},
      {"`min`*2", "2*`min`"},
      {"`a``b`", "`a``b`"},
  };
  for (const Rewriting& row : rows) EXPECT_EQ(Normal(row.written), row.becomes) << row.written;
}

TEST(DimTest, Parse_InvalidExpressions_ReportsColumn) {
  const Rewriting rows[] = {
      {"", "the expression ends too early at column 1 of ''"},
      {"N +", "the expression ends too early at column 4 of 'N +'"},
      {"N / 2", "a size is divided with '//', not '/', at column 3 of 'N / 2'"},
      {"(N", "')' is missing at column 3 of '(N'"},
      {"N M", "unexpected 'M' at column 3 of 'N M'"},
      {"N + -1 2", "unexpected '2' at column 8 of 'N + -1 2'"},
      {"N // 0", "division by zero at column 7 of 'N // 0'"},
      {"min",
       "'min' is a function and needs '(' (write a symbol of that name in backquotes) at column 4 of 'min'"},
      {"`N", "a closing backquote is missing at column 2 of '`N'"},
      {"99999999999999999999", "the number is too large at column 1 of '99999999999999999999'"},
      {"-9223372036854775809", "the number is too large at column 2 of '-9223372036854775809'"},
      {"N == 2", "a size is required instead of a condition at column 7 of 'N == 2'"},
      {"broadcast(2, 3)", "2 and 3 do not broadcast at column 15 of 'broadcast(2, 3)'"},
      {"$", "expected a number, a name or '(' instead of '$' at column 1 of '$'"},
  };
  for (const Rewriting& row : rows) EXPECT_EQ(Normal(row.written), row.becomes) << row.written;
  EXPECT_NE(Normal(std::string(200, '(') + "N" + std::string(200, ')')).find("nested more than 100 deep"),
            std::string::npos);
}

TEST(DimTest, Dim_Constant_NeedsNoTable) {
  static_assert(Dim(3).is_constant() && Dim(3).constant() == 3);
  static_assert(Dim(INT64_MAX).constant() == INT64_MAX && Dim(INT64_MIN).constant() == INT64_MIN);
  static_assert(Dim().is_none() && !Dim().is_constant() && !Dim().is_expression());
  static_assert(sizeof(Dim) == 8);
}

TEST(DimTest, Arithmetic_Overflow_GivesDefinedSymbol) {
  DimTable table;
  const Dim n = table.Symbol("N");
  const Dim huge = table.Multiply(INT64_MAX, 2);
  EXPECT_TRUE(huge.is_expression());
  EXPECT_EQ(huge, table.Multiply(2, INT64_MAX)) << "equal definitions are one symbol";
  EXPECT_FALSE(table.Evaluate(huge, [](Dim) { return std::nullopt; }).has_value());
  const Dim big = table.Multiply(n, INT64_MAX);
  const Dim bigger = table.Multiply(big, 3);
  EXPECT_EQ(table.Kind(bigger), DimKind::kSymbol);
  EXPECT_FALSE(EvaluateAt(table, bigger, 2).has_value());
  EXPECT_EQ(EvaluateAt(table, bigger, 0), 0);
  EXPECT_TRUE(table.Add(Dim(), 1).is_none());
  EXPECT_TRUE(table.FloorDivide(n, 0).is_none());
}

TEST(DimTest, Arithmetic_PastSizeCap_KeepsValue) {
  DimTable table;
  Dim sum = 0;
  for (int i = 0; i < 60; ++i) sum = table.Add(sum, table.Symbol("x" + std::to_string(i)));
  EXPECT_LE(table.TermCount(sum), DimTable::kMaxTerms);
  EXPECT_EQ(EvaluateAt(table, sum, 2), 120);
  Dim nested = table.Symbol("x0");
  for (int i = 0; i < 500; ++i)
    nested = table.Add(table.FloorDivide(table.Symbol("x1"), table.Add(nested, 1)), 1);
  EXPECT_LE(table.Depth(nested), DimTable::kMaxDepth);
  EXPECT_TRUE(EvaluateAt(table, nested, 3).has_value());
}

TEST(DimTest, DivideExactly_TableOfPolynomials_GivesQuotientOrNone) {
  DimTable table;
  const auto divide = [&](std::string_view a, std::string_view b) {
    const std::optional<Dim> q = table.DivideExactly(*table.Parse(a), *table.Parse(b));
    return q ? table.ToString(*q) : "none";
  };
  EXPECT_EQ(divide("N*M", "N"), "M");
  EXPECT_EQ(divide("6*N*M", "3*M"), "2*N");
  EXPECT_EQ(divide("N*N - 1", "N + 1"), "N - 1");
  EXPECT_EQ(divide("N*M + N*K", "M + K"), "N");
  EXPECT_EQ(divide("N + 1", "2"), "none");
  EXPECT_EQ(divide("N", "M"), "none");
  EXPECT_EQ(divide("N", "0"), "none");
  EXPECT_EQ(divide("0", "N"), "0");
}

TEST(DimTest, Fresh_SameKey_IsSameSymbol) {
  DimTable table;
  const Dim a = table.Fresh(SymbolKey{0, 7, 1}), b = table.Fresh(SymbolKey{0, 7, 2});
  EXPECT_EQ(a, table.Fresh(SymbolKey{0, 7, 1}));
  EXPECT_NE(a, b);
  EXPECT_NE(table.Fresh(), table.Fresh());
  EXPECT_EQ(table.ToString(table.Add(b, a)), "u1 + u2") << "the order of keys, not of creation or of ids";
}

TEST(DimTest, NameOf_GeneratedSymbol_AvoidsUserNames) {
  DimTable table;
  table.Symbol("u1");
  const Dim fresh = table.Fresh();
  EXPECT_EQ(table.ToString(fresh), "u2");
  const Dim later = table.Symbol("u2");  // the user's symbol takes the name, even if it is declared later
  EXPECT_NE(later, fresh);
  EXPECT_EQ(table.ToString(later), "u2");
  EXPECT_EQ(table.ToString(fresh), "u3");
}

TEST(DimTest, Select_DecidedBySignOfDifference_HasClosedForm) {
  DimTable table;
  const Dim n = table.Symbol("N"), m = table.Symbol("M");
  const auto at_most = [&](Dim a, Dim b) { return OneIfNotNegative(table, table.Subtract(b, a)); };
  const auto text = [&](Dim which, Dim a, Dim b) { return table.ToString(Select(table, which, a, b)); };
  EXPECT_EQ(text(at_most(n, m), n, m), "min(N, M)");
  EXPECT_EQ(text(at_most(n, m), m, n), "max(N, M)");
  EXPECT_EQ(text(at_most(n, 4), n, 5), "min(N, 5)");
  EXPECT_EQ(text(table.Subtract(1, at_most(n, 5)), n, 5), "max(N, 5)");
  EXPECT_EQ(text(at_most(n, m), n, n), "N");
  EXPECT_EQ(text(table.Subtract(1, at_most(n, 10)), table.Min(n, 10), n), "min(N, 10)");
  EXPECT_EQ(text(at_most(n, 10), table.Min(n, 10), n), "N");
  EXPECT_EQ(text(at_most(17, n), 16, table.Max(n, 8)), "min(max(N, 8), 16)");
  EXPECT_EQ(text(at_most(n, m), table.Multiply(3, n), table.Multiply(3, m)), "min(3*N, 3*M)");
  EXPECT_EQ(text(at_most(17, n), 16, table.Max(n, 18)).substr(0, 1), "u");
  const Dim apart = table.Max(table.Subtract(n, m), table.Subtract(m, n));
  const Dim are_equal = table.Max(table.Subtract(1, apart), 0);
  EXPECT_EQ(text(are_equal, n, m), "M");
  EXPECT_EQ(text(table.Subtract(1, are_equal), n, m), "N");
  EXPECT_EQ(text(Dim(1), n, m), "N");
  const Dim other = Select(table, at_most(n, 3), m, table.Multiply(n, n));
  EXPECT_EQ(table.Kind(other), DimKind::kSymbol);
  const Dim whole = Unfold(table, other);
  for (const int64_t size : {1, 2, 3, 4, 9}) {
    const auto sizes = [&](Dim d) -> std::optional<int64_t> {
      return d == n ? size : d == m ? 7 : std::optional<int64_t>();
    };
    EXPECT_EQ(table.Evaluate(whole, sizes), size <= 3 ? 7 : size * size) << size;
  }
}

// Exporters write such choices to pad a size up to a multiple.
TEST(DimTest, Select_DecidedByRemainder_HasClosedForm) {
  DimTable table;
  const Dim n = table.Symbol("N"), m = table.Symbol("M");
  const Dim rest = table.Mod(n, 8), is_zero = table.Max(table.Subtract(1, rest), 0);
  const Dim is_not = table.Subtract(1, is_zero);
  const auto text = [&](Dim which, Dim a, Dim b) { return table.ToString(Select(table, which, a, b)); };
  EXPECT_EQ(text(is_zero, n, table.Add(n, table.Subtract(8, rest))), "8*((N + 7)//8)");
  EXPECT_EQ(text(is_not, table.Add(table.FloorDivide(n, 8), 1), table.FloorDivide(n, 8)), "(N + 7)//8");
  EXPECT_EQ(text(is_zero, table.Multiply(rest, m), table.Multiply(table.Subtract(8, rest), m)),
            "8*M*((N + 7)//8) - N*M");
  const Dim next = table.Mod(table.Add(n, 1), 8);
  EXPECT_EQ(text(table.Max(table.Subtract(1, next), 0), 0, table.Subtract(8, next)), "7 - N % 8");
  // No single expression equals these choices.
  EXPECT_EQ(table.Kind(Select(table, is_zero, m, table.Subtract(8, rest))), DimKind::kSymbol);
  EXPECT_EQ(table.Kind(Select(table, is_zero, 1, table.Subtract(8, rest))), DimKind::kSymbol);
}

// `and` and `or` with a second condition that is evaluated only if the first does not decide.
TEST(DimTest, Select_OfConditions_IsCondition) {
  DimTable table;
  const Dim first = OneIfNotNegative(table, table.Subtract(table.Symbol("N"), 5));
  const Dim second = OneIfNotNegative(table, table.Subtract(table.Symbol("M"), 5));
  const Dim not_first = table.Subtract(1, first);
  EXPECT_EQ(Select(table, first, 1, second), table.Max(first, second));
  EXPECT_EQ(Select(table, first, second, 0), table.Multiply(first, second));
  EXPECT_EQ(Select(table, first, 0, second), table.Multiply(not_first, second));
  EXPECT_EQ(Select(table, first, second, 1), table.Max(not_first, second));
  EXPECT_EQ(Select(table, first, 1, 0), first);
  EXPECT_EQ(table.Kind(Select(table, first, 1, table.Symbol("K"))), DimKind::kSymbol);
}

// The same padding, written as a product with a condition: min(N % 8, 1) is 0 or 1.
TEST(DimTest, Parse_SignOfRemainder_IsRemovedWherePossible) {
  DimTable table;
  const struct {
    const char *text, *expected;
  } cases[] = {
      {"N + (8 - N % 8)*min(N % 8, 1)", "8*((N + 7)//8)"},
      {"(7 - N % 7)*(1 - max(1 - N % 7, 0))", "7*((N + 6)//7) - N"},
      {"N//8 + min(N % 8, 1)", "(N + 7)//8"},
      {"8*min(N % 8, 1) - N % 8 + N", "8*((N + 7)//8)"},
      {"M*(N//8) + M*min(N % 8, 1)", "M*((N + 7)//8)"},
      {"(N//8 + min(N % 8, 1))*(M//4 + min(M % 4, 1))", "((N + 7)//8)*((M + 3)//4)"},
      {"(8 - (N + M) % 8)*min((N + M) % 8, 1)", "8*((N + M + 7)//8) - N - M"},
      {"(N + 3)//8 + min((N + 3) % 8, 1)", "(N + 2)//8 + 1"},
      // No single expression equals these sums.
      {"min(N % 8, 1)", "min(N % 8, 1)"},
      {"N//8 + 2*min(N % 8, 1)", "min(2*N - 15*(N//8), N//8 + 2)"},
  };
  for (const auto& c : cases) {
    const Dim d = *table.Parse(c.text);
    EXPECT_EQ(table.ToString(d), c.expected) << c.text;
    for (int64_t n = 0; n < 20; ++n) {
      const auto size_of = [&](Dim s) { return std::optional<int64_t>(table.NameOf(s) == "N" ? n : 11); };
      EXPECT_EQ(table.Evaluate(d, size_of), table.Evaluate(*table.Parse(c.expected), size_of)) << c.text << n;
    }
  }
}

// Exporters write such choices: both sizes are padded if either needs padding.
TEST(DimTest, Select_SizesEqualWhereDivisionIsExact_HasClosedForm) {
  DimTable table;
  const auto parse = [&](const char* text) { return *table.Parse(text); };
  const struct {
    const char *which, *a, *b, *expected;
  } cases[] = {
      {"max(min(N % 8, 1), min(M % 8, 1))", "8*((N + 7)//8)", "N", "8*((N + 7)//8)"},
      {"max(min(N % 8, 1), min(M % 8, 1))", "8*((M + 7)//8)", "M", "8*((M + 7)//8)"},
      {"max(min(N % 8, 1), min(M % 8, 1))", "64*((N + 7)//8)*((M + 7)//8)", "N*M",
       "64*((N + 7)//8)*((M + 7)//8)"},
      {"1 - max(1 - N % 8, 0)*max(1 - M % 8, 0)", "8*((N + 7)//8)", "N", "8*((N + 7)//8)"},
      {"max(1 - N % 8, 0)*max(1 - M % 8, 0)", "N", "8*(N//8)", "8*(N//8)"},
      {"min(N % 8 + M % 8, 1)", "8*((N + 7)//8)", "N", "8*((N + 7)//8)"},
      {"min((-N) % 8 + (-M) % 8, 1)", "8*((N + 7)//8)", "N", "8*((N + 7)//8)"},
      // Neither condition implies that N is a multiple of 8 where it is 0.
      {"min(M % 8, 1)", "8*((N + 7)//8)", "N", nullptr},
      {"min(N % 4 + M % 8, 1)", "8*((N + 7)//8)", "N", nullptr},
  };
  for (const auto& c : cases) {
    const Dim chosen = Select(table, parse(c.which), parse(c.a), parse(c.b));
    if (c.expected != nullptr)
      EXPECT_EQ(table.ToString(chosen), c.expected) << c.which;
    else
      EXPECT_EQ(table.Kind(chosen), DimKind::kSymbol) << c.which;
  }
}

TEST(DimTest, Defined_SameDefinition_IsSameSymbol) {
  DimTable table;
  const Dim n = table.Symbol("N");
  const Dim cond = table.Fresh(0, 1);
  const Dim operands[] = {cond, n, 5};
  const Dim s = table.Defined({Operation::kSelect, 0, operands});
  EXPECT_EQ(s, table.Defined({Operation::kSelect, 0, operands}));
  EXPECT_EQ(table.GetSymbol(s).min, 0);
  EXPECT_EQ(table.Evaluate(table.Add(s, 1),
                           [&](Dim d) -> std::optional<int64_t> {
                             if (d == cond) return 0;
                             if (d == n) return 9;
                             return std::nullopt;
                           }),
            6);
}

}  // namespace
}  // namespace dimwise
