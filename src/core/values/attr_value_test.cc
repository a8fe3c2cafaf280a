#include "dimwise/attr_value.h"

#include <cmath>
#include <limits>
#include <random>

#include "gtest/gtest.h"

namespace dimwise {
namespace {

using Ints = AttrValue::Ints;
using Floats = AttrValue::Floats;
using Bools = AttrValue::Bools;
using Strings = AttrValue::Strings;
using Types = AttrValue::Types;
using Shapes = std::vector<ShapeProto>;
using Tensors = std::vector<TensorValue>;

TensorValue MakeTensor(ElementType type, Ints dims, TensorValue::Contents contents) {
  return {.type = type,
          .shape = {.unknown_rank = false, .dims = std::move(dims)},
          .contents = std::move(contents)};
}

AttrValue Mixed(std::vector<AttrValue> elements) { return AttrValue::List(std::move(elements)); }

// A sample of each kind, for properties that hold for all kinds.
std::vector<AttrValue> Samples() {
  const ShapeProto unknown{.unknown_rank = true, .dims = {}};
  const TensorValue tensor = MakeTensor(ElementType::kF32, {2}, Floats{1, 2.5});
  const FunctionValue body{"body", {{"T", ElementType::kF32}, {"n", 2}, {"mode", "SAME"}}};
  return {AttrValue(),
          0,
          -3,
          std::numeric_limits<int64_t>::min(),
          std::numeric_limits<int64_t>::max(),
          0.5,
          1.0,
          1e300,
          -std::numeric_limits<double>::infinity(),
          std::nan(""),
          true,
          false,
          "SAME_UPPER",
          "",
          "None",
          "a \"quoted\" \\ line\nnext\x01 caf\xc3\xa9 \xff",
          ElementType::kF32,
          ElementType::kBool,
          ShapeProto{},
          ShapeProto{.unknown_rank = false, .dims = {2, -1}},
          unknown,
          tensor,
          MakeTensor(ElementType::kI64, {0}, Ints{}),
          MakeTensor(ElementType::kUnknown, {1, -1}, {}),
          MakeTensor(ElementType::kString, {2}, Strings{"a", "b]"}),
          body,
          FunctionValue{"f", {}},
          Ints{2, 2},
          Floats{0.5, 1},
          Bools{true, false},
          Strings{"a", "b, c"},
          Types{ElementType::kF32, ElementType::kI8},
          Shapes{{.unknown_rank = false, .dims = {1}}, unknown},
          Tensors{tensor, tensor},
          std::vector<FunctionValue>{body},
          Mixed({}),
          Mixed({AttrValue(), 2})};
}

TEST(AttrValueTest, Kind_EverySample_IsStoredKind) {
  EXPECT_EQ(AttrValue().kind(), AttrKind::kNothing);
  EXPECT_EQ(AttrValue(3).kind(), AttrKind::kInt);
  EXPECT_EQ(AttrValue(uint8_t{3}).kind(), AttrKind::kInt);
  EXPECT_EQ(AttrValue(0.5f).kind(), AttrKind::kFloat);
  EXPECT_EQ(AttrValue(true).kind(), AttrKind::kBool);
  EXPECT_EQ(AttrValue("x").kind(), AttrKind::kString);
  EXPECT_EQ(AttrValue(ElementType::kF32).kind(), AttrKind::kType);
  EXPECT_EQ(AttrValue(ShapeProto{}).kind(), AttrKind::kShape);
  EXPECT_EQ(AttrValue(TensorValue{}).kind(), AttrKind::kTensor);
  EXPECT_EQ(AttrValue(FunctionValue{}).kind(), AttrKind::kFunction);
  EXPECT_EQ(AttrValue(Ints{}).kind(), AttrKind::kInts);
  EXPECT_EQ(AttrValue(Floats{}).kind(), AttrKind::kFloats);
  EXPECT_EQ(AttrValue(Bools{}).kind(), AttrKind::kBools);
  EXPECT_EQ(AttrValue(Strings{}).kind(), AttrKind::kStrings);
  EXPECT_EQ(AttrValue(Types{}).kind(), AttrKind::kTypes);
  EXPECT_EQ(AttrValue(Shapes{}).kind(), AttrKind::kShapes);
  EXPECT_EQ(AttrValue(Tensors{}).kind(), AttrKind::kTensors);
  EXPECT_EQ(AttrValue(std::vector<FunctionValue>{}).kind(), AttrKind::kFunctions);
  EXPECT_EQ(Mixed({}).kind(), AttrKind::kList);
}

TEST(AttrValueTest, List_MixedElements_TakesMostSpecificKind) {
  EXPECT_EQ(Mixed({1, 2}), AttrValue(Ints{1, 2}));
  EXPECT_EQ(Mixed({1, 2}).kind(), AttrKind::kInts);
  EXPECT_EQ(Mixed({1, 2.5}), AttrValue(Floats{1, 2.5}));
  EXPECT_EQ(Mixed({true, false}).kind(), AttrKind::kBools);
  EXPECT_EQ(Mixed({"a"}).kind(), AttrKind::kStrings);
  EXPECT_EQ(Mixed({ElementType::kF32}).kind(), AttrKind::kTypes);
  EXPECT_EQ(Mixed({ShapeProto{}}).kind(), AttrKind::kShapes);
  EXPECT_EQ(Mixed({TensorValue{}}).kind(), AttrKind::kTensors);
  EXPECT_EQ(Mixed({FunctionValue{}}).kind(), AttrKind::kFunctions);
  EXPECT_EQ(Mixed({true, 1}).kind(), AttrKind::kList);
  EXPECT_EQ(Mixed({AttrValue(), 1}).kind(), AttrKind::kList);
  EXPECT_EQ(Mixed({Ints{1}, Ints{2}}).kind(), AttrKind::kList);
}

TEST(AttrValueTest, Equality_AllSamples_AreDistinct) {
  const auto samples = Samples();
  for (size_t i = 0; i < samples.size(); ++i) {
    for (size_t j = 0; j < samples.size(); ++j) {
      EXPECT_EQ(samples[i] == samples[j], i == j) << ToString(samples[i]) << " and " << ToString(samples[j]);
      EXPECT_EQ(HashOf(samples[i]) == HashOf(samples[j]), i == j)
          << ToString(samples[i]) << " and " << ToString(samples[j]);
    }
  }
}

TEST(AttrValueTest, Equality_EmptyLists_AreEqual) {
  const std::vector<AttrValue> empty = {Mixed({}), Ints{},  Floats{}, Bools{},
                                        Strings{}, Types{}, Shapes{}, Tensors{}};
  for (const AttrValue& a : empty) {
    EXPECT_TRUE(a.IsEmptyList());
    EXPECT_NE(a, AttrValue(Ints{1}));
    for (const AttrValue& b : empty) {
      EXPECT_EQ(a, b);
      EXPECT_EQ(HashOf(a), HashOf(b));
    }
    EXPECT_EQ(AsInts(a), Ints{});
    EXPECT_EQ(AsFloats(a), Floats{});
    EXPECT_EQ(AsBools(a), Bools{});
    EXPECT_EQ(AsStrings(a), Strings{});
    EXPECT_EQ(AsTypes(a), Types{});
    EXPECT_EQ(AsShapes(a), Shapes{});
    EXPECT_EQ(AsTensors(a).value().size(), 0u);
    EXPECT_EQ(AsFunctions(a).value().size(), 0u);
    EXPECT_EQ(AsShape(a), ShapeProto{});
  }
}

TEST(AttrValueTest, Equality_Tensors_CompareDenotedElements) {
  const TensorValue full = MakeTensor(ElementType::kF32, {4}, Floats{1, 2, 2, 2});
  const TensorValue repeated = MakeTensor(ElementType::kF32, {4}, Floats{1, 2});
  const TensorValue ints = MakeTensor(ElementType::kF32, {4}, Ints{1, 2, 2});
  for (const TensorValue& same : {repeated, ints}) {
    EXPECT_EQ(full, same);
    EXPECT_EQ(HashOf(full), HashOf(same));
  }
  EXPECT_NE(full, MakeTensor(ElementType::kF64, {4}, Floats{1, 2, 2, 2}));
  EXPECT_NE(full, MakeTensor(ElementType::kF32, {2, 2}, Floats{1, 2, 2, 2}));
  EXPECT_NE(full, MakeTensor(ElementType::kF32, {4}, Floats{1, 2, 2, 3}));
  EXPECT_NE(full, MakeTensor(ElementType::kF32, {4}, {}));
  EXPECT_NE(MakeTensor(ElementType::kF32, {1}, Floats{1}), MakeTensor(ElementType::kF32, {1}, Strings{"1"}));
  EXPECT_EQ(MakeTensor(ElementType::kF32, {1}, Floats{std::nan("")}),
            MakeTensor(ElementType::kF32, {1}, Floats{-std::nan("")}));
  // 2^63 is no int64_t, and 2^53 + 1 is no double.
  EXPECT_NE(MakeTensor(ElementType::kF64, {1}, Floats{0x1p63}),
            MakeTensor(ElementType::kF64, {1}, Ints{std::numeric_limits<int64_t>::max()}));
  EXPECT_NE(MakeTensor(ElementType::kF64, {1}, Floats{0x1p53}),
            MakeTensor(ElementType::kF64, {1}, Ints{(int64_t{1} << 53) + 1}));
}

TEST(TensorValueTest, TensorValue_ElementCountAndIndex_AreChecked) {
  EXPECT_EQ(MakeTensor(ElementType::kF32, {}, {}).ElementCount(), 1);
  EXPECT_EQ(MakeTensor(ElementType::kF32, {2, 3}, {}).ElementCount(), 6);
  EXPECT_EQ(MakeTensor(ElementType::kF32, {2, -1}, {}).ElementCount(), std::nullopt);
  EXPECT_EQ(MakeTensor(ElementType::kF32, {int64_t{1} << 62, 4}, {}).ElementCount(), std::nullopt);
  EXPECT_EQ(MakeTensor(ElementType::kF32, {int64_t{1} << 62, 4, 0}, {}).ElementCount(), 0);
  TensorValue unranked;
  unranked.shape.unknown_rank = true;
  EXPECT_EQ(unranked.ElementCount(), std::nullopt);

  const TensorValue ints = MakeTensor(ElementType::kI64, {3}, Ints{7, 8});
  EXPECT_EQ(ints.IntAt(0), 7);
  EXPECT_EQ(ints.IntAt(2), 8);  // the last element repeats
  EXPECT_EQ(ints.IntAt(3), std::nullopt);
  EXPECT_EQ(ints.IntAt(-1), std::nullopt);
  EXPECT_EQ(ints.FloatAt(1), 8.0);
  const TensorValue floats = MakeTensor(ElementType::kF32, {2}, Floats{0.5});
  EXPECT_EQ(floats.IntAt(0), std::nullopt);
  EXPECT_EQ(floats.FloatAt(1), 0.5);
  EXPECT_EQ(MakeTensor(ElementType::kF32, {2}, {}).FloatAt(0), std::nullopt);
  EXPECT_EQ(MakeTensor(ElementType::kF32, {2}, Floats{}).FloatAt(0), std::nullopt);
}

TEST(AttrMapTest, AttrMap_Entries_AreSortedByName) {
  AttrMap attrs{{"strides", Ints{2, 2}}, {"axis", 1}, {"axis", 2}};
  EXPECT_EQ(attrs.size(), 2u);
  ASSERT_NE(attrs.Find("axis"), nullptr);
  EXPECT_EQ(*attrs.Find("axis"), AttrValue(2));
  EXPECT_EQ(attrs.Find("ax"), nullptr);
  EXPECT_EQ(attrs.Find("zz"), nullptr);
  attrs.Set("mode", "SAME");
  std::string names;
  for (const AttrEntry& entry : attrs) names += entry.name + " ";
  EXPECT_EQ(names, "axis mode strides ");
  EXPECT_TRUE(attrs.Erase("mode"));
  EXPECT_FALSE(attrs.Erase("mode"));
  EXPECT_EQ(attrs, (AttrMap{{"axis", 2}, {"strides", Ints{2, 2}}}));
  EXPECT_EQ(HashOf(attrs), HashOf(AttrMap{{"axis", 2}, {"strides", Ints{2, 2}}}));
  EXPECT_NE(HashOf(attrs), HashOf(AttrMap{{"axis", 2}}));
  EXPECT_TRUE(AttrMap().empty());
}

TEST(AttrMapTest, AttrMap_EntriesInAnyOrder_LastOfNameWins) {
  struct Case {
    std::vector<AttrEntry> entries;
    AttrMap map;
  };
  const Case cases[] = {
      {{}, {}},
      {{{"a", 1}, {"b", 2}}, {{"a", 1}, {"b", 2}}},
      {{{"b", 2}, {"a", 1}}, {{"a", 1}, {"b", 2}}},
      {{{"b", 1}, {"a", 2}, {"b", 3}, {"a", 4}, {"a", 5}, {"c", 6}}, {{"a", 5}, {"b", 3}, {"c", 6}}},
      {{{"a", 1}, {"a", 2}}, {{"a", 2}}},
  };
  for (const Case& c : cases) EXPECT_EQ(AttrMap::Of(c.entries), c.map);
}

TEST(AttrMapTest, AttrMap_ManyDescendingEntries_AreSorted) {
  constexpr int kCount = 500'000;
  std::vector<AttrEntry> entries;
  std::string text = "f[";
  for (int i = kCount; i > 0; --i) {
    entries.push_back({"a" + std::to_string(i + kCount), i});
    text += entries.back().name + "=" + std::to_string(i) + ",";
  }
  const AttrMap map = AttrMap::Of(std::move(entries));
  EXPECT_EQ(map.size(), size_t{kCount});
  const std::optional<AttrValue> read = ParseAttrText(text + "]");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, AttrValue(FunctionValue{"f", map}));
}

TEST(AttrKindTest, ParseAttrKind_EveryKindName_ParsesBack) {
  for (int i = 0; i <= static_cast<int>(AttrKind::kList); ++i) {
    const auto kind = static_cast<AttrKind>(i);
    EXPECT_EQ(ParseAttrKind(KindName(kind)), kind);
  }
  EXPECT_EQ(KindName(AttrKind::kInts), "list(int)");
  EXPECT_EQ(KindName(AttrKind::kFunctions), "list(func)");
  EXPECT_EQ(ParseAttrKind("ints"), std::nullopt);
}

TEST(AttrTextTest, ToString_TableOfValues_GivesText) {
  EXPECT_EQ(ToString(AttrValue()), "none");
  EXPECT_EQ(ToString(AttrValue(-3)), "-3");
  EXPECT_EQ(ToString(AttrValue(0.5)), "0.5");
  EXPECT_EQ(ToString(AttrValue(2.0)), "2.0");
  EXPECT_EQ(ToString(AttrValue(1e300)), "1e+300");
  EXPECT_EQ(ToString(AttrValue(-HUGE_VAL)), "-inf");
  EXPECT_EQ(ToString(AttrValue(-std::nan(""))), "nan");
  EXPECT_EQ(ToString(AttrValue(true)), "true");
  EXPECT_EQ(ToString(AttrValue("SAME_UPPER")), "\"SAME_UPPER\"");
  EXPECT_EQ(ToString(AttrValue("a\"\n\x01\xff\xc3\xa9")), "\"a\\\"\\n\\x01\\xff\xc3\xa9\"");
  EXPECT_EQ(ToString(AttrValue(ElementType::kF32)), "f32");
  EXPECT_EQ(ToString(AttrValue(ShapeProto{.unknown_rank = false, .dims = {2, -1}})), "[2, ?]");
  EXPECT_EQ(ToString(AttrValue(ShapeProto{.unknown_rank = true, .dims = {}})), "[*]");
  EXPECT_EQ(ToString(AttrValue(MakeTensor(ElementType::kF32, {2}, Floats{1, 2.5}))), "f32[2]{1.0, 2.5}");
  EXPECT_EQ(ToString(AttrValue(MakeTensor(ElementType::kUnknown, {2}, {}))), "?[2]{?}");
  EXPECT_EQ(ToString(AttrValue(FunctionValue{"body", {{"n", 2}, {"T", ElementType::kF32}}})),
            "body[T=f32, n=2]");
  EXPECT_EQ(ToString(AttrValue(Ints{2, 2})), "[2, 2]");
  EXPECT_EQ(ToString(AttrValue(Bools{true, false})), "[true, false]");
  EXPECT_EQ(ToString(AttrValue(Strings{"a", "b"})), "[\"a\", \"b\"]");
  EXPECT_EQ(ToString(Mixed({})), "[]");
  EXPECT_EQ(ToString(Mixed({AttrValue(), 2})), "[none, 2]");
}

TEST(AttrTextTest, ToString_LongValue_IsTruncated) {
  EXPECT_EQ(ToString(AttrValue(MakeTensor(ElementType::kI64, {17}, Ints(17, 0)))),
            "i64[17]{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...}");
  EXPECT_LT(ToString(AttrValue(Ints(100000, 1))).size(), 300u);
  EXPECT_EQ(ToString(AttrValue(std::string(100000, 'x'))), '"' + std::string(200, 'x') + "\"...");
}

TEST(AttrTextTest, ToString_ShortValue_ParsesBack) {
  for (const AttrValue& sample : Samples()) {
    const std::string text = ToString(sample);
    const auto read = ParseAttrText(text);
    ASSERT_TRUE(read) << text;
    const auto restored = ConvertTo(sample.kind(), *read);
    ASSERT_TRUE(restored) << text;
    EXPECT_EQ(*restored, sample) << text;
  }
}

TEST(AttrTextTest, ToWholeString_LongValue_ParsesBack) {
  const AttrValue samples[] = {
      MakeTensor(ElementType::kI64, {100}, Ints(100, 7)),
      Ints(1000, 1),
      std::string(1000, 'x'),
      FunctionValue{"my body", {{"a b", 2}, {"f32", 1}, {"", true}}},
      FunctionValue{"f32", {}},
      FunctionValue{"", {{"T", FunctionValue{"\"", {}}}}},
  };
  for (const AttrValue& sample : samples) {
    EXPECT_EQ(ParseAttrText(ToWholeString(sample)), sample) << ToWholeString(sample);
  }
  EXPECT_EQ(ToWholeString(samples[3]), R"("my body"[""=true, "a b"=2, f32=1])");
}

TEST(AttrTextTest, ParseAttrText_PythonLiterals_AreAccepted) {
  EXPECT_EQ(ParseAttrText("(3, 3)"), AttrValue(Ints{3, 3}));
  EXPECT_EQ(ParseAttrText("(3,)"), AttrValue(Ints{3}));
  EXPECT_EQ(ParseAttrText("()"), Mixed({}));
  EXPECT_EQ(ParseAttrText("(1L, 2L)"), AttrValue(Ints{1, 2}));
  EXPECT_EQ(ParseAttrText("3, 3"), AttrValue(Ints{3, 3}));
  EXPECT_EQ(ParseAttrText("3,"), AttrValue(Ints{3}));
  EXPECT_EQ(ParseAttrText(" +3 "), AttrValue(3));
  EXPECT_EQ(ParseAttrText("3."), AttrValue(3.0));
  EXPECT_EQ(ParseAttrText("-.5e1"), AttrValue(-5.0));
  EXPECT_EQ(ParseAttrText("9223372036854775808"), AttrValue(0x1p63));
  EXPECT_EQ(ParseAttrText("True"), AttrValue(true));
  EXPECT_EQ(ParseAttrText("None"), AttrValue());
  EXPECT_EQ(ParseAttrText("(None, 0)"), Mixed({AttrValue(), 0}));
  EXPECT_EQ(ParseAttrText("'it''s'"), std::nullopt);
  EXPECT_EQ(ParseAttrText("'a\\x41'"), AttrValue("aA"));
  EXPECT_EQ(ParseAttrText("[[1, 2], [3]]"), Mixed({Ints{1, 2}, Ints{3}}));
  EXPECT_EQ(ParseAttrText("[Tanh, Sigmoid]"), AttrValue(Strings{"Tanh", "Sigmoid"}));
  EXPECT_EQ(ParseAttrText("float32"), AttrValue(ElementType::kF32));
}

TEST(AttrTextTest, ParseAttrText_InvalidText_IsRejected) {
  for (const char* text : {"",
                           " ",
                           ",",
                           "(",
                           "(3",
                           "(3]",
                           "[3)",
                           "3 3",
                           "3x",
                           "3..",
                           "+-3",
                           "+",
                           "-",
                           "--3",
                           "'open",
                           "'\\",
                           "'\\x4'",
                           "'\\xzz'",
                           "[,]",
                           "[1,,2]",
                           "f32[2]",
                           "f32[2]{",
                           "f32[2]{1, 'a'}",
                           "f32[-2]{}",
                           "f32[x]{1}",
                           "f[",
                           "f[=1]",
                           "f[a=]",
                           "f[a=1",
                           "f[a]",
                           "{}",
                           "1 }",
                           "\x80",
                           "?x"}) {
    EXPECT_EQ(ParseAttrText(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseAttrText(std::string_view("\0", 1)), std::nullopt);
  EXPECT_EQ(ParseAttrText(std::string(100000, '[')), std::nullopt);
  EXPECT_EQ(ParseAttrText(std::string(100, '[') + std::string(100, ']')), std::nullopt);
}

// Random text must not crash the parser, and each parsed value must print as text that parses.
TEST(AttrTextTest, ParseAttrText_RandomText_DoesNotCrash) {
  std::mt19937 random(7);
  const std::string_view alphabet = "[](){},='\"\\?*.+-013eLxfTnNone 32\n\xff";
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (size_t i = random() % 16; i > 0; --i) text += alphabet[random() % alphabet.size()];
    const auto value = ParseAttrText(text);
    if (!value) continue;
    const std::string printed = ToString(*value);
    const auto again = ParseAttrText(printed);
    ASSERT_TRUE(again) << text << " is printed " << printed;
    EXPECT_EQ(ToString(*again), printed) << text;
  }
}

}  // namespace
}  // namespace dimwise
