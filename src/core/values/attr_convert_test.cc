#include <cmath>

#include "dimwise/attr_value.h"
#include "gtest/gtest.h"

namespace dimwise {
namespace {

using Ints = AttrValue::Ints;
using Floats = AttrValue::Floats;
using Bools = AttrValue::Bools;
using Strings = AttrValue::Strings;
using Types = AttrValue::Types;
using Shapes = std::vector<ShapeProto>;

ShapeProto Dims(std::vector<int64_t> dims) { return {.unknown_rank = false, .dims = std::move(dims)}; }

// The table in the header, one case per line: a value, the required kind, and the result.
struct Conversion {
  AttrValue value;
  AttrKind due;
  std::optional<AttrValue> meaning;
};

TEST(AttrConvertTest, ConvertTo_TableOfValuesAndKinds_GivesValue) {
  const AttrValue none_two = AttrValue::List({AttrValue(), 2});
  const std::optional<AttrValue> no;
  const std::vector<Conversion> cases = {
      {3, AttrKind::kInt, 3},
      {true, AttrKind::kInt, 1},
      {"3", AttrKind::kInt, 3},
      {"-3L", AttrKind::kInt, -3},
      {"True", AttrKind::kInt, 1},
      {2.0, AttrKind::kInt, no},
      {"2.0", AttrKind::kInt, no},
      {"(3)", AttrKind::kInt, no},
      {"9223372036854775808", AttrKind::kInt, no},
      {"None", AttrKind::kInt, no},
      {"abc", AttrKind::kInt, no},
      {AttrValue(), AttrKind::kInt, no},
      {Ints{3}, AttrKind::kInt, no},
      {ElementType::kF32, AttrKind::kInt, no},

      {0.5, AttrKind::kFloat, 0.5},
      {2, AttrKind::kFloat, 2.0},
      {"1e-3", AttrKind::kFloat, 1e-3},
      {"inf", AttrKind::kFloat, HUGE_VAL},
      {true, AttrKind::kFloat, no},
      {"half", AttrKind::kFloat, no},

      {true, AttrKind::kBool, true},
      {1, AttrKind::kBool, true},
      {0, AttrKind::kBool, false},
      {2, AttrKind::kBool, no},
      {1.0, AttrKind::kBool, no},
      {"False", AttrKind::kBool, false},
      {"1", AttrKind::kBool, true},
      {"yes", AttrKind::kBool, no},

      {"SAME", AttrKind::kString, "SAME"},
      {"None", AttrKind::kString, "None"},
      {3, AttrKind::kString, no},

      {ElementType::kF32, AttrKind::kType, ElementType::kF32},
      {"float32", AttrKind::kType, ElementType::kF32},
      {"DT_FLOAT", AttrKind::kType, ElementType::kF32},
      {"f33", AttrKind::kType, no},
      {1, AttrKind::kType, no},

      {Dims({2, -1}), AttrKind::kShape, Dims({2, -1})},
      {Ints{2, -1}, AttrKind::kShape, Dims({2, -1})},
      {none_two, AttrKind::kShape, Dims({-1, 2})},
      {"(2, None)", AttrKind::kShape, Dims({2, -1})},
      {"[*]", AttrKind::kShape, ShapeProto{.unknown_rank = true, .dims = {}}},
      {"()", AttrKind::kShape, Dims({})},
      {Ints{-2}, AttrKind::kShape, no},
      {"invalid", AttrKind::kShape, no},
      {"None", AttrKind::kShape, no},
      {3, AttrKind::kShape, no},
      {"3", AttrKind::kShape, no},
      {Strings{"a"}, AttrKind::kShape, no},
      {Floats{2.5}, AttrKind::kShape, no},

      {TensorValue{}, AttrKind::kTensor, TensorValue{}},
      {1, AttrKind::kTensor, no},
      {FunctionValue{"f", {}}, AttrKind::kFunction, FunctionValue{"f", {}}},
      {"f", AttrKind::kFunction, no},

      {Ints{3, 3}, AttrKind::kInts, Ints{3, 3}},
      {Bools{true, false}, AttrKind::kInts, Ints{1, 0}},
      {AttrValue::List({true, 2}), AttrKind::kInts, Ints{1, 2}},
      {"(3, 3)", AttrKind::kInts, Ints{3, 3}},
      {"3,3", AttrKind::kInts, Ints{3, 3}},
      {"3", AttrKind::kInts, Ints{3}},
      {3, AttrKind::kInts, no},
      {none_two, AttrKind::kInts, no},
      {"(None, 2)", AttrKind::kInts, no},
      {"None", AttrKind::kInts, no},
      {Strings{"3", "3"}, AttrKind::kInts, no},
      {Floats{3, 3}, AttrKind::kInts, no},
      {Dims({2}), AttrKind::kInts, no},

      {Floats{0.5, 1}, AttrKind::kFloats, Floats{0.5, 1}},
      {Ints{1, 2}, AttrKind::kFloats, Floats{1, 2}},
      {"(0.5, 1)", AttrKind::kFloats, Floats{0.5, 1}},
      {Bools{true}, AttrKind::kFloats, no},

      {Bools{true, false}, AttrKind::kBools, Bools{true, false}},
      {Ints{1, 0}, AttrKind::kBools, Bools{true, false}},
      {Ints{1, 2}, AttrKind::kBools, no},
      {"(True, 0)", AttrKind::kBools, Bools{true, false}},

      {Strings{"a"}, AttrKind::kStrings, Strings{"a"}},
      {"['a', b]", AttrKind::kStrings, Strings{"a", "b"}},
      {"a", AttrKind::kStrings, no},
      {Ints{1}, AttrKind::kStrings, no},

      {Types{ElementType::kI8}, AttrKind::kTypes, Types{ElementType::kI8}},
      {Strings{"int8", "DT_INT8"}, AttrKind::kTypes, Types{ElementType::kI8, ElementType::kI8}},
      {"f32, i8", AttrKind::kTypes, Types{ElementType::kF32, ElementType::kI8}},
      {"f32", AttrKind::kTypes, Types{ElementType::kF32}},
      {Strings{"int8", "x"}, AttrKind::kTypes, no},
      {Ints{1}, AttrKind::kTypes, no},

      {Shapes{Dims({1})}, AttrKind::kShapes, Shapes{Dims({1})}},
      {AttrValue::List({Ints{1}, Ints{2, -1}}), AttrKind::kShapes, Shapes{Dims({1}), Dims({2, -1})}},
      {"[(1,), (2, None)]", AttrKind::kShapes, Shapes{Dims({1}), Dims({2, -1})}},
      {Ints{1, 2}, AttrKind::kShapes, no},

      {std::vector<TensorValue>(2), AttrKind::kTensors, std::vector<TensorValue>(2)},
      {TensorValue{}, AttrKind::kTensors, no},
      {std::vector<FunctionValue>(2), AttrKind::kFunctions, std::vector<FunctionValue>(2)},
      {3, AttrKind::kNothing, no},
      {none_two, AttrKind::kList, none_two},
  };
  for (const Conversion& c : cases) {
    const auto meaning = ConvertTo(c.due, c.value);
    const std::string what = ToString(c.value) + " where " + std::string(KindName(c.due)) + " is due";
    EXPECT_EQ(meaning.has_value(), c.meaning.has_value()) << what;
    if (!meaning || !c.meaning) continue;
    EXPECT_EQ(*meaning, *c.meaning) << what << " is " << ToString(*meaning);
    EXPECT_EQ(meaning->kind(), c.due) << what;
  }
}

TEST(AttrConvertTest, IsNothing_AbsentNullAndNoneText_AreNothing) {
  EXPECT_TRUE(IsNothing(AttrValue()));
  EXPECT_TRUE(IsNothing("None"));
  EXPECT_FALSE(IsNothing("none of these"));
  EXPECT_FALSE(IsNothing(0));
  EXPECT_FALSE(IsNothing(Ints{}));
}

TEST(AttrConvertTest, AsIntsOrInt_SingleInt_IsListOfOne) {
  EXPECT_EQ(AsIntsOrInt(1), Ints{1});
  EXPECT_EQ(AsIntsOrInt(Ints{1, 2}), (Ints{1, 2}));
  EXPECT_EQ(AsIntsOrInt("(1, 2)"), (Ints{1, 2}));
  EXPECT_EQ(AsIntsOrInt(true), std::nullopt);
  EXPECT_EQ(AsIntsOrInt(1.0), std::nullopt);
}

TEST(AttrConvertTest, AsOptionalInts_NullElements_AreAccepted) {
  using Optionals = std::vector<std::optional<int64_t>>;
  EXPECT_EQ(AsOptionalInts(AttrValue::List({AttrValue(), 2})), (Optionals{std::nullopt, 2}));
  EXPECT_EQ(AsOptionalInts("(None, 2)"), (Optionals{std::nullopt, 2}));
  EXPECT_EQ(AsOptionalInts("(None,)"), (Optionals{std::nullopt}));
  EXPECT_EQ(AsOptionalInts(Ints{1}), (Optionals{1}));
  EXPECT_EQ(AsOptionalInts(Ints{}), Optionals{});
  EXPECT_EQ(AsOptionalInts("None"), std::nullopt);
  EXPECT_EQ(AsOptionalInts(Strings{"1"}), std::nullopt);
}

TEST(AttrConvertTest, AsInts_ListOfInts_IsNotCopied) {
  Ints scratch;
  const AttrValue stored = Ints{1, 2};
  const auto view = AsInts(stored, &scratch);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->data(), stored.get_if<Ints>()->data());
  EXPECT_TRUE(scratch.empty());
  const auto converted = AsInts("(3, 4)", &scratch);
  ASSERT_TRUE(converted);
  EXPECT_EQ(converted->data(), scratch.data());
  EXPECT_EQ(scratch, (Ints{3, 4}));
  EXPECT_FALSE(AsInts("x", &scratch));
}

}  // namespace
}  // namespace dimwise
