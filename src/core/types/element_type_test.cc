#include "dimwise/element_type.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dimwise {
namespace {

using enum ElementType;

std::vector<ElementType> All() {
  std::vector<ElementType> all;
  for (int i = 0; i < kElementTypeCount; ++i) all.push_back(static_cast<ElementType>(i));
  return all;
}

constexpr TypeSystem kSystems[] = {TypeSystem::kDimwise, TypeSystem::kOnnx, TypeSystem::kTensorFlow,
                                   TypeSystem::kMxnet, TypeSystem::kStableHlo};

// Maps our name of each type to the names of the frameworks.
TEST(ElementTypeTest, ParseElementType_TableOfSpellings_GivesType) {
  struct Case {
    std::string_view our_spelling;
    std::string_view others;  // separated by spaces
  };
  const Case cases[] = {
      {"f64", "float64 double DOUBLE DT_DOUBLE DT_DOUBLE_REF"},
      {"f32", "float32 float FLOAT DT_FLOAT DT_FLOAT_REF float_ref float32_ref"},
      {"tf32", "tf32"},
      {"bf16", "bfloat16 BFLOAT16 DT_BFLOAT16"},
      {"f16", "float16 half FLOAT16 DT_HALF half_ref"},
      {"f8e4m3fn", "f8E4M3FN FLOAT8E4M3FN float8e4m3fn float8_e4m3fn DT_FLOAT8_E4M3FN"},
      {"f8e4m3fnuz", "f8E4M3FNUZ FLOAT8E4M3FNUZ float8e4m3fnuz float8_e4m3fnuz DT_FLOAT8_E4M3FNUZ"},
      {"f8e4m3b11fnuz", "f8E4M3B11FNUZ float8_e4m3b11fnuz DT_FLOAT8_E4M3B11FNUZ"},
      {"f8e4m3", "f8E4M3 float8_e4m3"},
      {"f8e3m4", "f8E3M4 float8_e3m4"},
      {"f8e5m2", "f8E5M2 FLOAT8E5M2 float8e5m2 float8_e5m2 DT_FLOAT8_E5M2"},
      {"f8e5m2fnuz", "f8E5M2FNUZ FLOAT8E5M2FNUZ float8e5m2fnuz float8_e5m2fnuz DT_FLOAT8_E5M2FNUZ"},
      {"f8e8m0fnu", "f8E8M0FNU FLOAT8E8M0 float8e8m0 float8_e8m0fnu"},
      {"f6e2m3fn", "f6E2M3FN FLOAT6E2M3 float6e2m3 float6_e2m3fn"},
      {"f6e3m2fn", "f6E3M2FN FLOAT6E3M2 float6e3m2 float6_e3m2fn"},
      {"f4e2m1fn", "f4E2M1FN FLOAT4E2M1 float4e2m1 float4_e2m1fn DT_FLOAT4_E2M1FN"},
      {"i64", "int64 si64 INT64 DT_INT64"},
      {"i48", "int48"},
      {"i32", "int32 si32 INT32 DT_INT32"},
      {"i16", "int16 si16 INT16 DT_INT16"},
      {"i8", "int8 si8 INT8 DT_INT8"},
      {"i4", "int4 si4 INT4 DT_INT4"},
      {"i2", "int2 si2 INT2 DT_INT2"},
      {"index", "index"},
      {"u64", "uint64 ui64 UINT64 DT_UINT64"},
      {"u32", "uint32 ui32 UINT32 DT_UINT32"},
      {"u16", "uint16 ui16 UINT16 DT_UINT16"},
      {"u8", "uint8 ui8 UINT8 DT_UINT8"},
      {"u4", "uint4 ui4 UINT4 DT_UINT4"},
      {"u2", "uint2 ui2 UINT2 DT_UINT2"},
      {"bool", "i1 BOOL DT_BOOL"},
      {"c64", "complex64 complex<f32> COMPLEX64 DT_COMPLEX64"},
      {"c128", "complex128 complex<f64> COMPLEX128 DT_COMPLEX128"},
      {"qi2", "qint2"},
      {"qi4", "qint4"},
      {"qi8", "qint8 DT_QINT8 qint8_ref"},
      {"qi16", "qint16 DT_QINT16"},
      {"qi32", "qint32 DT_QINT32"},
      {"qu2", "quint2"},
      {"qu4", "quint4"},
      {"qu8", "quint8 DT_QUINT8"},
      {"qu16", "quint16 DT_QUINT16"},
      {"qu32", "quint32"},
      {"string", "STRING DT_STRING string_ref"},
      {"resource", "DT_RESOURCE DT_RESOURCE_REF"},
      {"variant", "DT_VARIANT"},
      {"token", "!stablehlo.token"},
      {"?", "unknown UNDEFINED DT_INVALID"},
  };
  EXPECT_EQ(std::size(cases), size_t{kElementTypeCount}) << "every type has a row";
  for (const Case& c : cases) {
    const auto type = ParseElementType(c.our_spelling);
    ASSERT_TRUE(type) << c.our_spelling;
    EXPECT_EQ(ToString(*type), c.our_spelling);
    std::string_view rest = c.others;
    while (!rest.empty()) {
      const size_t end = rest.find(' ');
      const std::string_view spelling = rest.substr(0, end);
      EXPECT_EQ(ParseElementType(spelling), type) << spelling;
      rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
    }
  }
}

TEST(ElementTypeTest, Spelling_EveryTypeAndSystem_ParsesBack) {
  for (ElementType type : All()) {
    for (TypeSystem system : kSystems) {
      const std::string_view spelling = Spelling(type, system);
      if (spelling.empty()) continue;
      EXPECT_EQ(ParseElementType(spelling), type) << spelling;
    }
  }
}

TEST(ElementTypeTest, ParseElementType_InvalidSpelling_GivesNothing) {
  for (const char* text :
       {"", "F32", "Float", "float128", "i128", "i3", " f32", "f32 ", "DT_", "_REF", "DT_FLOAT_ref",
        "float_REF", "f8e4m3_ref", "?_ref", "DT_INVALID_REF", "complex<i32>", "none"}) {
    EXPECT_FALSE(ParseElementType(text)) << text;
  }
}

TEST(ElementTypeTest, NumberOf_TableOfTypes_GivesFrameworkNumbers) {
  struct Case {
    ElementType type;
    int onnx, tensorflow, mxnet;  // -100: none
  };
  const Case cases[] = {
      {kUnknown, 0, 0, -1},
      {kF32, 1, 1, 0},
      {kU8, 2, 4, 3},
      {kI8, 3, 6, 5},
      {kU16, 4, 17, 9},
      {kI16, 5, 5, 8},
      {kI32, 6, 3, 4},
      {kI64, 7, 9, 6},
      {kString, 8, 7, -100},
      {kBool, 9, 10, 7},
      {kF16, 10, 19, 2},
      {kF64, 11, 2, 1},
      {kU32, 12, 22, 10},
      {kU64, 13, 23, 11},
      {kC64, 14, 8, -100},
      {kC128, 15, 18, -100},
      {kBF16, 16, 14, 12},
      {kF8E4M3FN, 17, 25, -100},
      {kF8E4M3FNUZ, 18, 26, -100},
      {kF8E5M2, 19, 24, -100},
      {kF8E5M2FNUZ, 20, 28, -100},
      {kU4, 21, 30, -100},
      {kI4, 22, 29, -100},
      {kF4E2M1FN, 23, 33, -100},
      {kF8E8M0FNU, 24, -100, -100},
      {kU2, 25, 32, -100},
      {kI2, 26, 31, -100},
      {kF6E2M3FN, 27, -100, -100},
      {kF6E3M2FN, 28, -100, -100},
      {kF8E4M3B11FNUZ, -100, 27, -100},
      {kQI8, -100, 11, -100},
      {kQU8, -100, 12, -100},
      {kQI32, -100, 13, -100},
      {kQI16, -100, 15, -100},
      {kQU16, -100, 16, -100},
      {kResource, -100, 20, -100},
      {kVariant, -100, 21, -100},
  };
  const auto expect = [](ElementType type, TypeSystem system, int number) {
    EXPECT_EQ(NumberOf(type, system).value_or(-100), number) << ToString(type);
    if (number == -100) return;
    EXPECT_EQ(ElementTypeOf(number, system), type) << number;
  };
  for (const Case& c : cases) {
    expect(c.type, TypeSystem::kOnnx, c.onnx);
    expect(c.type, TypeSystem::kTensorFlow, c.tensorflow);
    expect(c.type, TypeSystem::kMxnet, c.mxnet);
  }
  // The numbers are dense. A file with another number is damaged or from a newer version.
  for (int n = 0; n <= 28; ++n) EXPECT_TRUE(ElementTypeOf(n, TypeSystem::kOnnx)) << n;
  for (int n = 0; n <= 33; ++n) EXPECT_TRUE(ElementTypeOf(n, TypeSystem::kTensorFlow)) << n;
  for (int n = -1; n <= 12; ++n) EXPECT_TRUE(ElementTypeOf(n, TypeSystem::kMxnet)) << n;
  for (int64_t n : {int64_t{-2}, int64_t{-100}, int64_t{29}, int64_t{99}, INT64_MAX, INT64_MIN}) {
    EXPECT_FALSE(ElementTypeOf(n, TypeSystem::kOnnx)) << n;
    EXPECT_FALSE(ElementTypeOf(n, TypeSystem::kMxnet)) << n;
    EXPECT_FALSE(ElementTypeOf(n, TypeSystem::kStableHlo)) << n;
  }
}

TEST(ElementTypeTest, IsTensorFlowRef_NumbersAndSpellings_AreDetected) {
  EXPECT_EQ(ElementTypeOf(101, TypeSystem::kTensorFlow), kF32);
  EXPECT_EQ(ElementTypeOf(133, TypeSystem::kTensorFlow), kF4E2M1FN);
  EXPECT_FALSE(ElementTypeOf(100, TypeSystem::kTensorFlow)) << "there is no DT_INVALID_REF";
  EXPECT_FALSE(ElementTypeOf(134, TypeSystem::kTensorFlow));
  EXPECT_FALSE(ElementTypeOf(101, TypeSystem::kOnnx));
  EXPECT_TRUE(IsTensorFlowRef(101));
  EXPECT_FALSE(IsTensorFlowRef(1));
  EXPECT_TRUE(IsTensorFlowRef("DT_FLOAT_REF"));
  EXPECT_TRUE(IsTensorFlowRef("float_ref"));
  EXPECT_FALSE(IsTensorFlowRef("DT_FLOAT"));
}

TEST(ElementTypeTest, BitWidth_EveryType_MatchesSpelling) {
  for (ElementType type : All()) {
    // If the spelling contains a width, it is the bit width.
    const std::string_view name = ToString(type);
    const size_t digit = name.find_first_of("0123456789");
    if (digit == std::string_view::npos || type == kTF32) continue;
    EXPECT_EQ(BitWidth(type), std::stoi(std::string(name.substr(digit)))) << name;
  }
  EXPECT_EQ(BitWidth(kTF32), 19);
  EXPECT_EQ(BitWidth(kBool), 1);
  EXPECT_EQ(BitWidth(kIndex), 64);
  for (ElementType type : {kUnknown, kString, kResource, kVariant, kToken}) EXPECT_EQ(BitWidth(type), 0);
}

TEST(ElementTypeTest, ElementTypeSet_EveryType_IsInOneClass) {
  for (ElementType type : All()) {
    const int classes = IsFloat(type) + IsInteger(type) + IsComplex(type) + IsBool(type) + IsQuantized(type) +
                        IsString(type) + IsHandle(type);
    EXPECT_EQ(classes, type == kUnknown || type == kToken ? 0 : 1) << ToString(type);
    EXPECT_EQ(IsInteger(type), IsSigned(type) || IsUnsigned(type)) << ToString(type);
    EXPECT_EQ(kAnyType.Contains(type), type != kUnknown) << ToString(type);
  }
  EXPECT_TRUE(IsSigned(kI8) && !IsUnsigned(kI8) && IsUnsigned(kU8) && !IsSigned(kU8));
  EXPECT_TRUE(IsFloat(kF8E8M0FNU) && IsFloat(kF64) && !IsFloat(kI2) && !IsSigned(kF32));
}

TEST(ElementTypeSetTest, ParseElementTypeSet_ClassNames_GiveMembers) {
  for (const char* name : {"any", "numeric", "real", "float", "int", "signed", "unsigned", "complex", "bool",
                           "quantized", "string", "handle"}) {
    const auto set = ParseElementTypeSet(name);
    ASSERT_TRUE(set) << name;
    EXPECT_EQ(ToString(*set), name);
    EXPECT_FALSE(set->Contains(kUnknown)) << name;
    EXPECT_TRUE(set->Allows(kUnknown)) << name;
  }
  EXPECT_FALSE(ParseElementTypeSet("f32"));
  EXPECT_EQ(kNumericTypes & kComplexTypes, kComplexTypes);
  EXPECT_FALSE(kNumericTypes.Contains(kBool));
  EXPECT_FALSE(kNumericTypes.Allows(kString));
  EXPECT_EQ(kNumericTypes - kFloatTypes - kComplexTypes, kIntegerTypes);
}

TEST(ElementTypeSetTest, ElementTypeSet_Operations_CombineMembers) {
  const ElementTypeSet halves = ElementTypeSet(kF16) | ElementTypeSet(kBF16);
  EXPECT_EQ(ToString(halves), "f16, bf16");
  EXPECT_EQ(halves.size(), 2);
  EXPECT_EQ(halves.Single(), kUnknown);
  EXPECT_EQ((halves - ElementTypeSet(kF16)).Single(), kBF16);
  EXPECT_TRUE((halves & kIntegerTypes).empty());
  EXPECT_EQ(ToString(ElementTypeSet()), "none");
  EXPECT_EQ(ToString(halves | kBoolTypes | kSignedTypes), "signed, f16, bf16, bool");
  EXPECT_EQ(ElementTypeSet::FromBits(halves.bits()), halves);
}

TEST(ElementTypeTest, RealOf_ComplexTypes_AreInverseOfComplexOf) {
  EXPECT_EQ(RealOf(kC64), kF32);
  EXPECT_EQ(RealOf(kC128), kF64);
  EXPECT_EQ(RealOf(kI8), kI8);
  EXPECT_FALSE(RealOf(kString));
  EXPECT_EQ(ComplexOf(kF32), kC64);
  EXPECT_EQ(ComplexOf(kF64), kC128);
  EXPECT_FALSE(ComplexOf(kF16));
}

TEST(ElementTypeTest, IntegerBehind_QuantizedTypes_AreInverseOfQuantizedOver) {
  for (ElementType type : All()) {
    const auto integer = IntegerBehind(type);
    EXPECT_EQ(integer.has_value(), IsQuantized(type));
    if (!integer) continue;
    EXPECT_EQ(QuantizedOver(*integer), type);
  }
  EXPECT_EQ(IntegerBehind(kQU8), kU8);
  EXPECT_FALSE(QuantizedOver(kI64));
  EXPECT_FALSE(QuantizedOver(kF32));
}

TEST(PromoteTest, Promote_TableOfPairs_GivesSmallestCommonType) {
  const char* cases[] = {
      // Results of numpy.promote_types.
      "bool bool bool",
      "bool i8 i8",
      "bool f16 f16",
      "bool c64 c64",
      "i8 i16 i16",
      "i8 i64 i64",
      "u8 u32 u32",
      "i8 u8 i16",
      "i16 u8 i16",
      "i8 u16 i32",
      "i16 u16 i32",
      "i32 u16 i32",
      "i32 u32 i64",
      "i8 u64 f64",
      "i64 u32 i64",
      "i64 u64 f64",
      "i8 f16 f16",
      "u8 f16 f16",
      "i16 f16 f32",
      "u16 f16 f32",
      "i32 f16 f64",
      "i64 f16 f64",
      "i8 f32 f32",
      "i16 f32 f32",
      "u16 f32 f32",
      "i32 f32 f64",
      "u32 f32 f64",
      "i64 f32 f64",
      "u64 f64 f64",
      "f16 f32 f32",
      "f32 f64 f64",
      "f16 c64 c64",
      "f32 c64 c64",
      "f64 c64 c128",
      "c64 c128 c128",
      "i8 c64 c64",
      "i16 c64 c64",
      "i32 c64 c128",
      "u64 c64 c128",
      // Results of ml_dtypes.
      "bf16 f16 f32",
      "bf16 f32 f32",
      "bf16 f64 f64",
      "bf16 i8 bf16",
      "bf16 u8 bf16",
      "bf16 c64 c64",
      "f8e4m3fn bf16 bf16",
      "f8e4m3fn f16 f16",
      "f8e5m2 f32 f32",
      "i4 i8 i8",
      "u4 u8 u8",
      "i4 u8 i16",
      // Neither library has a result: the smallest type that represents both.
      "i4 u4 i8",
      "i2 u2 i4",
      "i48 i32 i48",
      "i48 u32 i48",
      "i48 i64 i64",
      "bf16 i16 f32",
      "f8e4m3fn f8e5m2 f16",
      "f8e4m3 f8e4m3fn f16",
      "f8e8m0fnu f8e5m2 bf16",
      "f8e8m0fnu f16 f32",
      "i8 f8e4m3fn f16",
      "i4 f8e8m0fnu bf16",
      "tf32 f16 tf32",
      "tf32 f32 f32",
      "bf16 tf32 tf32",
      // These promote only with themselves.
      "string string string",
      "resource resource resource",
      "qi8 qi8 qi8",
      "index index index",
      "string i32 -",
      "string bool -",
      "qi8 i8 -",
      "qi8 qu8 -",
      "resource variant -",
      "index i64 -",
      "token f32 -",
      // Unknown types.
      "? f32 ?",
      "? string ?",
      "? ? ?",
  };
  for (const std::string text : cases) {
    const size_t one = text.find(' ');
    const size_t two = text.find(' ', one + 1);
    const ElementType a = ParseElementType(text.substr(0, one)).value();
    const ElementType b = ParseElementType(text.substr(one + 1, two - one - 1)).value();
    const std::string expected = text.substr(two + 1);
    for (const auto& got : {Promote(a, b), Promote(b, a)}) {
      EXPECT_EQ(got ? ToString(*got) : "-", expected) << text;
    }
  }
}

TEST(PromoteTest, Promote_AllPairs_CommutesAndContainsBoth) {
  for (ElementType a : All()) {
    EXPECT_EQ(Promote(a, a), a);
    for (ElementType b : All()) {
      const auto ab = Promote(a, b);
      EXPECT_EQ(ab, Promote(b, a)) << ToString(a) << " " << ToString(b);
      if (!ab) continue;
      EXPECT_EQ(Promote(*ab, a), ab) << "the result contains " << ToString(a) << ", with " << ToString(b);
    }
  }
}

}  // namespace
}  // namespace dimwise
