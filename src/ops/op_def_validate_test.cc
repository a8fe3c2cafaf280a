// Tests the findings of LintOpDef that TensorFlow does not have (op_def_test.cc has the others).
#include "dimwise/op_def.h"
#include "gtest/gtest.h"
#include "ops/op_def_testing.h"

namespace dimwise {
namespace {

TEST(LintOpDefTest, LintOpDef_TwoVariadicArguments_IsAmbiguous) {
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Input("a+: f32").Input("b*: f32")),
            "onnx.X: input 'b' follows 'a', which takes any number, so the assignment is ambiguous");
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Input("a: N * f32").Input("b?: f32").Attr("N: int")),
            "onnx.X: input 'b' follows 'a', which takes any number, so the assignment is ambiguous");
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Input("a?: f32").Input("b*: f32").Input("c: f32")), "fine");
}

TEST(LintOpDefTest, LintOpDef_ConflictingTraits_AreErrors) {
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Input("a: f32").Trait(Trait::kElementwise | Trait::kBroadcast)),
            "onnx.X: traits elementwise and broadcast both define the shapes of the results");
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Trait(Trait::kLikeFirst)),
            "onnx.X: trait like-first needs operands; there are none");
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Trait(Trait::kRuntimeResults)), "fine");
  EXPECT_EQ(
      ErrorOf(OpDefBuilder("onnx.X").Input("a: f32").Trait(Trait::kBroadcast | Trait::kSameElementType)),
      "fine");
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Input("a: f32").Commutative()),
            "onnx.X: it is commutative, but has fewer than two operands");
  EXPECT_EQ(ErrorOf(OpDefBuilder("onnx.X").Input("a+: f32").Commutative()), "fine");
  EXPECT_EQ((Trait::kBroadcast | Trait::kSameElementType).ShapeTrait(), Trait::kBroadcast);
  EXPECT_EQ(Traits(Trait::kSameElementType).ShapeTrait(), std::nullopt);
  EXPECT_EQ((Trait::kBroadcast | Trait::kElementwise).ShapeTrait(), std::nullopt);
}

TEST(LintOpDefTest, LintOpDef_SeveralErrors_AreAllFound) {
  const OpDefBuilder builder =
      OpDefBuilder("onnx.x").Input("a: U").Input("a: f32").Attr("b: int = true").Attr("c: what").Since(0);
  std::vector<Diagnostic> findings;
  builder.Finish(&findings);
  std::string all;
  for (const Diagnostic& finding : findings) all += finding.message + "\n";
  EXPECT_EQ(all,
            "onnx.x: 'x' is no name for an operator of onnx: it begins with a capital letter\n"
            "onnx.x: there are two inputs 'a'\n"
            "onnx.x: versions begin at 1; it is valid since 0\n"
            "onnx.x: attribute 'c' is of kind 'what', which does not exist\n"
            "onnx.x: input 'a' refers to 'U', which is no attribute, nor an element type\n");
  findings.clear();
  OpDefBuilder("onnx.X").Input("a").Attr("b").Output("c: f32 f32").Finish(&findings);
  EXPECT_EQ(findings.size(), 3u);
}

}  // namespace
}  // namespace dimwise
