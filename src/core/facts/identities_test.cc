// Tests each row of core/dims/identities.h: with random integers against plain integer arithmetic, and with
// random expressions against the function that applies it.
#include "core/dims/identities.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/base/rounds_testing.h"
#include "core/dims/condition_logic.h"
#include "core/dims/dim_select.h"
#include "core/facts/broadcast_parts.h"
#include "core/facts/literal_parts.h"
#include "dimwise/facts.h"

namespace dimwise {
namespace {

using Number = std::optional<int64_t>;  // nullopt: undefined
using Assignment = std::map<char, int64_t>;

bool IsConstant(char c) { return std::string_view("cdkmnr").find(c) != std::string_view::npos; }
bool IsExpression(char c) { return std::string_view("pqt").find(c) != std::string_view::npos; }
bool IsSize(char c) { return std::string_view("xyz").find(c) != std::string_view::npos; }
bool IsLetter(char c) { return c >= 'a' && c <= 'z'; }

// Evaluates the text of a row with plain integer arithmetic, independently of the library. A condition has
// the value 0 or 1.
class Interpreter {
 public:
  Interpreter(std::string_view text, const Assignment& values) : text_(text), values_(values) {}

  Number Run() {
    const Number result = Or();
    EXPECT_EQ(at_, text_.size()) << text_;
    return result;
  }

 private:
  bool Take(std::string_view token) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (!text_.substr(at_).starts_with(token)) return false;
    if (IsLetter(token[0]) && at_ + token.size() < text_.size() && IsLetter(text_[at_ + token.size()]))
      return false;
    at_ += token.size();
    return true;
  }

  template <typename F>
  static Number Combine(const Number& a, const Number& b, F f) {
    return a && b ? Number(f(*a, *b)) : std::nullopt;
  }

  Number Or() {
    Number left = And();
    while (Take("or")) left = Combine(left, And(), [](int64_t a, int64_t b) { return a | b; });
    return left;
  }

  Number And() {
    Number left = Comparison();
    while (Take("and")) left = Combine(left, Comparison(), [](int64_t a, int64_t b) { return a & b; });
    return left;
  }

  Number Comparison() {
    const Number left = Sum();
    if (Take("==")) return Combine(left, Sum(), [](int64_t a, int64_t b) { return a == b; });
    if (Take("!=")) return Combine(left, Sum(), [](int64_t a, int64_t b) { return a != b; });
    if (Take(">=")) return Combine(left, Sum(), [](int64_t a, int64_t b) { return a >= b; });
    if (Take("<=")) return Combine(left, Sum(), [](int64_t a, int64_t b) { return a <= b; });
    if (Take(">")) return Combine(left, Sum(), [](int64_t a, int64_t b) { return a > b; });
    if (Take("<")) return Combine(left, Sum(), [](int64_t a, int64_t b) { return a < b; });
    return left;
  }

  Number Sum() {
    Number left = Product();
    while (true) {
      if (Take("+")) {
        left = Combine(left, Product(), [](int64_t a, int64_t b) { return a + b; });
      } else if (Take("-")) {
        left = Combine(left, Product(), [](int64_t a, int64_t b) { return a - b; });
      } else {
        return left;
      }
    }
  }

  static Number FloorDivide(const Number& a, const Number& b) {
    if (!a || !b || *b == 0) return std::nullopt;
    return *a / *b - (*a % *b != 0 && (*a < 0) != (*b < 0) ? 1 : 0);
  }

  Number Product() {
    Number left = Unary();
    while (true) {
      if (Take("*")) {
        left = Combine(left, Unary(), [](int64_t a, int64_t b) { return a * b; });
      } else if (Take("//")) {
        left = FloorDivide(left, Unary());
      } else if (Take("%")) {
        const Number divisor = Unary(), quotient = FloorDivide(left, divisor);
        left = quotient ? Number(*left - *divisor * *quotient) : std::nullopt;
      } else {
        return left;
      }
    }
  }

  Number Unary() {
    if (!Take("-")) return Primary();
    const Number operand = Unary();
    return operand ? Number(-*operand) : std::nullopt;
  }

