// Compares symbolic inference with constant inference for every choice of small sizes. The symbolic result at
// these sizes must equal the constant result. If constant inference fails, a guard must be false.
#include <gtest/gtest.h>

#include <map>

#include "core/base/characters.h"
#include "dimwise/builtin.h"
#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

using SizesByName = std::map<std::string, int64_t, std::less<>>;

// Returns the text with numbers in place of symbols.
std::string WithNumbers(std::string_view text, const SizesByName& sizes) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && IsWordPart(text[end])) ++end;
    const auto number = sizes.find(text.substr(i, end - i));
    if (end == i) {
      result += text[i++];
    } else {
      result += number == sizes.end() ? std::string(text.substr(i, end - i)) : std::to_string(number->second);
      i = end;
    }
  }
  return result;
}

class Agreement {
 public:
  Agreement(const OpCase& op_case, const SizesByName& sizes, const OpOutcome& symbolic)
      : case_(op_case), sizes_(sizes), symbolic_(symbolic), dims_(symbolic.analysis->dims()) {}

  // Returns the difference; "" if the results agree.
  std::string Run() {
    const std::string operands = WithNumbers(case_.operands, sizes_);
    const OpOutcome numbers = RunOpCase({case_.op, operands.c_str(), case_.attrs, ""}, BuiltinRegistry());
    const bool holds = GuardsHold();
    if (!numbers.status) {
      return holds ? "constant inference fails, but all guards hold: " + ToText(numbers) : "";
    }
    if (!holds) return "a guard is false, but constant inference succeeds";
    for (size_t i = 0; i < numbers.outputs.size(); ++i) {
      const std::string text = Compare(symbolic_.outputs[i].shape, numbers.outputs[i].shape);
      if (!text.empty()) return text;
      const std::string contents = Compare(symbolic_.contents[i], numbers.contents[i]);
      if (!contents.empty()) return contents;
    }
    return "";
  }

 private:
  std::optional<int64_t> Evaluate(Dim d) {
    return dims_.Evaluate(d, [&](Dim symbol) -> std::optional<int64_t> {
      const SymbolInfo info = dims_.GetSymbol(symbol);
      const auto number = sizes_.find(info.name);
      return info.of_user && number != sizes_.end() ? std::optional(number->second) : std::nullopt;
    });
  }

  bool GuardsHold() {
    for (const Guard& guard : symbolic_.guards) {
      for (const Clause& clause : guard.condition.clauses) {
        bool any = false;
        for (const Literal& literal : clause) {
          const std::optional<int64_t> v = Evaluate(literal.value);
          any |= !v || (literal.relation == Relation::kEqual      ? *v == 0
                        : literal.relation == Relation::kNotEqual ? *v != 0
                                                                  : *v >= 0);
        }
        if (!any) return false;
      }
    }
    return true;
  }

  std::string Compare(Shape symbolic, Shape numbers) {
    if (!symbolic.has_rank()) {
      const bool fits = numbers.rank() >= symbolic.min_rank() && numbers.rank() <= symbolic.max_rank();
      return fits ? "" : "the rank is outside its range";
    }
    if (symbolic.rank() != numbers.rank()) return "the ranks differ";
    for (int axis = 0; axis < symbolic.rank(); ++axis) {
      const std::optional<int64_t> size = Evaluate(symbolic[axis]);
      if (size && Dim(*size) != numbers[axis]) {
        return "axis " + std::to_string(axis) + " is " + std::to_string(*size) + " symbolically, but " +
               dims_.ToString(numbers[axis]) + " with constants";
      }
      const Dim max = size || !numbers[axis].is_constant() || dims_.Kind(symbolic[axis]) != DimKind::kSymbol
                          ? Dim()
                          : symbolic_.analysis->facts().SymbolicMax(symbolic[axis]);
      if (!max.is_none() && numbers[axis].constant() > Evaluate(max).value_or(INT64_MAX))
        return "a size is above its bound";
    }
    return "";
  }

