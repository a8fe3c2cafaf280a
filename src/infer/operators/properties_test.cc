// Tests EvaluateProperty, and that the shipped operators declare what the analyses rely on.
#include <gtest/gtest.h>

#include <deque>
#include <set>
#include <string>

#include "dimwise/builtin.h"
#include "dimwise/op_registry.h"
#include "infer/context/operand_text.h"
#include "infer/operators/rule_function.h"
#include "rules/compile/library.h"

namespace dimwise {
namespace {

// The property expressions of one operator, evaluated for operands in the notation of `dimwise op`.
class PropertyCall {
 public:
  PropertyCall(std::string_view op, std::vector<std::string> operands, std::vector<std::string> results,
               AttrMap attrs = {})
      : attrs_(std::move(attrs)) {
    data_ = BuiltinRegistry().Find(op);
    for (const std::string& text : operands) {
      const OpOperand read = Read(text);
      operands_.push_back({read.type, read.value, read.given});
    }
    for (const std::string& text : results) results_.push_back(Read(text).type);
  }

  const OpProperties& properties() const { return data_->def.properties; }
  std::string Evaluate(PropertyExpr expr) {
    const BareCall call{analysis_, ScopeId::kRoot, operands_, attrs_, 0};
    const Dim value = EvaluateProperty(*data_->rule, call, results_, expr);
    return value.is_none() ? "unknown" : analysis_.dims().ToString(value);
  }
  std::string Interval(ArgIndex result) {
    const ElementBounds* bounds = properties().BoundsOf(result);
    return Evaluate(bounds->low) + " .. " + Evaluate(bounds->high) + (bounds->exact ? " exact" : "");
  }
  std::string MultiplyAdds() { return Evaluate(properties().multiply_adds); }

 private:
  OpOperand Read(const std::string& text) {
    Result<OpOperand> read = ParseOperand(analysis_, text, &bytes_.emplace_back());
    EXPECT_TRUE(read.has_value()) << text;
    return read ? *std::move(read) : OpOperand();
  }

