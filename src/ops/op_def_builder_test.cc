#include "dimwise/op_def.h"
#include "gtest/gtest.h"
#include "ops/op_def_testing.h"

namespace dimwise {
namespace {

TEST(OpDefBuilderTest, Build_AllParts_AreParsed) {
  const auto def = OpDefBuilder("com.microsoft.Thing")
                       .Input("X: T", "what goes in")
                       .Input("W+: T")
                       .Output("Y?: Ref(T)")
                       .Attr("T: {f16,f32} = f32")
                       .Attr("axes?: list(int)", "which")
                       .Attr("mode: {'a','b'} = 'a'")
                       .Since(13)
                       .Until(20)
                       .Deprecated("use Other")
                       .Trait(Trait::kBroadcast)
                       .Stateful()
                       .Commutative()
                       .Doc("Does it.")
                       .Build();
  ASSERT_TRUE(def) << def.error().message;
  EXPECT_EQ(def->set, "com.microsoft");
  EXPECT_EQ(def->name, "Thing");
  EXPECT_EQ(def->FullName(), "com.microsoft.Thing");
  EXPECT_EQ(def->since, 13);
  EXPECT_EQ(def->until, 20);
  EXPECT_EQ(def->deprecated, "use Other");
  EXPECT_EQ(def->doc, "Does it.");
  EXPECT_TRUE(def->stateful);
  EXPECT_TRUE(def->commutative);
  EXPECT_TRUE(def->traits.Has(Trait::kBroadcast));
  EXPECT_EQ(def->inputs[0].doc, "what goes in");
  EXPECT_EQ(def->attrs[1].doc, "which");
  EXPECT_TRUE(def->outputs[0].is_ref);
  EXPECT_EQ(ToString(*def),
            "com.microsoft.Thing(X: T, W+: T; T: {f16, f32} = f32, axes?: list(int), mode: {'a', 'b'} = "
            "\"a\") -> (Y?: Ref(T))");
}

// The minimum of a count is 1, as in TensorFlow, unless the definition states another one.
TEST(OpDefBuilderTest, Build_CountWithoutMinimum_IsAtLeastOne) {
  const auto def = OpDefBuilder("tensorflow.X")
                       .Input("a: N * Ts")
                       .Input("b: M * f32")
                       .Input("c: Ts")
                       .Input("d: Us")
                       .Attr("N: int")
                       .Attr("M: int >= 0")
                       .Attr("Ts: list(type)")
                       .Attr("Us: list(type) >= 0")
                       .Attr("K: int");
  std::vector<Diagnostic> findings;
  const OpDef built = def.Finish(&findings);
  EXPECT_EQ(FindAttr(built, "N")->minimum, 1);
  EXPECT_EQ(FindAttr(built, "M")->minimum, 0);
  EXPECT_EQ(FindAttr(built, "Ts")->minimum, 1);
  EXPECT_EQ(FindAttr(built, "Us")->minimum, 0);
  EXPECT_EQ(FindAttr(built, "K")->minimum, std::nullopt);
  EXPECT_EQ(built.inputs[2].type_list_attr, "Ts");
  EXPECT_EQ(built.inputs[2].type_attr, "");
  EXPECT_EQ(FindAttr(built, "Z"), nullptr);
}

TEST(OpDefBuilderTest, Build_PrintedDefinition_IsEqual) {
  for (const std::string_view spec : {"a: int",
                                      "a?: int",
                                      "a: int >= 1",
                                      "a: int >= -1 = 2",
                                      "a: float = 1.0",
                                      "a: bool = true",
                                      "a: string = \"x\"",
                                      "a: type = f32",
                                      "a: {f16, f32} = f32",
                                      "a: {'x', 'y'} = \"x\"",
                                      "a: {\"it's\"}",
                                      "a: list({'x'}) >= 1 = [\"x\"]",
                                      "a: list({i8, i16})",
                                      "a: list(int) or int = [3]",
                                      "a: shape = [2, ?]",
                                      "a: shape = [*]",
                                      "a: list(shape) = [[1], [*]]",
                                      "a: tensor = f32[1]{0.0}",
                                      "a: func = body[T=f32]",
                                      "a: graph"}) {
    EXPECT_EQ(ToString(MakeAttr(spec)), spec);
  }
  for (const std::string_view spec : {"x: f32", "x: any", "x?: T", "x+: T", "x*: each T", "x: N * T",
                                      "x: each N * T", "x: Ts", "x: Ref(T)", "x: Ref(N * i8)"}) {
    const auto def =
        OpDefBuilder("test.X").Input(spec).Attr("T: type").Attr("Ts: list(type)").Attr("N: int").Build();
    ASSERT_TRUE(def) << def.error().message;
    EXPECT_EQ(ToString(def->inputs[0]), spec);
  }
}

// ---- Reading a node's attribute ----

TEST(ReadAttrTest, ReadAttr_OtherKind_IsConverted) {
  const auto read = [](std::string_view spec, const AttrValue& value) {
    const auto result = ReadAttr(MakeAttr(spec), value);
    EXPECT_TRUE(result || result.error().code == Code::kBadAttribute);
    return result ? ToString(*result) : result.error().message;
  };
  EXPECT_EQ(read("a: list(int)", "(3, 3)"), "[3, 3]");
  EXPECT_EQ(read("a: float", 1), "1.0");
  EXPECT_EQ(read("a: type", "DT_FLOAT"), "f32");
  EXPECT_EQ(read("a: list(int) or int", 3), "[3]");
  EXPECT_EQ(read("a: graph", 3), "3");
  EXPECT_EQ(read("a: {f16, f32}", ElementType::kUnknown), "?");  // never an error by itself
  EXPECT_EQ(read("a: list(int)", 3), "attribute 'a' is of kind list(int); 3 is given");
  EXPECT_EQ(read("a: int >= 1", 0), "attribute 'a' is at least 1; 0 is given");
  EXPECT_EQ(read("a: list(int) >= 1", AttrValue::Ints{}),
            "attribute 'a' has at least 1 element; [] is given");
  EXPECT_EQ(read("a: {'SAME', 'VALID'}", "same"),
            "attribute 'a' is one of 'SAME', 'VALID'; \"same\" is given");
  EXPECT_EQ(read("a: {f16, f32}", "int32"), "attribute 'a' is one of f16, f32; i32 is given");
}

}  // namespace
}  // namespace dimwise