  std::string Compare(Value symbolic, Value numbers) {
    if (symbolic.is_none() || numbers.is_none()) return "";
    for (int64_t i = 0; i < symbolic.size(); ++i) {
      const Dim element = symbolic.Integer(i);
      const std::optional<int64_t> value = element.is_none() ? std::nullopt : Evaluate(element);
      const std::optional<int64_t> number = numbers.ConstantInteger(i);
      if (value && number && *value != *number) return "element " + std::to_string(i) + " differs";
    }
    return "";
  }

  const OpCase& case_;
  const SizesByName& sizes_;
  const OpOutcome& symbolic_;
  DimTable& dims_;
};

void ExpectAgreement(std::span<const OpCase> cases, int64_t max) {
  for (const OpCase& c : cases) {
    const OpOutcome symbolic = RunOpCase(c, BuiltinRegistry());
    for (int64_t n = 0; n <= max; ++n) {
      for (int64_t m = 0; m <= max; ++m) {
        for (int64_t k = 0; k <= (std::string_view(c.operands).find('K') == std::string_view::npos ? 0 : max);
             ++k) {
          const SizesByName sizes = {{"N", n}, {"M", m}, {"K", k}};
          if (!symbolic.status) {
            const std::string operands = WithNumbers(c.operands, sizes);
            EXPECT_FALSE(RunOpCase({c.op, operands.c_str(), c.attrs, ""}, BuiltinRegistry()).status)
                << c.op << " (" << operands << ") " << c.attrs;
            continue;
          }
          EXPECT_EQ(Agreement(c, sizes, symbolic).Run(), "")
              << c.op << " (" << c.operands << ") " << c.attrs << " at " << n << ", " << m << ", " << k
              << ": " << ToText(symbolic);
        }
      }
    }
  }
}

TEST(OnnxAgreementTest, BroadcastingOperators_SymbolicSizes_AgreeWithConstants) {
  ExpectAgreement(std::to_array<OpCase>({
                      {"onnx.Add", "f32[N]; f32[M]", "", ""},
                      {"onnx.Add", "f32[N, M]; f32[M]", "", ""},
                      {"onnx.Add", "f32[N]; f32[N + 1]", "", ""},
                      {"onnx.Add", "f32[N]; f32[3]", "", ""},
                      {"onnx.Add", "f32[N]; f32[0]", "", ""},
                      {"onnx.Add", "f32[2*N]; f32[M + 2]", "", ""},
                      {"onnx.Max", "f32[N]; f32[M]; f32[K]", "", ""},
                      {"onnx.Max", "f32[N, 1]; f32[M]; f32[K, 2]", "", ""},
                      {"onnx.Where", "bool[N, 1]; f32[M]; f32[K, 1, 1]", "", ""},
                      {"onnx.Expand", "f32[N, 1]; i64[2]={M, K}", "", ""},
                      {"onnx.MatMul", "f32[N, 2, M]; f32[K, 3, 2]", "", ""},
                      {"onnx.MatMul", "f32[N]; f32[M, K]", "", ""},
                      {"onnx.Gemm", "f32[N, M]; f32[K, 3]; f32[2, 1]", "transB=1", ""},
                  }),
                  4);
}

TEST(OnnxAgreementTest, WindowOperators_SymbolicSizes_AgreeWithConstants) {
  ExpectAgreement(
      std::to_array<OpCase>({
          {"onnx.Conv", "f32[1, 2, N]; f32[4, M, K]", "group=2 strides=2 pads=1,0", ""},
          {"onnx.Conv", "f32[1, 2, N]; f32[M, 1, 3]", "group=2 dilations=2 pads=2,2", ""},
          {"onnx.Conv", "f32[1, 2, N]; f32[4, 2, 3]; f32[M]", "auto_pad=SAME_UPPER strides=3", ""},
      }),
      7);
  // A constant window may exceed its axis without a guard. So pools start at the smallest size that fits.
  for (const char* attrs :
       {"kernel_shape=2 strides=2", "kernel_shape=3 strides=2 ceil_mode=1",
        "kernel_shape=1 strides=3 ceil_mode=1", "kernel_shape=3 strides=2 pads=1,1 ceil_mode=1",
        "kernel_shape=2 strides=3 pads=1,1 ceil_mode=1",
        "kernel_shape=3 strides=4 pads=2,1 ceil_mode=1 dilations=2",
        "kernel_shape=2 strides=2 auto_pad=VALID ceil_mode=1"}) {
    ExpectAgreement(std::to_array<OpCase>({{"onnx.MaxPool", "f32[M, 2, N + 5]", attrs, ""}}), 9);
  }
}

