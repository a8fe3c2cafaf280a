#include "report/operators/rule_text.h"

#include <gtest/gtest.h>

#include "core/base/golden_testing.h"
#include "ops/builtin_rules.h"

namespace dimwise {
namespace {

constexpr std::string_view kRules = R"(set my
## How many pieces of s elements there are in x.
fn pieces(x: int, s: int) -> int = x//s

template chopped(X: T[n, ...s]; size: int in 1..8, mode: string = "drop" in ["drop", "pad"], axes?: ints)
    -> (Y: T[pieces(n, size), size, ...s])
  require n >= size else "{n} elements do not make one piece of {size}"

## Cuts the first axis into pieces.
##
## What is left over is dropped.
op Chop since 3 like chopped
  T: float
  ensure n <= 100
  example "f32[7, K]; size=2 -> f32[3, 2, K]"
  example "f32[1]; size=2 -> error: 1 elements do not make one piece of 2"
  example "f32[0]; size=2 -> error: 0 elements do not make one piece of 2"

op Chop until 3 (X: T[n]) -> (Y: T[n]) | (X: T[]) -> (Y: T[1])
  value Y = reshape(X, [1])
)";

rules::RuleLibrary Library() {
  rules::RuleLibrary library;
  for (const Diagnostic& d : library.Load(kRules, "my/chop.shape")) ADD_FAILURE() << ToString(d);
  return library;
}

TEST(RuleTextTest, Document_RuleWithAllParts_PrintsThem) {
  const rules::RuleLibrary library = Library();
  ExpectGolden("src/report/operators/testdata/chop.txt",
               ToString(DocumentRule(library, *library.Find("my.Chop", 5))));
}

TEST(RuleTextTest, Document_VersionWithoutProse_UsesOtherVersion) {
  const rules::RuleLibrary library = Library();
  ExpectGolden("src/report/operators/testdata/chop_1.txt",
               ToString(DocumentRule(library, *library.Find("my.Chop", 2))));
}

TEST(RuleTextTest, Document_OperatorInParts_PrintsEachPart) {
  rules::RuleLibrary library;
  for (const Diagnostic& d : library.Load("set my\n"
                                          "## Product of matrices.\n"
                                          "shape op dot(A: [m, k], B: [k, n]) -> (Y: [m, n])\n"
                                          "type op dot(A: T, B: T) -> (Y: T)\n"
                                          "  T: float\n"
                                          "storage op dot(A: csr, B: dense) -> (Y: dense)\n",
                                          "my/dot.shape")) {
    ADD_FAILURE() << ToString(d);
  }
  EXPECT_EQ(ToString(DocumentRule(library, *library.Find("my.dot", 1))), R"(my.dot
  Product of matrices.

signature
  dot(A: _[m, k], B: _[k, n]) -> (Y: _[m, n])
  type (A: T, B: T) -> (Y: T)
  storage (A: csr, B: dense) -> (Y: dense)
  T: float

versions
  since 1

source
  my/dot.shape:3
)");
}

TEST(RuleTextTest, Document_RegionsAndAssumptions_ArePrinted) {
  rules::RuleLibrary library;
  for (const Diagnostic& d :
       library.Load("set my\n"
                    "## The body for each slice.\n"
                    "op Map(X: T[n, ...s]; body: region(T[...s]) -> (U[...r])) -> (Y: U[n, ...r])\n"
                    "  assume n >= 2 else \"{n} slices\"\n",
                    "my/map.shape")) {
    ADD_FAILURE() << ToString(d);
  }
  ExpectGolden("src/report/operators/testdata/map.txt",
               ToString(DocumentRule(library, *library.Find("my.Map", 1))));
}

TEST(RuleTextTest, BuiltinRules_All_HaveProseAndExample) {
  rules::RuleLibrary library;
  for (const RuleText& text : BuiltinRuleTexts()) {
    // Generated definitions have neither prose nor examples.
    if (text.file.ends_with("/definitions.shape")) continue;
    ASSERT_TRUE(library.Load(text.text, text.file).empty());
  }
  for (const rules::Rule& rule : library.rules()) {
    const std::string text = ToString(DocumentRule(library, rule));
    EXPECT_EQ(text.find(rule.FullName() + "\n\n"), std::string::npos) << text;
    const rules::Signature& first = (rule.base == nullptr ? rule.declared : rule.base)->signatures[0];
    if (first.operands.empty() && first.results.empty()) continue;  // there is nothing to show
    EXPECT_NE(text.find("\nexamples\n"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace dimwise
