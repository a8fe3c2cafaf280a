#include "core/values/contents_builder.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace dimwise {
namespace {

struct Built {
  Analysis analysis;
  std::vector<std::byte> bytes;
  Value value;
  std::string error;
};

void Build(Built& built, const char* type, const ContentsBuilder& contents) {
  Result<Value> value = contents.Build(built.analysis, ParseType(built.analysis, type).value(), &built.bytes);
  if (value) {
    built.value = *value;
  } else {
    built.error = value.error().message;
  }
}

TEST(ContentsBuilder, Build_IntegersWithExpressions_AreSymbolic) {
  Built built;
  ContentsBuilder contents;
  const Dim n = built.analysis.dims().Symbol("N");
  contents.AddInteger(n);
  contents.AddInteger(-1);
  contents.AddUnknown();
  Build(built, "i64[3]", contents);
  EXPECT_EQ(built.value.Integer(0), n);
  EXPECT_EQ(built.value.ConstantInteger(1), -1);
  EXPECT_TRUE(built.value.Integer(2).is_expression());
  EXPECT_EQ(built.analysis.dims().GetSymbol(built.value.Integer(2)).min, INT64_MIN);
}

TEST(ContentsBuilder, Build_Floats_AreRoundedToFormat) {
  ContentsBuilder contents;
  contents.AddFloat(0.1);
  contents.AddInteger(2);
  contents.AddUnknown();
  Built f32, f64, open;
  Build(f32, "f32[3]", contents);
  Build(f64, "f64[3]", contents);
  Build(open, "?[3]", contents);
  EXPECT_EQ(f32.value.FloatingPoint(0).constant(), static_cast<double>(0.1F));
  EXPECT_EQ(f64.value.FloatingPoint(0).constant(), 0.1);
  EXPECT_EQ(f64.value.FloatingPoint(1).constant(), 2.0);
  EXPECT_TRUE(f64.value.FloatingPoint(2).is_unknown());
  EXPECT_EQ(open.value.FloatingPoint(0).constant(), 0.1);
}

TEST(ContentsBuilder, Build_Booleans_AcceptWordsAndNumbers) {
  Built built;
  ContentsBuilder contents;
  contents.AddBool(true);
  contents.AddInteger(0);
  Build(built, "bool[2]", contents);
  EXPECT_EQ(built.value.kind(), ValueKind::kBooleans);
  EXPECT_EQ(built.value.ConstantInteger(0), 1);
  EXPECT_EQ(built.value.ConstantInteger(1), 0);
}

TEST(ContentsBuilder, Build_ManyNumbers_AreStoredAsBytes) {
  for (const char* type :
       {"i8[10, 10]", "u16[100]", "i32[100]", "i64[100]", "f32[100]", "f64[100]", "bool[100]"}) {
    Built built;
    ContentsBuilder contents;
    for (int i = 0; i < 100; ++i) contents.AddInteger(i % 2);
    Build(built, type, contents);
    ASSERT_EQ(built.value.kind(), ValueKind::kBytes) << type;
    const bool is_float = IsFloat(built.value.element());
    EXPECT_EQ(is_float ? built.value.FloatingPoint(99).constant() : built.value.Integer(99).constant(), 1)
        << type;
  }
  Built symbolic;
  ContentsBuilder contents;
  for (int i = 0; i < 100; ++i) contents.AddInteger(symbolic.analysis.dims().Symbol("N"));
  Build(symbolic, "i64[100]", contents);
  EXPECT_TRUE(symbolic.value.is_none());
  EXPECT_EQ(symbolic.error, "");
}

TEST(ContentsBuilder, Build_Texts_AreUnknown) {
  ContentsBuilder contents;
  contents.AddText();
  for (const char* type : {"string[1]", "?[1]"}) {
    Built built;
    Build(built, type, contents);
    EXPECT_TRUE(built.value.is_none());
    EXPECT_EQ(built.error, "");
  }
}

TEST(ContentsBuilder, Build_ElementThatDoesNotFit_IsError) {
  const auto error = [](const char* type, const std::function<void(ContentsBuilder&)>& add) {
    Built built;
    ContentsBuilder contents;
    add(contents);
    Build(built, type, contents);
    return built.error;
  };
  const auto integer = [](int64_t i) { return [i](ContentsBuilder& c) { c.AddInteger(i); }; };
  EXPECT_EQ(error("i64[1]", [](ContentsBuilder& c) { c.AddFloat(0.5); }),
            "element 0 of the contents is 0.5, which is no i64");
  EXPECT_EQ(error("i64[1]", [](ContentsBuilder& c) { c.AddBool(true); }),
            "element 0 of the contents is true, which is no i64");
  EXPECT_EQ(error("f32[1]", [](ContentsBuilder& c) { c.AddBool(false); }),
            "element 0 of the contents is false, which is no f32");
  EXPECT_EQ(error("f32[1]", [](ContentsBuilder& c) { c.AddText(); }),
            "element 0 of the contents is a text, which is no f32");
  EXPECT_EQ(error("bool[1]", integer(2)), "element 0 of the contents is 2, which is no bool");
  EXPECT_EQ(error("u8[1]", integer(256)), "element 0 of the contents is 256, which is no u8");
  EXPECT_EQ(error("u64[1]", integer(-1)), "element 0 of the contents is -1, which is no u64");
  EXPECT_EQ(error("i8[1]", integer(-129)), "element 0 of the contents is -129, which is no i8");
  EXPECT_EQ(error("i8[1]", integer(-128)), "");
  EXPECT_EQ(error("u64[1]", integer(INT64_MAX)), "");
  EXPECT_EQ(error("i64[2]", integer(1)), "1 elements are given as contents of the shape [2], which has 2");
  EXPECT_EQ(error("i64[N]", integer(1)), "contents require a constant shape, and [N] is not constant");
  EXPECT_EQ(error("i64[*]", integer(1)), "contents require a constant shape, and [*] is not constant");
  EXPECT_EQ(error("i64[4611686018427387904, 4]", integer(1)),
            "1 elements are given as contents of the shape [4611686018427387904, 4]");
  EXPECT_EQ(error("i64[4611686018427387904, 4, 0]", [](ContentsBuilder&) {}), "");
}

}  // namespace
}  // namespace dimwise
