#include "dimwise/value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace dimwise {
namespace {

using enum ElementType;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<std::byte> BytesOf(std::initializer_list<int> numbers) {
  std::vector<std::byte> bytes;
  for (int number : numbers) bytes.push_back(static_cast<std::byte>(number));
  return bytes;
}

class ValueTest : public testing::Test {
 protected:
  // Creates a vector over exactly these bytes, so that asan detects a read past them.
  Value Vector(ElementType element, int64_t size, std::initializer_list<int> numbers) {
    const std::vector<std::byte>& bytes = kept_.emplace_back(BytesOf(numbers));
    return values_.Bytes(element, std::span<const int64_t>(&size, 1), bytes);
  }

  DimTable dims_;
  ValueTable values_;
  std::vector<std::vector<std::byte>> kept_;
};

TEST_F(ValueTest, Integer_BytesOfEveryFormat_AreDecoded) {
  const struct {
    ElementType element;
    std::initializer_list<int> bytes;
    std::vector<int64_t> numbers;
  } kCases[] = {
      {kI8, {0x00, 0x7f, 0x80, 0xff}, {0, 127, -128, -1}},
      {kU8, {0x00, 0x7f, 0x80, 0xff}, {0, 127, 128, 255}},
      {kI16, {0x34, 0x12, 0xff, 0xff}, {0x1234, -1}},
      {kU16, {0x34, 0x12, 0xff, 0xff}, {0x1234, 65535}},
      {kI32, {0x78, 0x56, 0x34, 0x12, 0xfe, 0xff, 0xff, 0xff}, {0x12345678, -2}},
      {kU32, {0xfe, 0xff, 0xff, 0xff}, {4294967294}},
      {kI48, {1, 0, 0, 0, 0, 0x80, 2, 0, 0, 0, 0, 0}, {-(int64_t{1} << 47) + 1, 2}},
      {kI64, {0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01}, {0x0123456789abcdef}},
      {kI64, {0, 0, 0, 0, 0, 0, 0, 0x80}, {INT64_MIN}},
      {kIndex, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, {-1}},
      {kU64, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, {INT64_MAX}},
      {kBool, {0, 1, 2, 0xff}, {0, 1, 1, 1}},
      // Less than a byte: the first element is in the lowest bits; unused bits of the last byte are ignored.
      {kU4, {0x21, 0xf3}, {1, 2, 3}},
      {kI4, {0x87, 0xf0}, {7, -8, 0, -1}},
      {kU2, {0b11'10'01'00, 0b10}, {0, 1, 2, 3, 2}},
      {kI2, {0b11'10'01'00}, {0, 1, -2, -1}},
  };
  for (const auto& c : kCases) {
    const Value value = Vector(c.element, std::ssize(c.numbers), c.bytes);
    ASSERT_EQ(value.kind(), ValueKind::kBytes) << ToString(c.element);
    EXPECT_EQ(value.element(), c.element);
    EXPECT_EQ(value.size(), std::ssize(c.numbers));
    for (int64_t i = 0; i < value.size(); ++i) {
      const int64_t number = c.numbers[static_cast<size_t>(i)];
      EXPECT_EQ(value.Integer(i), Dim(number)) << ToString(c.element) << " " << i;
      EXPECT_EQ(value.ConstantInteger(i), number) << ToString(c.element) << " " << i;
    }
  }
}

TEST_F(ValueTest, FloatingPoint_BytesOfEveryFormat_AreDecoded) {
  const struct {
    ElementType element;
    std::initializer_list<int> bytes;
    std::vector<double> numbers;
  } kCases[] = {
      {kF64, {0, 0, 0, 0, 0, 0, 0xf8, 0xbf}, {-1.5}},
      {kF64, {0, 0, 0, 0, 0, 0, 0xf0, 0x7f}, {kInf}},
      {kF64, {1, 0, 0, 0, 0, 0, 0, 0}, {5e-324}},
      {kF32,
       {0, 0, 0xc0, 0x3f, 0, 0, 0x80, 0xff, 0, 0, 0xc0, 0x7f, 1, 0, 0, 0},
       {1.5, -kInf, kNan, 0x1p-149}},
      {kTF32, {0, 0x20, 0x80, 0x3f}, {1.0009765625}},
      {kBF16,
       {0xc0, 0x3f, 0x80, 0xff, 0xc1, 0x7f, 0x01, 0x00, 0x00, 0x80},
       {1.5, -kInf, kNan, 0x1p-133, -0.0}},
      {kF16,
       {0x00, 0x3e, 0xff, 0x7b, 0x00, 0x7c, 0x01, 0x7c, 0x01, 0x00, 0x00, 0x84},
       {1.5, 65504, kInf, kNan, 0x1p-24, -0x1p-14}},
      // 0x7f and the values below it distinguish the f8 formats.
      {kF8E5M2, {0x3c, 0x7b, 0x7c, 0x7d, 0xfc, 0x01, 0x80}, {1, 57344, kInf, kNan, -kInf, 0x1p-16, -0.0}},
      {kF8E5M2FNUZ, {0x40, 0x7f, 0x80, 0x01, 0xff}, {1, 57344, kNan, 0x1p-17, -57344}},
      {kF8E4M3, {0x38, 0x77, 0x78, 0x79, 0x01}, {1, 240, kInf, kNan, 0x1p-9}},
      {kF8E4M3FN, {0x38, 0x7e, 0x7f, 0xff, 0x01, 0x78}, {1, 448, kNan, kNan, 0x1p-9, 256}},
      {kF8E4M3FNUZ, {0x40, 0x7f, 0x80, 0x01}, {1, 240, kNan, 0x1p-10}},
      {kF8E4M3B11FNUZ, {0x58, 0x7f, 0x80, 0x01}, {1, 30, kNan, 0x1p-13}},
      {kF8E3M4, {0x30, 0x6f, 0x70, 0x71, 0x01}, {1, 15.5, kInf, kNan, 0x1p-6}},
      {kF8E8M0FNU, {0x7f, 0x80, 0x00, 0xfe, 0xff}, {1, 2, 0x1p-127, 0x1p127, kNan}},
      {kF4E2M1FN, {0x10, 0x32, 0x54, 0x76, 0xf8}, {0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -6}},
      // Four elements in three bytes.
      {kF6E2M3FN, {0x81, 0xf0, 0xfd, 0x3f}, {0.125, 0.25, 7.5, -7.5, -7.5}},
      {kF6E3M2FN, {0x4c, 0xf0, 0xfd}, {1, 0.0625, 28, -28}},
  };
  for (const auto& c : kCases) {
    const Value value = Vector(c.element, std::ssize(c.numbers), c.bytes);
    ASSERT_EQ(value.kind(), ValueKind::kBytes) << ToString(c.element);
    for (int64_t i = 0; i < value.size(); ++i) {
      const double expected = c.numbers[static_cast<size_t>(i)];
      const std::optional<double> number = value.FloatingPoint(i).constant();
      ASSERT_TRUE(number) << ToString(c.element) << " " << i;
      EXPECT_TRUE(std::isnan(expected) ? std::isnan(*number) : *number == expected)
          << ToString(c.element) << " " << i << ": " << *number << " instead of " << expected;
      EXPECT_EQ(std::isnan(expected) || std::signbit(*number) == std::signbit(expected), true)
          << ToString(c.element) << " " << i;
    }
  }
}

TEST_F(ValueTest, Element_OfOtherClass_IsUnknown) {
  const Value integers = Vector(kI32, 1, {1, 0, 0, 0});
  EXPECT_TRUE(integers.FloatingPoint(0).is_unknown());
  EXPECT_TRUE(integers.Bool(0).value.is_none());
  const Value floats = Vector(kF32, 1, {0, 0, 0x80, 0x3f});
  EXPECT_TRUE(floats.Integer(0).is_none());
  EXPECT_EQ(floats.ConstantInteger(0), std::nullopt);
  EXPECT_TRUE(floats.Bool(0).value.is_none());
  for (ElementType element : {kQI8, kQU8}) EXPECT_TRUE(Vector(element, 1, {1}).Integer(0).is_none());
  const Value complex = Vector(kC64, 1, {0, 0, 0x80, 0x3f, 0, 0, 0, 0});
  EXPECT_EQ(complex.size(), 1);
  EXPECT_TRUE(complex.Integer(0).is_none());
  EXPECT_TRUE(complex.FloatingPoint(0).is_unknown());
}

TEST_F(ValueTest, Integer_NotRepresentableAsDim_IsUnknown) {
  EXPECT_TRUE(Vector(kU64, 1, {0, 0, 0, 0, 0, 0, 0, 0x80}).Integer(0).is_none());
  EXPECT_TRUE(Vector(kU64, 1, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}).Integer(0).is_none());
  // -2^62 - 2^33 is in the range of expression IDs.
  EXPECT_TRUE(Vector(kI64, 1, {0, 0, 0, 0, 0xfe, 0xff, 0xff, 0xbf}).Integer(0).is_none());
}

TEST_F(ValueTest, Element_IndexOutOfRange_IsUnknown) {
  const Value value = Vector(kI16, 2, {1, 0, 2, 0});
  for (int64_t i : {int64_t{-1}, int64_t{2}, INT64_MIN, INT64_MAX}) {
    EXPECT_TRUE(value.Integer(i).is_none());
    EXPECT_TRUE(value.FloatingPoint(i).is_unknown());
    EXPECT_TRUE(value.Bool(i).value.is_none());
  }
  const Boolean yes{.value = 1, .predicate = nullptr};
  const Value booleans = values_.Booleans({}, std::span(&yes, 1));
  EXPECT_EQ(booleans.Bool(0).value, Dim(1));
  EXPECT_TRUE(booleans.Bool(1).value.is_none());
  EXPECT_TRUE(booleans.Bool(-1).value.is_none());
}

TEST_F(ValueTest, Bytes_AnyAlignment_AreDecoded) {
  // An odd address, unaligned for every type.
  const std::vector<std::byte> bytes = BytesOf({0xaa, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0});
  const int64_t size = 2;
  const Value value = values_.Bytes(kI64, std::span(&size, 1), std::span(bytes).subspan(1));
  EXPECT_EQ(value.ConstantInteger(0), 1);
  EXPECT_EQ(value.ConstantInteger(1), 2);
}

TEST_F(ValueTest, Bytes_TooFew_GivesNone) {
  const std::vector<std::byte> bytes(12);
  constexpr int64_t kLarge = int64_t{1} << 32;
  const struct {
    ElementType element;
    std::vector<int64_t> dims;
    bool enough;
  } kCases[] = {
      {kF32, {3}, true},
      {kF32, {2}, true},  // more than needed
      {kF32, {4}, false},
      {kF32, {}, true},
      {kF32, {3, 1, 1}, true},
      {kF32, {2, 2}, false},
      {kF32, {0}, true},
      {kF32, {kLarge, kLarge, 0}, true},
      {kF32, {kLarge, kLarge}, false},
      {kF32, {kLarge, kLarge, kLarge, kLarge}, false},
      {kF32, {INT64_MAX}, false},
      {kI8, {INT64_MAX}, false},
      {kI4, {INT64_MAX}, false},
      {kF32, {-1}, false},
      {kF32, {-1, -1}, false},
      {kF32, {-1, 0}, false},
      {kI4, {24}, true},
      {kI4, {25}, false},
      {kI2, {48}, true},
      {kI2, {49}, false},
      {kF6E2M3FN, {16}, true},
      {kF6E2M3FN, {17}, false},
      {kBool, {12}, true},
      {kBool, {13}, false},
      {kTF32, {3}, true},
      {kTF32, {4}, false},
      {kC128, {1}, false},
      {kString, {1}, false},
      {kString, {0}, false},
      {kResource, {}, false},
      {kUnknown, {1}, false},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(!values_.Bytes(c.element, c.dims, bytes).is_none(), c.enough)
        << ToString(c.element) << " of rank " << c.dims.size();
  }
  EXPECT_FALSE(values_.Bytes(kF32, std::vector<int64_t>{0}, {}).is_none());
}

TEST_F(ValueTest, Bytes_ManyElements_StayBytes) {
  const std::vector<std::byte> bytes(1000, std::byte{7});
  const int64_t size = 1000;
  const Value value = values_.Bytes(kU8, std::span(&size, 1), bytes);
  EXPECT_EQ(value.kind(), ValueKind::kBytes);
  EXPECT_EQ(value.ConstantInteger(999), 7);
}

TEST_F(ValueTest, Integers_SymbolicElements_AreKept) {
  const Dim n = dims_.Symbol("N");
  const std::vector<Dim> elements = {n, dims_.Add(n, 1), -1, Dim()};
  const std::vector<int64_t> sizes = {2, 2};
  const Value value = values_.Integers(kI64, sizes, elements);
  EXPECT_EQ(value.kind(), ValueKind::kIntegers);
  EXPECT_EQ(value.rank(), 2);
  EXPECT_EQ(std::vector<int64_t>(value.dims().begin(), value.dims().end()), sizes);
  EXPECT_EQ(value.Integer(0), n);
  EXPECT_EQ(value.ConstantInteger(0), std::nullopt);
  EXPECT_EQ(value.Integer(1), dims_.Add(n, 1));
  EXPECT_EQ(value.ConstantInteger(2), -1);
  EXPECT_TRUE(value.Integer(3).is_none());
  EXPECT_TRUE(value.FloatingPoint(0).is_unknown());

  const Condition positive{{{Literal{n, Relation::kAtLeast}}}};
  const std::vector<Boolean> flags = {{.value = 1, .predicate = nullptr},
                                      {.value = dims_.Symbol("b"), .predicate = &positive}};
  const Value booleans = values_.Booleans(std::vector<int64_t>{2}, flags);
  EXPECT_EQ(booleans.element(), kBool);
  EXPECT_EQ(booleans.Bool(0), flags[0]);
  EXPECT_EQ(booleans.Bool(1), flags[1]);
  EXPECT_EQ(booleans.Integer(1), flags[1].value);
  EXPECT_EQ(Vector(kBool, 2, {0, 3}).Bool(1), flags[0]);

  const std::vector<Float> numbers = {
      Float::Of(0.5), {.numerator = n, .denominator = 2, .special = {}}, Float()};
  const Value floats = values_.Floats(kF32, std::vector<int64_t>{3}, numbers);
  EXPECT_EQ(floats.kind(), ValueKind::kFloats);
  for (int64_t i = 0; i < 3; ++i) EXPECT_EQ(floats.FloatingPoint(i), numbers[static_cast<size_t>(i)]);
  EXPECT_TRUE(floats.Integer(0).is_none());
}

TEST_F(ValueTest, Integers_CountDiffersFromSizes_GivesNone) {
  const auto make = [&](std::vector<int64_t> sizes, size_t count) {
    const bool integers = !values_.Integers(kI64, sizes, std::vector<Dim>(count, 1)).is_none();
    EXPECT_EQ(!values_.Booleans(sizes, std::vector<Boolean>(count)).is_none(), integers);
    EXPECT_EQ(!values_.Floats(kF32, sizes, std::vector<Float>(count)).is_none(), integers);
    return integers;
  };
  EXPECT_TRUE(make({}, 1));
  EXPECT_TRUE(make({0}, 0));
  EXPECT_TRUE(make({INT64_MAX, 0}, 0));
  EXPECT_TRUE(make({8, 8}, 64));
  EXPECT_FALSE(make({65}, 65));
  EXPECT_FALSE(make({2}, 3));
  EXPECT_FALSE(make({2}, 1));
  EXPECT_FALSE(make({}, 0));
  EXPECT_FALSE(make({-1}, 1));
  EXPECT_FALSE(make({-1, -1}, 1));
  EXPECT_FALSE(make({INT64_MAX, INT64_MAX}, 1));
}

TEST_F(ValueTest, Every_Scalar_HasNoContents) {
  const Dim seven = 7, eight = 8;
  const Value scalar = values_.Integers(kI64, {}, std::span(&seven, 1));
  const Value every = values_.Every(scalar);
  EXPECT_TRUE(every.is_none());
  EXPECT_NE(every, Value());
  EXPECT_EQ(every.every(), scalar);
  EXPECT_EQ(values_.Every(scalar), every);
  EXPECT_NE(values_.Every(values_.Integers(kI64, {}, std::span(&eight, 1))), every);
  EXPECT_EQ(values_.Every(Value()), Value());
  EXPECT_TRUE(scalar.every().is_none());
}

TEST_F(ValueTest, Reshaped_SameElementCount_KeepsElements) {
  const int64_t column[] = {6, 1}, matrix[] = {2, 3};
  const Value bytes = Vector(kF16, 6, {0, 0x3c, 0, 0x40, 0, 0, 0, 0x3c, 0, 0x40, 0, 0x44});
  for (const Value value : {bytes, Vector(kI8, 6, {1, 2, 3, 4, 5, 6})}) {
    const Value reshaped = values_.Reshaped(value, matrix);
    EXPECT_EQ(reshaped.rank(), 2);
    EXPECT_EQ(reshaped.size(), 6);
    for (int64_t i = 0; i < 6; ++i) {
      EXPECT_EQ(reshaped.FloatingPoint(i), value.FloatingPoint(i));
      EXPECT_EQ(reshaped.Integer(i), value.Integer(i));
    }
    EXPECT_EQ(values_.Reshaped(value, matrix), reshaped);
    EXPECT_NE(values_.Reshaped(value, column), reshaped);
  }
}

TEST_F(ValueTest, Value_None_HasNoKind) {
  EXPECT_TRUE(Value().is_none());
  EXPECT_EQ(Value().kind(), ValueKind::kNone);
}

TEST_F(ValueTest, Integers_TableGrowth_KeepsValues) {
  std::vector<Value> made;
  for (int64_t i = 0; i < 5000; ++i) {
    const Dim d = i;
    made.push_back(values_.Integers(kI64, {}, std::span(&d, 1)));
  }
  for (int64_t i = 0; i < 5000; ++i) EXPECT_EQ(made[static_cast<size_t>(i)].ConstantInteger(0), i);
}

TEST(FloatTest, Of_ExactDoubles_AreFractionsInLowestTerms) {
  const struct {
    double value;
    int64_t numerator, denominator;
  } kCases[] = {
      {0, 0, 1},
      {1, 1, 1},
      {-3, -3, 1},
      {0.5, 1, 2},
      {-0.75, -3, 4},
      {1.5, 3, 2},
      {224, 224, 1},
      {0.1, 3602879701896397, int64_t{1} << 55},
      {0.7f, 11744051, int64_t{1} << 24},
      {0x1p53 + 2, (int64_t{1} << 53) + 2, 1},
      {0x1p62, int64_t{1} << 62, 1},
      {-0x1p63, INT64_MIN, 1},
      {0x1p-62, 1, int64_t{1} << 62},
      {0x1.8p-61, 3, int64_t{1} << 62},
      {0x1p-24, 1, int64_t{1} << 24},  // the smallest f16
  };
  for (const auto& c : kCases) {
    const Float f = Float::Of(c.value);
    EXPECT_EQ(f.numerator, Dim(c.numerator)) << c.value;
    EXPECT_EQ(f.denominator, c.denominator) << c.value;
    EXPECT_FALSE(f.special) << c.value;
    EXPECT_EQ(f.constant(), c.value);
  }
}

TEST(FloatTest, Of_OtherDoubles_AreSpecial) {
  // The last two: numerators that a Dim cannot represent, or that are in the range of expression IDs.
  for (double value :
       {kInf, -kInf, kNan, -0.0, 1e300, 5e-324, 0x1p-149, 0x1p-63, 0x1.8p-62, 0x1p63, -0x1p62 - 0x1p33}) {
    const Float f = Float::Of(value);
    ASSERT_TRUE(f.special) << value;
    EXPECT_TRUE(f.numerator.is_none()) << value;
    EXPECT_FALSE(f.is_unknown()) << value;
    EXPECT_EQ(std::memcmp(&*f.special, &value, sizeof value), 0) << value;
    EXPECT_EQ(f, Float::Of(value)) << value;
  }
  EXPECT_FALSE(Float::Of(-0.0) == Float::Of(0.0));
  EXPECT_FALSE(Float::Of(kInf) == Float());
  EXPECT_FALSE(Float::Of(kInf) == Float::Of(-kInf));
}

TEST(FloatTest, Constant_Fraction_IsNearestDouble) {
  DimTable dims;
  EXPECT_EQ((Float{.numerator = 1, .denominator = 3, .special = {}}).constant(), 1.0 / 3);
  EXPECT_EQ((Float{.numerator = dims.Symbol("N"), .denominator = 2, .special = {}}).constant(), std::nullopt);
  EXPECT_EQ(Float().constant(), std::nullopt);
  EXPECT_TRUE(Float().is_unknown());
}

}  // namespace
}  // namespace dimwise
