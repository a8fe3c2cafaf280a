// Compares the rule and the independent C++ function of an operator on random operands, static and symbolic.
// Both must fail on the same operands, and return the same sizes if the guards of both hold.
#include <gtest/gtest.h>

#include <random>

#include "bench/functions/functions.h"
#include "dimwise/builtin.h"
#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

constexpr int64_t kMaxSize = 4;  // of N and M

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  int Below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  std::string Size() {
    static constexpr const char* kSizes[] = {"0", "1", "1", "2",     "3",   "4",
                                             "N", "N", "M", "N + 1", "2*N", "N + M"};
    return kSizes[Below(std::size(kSizes))];
  }
  std::vector<std::string> Sizes(int rank) {
    std::vector<std::string> sizes;
    for (int i = 0; i < rank; ++i) sizes.push_back(Size());
    return sizes;
  }
  static std::string Tensor(const std::vector<std::string>& sizes) {
    std::string text = "f32[";
    for (size_t i = 0; i < sizes.size(); ++i) text += (i > 0 ? ", " : "") + sizes[i];
    return text + "]";
  }
  // Returns random operands and attributes of a call.
  std::pair<std::string, std::string> Call(std::string_view op) {
    if (op == "Relu") return {Tensor(Sizes(Below(4))), ""};
    if (op == "Add") {
      const std::string a = Tensor(Sizes(Below(4)));
      return {a + "; " + Tensor(Sizes(Below(4))), ""};
    }
    if (op == "MatMul") {
      std::vector<std::string> a = Sizes(1 + Below(3)), b = Sizes(1 + Below(3));
      if (Below(3) > 0) (b.size() == 1 ? b[0] : b[b.size() - 2]) = a.back();
      return {Tensor(a) + "; " + Tensor(b), ""};
    }
    if (op == "Conv") {
      const std::string channels = Size();
      std::string attrs;
      if (Below(2) == 0) attrs += "strides=" + std::to_string(1 + Below(3)) + " ";
      if (Below(3) == 0) attrs += "dilations=" + std::to_string(1 + Below(2)) + " ";
      if (Below(2) == 0) attrs += "pads=" + std::to_string(Below(3)) + "," + std::to_string(Below(3)) + " ";
      if (Below(6) == 0) attrs = "auto_pad=SAME_UPPER strides=2";
      return {Tensor({Size(), channels, Size()}) + "; " +
                  Tensor({Size(), Below(4) > 0 ? channels : Size(), std::to_string(1 + Below(3))}),
              attrs};
    }
    if (op == "Reshape") {
      static constexpr const char* kAsked[] = {"0", "-1", "-1", "1", "2", "3", "6", "N", "M"};
      const int rank = Below(4);
      std::string asked;
      for (int i = 0; i < rank; ++i)
        asked += std::string(i > 0 ? ", " : "") + kAsked[Below(std::size(kAsked))];
      const std::string data = Tensor(Sizes(Below(4)));
      return {data + "; i64[" + std::to_string(rank) + "]={" + asked + "}", ""};
    }
    if (op == "Concat") {
      std::vector<std::string> sizes = Sizes(1 + Below(3));
      const int axis = Below(static_cast<int>(sizes.size()));
      std::string operands = Tensor(sizes);
      for (int i = Below(2); i >= 0; --i) {
        sizes[static_cast<size_t>(axis)] = Size();
        if (Below(4) == 0) sizes[0] = Size();
        operands += "; " + Tensor(sizes);
      }
      return {operands,
              "axis=" + std::to_string(axis - (Below(2) == 0 ? 0 : static_cast<int>(sizes.size())))};
    }
    std::vector<int> order = {0, 1, 2};
    std::shuffle(order.begin(), order.end(), random_);
    std::string perm;
    for (const int i : order) perm += (perm.empty() ? "" : ",") + std::to_string(i);
    return {Tensor(Sizes(3)), Below(3) == 0 ? "" : "perm=" + perm};
  }

 private:
  std::mt19937 random_;
};

std::optional<int64_t> Evaluate(DimTable& dims, Dim d, int64_t n, int64_t m) {
  return dims.Evaluate(d, [&](Dim symbol) -> std::optional<int64_t> {
    const SymbolInfo info = dims.GetSymbol(symbol);
    if (!info.of_user) return std::nullopt;
    return info.name == "N" ? n : m;
  });
}

// Returns whether the result allows a run with these sizes.
bool Passes(const OpOutcome& outcome, int64_t n, int64_t m) {
  if (!outcome.status) return false;
  for (const Guard& check : outcome.guards) {
    for (const Clause& clause : check.condition.clauses) {
      bool any = false;
      for (const Literal& literal : clause) {
        const std::optional<int64_t> v = Evaluate(outcome.analysis->dims(), literal.value, n, m);
        any |= !v || (literal.relation == Relation::kEqual      ? *v == 0
                      : literal.relation == Relation::kNotEqual ? *v != 0
                                                                : *v >= 0);
      }
      if (!any) return false;
    }
  }
  return true;
}

// Compares both results at N = n, M = m. Returns "" if they agree.
std::string Compare(const OpOutcome& rule, const OpOutcome& function, int64_t n, int64_t m) {
  const bool passes = Passes(rule, n, m);
  if (passes != Passes(function, n, m)) return passes ? "only the function fails" : "only the rule fails";
  if (!passes) return "";
  const Shape a = rule.outputs[0].shape, b = function.outputs[0].shape;
  if (!a.has_rank() || !b.has_rank()) return "";
  if (a.rank() != b.rank()) return "the ranks differ";
  for (int axis = 0; axis < a.rank(); ++axis) {
    const std::optional<int64_t> x = Evaluate(rule.analysis->dims(), a[axis], n, m),
                                 y = Evaluate(function.analysis->dims(), b[axis], n, m);
    if (y && !x) return "the rule does not know axis " + std::to_string(axis);
    if (x && y && *x != *y) return "axis " + std::to_string(axis) + " differs";
  }
  return "";
}

TEST(SecondOpinionTest, RuleAndFunction_RandomOperands_Agree) {
  OpRegistryBuilder builder;
  RegisterBaseline(builder);
  const OpRegistry functions = builder.Build().value();
  Generator random(7);
  for (const char* op : {"onnx.Relu", "onnx.Add", "onnx.MatMul", "onnx.Conv", "onnx.Reshape", "onnx.Concat",
                         "onnx.Transpose"}) {
    int passed = 0;
    for (int i = 0; i < 300; ++i) {
      const auto [operands, attrs] = random.Call(std::string_view(op).substr(5));
      const OpCase call{op, operands.c_str(), attrs.c_str(), ""};
      const OpOutcome rule = RunOpCase(call, BuiltinRegistry()), function = RunOpCase(call, functions);
      for (int64_t n = 0; n <= kMaxSize; ++n) {
        for (int64_t m = 0; m <= kMaxSize; ++m) {
          const std::string difference = Compare(rule, function, n, m);
          passed += Passes(rule, n, m);
          ASSERT_EQ(difference, "") << op << " (" << operands << ") " << attrs << " at N = " << n
                                    << ", M = " << m << "\nrule: " << ToText(rule)
                                    << "\nfunction: " << ToText(function);
        }
      }
    }
    EXPECT_GT(passed, 500) << op;
  }
}

}  // namespace
}  // namespace dimwise