TEST(OnnxAgreementTest, ReshapingOperators_SymbolicSizes_AgreeWithConstants) {
  ExpectAgreement(std::to_array<OpCase>({
                      {"onnx.Reshape", "f32[N, M, 4]; i64[2]={-1, 4}", "", ""},
                      {"onnx.Reshape", "f32[N, M]; i64[2]={-1, 4}", "", ""},
                      {"onnx.Reshape", "f32[N, M]; i64[2]={0, -1}", "", ""},
                      {"onnx.Reshape", "f32[N, M]; i64[3]={N, M, -1}", "", ""},
                      {"onnx.Reshape", "f32[N, M, 6]; i64[3]={M, -1, 3}", "allowzero=1", ""},
                      {"onnx.Reshape", "f32[N, 2]; i64[2]={N, 3}", "", ""},
                      {"onnx.Reshape", "f32[2*N, M]; i64[2]={2*M, N}", "", ""},
                      {"onnx.Reshape", "f32[N*M]; i64[2]={N, M}", "allowzero=1", ""},
                      {"onnx.Reshape", "f32[N, M]; i64[2]={0, K}", "allowzero=1", ""},
                      {"onnx.Flatten", "f32[N, 2, M]", "axis=2", ""},
                      {"onnx.Squeeze", "f32[N, 1, M]", "", ""},
                      {"onnx.Squeeze", "f32[N, M]; i64[1]={0}", "", ""},
                      {"onnx.Unsqueeze", "f32[N, M]; i64[2]={0, -1}", "", ""},
                      {"onnx.Tile", "f32[N, 2]; i64[2]={M, K}", "", ""},
                      {"onnx.Transpose", "f32[N, M, 2]", "", ""},
                  }),
                  5);
}

TEST(OnnxAgreementTest, Slice_SymbolicSizes_AgreesWithConstants) {
  for (const char* step : {"1", "2", "3", "-1", "-2", "-9223372036854775808"}) {
    for (const char* start : {"0", "1", "3", "-1", "-2", "-5", "M", "-M - 1", "2147483647",
                              "9223372036854775807", "-9223372036854775807"}) {
      for (const char* end : {"0", "2", "-1", "-3", "M", "-M - 1", "9223372036854775807",
                              "-9223372036854775808", "-2147483647"}) {
        const std::string operands = std::string("f32[N]; i64[1]={") + start + "}; i64[1]={" + end +
                                     "}; i64[1]={0}; i64[1]={" + step + "}";
        ExpectAgreement(std::to_array<OpCase>({{"onnx.Slice", operands.c_str(), "", ""}}), 4);
      }
    }
  }
}

TEST(OnnxAgreementTest, ConcatSplitAndIndexing_SymbolicSizes_AgreeWithConstants) {
  ExpectAgreement(std::to_array<OpCase>({
                      {"onnx.Concat", "f32[N, 2]; f32[M, 2]; f32[3, 2]", "axis=0", ""},
                      {"onnx.Concat", "f32[N, 2]; f32[M, K]", "axis=1", ""},
                      {"onnx.Concat", "f32[N, 2]; f32[M, 2]; f32[3, 2]", "axis=1", ""},
                      {"onnx.Split", "f32[N] -> 3", "num_outputs=3", ""},
                      {"onnx.Split", "f32[N] -> 2", "num_outputs=2", ""},
                      {"onnx.Split@13", "f32[N] -> 3", "", ""},
                      {"onnx.Split", "f32[N]; i64[2]={M, K} -> 2", "", ""},
                      {"onnx.Pad", "f32[N]; i64[2]={-2, M}", "", ""},
                      {"onnx.Pad", "f32[N]; i64[2]={M - 3, 1 - K}", "", ""},
                      {"onnx.Gather", "f32[N, M]; i64[2]={2, -3}", "", ""},
                      {"onnx.GatherElements", "f32[N, 2]; i64[M, K]", "axis=1", ""},
                      {"onnx.TopK", "f32[N]; i64[1]={M}", "", ""},
                      {"onnx.TopK", "f32[N]; i64[1]={M - 2}", "", ""},
                      {"onnx.ReduceSum", "f32[N, M]; i64[1]={0}", "", ""},
                      {"onnx.NonZero", "f32[N, M]", "", ""},
                  }),
                  6);
}

