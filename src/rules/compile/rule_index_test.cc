#include "rules/compile/rule_index.h"

#include <gtest/gtest.h>

#include "rules/language/mistake.h"
#include "rules/language/print.h"

namespace dimwise::rules {
namespace {

constexpr std::string_view kFewRules = R"(set t

## Twice as many.
op Double(X: T[n]) -> (Y: T[twice(n)])

type op Dot(A: T, B: T) -> (Y: T)
shape op Dot, Mul(A: [m, k], B: [k, n]) -> (Y: [m, n])

fn twice(n: int) -> int = 2*n

storage op Double(X: S) -> (Y: S)
storage op Dot since 3 (A: csr, B: _) -> (Y: csr)
)";

std::string Text(const Rule& rule) {
  std::string text = Print(*rule.declared);
  for (const RulePart& part : rule.more) text += Print(*part.declared);
  return rule.FullName() + ": " + text;
}

// Loading declarations separately must give the same rules as loading the whole text.
TEST(RuleIndexTest, Load_EachEntry_AgreesWithLibrary) {
  RuleIndex index;
  index.Add(kFewRules, "t.shape");
  RuleLibrary library;
  ASSERT_TRUE(library.Load(kFewRules, "t.shape").empty());
  std::vector<std::string> found, expected;
  for (const RuleIndex::Entry& entry : index.entries()) found.push_back(Text(index.Load(entry)));
  for (const Rule& rule : library.rules()) expected.push_back(Text(rule));
  EXPECT_EQ(found, expected);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[1],
            "t.Dot: shape op Dot, Mul(A: _[m, k], B: _[k, n]) -> (Y: _[m, n])\n"
            "type op Dot(A: T, B: T) -> (Y: T)\n");
}

// Positions refer to the file.
TEST(RuleIndexTest, Load_EachEntry_KeepsLineNumbers) {
  RuleIndex index;
  index.Add(kFewRules, "t.shape");
  std::string lines;
  for (const RuleIndex::Entry& entry : index.entries()) {
    const Rule& rule = index.Load(entry);
    const Diagnostic mistake = Mistake(*rule.file, rule.declared->at, Code::kRuleName, "");
    lines += rule.name + " " + std::to_string(mistake.source.line) + ": " + mistake.source.text + "\n";
  }
  EXPECT_EQ(lines,
            "Double 4: op Double(X: T[n]) -> (Y: T[twice(n)])\n"
            "Dot 7: shape op Dot, Mul(A: [m, k], B: [k, n]) -> (Y: [m, n])\n"
            "Mul 7: shape op Dot, Mul(A: [m, k], B: [k, n]) -> (Y: [m, n])\n"
            "Dot 12: storage op Dot since 3 (A: csr, B: _) -> (Y: csr)\n");
}

}  // namespace
}  // namespace dimwise::rules