  Number Primary() {
    if (Take("(")) {
      const Number inner = Or();
      EXPECT_TRUE(Take(")")) << text_;
      return inner;
    }
    for (const std::string_view function : {"max", "min", "broadcast", "broadcastable", "select"}) {
      if (Take(function)) return Call(function);
    }
    if (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      int64_t number = 0;
      for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
        number = 10 * number + (text_[at_] - '0');
      return number;
    }
    const auto value = at_ < text_.size() ? values_.find(text_[at_]) : values_.end();
    if (value == values_.end()) {
      ADD_FAILURE() << "no value at " << at_ << ": " << text_;
      at_ = text_.size();
      return std::nullopt;
    }
    ++at_;
    return value->second;
  }

  static Number IsBroadcastable(const std::vector<Number>& sizes) {
    std::set<int64_t> others;
    for (const Number& size : sizes) {
      if (!size) return std::nullopt;
      if (*size != 1) others.insert(*size);
    }
    return others.size() <= 1 ? 1 : 0;
  }

  Number Call(std::string_view function) {
    EXPECT_TRUE(Take("(")) << text_;
    std::vector<Number> operands{Or()};
    while (Take(",")) operands.push_back(Or());
    EXPECT_TRUE(Take(")")) << text_;
    if (function == "broadcastable") return IsBroadcastable(operands);
    if (function == "select") return !operands[0] ? std::nullopt : operands[*operands[0] != 0 ? 1 : 2];
    Number result = operands[0];
    for (const Number& operand : std::span(operands).subspan(1)) {
      if (function == "broadcast" && result && operand && *result != *operand && *result != 1 &&
          *operand != 1)
        return std::nullopt;
      result = Combine(result, operand, [&](int64_t a, int64_t b) {
        return function == "max" ? std::max(a, b) : function == "min" ? std::min(a, b) : a == 1 ? b : a;
      });
    }
    return result;
  }

  const std::string_view text_;
  const Assignment& values_;
  size_t at_ = 0;
};

// Returns the single letters in the texts of a row that are variables.
std::set<char> VariablesOf(std::initializer_list<std::string_view> texts) {
  std::set<char> found;
  for (const std::string_view text : texts) {
    for (size_t i = 0; i < text.size(); ++i) {
      const bool is_alone =
          (i == 0 || !IsLetter(text[i - 1])) && (i + 1 == text.size() || !IsLetter(text[i + 1]));
      if (IsLetter(text[i]) && is_alone) found.insert(text[i]);
    }
  }
  return found;
}

// Returns the text with each variable replaced by its text.
std::string Substituted(std::string_view text, const std::map<char, std::string>& replacements) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_alone =
        (i == 0 || !IsLetter(text[i - 1])) && (i + 1 == text.size() || !IsLetter(text[i + 1]));
    const auto found = is_alone ? replacements.find(text[i]) : replacements.end();
    if (found == replacements.end()) {
      result += text[i];
    } else {
      result += "(" + found->second + ")";
    }
  }
  return result;
}

std::vector<std::string> SplitText(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + separator.size());
  }
  return parts;
}

class RowInput {
 public:
  explicit RowInput(uint64_t seed) : random_(seed) {}

  int64_t Pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random_);
  }

  // Assigns random integers to the variables. Sizes are >= 0.
  Assignment Integers(const std::set<char>& variables) {
    Assignment values;
    const int64_t limit = Pick(0, 1) == 0 ? 6 : 30;
    for (const char v : variables)
      values[v] = IsConstant(v) ? Pick(-3, 9) : Pick(IsSize(v) ? 0 : -limit, limit);
    return values;
  }

  // Assigns random constants that satisfy the part of the condition that is about constants only.
  std::map<char, std::string> Constants(const Identity& row) {
    while (true) {
      const Assignment values = Integers(VariablesOf({row.pattern, row.result, row.condition}));
      const std::vector<std::string> parts = SplitText(row.condition, " and ");
      const bool holds = std::ranges::all_of(parts, [&](const std::string& part) {
        return IsAboutExpressions(part) || Interpreter(part, values).Run() == 1;
      });
      if (!holds) continue;
      std::map<char, std::string> texts;
      for (const auto& [name, value] : values) {
        if (IsConstant(name)) texts[name] = std::to_string(value);
      }
      return texts;
    }
  }

  static bool IsAboutExpressions(std::string_view text) {
    return !std::ranges::all_of(VariablesOf({text}), IsConstant);
  }

  // Adds distinct symbols for the sizes, and expressions over distinct symbols for the expressions.
  void AddExpressions(const Identity& row, std::map<char, std::string>* texts) {
    std::vector<std::string> names{"N", "M", "K", "H", "W", "P"};
    std::ranges::shuffle(names, random_);
    for (const char v : VariablesOf({row.pattern, row.result, row.condition})) {
      if (!IsExpression(v) && !IsSize(v)) continue;
      constexpr std::string_view kForms[] = {"", "3 + ", "B*", "-4 + ", "(B + 1)*", "B + "};
      (*texts)[v] = std::string(IsSize(v) ? "" : kForms[Pick(0, 5)]) + names.back();
      names.pop_back();
    }
  }

 private:
  std::mt19937_64 random_;
};