  Analysis analysis_;
  std::deque<std::vector<std::byte>> bytes_;
  AttrMap attrs_;
  const OpRegistrationData* data_ = nullptr;
  std::vector<rules::Operand> operands_;
  std::vector<Type> results_;
};

TEST(PropertiesTest, Bounds_OfArgMax_EndAtTheAxis) {
  EXPECT_EQ(PropertyCall("onnx.ArgMax", {"f32[N, 3]"}, {"i64[N, 1]"}, {{"axis", 1}}).Interval(0), "0 .. 2");
  EXPECT_EQ(PropertyCall("onnx.ArgMax", {"f32[N, 3]"}, {"i64[1, 3]"}).Interval(0), "0 .. max(N - 1, 0)");
  EXPECT_EQ(PropertyCall("onnx.ArgMax", {"f32[*]"}, {"i64[*]"}).Interval(0), "0 .. unknown");
  EXPECT_EQ(PropertyCall("onnx.TopK", {"f32[N, 5]", "i64[1]"}, {"f32[N, 5]", "i64[N, 5]"}).Interval(1),
            "0 .. 4");
}

TEST(PropertiesTest, Bounds_OfRange_AreExact) {
  const auto range = [](std::string start, std::string limit, std::string delta, std::string result) {
    return PropertyCall("onnx.Range", {start, limit, delta}, {result}).Interval(0);
  };
  EXPECT_EQ(range("i64[]={P}", "i64[]={P + S}", "i64[]={1}", "i64[S]"), "P .. P + S - 1 exact");
  EXPECT_EQ(range("i64[]={0}", "i64[]={N}", "i64[]={2}", "i64[M]"), "0 .. 2*M - 2 exact");
  EXPECT_EQ(range("i64[]={9}", "i64[]={0}", "i64[]={-3}", "i64[3]"), "3 .. 9 exact");
  EXPECT_EQ(range("i64[]={0}", "i64[]={9}", "i64[]", "i64[u]"), "unknown .. unknown exact");
}

TEST(PropertiesTest, Sums_CountTheElementsOfReducedAxes) {
  PropertyCall sum("onnx.ReduceSum", {"i64[N, 3, M]", "i64[2]={0, -1}"}, {"i64[1, 3, 1]"});
  EXPECT_EQ(sum.Evaluate(sum.properties().SourceOf(0)->count), "N*M");
  PropertyCall all("onnx.ReduceSum", {"i64[N, 3]"}, {"i64[1, 1]"});
  EXPECT_EQ(all.Evaluate(all.properties().SourceOf(0)->count), "3*N");
}

TEST(PropertiesTest, Indices_HaveAnAxisFromZero) {
  PropertyCall gather("onnx.Gather", {"f32[N, 3, 4]", "i64[K]"}, {"f32[N, K, 4]"}, {{"axis", -2}});
  EXPECT_EQ(gather.Evaluate(gather.properties().indexes[0].axis), "1");
  PropertyCall nd("onnx.GatherND", {"f32[B, 3, 4]", "i64[B, 2]"}, {"f32[B]"}, {{"batch_dims", 1}});
  EXPECT_EQ(nd.Evaluate(nd.properties().indexes[0].axis), "1");
}

TEST(PropertiesTest, MultiplyAdds_FollowFromSizes) {
  EXPECT_EQ(PropertyCall("onnx.MatMul", {"f32[N, S, 64]", "f32[64, 32]"}, {"f32[N, S, 32]"}).MultiplyAdds(),
            "2048*N*S");
  EXPECT_EQ(PropertyCall("onnx.MatMul", {"f32[*]", "f32[64, 32]"}, {"f32[*]"}).MultiplyAdds(), "unknown");
  EXPECT_EQ(
      PropertyCall("onnx.Gemm", {"f32[K, N]", "f32[K, 8]"}, {"f32[N, 8]"}, {{"transA", 1}}).MultiplyAdds(),
      "8*K*N");
  EXPECT_EQ(
      PropertyCall("onnx.Conv", {"f32[N, 3, 8, 8]", "f32[16, 3, 3, 3]"}, {"f32[N, 16, 6, 6]"}).MultiplyAdds(),
      "15552*N");
  EXPECT_EQ(
      PropertyCall("onnx.ConvTranspose", {"f32[1, 4, 8]", "f32[4, 2, 3]"}, {"f32[1, 2, 10]"}).MultiplyAdds(),
      "192");
  EXPECT_EQ(PropertyCall("onnx.LSTM", {"f32[T, N, 8]", "f32[1, 16, 8]", "f32[1, 16, 4]"}, {"f32[T, 1, N, 4]"})
                .MultiplyAdds(),
            "192*T*N");
}

// ---- Which operators declare what ----

// Returns the names of operators, "Relu" of the set onnx and full names of others, that satisfy a predicate
// in some version.
template <typename F>
std::set<std::string> Declaring(F predicate) {
  std::set<std::string> names;
  for (const OpRegistrationData* newest : BuiltinRegistry().List()) {
    if (newest->def.set == "tensorflow") continue;  // the lists below are of ONNX and com.microsoft
    for (const OpRegistrationData& data : BuiltinRegistry().Versions(newest->def.FullName())) {
      if (predicate(data.def.properties))
        names.insert(data.def.set == "onnx" ? data.def.name : data.def.FullName());
    }
  }
  return names;
}

using Names = std::set<std::string>;
using Kind = ElementSource::Kind;

Names WithSource(Kind kind) {
  return Declaring([&](const OpProperties& p) {
    return std::ranges::any_of(p.element_sources, [&](const ElementSource& s) { return s.kind == kind; });
  });
}

Names Computing(Computation computation) {
  return Declaring([&](const OpProperties& p) { return p.computes == computation; });
}

TEST(PropertiesTest, ElementSources_OfShippedOperators) {
  EXPECT_EQ(WithSource(Kind::kSame), (Names{"Flatten", "Reshape", "Squeeze", "Unsqueeze"}));
  EXPECT_EQ(WithSource(Kind::kPermuted), (Names{"Transpose"}));
  EXPECT_EQ(WithSource(Kind::kAll), (Names{"Expand", "Tile"}));
  EXPECT_EQ(WithSource(Kind::kSome),
            (Names{"Compress", "Gather", "GatherElements", "GatherND", "Slice", "Split", "TopK"}));
  EXPECT_EQ(WithSource(Kind::kAtMost), (Names{"ReduceMax"}));
  EXPECT_EQ(WithSource(Kind::kAtLeast), (Names{"ReduceMin"}));
  EXPECT_EQ(WithSource(Kind::kSums), (Names{"ReduceSum"}));
  EXPECT_EQ(Declaring([](const OpProperties& p) { return !p.element_bounds.empty(); }),
            (Names{"ArgMax", "ArgMin", "Range", "TopK"}));
  EXPECT_EQ(Declaring([](const OpProperties& p) { return !p.element_indices.empty(); }), (Names{"NonZero"}));
  EXPECT_EQ(Declaring([](const OpProperties& p) { return !p.indexes.empty(); }),
            (Names{"Gather", "GatherElements", "GatherND", "Scatter", "ScatterElements", "ScatterND"}));
}

TEST(PropertiesTest, Computations_OfShippedOperators) {
  const std::pair<Computation, const char*> operators[] = {
      {Computation::kIdentity, "Identity"},
      {Computation::kCast, "Cast"},
      {Computation::kNot, "Not"},
      {Computation::kAnd, "And"},
      {Computation::kOr, "Or"},
      {Computation::kEqual, "Equal"},
      {Computation::kLess, "Less"},
      {Computation::kLessOrEqual, "LessOrEqual"},
      {Computation::kGreater, "Greater"},
      {Computation::kGreaterOrEqual, "GreaterOrEqual"},
      {Computation::kAdd, "Add"},
      {Computation::kSubtract, "Sub"},
      {Computation::kMultiply, "Mul"},
      {Computation::kAbsolute, "Abs"},
      {Computation::kPositivePart, "Relu"},
      {Computation::kMaximum, "Max"},
      {Computation::kMinimum, "Min"},
      {Computation::kClamp, "Clip"},
      {Computation::kSelect, "Where"},
      {Computation::kConstant, "Constant"},
      {Computation::kConcat, "Concat"},
  };
  for (const auto& [computation, name] : operators) EXPECT_EQ(Computing(computation), Names{name});
  EXPECT_EQ(Declaring([](const OpProperties& p) { return p.commutative; }),
            (Names{"Add", "And", "Equal", "Mul", "Or", "Xor"}));
  const auto mirror = [](const char* op) { return BuiltinRegistry().Find(op)->def.properties.mirrored; };
  EXPECT_EQ(mirror("onnx.Less"), "onnx.Greater");
  EXPECT_EQ(mirror("onnx.Greater"), "onnx.Less");
  EXPECT_EQ(mirror("onnx.LessOrEqual"), "onnx.GreaterOrEqual");
  EXPECT_EQ(mirror("onnx.GreaterOrEqual"), "onnx.LessOrEqual");
}

TEST(PropertiesTest, RandomOperators_AreDeclared) {
  EXPECT_EQ(Declaring([](const OpProperties& p) { return p.random; }),
            (Names{"Bernoulli", "Dropout", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform",
                   "RandomUniformLike", "com.microsoft.BiasDropout", "com.microsoft.BitmaskBiasDropout",
                   "com.microsoft.BitmaskDropout", "com.microsoft.Sampling"}));
  for (const OpRegistrationData* data : BuiltinRegistry().List("onnx")) {
    const bool has_seed =
        std::ranges::any_of(data->def.attrs, [](const AttrDef& a) { return a.name == "seed"; });
    EXPECT_TRUE(!has_seed || data->def.properties.random) << data->def.name;
  }
}

TEST(PropertiesTest, SizeSources_OfShippedOperators) {
  EXPECT_EQ(Declaring([](const OpProperties& p) { return !p.size_sources.empty(); }),
            (Names{"CenterCropPad", "Compress", "Expand", "NonMaxSuppression", "NonZero", "OneHot", "Pad",
                   "Reshape", "Resize", "Slice", "Split", "Squeeze", "Tile", "TopK", "Unique", "Unsqueeze",
                   "Upsample"}));
}

TEST(PropertiesTest, MultiplyAdds_OfShippedOperators) {
  EXPECT_EQ(Declaring([](const OpProperties& p) { return p.multiply_adds != kNoExpr; }),
            (Names{"Conv", "ConvInteger", "ConvTranspose", "GRU", "Gemm", "LSTM", "MatMul", "MatMulInteger",
                   "QLinearConv", "QLinearMatMul", "RNN", "com.microsoft.FusedConv",
                   "com.microsoft.FusedGemm", "com.microsoft.FusedMatMul"}));
}

TEST(PropertiesTest, Sizes_OfShippedOperators) {
  const auto with = [](SizesUse::Kind kind) {
    return Declaring([&](const OpProperties& p) {
      return std::ranges::any_of(p.sizes, [&](const SizesUse& s) { return s.kind == kind; });
    });
  };
  EXPECT_EQ(with(SizesUse::Kind::kDecides),
            (Names{"AffineGrid", "Col2Im", "ConstantOfShape", "Expand", "MaxUnpool", "OneHot", "Pad", "Range",
                   "Slice", "Split", "Tile", "TopK"}));
  EXPECT_EQ(with(SizesUse::Kind::kReshape), Names{"Reshape"});
  EXPECT_EQ(with(SizesUse::Kind::kResize), (Names{"CenterCropPad", "Resize"}));
  EXPECT_EQ(with(SizesUse::Kind::kSlice), Names{"Slice"});
  EXPECT_EQ(Declaring([](const OpProperties& p) { return !p.repeats.empty(); }),
            (Names{"Add", "Concat", "Div", "Expand", "GRU", "Gather", "Identity", "LSTM", "Mul", "Pad", "RNN",
                   "Sub", "Tile", "Transpose", "Unsqueeze", "Where"}));
}

TEST(PropertiesTest, ControlFlow_OfShippedOperators) {
  const auto flow = [](const char* op, int version = OpRegistry::kLatest) {
    return BuiltinRegistry().Find(op, version)->def.properties.control_flow;
  };
  const ControlFlow branch = flow("onnx.If");
  EXPECT_EQ(branch.kind, ControlFlow::Kind::kBranch);
  EXPECT_EQ(branch.if_true.region, "then_branch");
  EXPECT_EQ(branch.if_false.region, "else_branch");
  const ControlFlow loop = flow("onnx.Loop");
  EXPECT_EQ(loop.kind, ControlFlow::Kind::kLoop);
  EXPECT_EQ(std::tuple(loop.limit, loop.condition, loop.state), std::tuple(0, 1, 2));
  EXPECT_EQ(loop.body.region, "body");
  const ControlFlow scan = flow("onnx.Scan");
  EXPECT_EQ(scan.kind, ControlFlow::Kind::kScan);
  EXPECT_EQ(std::tuple(scan.state, scan.scanned, scan.axes, scan.result_axes),
            std::tuple(0, 0, "scan_input_axes", "scan_output_axes"));
  EXPECT_FALSE(scan.batched);
  const ControlFlow batched = flow("onnx.Scan", 8);
  EXPECT_TRUE(batched.batched);
  EXPECT_EQ(std::tuple(batched.lengths, batched.state), std::tuple(0, 1));
  EXPECT_EQ(flow("onnx.SequenceMap").kind, ControlFlow::Kind::kMap);
}

}  // namespace
}  // namespace dimwise