TEST(OnnxAgreementTest, Contents_SymbolicElements_AgreeWithConstants) {
  ExpectAgreement(
      std::to_array<OpCase>({
          {"onnx.Shape", "f32[N, M, 3]", "start=-2", ""},
          {"onnx.Size", "f32[N, M, 3]", "", ""},
          {"onnx.Add", "i64[2]={N, M}; i64[]={3}", "", ""},
          {"onnx.Sub", "i64[2]={N, M}; i64[2]={M, 7}", "", ""},
          {"onnx.Mul", "i64[2]={N, M}; i64[1]={N - 2}", "", ""},
          {"onnx.Div", "i64[2]={N, M + 3}; i64[2]={2, N + 1}", "", ""},
          {"onnx.Div", "i64[2]={N - M, 2*M - 4}; i64[2]={2, -2}", "", ""},
          {"onnx.Mod", "i64[2]={N - M, M - 2}; i64[2]={3, -3}", "", ""},
          {"onnx.Mod", "i64[2]={N, M}; i64[2]={3, 2}", "fmod=1", ""},
          {"onnx.Min", "i64[2]={N, M}; i64[2]={M, 3}", "", ""},
          {"onnx.Max", "i64[2]={N, M}; i64[2]={M, 3}", "", ""},
          {"onnx.Neg", "i64[1]={N - M}", "", ""},
          {"onnx.Abs", "i64[1]={N - M}", "", ""},
          {"onnx.Equal", "i64[2]={N, M}; i64[2]={M, 3}", "", ""},
          {"onnx.Less", "i64[2]={N, M}; i64[2]={M, 3}", "", ""},
          {"onnx.LessOrEqual", "i64[2]={N, M}; i64[2]={M, 3}", "", ""},
          {"onnx.Greater", "i64[2]={N, M}; i64[2]={M, 3}", "", ""},
          {"onnx.GreaterOrEqual", "i64[2]={N, M}; i64[2]={M, 3}", "", ""},
          {"onnx.Cast", "i64[2]={N - M, M}", "to=bool", ""},
          {"onnx.Cast", "i64[2]={N - M, M}", "to=i32", ""},
          {"onnx.Where", "bool[2]={max(0, 1 - N), min(M, 1)}; i64[2]={M, 7}; i64[1]={N}", "", ""},
          {"onnx.Gather", "i64[3]={N, M, 2}; i64[2]={2, -3}", "", ""},
          {"onnx.Concat", "i64[2]={N, M}; i64[1]={-1}", "axis=0", ""},
          {"onnx.Slice", "i64[4]={N, M, 2, 3}; i64[1]={-1}; i64[1]={0}; i64[1]={0}; i64[1]={-2}", "", ""},
          {"onnx.Range", "i64[]={N}; i64[]={M}; i64[]={2}", "", ""},
          {"onnx.Range", "i64[]={N}; i64[]={M}; i64[]={-2}", "", ""},
          {"onnx.Range", "i64[]={N}; i64[]={N + 3}; i64[]={1}", "", ""},
          {"onnx.ConstantOfShape", "i64[2]={N - 2, M}", "", ""},
          {"onnx.ReduceProd", "i64[3]={N, M, 2}", "", ""},
          {"onnx.ReduceSum", "i64[3]={N, M, 2}", "", ""},
          {"onnx.ReduceMax", "i64[3]={N, M, 2}", "", ""},
          {"onnx.ReduceMin", "i64[3]={N, M, 2}", "", ""},
      }),
      5);
}

}  // namespace
}  // namespace dimwise