constexpr std::span<const Identity> kAllIdentities[] = {
    kSumIdentities,       kFloorDivideIdentities, kMaxIdentities,  kBroadcastIdentities, kChoiceIdentities,
    kConditionIdentities, kFactIdentities,        kPartIdentities, kProvedIdentities};

TEST(IdentitiesTest, EachRow_HasUniqueName) {
  std::set<std::string_view> names;
  for (const std::span<const Identity> section : kAllIdentities) {
    for (const Identity& row : section) EXPECT_TRUE(names.insert(row.name).second) << row.name;
  }
}

TEST(IdentitiesTest, EachRow_RandomIntegers_BothSidesAreEqual) {
  for (const std::span<const Identity> section : kAllIdentities) {
    for (const Identity& row : section) {
      RowInput input(1);
      const std::set<char> variables = VariablesOf({row.pattern, row.result, row.condition});
      int compared = 0;
      for (int round = 0; compared < Rounds(500) && round < Rounds(20000); ++round) {
        const Assignment values = input.Integers(variables);
        if (!row.condition.empty() && Interpreter(row.condition, values).Run() != 1) continue;
        const Number pattern = Interpreter(row.pattern, values).Run();
        if (!pattern) continue;
        ++compared;
        std::string at;
        for (const auto& [name, value] : values) at += std::string(" ") + name + "=" + std::to_string(value);
        ASSERT_EQ(pattern, Interpreter(row.result, values).Run()) << row.name << " at" << at;
      }
      EXPECT_GE(compared, Rounds(50)) << row.name;
    }
  }
}

// Returns 1 where the condition holds, else 0, in the form that rules use for choices.
Dim Indicator(DimTable& table, const Condition& condition) {
  Dim all = 1;
  for (const Clause& clause : condition.clauses) {
    Dim any = 0;
    for (const Literal& l : clause) {
      const Dim is_zero = OneIfZero(table, l.value);
      any = table.Max(any, l.relation == Relation::kAtLeast ? OneIfNotNegative(table, l.value)
                           : l.relation == Relation::kEqual ? is_zero
                                                            : table.Subtract(1, is_zero));
    }
    all = table.Multiply(all, any);
  }
  return all;
}

// Parses `select(w, a, b)` at the outermost level, or an expression.
Dim ParseChoice(DimTable& table, std::string_view text) {
  if (!text.starts_with("select(")) return *table.Parse(text);
  text = text.substr(7, text.size() - 8);
  std::vector<std::string> operands(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      operands.emplace_back();
    } else {
      operands.back() += c;
    }
  }
  const Dim which = Indicator(table, *ParseCondition(table, operands.at(0)));
  return Select(table, which, *table.Parse(operands.at(1)), *table.Parse(operands.at(2)));
}

TEST(IdentitiesTest, RowOfNormalForm_RandomConstants_PatternHasNormalFormOfResult) {
  for (const std::span<const Identity> section :
       {std::span<const Identity>(kSumIdentities), std::span<const Identity>(kFloorDivideIdentities),
        std::span<const Identity>(kMaxIdentities), std::span<const Identity>(kBroadcastIdentities),
        std::span<const Identity>(kChoiceIdentities)}) {
    for (const Identity& row : section) {
      RowInput input(2);
      for (int round = 0; round < Rounds(300); ++round) {
        DimTable table;
        std::map<char, std::string> texts = input.Constants(row);
        input.AddExpressions(row, &texts);
        const std::string pattern = Substituted(row.pattern, texts), result = Substituted(row.result, texts);
        const Dim a = ParseChoice(table, pattern), b = *table.Parse(result);
        EXPECT_EQ(a, b) << row.name << ": " << pattern << " is " << table.ToString(a) << ", not "
                        << table.ToString(b);
      }
    }
  }
}

