// Tests that each property is parsed and printed, and where it ends.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "rules/language/parser.h"
#include "rules/language/print.h"
#include "rules/language/property_grammar.h"

namespace dimwise::rules {
namespace {

constexpr std::string_view kProperties[] = {
    "property random",
    "property commutative",
    "property mirrored Greater",
    "property computes add",
    "property computes concat axis at + 1",
    "property elements Y some_of X, Z",
    "property elements Y sums_of X count n * m",
    "property elements Y from 0 to if n > 0 then n - 1 else 0 exact",
    "property elements Y nonzero_indices_of X",
    "property indices I into X axis 0 tuples negative slices",
    "property size_from shape X elements A, B number n count M first d",
    "property sizes shape reshapes X zero_copies n",
    "property sizes ends slices X starts starts axes axes",
    "property repeats X, Z",
    "property multiply_adds n * m",
    "property unknown \"the number of rows that {node} reads\"",
    "property branch condition c then `then` else no results (state)",
    "property loop limit M condition c state v body b (trip, condition, state) -> (condition, state) results "
    "(state)",
    "property loop while w (state) -> (condition) body b (state) -> (state) first f step s most_trips 3 "
    "pads_to_limit",
    "property scan batched lengths l state s scanned s scanned_count n axes a result_axes r directions d "
    "body b",
    "property map scanned X arguments Z body b (element, argument) -> (stacked) results (stacked)",
};

TEST(ParsePropertyTest, Property_OfEachKind_PrintsUnchanged) {
  for (const std::string_view property : kProperties) {
    const Result<File> file =
        Parse(fmt::format("op A(X: T[n]) -> (Y: T[n])\n  {}\n  T: float\n", property), "t.shape");
    ASSERT_TRUE(file) << ToString(file.error());
    const Operator& op = file->operators[0];
    ASSERT_EQ(op.statements.size(), 2u) << property;
    EXPECT_EQ(op.statements[0].kind, StatementKind::kProperty);
    EXPECT_EQ(Print(op.statements[0]), property);
    EXPECT_EQ(op.statements[1].kind, StatementKind::kTypes) << property;
  }
}

TEST(ParsePropertyTest, Parts_OnSeveralLines_BelongToOneProperty) {
  const Result<File> file = Parse(
      "op A(X: T[n]) -> (Y: T[n])\n  property elements Y\n    from 0\n    to n\n  let axis = 1\n"
      "  property computes concat\n  axis: float\n",
      "t.shape");
  ASSERT_TRUE(file) << ToString(file.error());
  const Operator& op = file->operators[0];
  ASSERT_EQ(op.statements.size(), 4u);
  EXPECT_EQ(op.statements[0].parts.size(), 3u);
  EXPECT_EQ(op.statements[2].parts.size(), 1u);  // `axis:` begins a statement about types
  EXPECT_EQ(op.statements[3].kind, StatementKind::kTypes);
}

TEST(ParsePropertyTest, Name_Property_IsAllowed) {
  EXPECT_TRUE(Parse("op A(property: T[n]) -> (Y: T[n])", "t.shape"));
}

TEST(ParsePropertyTest, Grammars_AreSortedAndFound) {
  EXPECT_TRUE(std::ranges::is_sorted(PropertyGrammars(), {}, &PropertyGrammar::word));
  for (const PropertyGrammar& g : PropertyGrammars()) EXPECT_EQ(FindPropertyGrammar(g.word), &g);
  EXPECT_EQ(FindPropertyGrammar("colour"), nullptr);
}

}  // namespace
}  // namespace dimwise::rules
