// Tests rules at run time, on constants. Each case is evaluated several times: first by the rule, later by
// its trace; all answers must agree.
#include "dimwise/rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>

namespace dimwise {
namespace {

constexpr std::string_view kRules = R"(set t
op Double(X: T[...s]) -> (Y: T[...[2*d for d in s]])
op Add(A: T[...a], B: T[...b]) -> (C: T[...broadcast(a, b)])
op MatMul(A: T[...a, m, k], B: T[...b, k, n]) -> (Y: T[...broadcast(a, b), m, n])
  | (A: T[k], B: T[k]) -> (Y: T[])
op Window(X: T[n, c, ...x], W: T[m, c, ...k], B?: T[m]; strides: ints = ones(rank(x)))
  -> (Y: T[n, m, ...[(a - b)//s + 1 for a, b, s in zip(x, k, strides)]])
  require all([a >= b for a, b in zip(x, k)]) else "a window of {k} is larger than {x}"
op Reshape(X: T[...s], shape: i64[r]) -> (Y: T[...resolve_minus_one(shape, s)])
op Concat(X+: T[...a{axis}, each d, ...b]; axis: int) -> (Y: T[...a, sum(d), ...b])
op Pick(X: T[...s], at: i64[]) -> (Y: T[s[at]])
op Rows(X: T[...s]) -> (Y: i64[rank(s), unknown(0, product(s))])
op Anything(X: T[...s]) -> (Y: T[*])
op Halves(X: T[n]) -> (A: T[n//2], B: T[n - n//2])
op Product(X: T[...s]) -> (Y: T[product(s)])
op Shrink(X: T[n]; by: int) -> (Y: T[n - by])
op Ratio(X: T[n], Y: T[m]) -> (Z: T[n//m])
op Larger(X: T[n], Y: T[m]) -> (Z: T[max(n, m) - min(n, m)])
op Bias(X: T[n], B?: T[m]) -> (Y: T[if given(B) then m else n])
op Left(X: T[n]; ks: ints, at: ints) -> (Y: T[len(remove(ks, at)), remove(ks, at)[-1]])
op Grown(X: T[n]; ks: ints, at: ints) -> (Y: T[len(insert(ks, at, n)), insert(ks, at, n)[-1]])
op Permutes(X: T[n]; ks: ints) -> (Y: T[if is_permutation(ks, len(ks)) then 1 else 0])
op Counts(X: T[n]; from: int, to: int) -> (Y: T[len(range(from, to))])
op Half(X: T[n]) -> (Y: T[ceildiv(n, 2)])
op Total(X: T[n]; ks: ints) -> (Y: T[sum(ks)])
op Size(X: T[n]; k: int) -> (Y: T[abs(k)])
)";

const RuleSet& Rules() {
  static const RuleSet* const rules = [] {
    auto* made = new RuleSet();
    for (const Diagnostic& mistake : made->Define(kRules, "test.shape")) ADD_FAILURE() << ToString(mistake);
    return made;
  }();
  return *rules;
}

struct Case {
  const char* op;
  const char* operands;  // "2,3 ; 2={6,-1} ; none": sizes, and contents after =
  AttrMap attrs;
  const char* expected;  // "4,6 ; ?" for the results, a rank that is not known as *, or the error
};

std::vector<int64_t> Numbers(std::string_view text) {
  std::vector<int64_t> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    int64_t n = 0;
    const auto [after, error] = std::from_chars(at, end, n);
    if (error == std::errc()) numbers.push_back(n);
    at = after == at ? at + 1 : after;
  }
  return numbers;
}

struct Operands {
  std::vector<std::vector<int64_t>> sizes, contents;
  std::vector<RunTimeOperand> views;

  explicit Operands(std::string_view text) {
    std::vector<bool> given;
    for (size_t begin = 0; begin <= text.size();) {
      const size_t end = std::min(text.find(';', begin), text.size());
      const std::string_view one = text.substr(begin, end - begin);
      const size_t equal = std::min(one.find('='), one.size());
      sizes.push_back(Numbers(one.substr(0, equal)));
      contents.push_back(Numbers(one.substr(equal)));
      given.push_back(one.find("none") == std::string_view::npos);
      begin = end + 1;
    }
    for (size_t i = 0; i < sizes.size(); ++i) views.push_back({sizes[i], contents[i], given[i]});
  }
};

std::string Answer(RuleCall* call, const Operands& operands, size_t results) {
  if (const Status status = call->Evaluate(operands.views); !status) {
    return CodeName(status.error().code) + " " + status.error().message;
  }
  std::string text;
  for (size_t i = 0; i < results; ++i) {
    text += i > 0 ? " ; " : "";
    if (!call->has_rank(i)) text += "*";
    for (size_t k = 0; k < call->result(i).size(); ++k)
      text += (k > 0 ? "," : "") + std::to_string(call->result(i)[k]);
  }
  return text;
}

size_t ResultsOf(std::string_view op) { return op == "Halves" ? 2 : 1; }

TEST(RuleCallTest, Evaluate_TableOfCases_GivesSizes) {
  const Case kCases[] = {
      {"Double", "2,3", {}, "4,6"},
      {"Double", "", {}, ""},
      {"Double", "0", {}, "0"},
      {"Add", "8,1,3; 4,1", {}, "8,4,3"},
      {"Add", "0,3; 1,1", {}, "0,3"},
      {"Add", "2,3; ", {}, "2,3"},
      {"Add",
       "2; 3",
       {},
       "DW0104 Add cannot broadcast 2 with 3 at axis -1: they must be equal, or one of them 1"},
      {"MatMul", "8,2,3; 3,5", {}, "8,2,5"},
      {"MatMul", "3; 3", {}, ""},
      {"MatMul", "2,3; 4,5", {}, "DW0102 B of MatMul has 4 on axis 0, where k is 3"},
      {"Window", "1,3,8,8; 4,3,3,3", {}, "1,4,6,6"},
      {"Window", "1,3,8,8; 4,3,3,3; 4", {{"strides", AttrValue::Ints{2, 1}}}, "1,4,3,6"},
      {"Window", "1,3,8,8; 4,3,3,3; none", {}, "1,4,6,6"},
      {"Window", "1,3,8,8; 4,3,3,3; 5", {}, "DW0102 B of Window has 5 on axis 0, where m is 4"},
      {"Window", "1,3,2,8; 4,3,3,3", {}, "DW0103 a window of [3, 3] is larger than [2, 8]"},
      {"Reshape", "2,3,4; 2={6,-1}", {}, "6,4"},
      {"Reshape", "2,3,4; 2={4,6}", {}, "4,6"},
      {"Reshape", "2,3,4; 2={5,-1}", {}, "DW0110 Reshape cannot make [5, -1] of the elements of [2, 3, 4]"},
      {"Reshape", "2,3,4; 2", {}, "-1,-1"},
      {"Concat", "2,3; 2,0; 2,4", {{"axis", 1}}, "2,7"},
      {"Concat", "2", {{"axis", 0}}, "2"},
      {"Concat",
       "2,3; 4,5",
       {{"axis", 1}},
       "DW0102 X of Concat has 4 on axis 0, where the other operands have 2"},
      {"Concat", "2,3", {}, "DW0302 Concat needs the attribute axis"},
      {"Pick", "4,5,6; ={1}", {}, "5"},
      {"Pick", "4,5,6; ={-1}", {}, "6"},
      {"Pick", "4,5,6; ={3}", {}, "DW0107 Pick uses index 3 of 3 sizes"},
      {"Rows", "4,5", {}, "2,-1"},
      {"Rows", "4,0", {}, "2,0"},
      {"Anything", "4", {}, "*"},
      {"Halves", "7", {}, "3 ; 4"},
      {"Larger", "7; 5", {}, "2"},
      {"Larger", "5; 7", {}, "2"},
      {"Bias", "7; 5", {}, "5"},
      {"Bias", "7", {}, "7"},
      {"Bias", "7; none", {}, "7"},
      {"Bias", "7; 5; 3", {}, "DW0301 Bias takes at most 2 operands; 3 are given"},
      {"Bias", "none", {}, "DW0301 Bias needs the operand X"},
  };
  for (const Case& c : kCases) {
    const rules::Rule* rule = Rules().Find(std::string("t.") + c.op);
    ASSERT_NE(rule, nullptr) << c.op;
    const size_t results = ResultsOf(c.op);
    RuleCall call(*rule, c.attrs, results);
    const Operands operands(c.operands);
    for (int round = 0; round < 5; ++round) {
      EXPECT_EQ(Answer(&call, operands, results), c.expected)
          << c.op << "(" << c.operands << "), round " << round;
    }
  }
}

TEST(RuleCallTest, Evaluate_Overflow_IsErrorAndNeverWraps) {
  const Case kCases[] = {
      {"Double", "-1", {}, "DW0105 operand 0 of Double has a negative size"},
      {"Double", "4611686018427387904", {}, "DW0106 a size of Double does not fit 64 bits"},
      {"Double", "4611686018427387903", {}, "9223372036854775806"},
      {"Product", "4294967296,4294967296", {}, "DW0106 a size of Product does not fit 64 bits"},
      {"Product", "4294967296,2147483647", {}, "9223372032559808512"},
      {"Product", "9223372036854775807,0,9223372036854775807", {}, "0"},
      {"Shrink", "3", {{"by", 4}}, "DW0105 Y of Shrink would have the size -1 on axis 0"},
      {"Shrink", "3", {{"by", INT64_MIN}}, "DW0106 a size of Shrink does not fit 64 bits"},
      {"Ratio", "3; 0", {}, "DW0103 the rule of Ratio divides 3 by 0"},
      {"Pick", "4,5; ={-4611686027017322000}", {}, "-1"},
  };
  for (const Case& c : kCases) {
    RuleCall call(*Rules().Find(std::string("t.") + c.op), c.attrs, 1);
    const Operands operands(c.operands), small(std::string_view(c.op) == "Ratio"  ? "4; 2"
                                               : std::string_view(c.op) == "Pick" ? "4,5;={0}"
                                                                                  : "6");
    for (int round = 0; round < 5; ++round) {
      EXPECT_EQ(Answer(&call, operands, 1), c.expected) << c.op << "(" << c.operands << "), round " << round;
      Answer(&call, small, 1);
    }
  }
}

void ExpectAnswers(std::span<const Case> cases) {
  for (const Case& c : cases) {
    RuleCall call(*Rules().Find(std::string("t.") + c.op), c.attrs, 1);
    const Operands operands(c.operands);
    for (int round = 0; round < 5; ++round)
      EXPECT_EQ(Answer(&call, operands, 1), c.expected) << c.op << "(" << c.operands << "), round " << round;
  }
}

// An attribute may have far more elements than a shape has axes.
TEST(RuleCallTest, Evaluate_LongListAttributes_AreHandled) {
  AttrValue::Ints upward, twice;
  for (int64_t i = 0; i < 1000; ++i) {
    upward.push_back(i);
    twice.push_back(i / 2);
  }
  const AttrValue::Ints none, ends{0, 999}, middle{500}, past{1000};
  const Case kCases[] = {
      {"Left", "3", {{"ks", upward}, {"at", ends}}, "998,998"},
      {"Left", "3", {{"ks", upward}, {"at", middle}}, "999,999"},
      {"Left", "3", {{"ks", upward}, {"at", none}}, "1000,999"},
      {"Left", "3", {{"ks", upward}, {"at", past}}, "DW0107 Left names axis 1000 of 1000"},
      {"Grown", "3", {{"ks", upward}, {"at", middle}}, "1001,999"},
      {"Grown", "3", {{"ks", upward}, {"at", past}}, "1001,3"},
      {"Permutes", "3", {{"ks", upward}}, "1"},
      {"Permutes", "3", {{"ks", twice}}, "0"},
  };
  ExpectAnswers(kCases);
}

// An intermediate that exceeds 64 bits is no error if the result fits.
TEST(RuleCallTest, Evaluate_WideIntermediates_GiveExactResult) {
  const Case kCases[] = {
      {"Counts", "3", {{"from", INT64_MIN}, {"to", 100}}, "-1"},
      {"Counts", "3", {{"from", INT64_MAX}, {"to", INT64_MIN}}, "0"},
      {"Counts", "3", {{"from", INT64_MAX - 2}, {"to", INT64_MAX}}, "2"},
      {"Half", "9223372036854775807", {}, "4611686018427387904"},
      {"Total", "3", {{"ks", AttrValue::Ints{INT64_MAX, 1, -2}}}, "9223372036854775806"},
      {"Total", "3", {{"ks", AttrValue::Ints{INT64_MAX, 1}}}, "DW0106 a size of Total does not fit 64 bits"},
      {"Size", "3", {{"k", 4611686027017322496}}, "4611686027017322496"},  // its negative is no Dim
      {"Size", "3", {{"k", -INT64_MAX}}, "9223372036854775807"},
      {"Size", "3", {{"k", INT64_MIN}}, "DW0106 a size of Size does not fit 64 bits"},
  };
  ExpectAnswers(kCases);
}

// One call handles operands of all kinds, in any order.
TEST(RuleCallTest, Evaluate_ChangingKindsOfOperands_GivesCorrectSizes) {
  RuleCall add(*Rules().Find("t.Add"), {}, 1);
  const std::pair<Operands, const char*> kWays[] = {
      {Operands("2,3; 2,3"), "2,3"},
      {Operands("2,3; 1,3"), "2,3"},
      {Operands("1,3; 2,1"), "2,3"},
      {Operands("2,3; 3"), "2,3"},
      {Operands("5; 4,1"), "4,5"},
      {Operands("1; 1"), "1"},
      {Operands("2,3; 4,3"),
       "DW0104 Add cannot broadcast 2 with 4 at axis -2: they must be equal, or one of them 1"},
      {Operands("7,1,9; 8,1"), "7,8,9"},
  };
  for (int round = 0; round < 20; ++round) {
    for (const auto& [operands, expected] : kWays) EXPECT_EQ(Answer(&add, operands, 1), expected) << round;
  }
}

}  // namespace
}  // namespace dimwise