Condition NormalCondition(DimTable& table, std::string_view text) {
  const Condition condition = *ParseCondition(table, text);
  Condition normal;
  for (const Clause& clause : condition.clauses) normal.clauses.push_back(Normalize(table, clause));
  return normal;
}

TEST(IdentitiesTest, RowOfConditions_RandomConstants_PatternHasNormalFormOfResult) {
  for (const Identity& row : kConditionIdentities) {
    RowInput input(3);
    for (int round = 0; round < Rounds(300); ++round) {
      DimTable table;
      std::map<char, std::string> texts = input.Constants(row);
      input.AddExpressions(row, &texts);
      const std::string pattern = Substituted(row.pattern, texts), result = Substituted(row.result, texts);
      EXPECT_EQ(ToString(table, NormalCondition(table, pattern)),
                ToString(table, NormalCondition(table, result)))
          << row.name << ": " << pattern;
    }
  }
}

// Facts that contain the conditions of a row on expressions.
class FactsOfRow {
 public:
  FactsOfRow(const Identity& row, RowInput* input) {
    texts_ = input->Constants(row);
    input->AddExpressions(row, &texts_);
    for (const std::string& part : SplitText(row.condition, " and ")) {
      if (!RowInput::IsAboutExpressions(part)) continue;
      facts.Assert(*ParseCondition(table, Substituted(part, texts_)), FactKind::kGiven, 1);
    }
    pattern = Substituted(row.pattern, texts_);
    result = Substituted(row.result, texts_);
  }

  DimTable table;
  Facts facts{table};
  std::string pattern, result;

 private:
  std::map<char, std::string> texts_;
};

TEST(IdentitiesTest, RowOfFacts_RandomConstants_PatternSimplifiesToResult) {
  for (const Identity& row : kFactIdentities) {
    RowInput input(4);
    for (int round = 0; round < Rounds(300); ++round) {
      FactsOfRow f(row, &input);
      if (f.facts.FindContradiction(ScopeId::kRoot)) continue;
      const Dim pattern = f.facts.Simplify(*f.table.Parse(f.pattern)),
                result = f.facts.Simplify(*f.table.Parse(f.result));
      EXPECT_EQ(pattern, result) << row.name << ": " << f.pattern << " is " << f.table.ToString(pattern)
                                 << ", not " << f.table.ToString(result);
    }
  }
}

TEST(IdentitiesTest, RowOfParts_RandomConstants_PatternHasPartsOfResult) {
  for (const Identity& row : kPartIdentities) {
    RowInput input(5);
    for (int round = 0; round < Rounds(300); ++round) {
      FactsOfRow f(row, &input);
      if (f.facts.FindContradiction(ScopeId::kRoot)) continue;
      const Clause clause = ParseCondition(f.table, f.pattern)->clauses.at(0);
      Condition parts{WithoutBroadcasts(f.table, clause)};
      const auto is_positive = [&](Dim d) { return f.facts.AtLeast(d, 1) == Truth::kYes; };
      if (parts.clauses.empty()) {
        for (const Literal& part : PartsOf(f.table, clause.at(0), is_positive))
          parts.clauses.push_back({part});
      }
      std::vector<std::string> found, expected;
      for (const Clause& c : parts.clauses) found.push_back(ToString(f.table, Normalize(f.table, c)));
      for (const Clause& c : NormalCondition(f.table, f.result).clauses)
        expected.push_back(ToString(f.table, c));
      std::ranges::sort(found);
      std::ranges::sort(expected);
      EXPECT_EQ(found, expected) << row.name << ": " << f.pattern;
    }
  }
}

TEST(IdentitiesTest, RowOfProofs_RandomConstants_PatternIsProved) {
  for (const Identity& row : kProvedIdentities) {
    RowInput input(6);
    for (int round = 0; round < Rounds(300); ++round) {
      FactsOfRow f(row, &input);
      EXPECT_EQ(f.facts.Holds(*ParseCondition(f.table, f.pattern)), Truth::kYes)
          << row.name << ": " << f.pattern;
    }
  }
}

}  // namespace
}  // namespace dimwise
