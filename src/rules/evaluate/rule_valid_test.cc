// Tests whether a call of a rule would be valid at run time.
#include <gtest/gtest.h>

#include "dimwise/rule.h"

namespace dimwise {
namespace {

struct RunTimeSizes {
  std::vector<std::vector<int64_t>> shapes;
  std::vector<std::vector<int64_t>> contents = {};
};

class RuleValidTest : public testing::Test {
 protected:
  RuleValidTest() {
    const std::vector<Diagnostic> mistakes = rules_.Define(R"(set t
op Add(A: T[...a], B: T[...b]) -> (C: T[...broadcast(a, b)])
op Pair(A: T[2*n], B: T[n, ...]) -> (C: T[n])
  require n >= 1 else "A is empty"
op Pick(X: T[...s], at: i64[k]) -> (Y: T[k])
  require all([i < s[0] for i in at]) else "at {at} is outside"
op Wide(X: T[n]) -> (Y: T[n])
  T: float
  require T == f32 else "X is {T}"
op Axis(X: T[...s]; axis: int in 0..3) -> (Y: T[s[axis]])
)",
                                                           "t.shape");
    EXPECT_TRUE(mistakes.empty()) << ToString(mistakes[0]);
  }

  static Truth IsValid(RuleCall& call, const RunTimeSizes& operands) {
    std::vector<RunTimeOperand> list;
    for (size_t i = 0; i < operands.shapes.size(); ++i) {
      list.push_back({operands.shapes[i], {}});
      if (i < operands.contents.size()) list.back().contents = operands.contents[i];
    }
    const Truth valid = call.IsValid(list);
    // The answer must not depend on traces recorded in between.
    for (int round = 0; round < 3; ++round) {
      EXPECT_EQ(call.Evaluate(list).has_value(), valid != Truth::kNo);
      EXPECT_EQ(call.IsValid(list), valid);
    }
    return valid;
  }
  Truth IsValid(const char* op, const RunTimeSizes& operands, const AttrMap& attrs = {}) {
    RuleCall call(*rules_.Find(op), attrs, 1);
    return IsValid(call, operands);
  }

  RuleSet rules_;
};

TEST_F(RuleValidTest, IsValid_TableOfOperands_GivesYesOrNo) {
  EXPECT_EQ(IsValid("t.Add", {{{2, 3}, {3}}}), Truth::kYes);
  EXPECT_EQ(IsValid("t.Add", {{{2, 3}, {2}}}), Truth::kNo);
  EXPECT_EQ(IsValid("t.Add", {{{2, 3}, {1, 1, 1}}}), Truth::kYes);
  EXPECT_EQ(IsValid("t.Add", {{{2, 3}}}), Truth::kNo);
  EXPECT_EQ(IsValid("t.Add", {{{2, -3}, {}}}), Truth::kNo);
  EXPECT_EQ(IsValid("t.Pair", {{{4}, {2}}}), Truth::kYes);
  EXPECT_EQ(IsValid("t.Pair", {{{5}, {2}}}), Truth::kNo);
  EXPECT_EQ(IsValid("t.Pair", {{{4}, {3}}}), Truth::kNo);
  EXPECT_EQ(IsValid("t.Pair", {{{0}, {0}}}), Truth::kNo);
  EXPECT_EQ(IsValid("t.Axis", {{{4, 5}}}, {{"axis", 1}}), Truth::kYes);
  EXPECT_EQ(IsValid("t.Axis", {{{4, 5}}}, {{"axis", 2}}), Truth::kNo);
  EXPECT_EQ(IsValid("t.Axis", {{{4, 5}}}, {{"axis", 7}}), Truth::kNo);
  EXPECT_EQ(IsValid("t.Axis", {{{4, 5}}}), Truth::kNo);
}

TEST_F(RuleValidTest, IsValid_NotDecidedBySizes_ReturnsMaybe) {
  EXPECT_EQ(IsValid("t.Pick", {{{4}, {2}}}), Truth::kMaybe);
  EXPECT_EQ(IsValid("t.Pick", {{{4}, {2}}, {{}, {1, 3}}}), Truth::kYes);
  EXPECT_EQ(IsValid("t.Pick", {{{4}, {2}}, {{}, {1, 4}}}), Truth::kNo);
  EXPECT_EQ(IsValid("t.Wide", {{{4}}}), Truth::kMaybe);  // element types are no part of a call
}

TEST_F(RuleValidTest, IsValid_AfterEvaluate_KeepsResults) {
  RuleCall call(*rules_.Find("t.Add"), {}, 1);
  const std::vector<int64_t> a = {2, 1}, b = {3}, c = {5, 5};
  ASSERT_TRUE(call.Evaluate(std::vector<RunTimeOperand>{{a, {}}, {b, {}}}));
  EXPECT_EQ(call.IsValid(std::vector<RunTimeOperand>{{c, {}}, {b, {}}}), Truth::kNo);
  EXPECT_EQ(std::vector<int64_t>(call.result(0).begin(), call.result(0).end()), (std::vector<int64_t>{2, 3}));
}

}  // namespace
}  // namespace dimwise
