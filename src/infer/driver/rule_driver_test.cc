// Tests that the driver finds mistakes in wrong rules, and nothing in correct ones.
#include "infer/driver/rule_driver.h"

#include <gtest/gtest.h>

#include "core/base/rounds_testing.h"
#include "infer/driver/rule_driver_generate.h"
#include "infer/operators/builtin_rules_library.h"
#include "infer/operators/rule_function.h"

namespace dimwise {
namespace {

// Returns the output of the driver for the rules of a text.
std::string Drive(std::string_view text, int samples = 300) {
  rules::RuleLibrary library;
  std::string out;
  for (const Diagnostic& d : library.Load(text, "test.shape")) out += ToString(d) + "\n";
  for (const rules::Rule& rule : library.rules()) out += FailuresOf(DriveRule(rule, {samples, 1}));
  return out;
}

struct WrongRule {
  const char* what;
  const char* text;
  const char* report;
};

class WrongRules : public testing::TestWithParam<WrongRule> {};

TEST_P(WrongRules, Rule_WithMistake_IsFound) {
  EXPECT_EQ(
      Drive(std::string("set my\nfn constant(x: int) -> bool = known(range(x, x))\n") + GetParam().text),
      GetParam().report);
}

INSTANTIATE_TEST_SUITE_P(
    Rule, WrongRules,
    testing::Values(
        WrongRule{"NothingWrong",
                  "op Double(X: T[n, ...s]) -> (Y: T[2*n, ...s])\n  require n >= 1 else \"n is {n}\"\n", ""},
        WrongRule{"Example", "op Double(X: T[n]) -> (Y: T[2*n])\n  example \"f32[3] -> f32[5]\"\n",
                  "my.Double: an example does not hold\n"
                  "  example  f32[3] -> f32[5]\n"
                  "  found    f32[6]\n"},
        WrongRule{
            "Result", "op Grow(X: T[n]) -> (Y: T[if constant(n) then n else n + 1])\n",
            "my.Grow: a result is wrong\n"
            "  sample   f32[n] where n = 0\n"
            "  finding  axis 0 of Y is inferred to be n + 1, which is 1 here; with all numbers it is 0\n"},
        WrongRule{"Forms", "op Pick(X: T[n]) -> (Y: T[n]) | (X: T[...s, n]) -> (Y: T[n])\n",
                  "my.Pick: two alternatives overlap\n"
                  "  sample   bool[0]\n"
                  "  finding  alternatives 1 and 2 both accept these operands; only one may, so narrow a "
                  "pattern or add a case condition `when`\n"},
        WrongRule{
            "CheckTooStrong",
            "op Same(X: T[n]) -> (Y: T[n])\n  require constant(n) or n >= 3 else \"n is {n}\"\n",
            "my.Same: a guard is too strong\n"
            "  sample   i32[n] where n = 0\n"
            "  finding  the guard n >= 3 (\"n is n\") fails here, but inference accepts these numbers\n"},
        WrongRule{"CheckTooWeak",
                  "op Same(X: T[n]) -> (Y: T[n])\n  require constant(n) implies n >= 3 else \"n is {n}\"\n",
                  "my.Same: a guard is missing or too weak\n"
                  "  sample   i32[n] where n = 0\n"
                  "  finding  there is no guard, but inference rejects these numbers: \"n is 0\"\n"},
        WrongRule{"Refused",
                  "op Same(X: T[n]) -> (Y: T[n])\n  require constant(n) else \"n must be a number\"\n",
                  "my.Same: an error is too strong\n"
                  "  sample   f32[n] where n = 0\n"
                  "  finding  it is rejected for all numbers: \"n must be a number\"; but these numbers are "
                  "accepted\n"},
        WrongRule{"Fact", "op Halves(X: T[n]) -> (Y: T[n])\n  ensure n % 2 == 0\n",
                  "my.Halves: a fact is wrong\n"
                  "  sample   f16[n] where n = 1\n"
                  "  finding  inference derives that n is not 1\n"},
        WrongRule{"Contents",
                  "op Size(X: T[n]) -> (Y: i64[])\n  value Y = scalar(if constant(n) then n else n + 1)\n",
                  "my.Size: the contents of a result are wrong\n"
                  "  sample   i8[n] where n = 0\n"
                  "  finding  element 0 of Y is inferred to be n + 1, which is 1 here; with all numbers it "
                  "is 0\n"},
        // Forward inference cannot find it: the unknown size may equal the number.
        WrongRule{
            "Backward", "op Pairs(X: T[n]) -> (Y: T[if constant(n) then n else 2*unknown(0)])\n",
            "my.Pairs: a result implies a wrong fact about an operand\n"
            "  sample   f64[n] where n = 1\n"
            "  finding  from the results f64[1]: operands that have them are refused: \"Y has 2*u1 on axis "
            "0, but 1 was given\"\n"},
        WrongRule{"AssumedNotCompared",
                  "op Means(X: T[n]) -> (Y: T[if is_certain(n < 3) then 0 else n//3 + 1])\n"
                  "  assume n >= 3 else \"{n} are few\"\n",
                  ""}),
    [](const testing::TestParamInfo<WrongRule>& tested) { return std::string(tested.param.what); });

// All built-in rules, on a moderate number of samples.
constexpr int kSamplesEach = Rounds(100);

TEST(RuleDriver, BuiltinRules_RandomSamples_HaveNoDisagreement) {
  int rule_count = 0, samples = 0, accepted = 0;
  for (const rules::RuleIndex::Entry& entry : BuiltinRules().entries()) {
    const rules::Rule& rule = BuiltinRules().Load(entry);
    if (rule.file->name.ends_with("/definitions.shape")) continue;  // generated: all shapes are unknown
    const RuleReport report = DriveRule(rule, {kSamplesEach, 1});
    EXPECT_EQ(FailuresOf(report), "");
    ++rule_count;
    samples += report.samples;
    accepted += report.accepted;
  }
  EXPECT_GT(rule_count, 300);
  EXPECT_GE(samples, rule_count * kSamplesEach);
  EXPECT_GT(accepted, samples / 3);  // rejected samples alone would prove nothing
}

TEST(RuleDriver, SampleMaker_EqualSeeds_MakesEqualSamples) {
  const rules::Rule* rule = BuiltinRules().Find("onnx.Conv", 22);
  ASSERT_NE(rule, nullptr);
  const OpDef def = DefinitionOf(*rule);
  SampleMaker first(*rule, def, 7), second(*rule, def, 7), other(*rule, def, 8);
  std::string a, b, c;
  for (int i = 0; i < 20; ++i) {
    a += ToString(first.Next()) + "\n";
    b += ToString(second.Next()) + "\n";
    c += ToString(other.Next()) + "\n";
  }
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
}

}  // namespace
}  // namespace dimwise
