// The tests have the names of TensorFlow's tensor_shape_test.cc, for comparison side by side.
#include "dimwise/tensor_shape.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

namespace dimwise {
namespace {

TensorShape Make(std::initializer_list<int64_t> sizes) {
  return TensorShape::BuildTensorShape(sizes).value();
}

std::string MessageOf(const Status& status) { return status ? "ok" : status.error().message; }

template <typename T>
std::string MessageOf(const Result<T>& result) {
  return result ? "ok" : result.error().message;
}

TEST(TensorShapeTest, Default) {
  const TensorShape s;
  EXPECT_EQ(s.dims(), 0);
  EXPECT_EQ(s.num_elements(), 1);
  EXPECT_EQ(s.DebugString(), "[]");
  EXPECT_EQ(s, Make({}));
}

TEST(TensorShapeTest, set_dim) {
  TensorShape s = Make({10, 5});
  EXPECT_TRUE(s.set_dim(0, 20));
  EXPECT_EQ(s, Make({20, 5}));
  EXPECT_EQ(s.num_elements(), 100);
  EXPECT_TRUE(s.set_dim(1, 2));
  EXPECT_EQ(s.num_elements(), 40);

  EXPECT_EQ(MessageOf(s.set_dim(2, 1)), "there is no axis 2 in a shape with 2 dimensions");
  EXPECT_EQ(MessageOf(s.set_dim(-1, 1)), "there is no axis -1 in a shape with 2 dimensions");
  EXPECT_EQ(MessageOf(s.set_dim(0, -1)), "the size of axis 0 is -1; it must be 0 or more");
  EXPECT_EQ(s, Make({20, 2})) << "a failed edit changes nothing";
}

TEST(TensorShapeTest, RemoveDim) {
  TensorShape s = Make({10, 5});
  EXPECT_TRUE(s.RemoveDim(0));
  EXPECT_EQ(s, Make({5}));
  EXPECT_FALSE(s.RemoveDim(1));
  EXPECT_FALSE(s.RemoveDim(-1));
  EXPECT_TRUE(s.RemoveDim(0));
  EXPECT_EQ(s, TensorShape());
  EXPECT_EQ(MessageOf(s.RemoveDim(0)), "there is no axis 0 in a shape with 0 dimensions");
}

TEST(TensorShapeTest, RemoveAndAddDim) {
  TensorShape s = Make({10, 5, 20});
  EXPECT_TRUE(s.RemoveDim(1));
  EXPECT_EQ(s.num_elements(), 200);
  EXPECT_TRUE(s.AddDim(100));
  EXPECT_EQ(s, Make({10, 20, 100}));
  EXPECT_EQ(s.num_elements(), 20000);
  EXPECT_TRUE(s.InsertDim(0, 3));
  EXPECT_TRUE(s.InsertDim(4, 7));
  EXPECT_EQ(s, Make({3, 10, 20, 100, 7}));
  EXPECT_FALSE(s.InsertDim(6, 1));
  EXPECT_FALSE(s.InsertDim(-1, 1));
}

TEST(TensorShapeTest, RemoveLastDims) {
  TensorShape s = Make({2, 3, 5, 7});
  EXPECT_TRUE(s.RemoveLastDims(0));
  EXPECT_EQ(s, Make({2, 3, 5, 7}));
  EXPECT_TRUE(s.RemoveLastDims(1));
  EXPECT_EQ(s, Make({2, 3, 5}));
  EXPECT_TRUE(s.RemoveLastDims(2));
  EXPECT_EQ(s, Make({2}));
  EXPECT_EQ(MessageOf(s.RemoveLastDims(2)), "cannot remove 2 dimensions of a shape that has 1");
  EXPECT_FALSE(s.RemoveLastDims(-1));
  EXPECT_TRUE(s.RemoveLastDims(1));
  EXPECT_EQ(s, TensorShape());
}

TEST(TensorShapeTest, RemoveDimRange) {
  const TensorShape whole = Make({2, 3, 5, 7});
  for (int i = -5; i <= 4; ++i) {
    TensorShape s = whole;
    EXPECT_TRUE(s.RemoveDimRange(i, i)) << i;
    EXPECT_EQ(s, whole) << "an empty range, " << i;
  }
  struct Case {
    int begin, end;
    TensorShape expected;
  };
  const Case cases[] = {
      {0, 1, Make({3, 5, 7})}, {1, 2, Make({2, 5, 7})},   {3, 4, Make({2, 3, 5})}, {0, 4, Make({})},
      {1, 3, Make({2, 7})},    {1, -1, Make({2})},        {-4, -1, Make({2})},     {0, -1, Make({})},
      {-5, 2, Make({5, 7})},   {-2, -1, Make({2, 3, 5})}, {-5, -2, Make({7})},     {3, 1, whole},
  };
  for (const Case& c : cases) {
    TensorShape s = whole;
    EXPECT_TRUE(s.RemoveDimRange(c.begin, c.end));
    EXPECT_EQ(s, c.expected) << c.begin << " to " << c.end;
  }
  for (const auto& [begin, end] : {std::pair(0, 5), {5, 5}, {-6, 0}, {0, -6}, {INT32_MIN, INT32_MAX}}) {
    TensorShape s = whole;
    EXPECT_FALSE(s.RemoveDimRange(begin, end)) << begin << " to " << end;
    EXPECT_EQ(s, whole);
  }
}

TEST(TensorShapeTest, InvalidShapeProto) {
  ShapeProto proto;
  EXPECT_TRUE(TensorShape::IsValid(proto));
  proto.dims = {357, 982};
  EXPECT_TRUE(TensorShape::IsValid(proto));
  EXPECT_EQ(TensorShape::BuildTensorShape(proto).value(), Make({357, 982}));
  for (const int64_t size : {int64_t{-1}, int64_t{-357}, INT64_MIN}) {
    proto.dims = {357, size};
    EXPECT_FALSE(TensorShape::IsValid(proto)) << size;
    EXPECT_EQ(MessageOf(TensorShape::BuildTensorShape(proto)),
              "the size of axis 1 is " + std::to_string(size) + "; it must be 0 or more");
  }
}

TEST(TensorShapeTest, TooManyDimsProto) {
  ShapeProto proto;
  proto.dims.assign(254, 1);
  EXPECT_TRUE(TensorShape::IsValid(proto));
  TensorShape s = TensorShape::BuildTensorShape(proto).value();
  EXPECT_EQ(s.dims(), 254);
  EXPECT_EQ(MessageOf(s.AddDim(1)), "a shape has 255 dimensions; at most 254 are allowed");
  EXPECT_FALSE(s.AppendShape(Make({1})));
  EXPECT_EQ(s.dims(), 254);
  proto.dims.push_back(1);
  EXPECT_FALSE(TensorShape::IsValid(proto));
  EXPECT_FALSE(TensorShape::BuildTensorShape(proto));
}

TEST(TensorShapeTest, SetDimForEmptyTensor) {
  TensorShape s = Make({10, 5, 20});
  EXPECT_EQ(s.num_elements(), 1000);
  EXPECT_TRUE(s.set_dim(1, 0));
  EXPECT_EQ(s.num_elements(), 0);
  EXPECT_TRUE(s.set_dim(1, 7));
  EXPECT_EQ(s.num_elements(), 1400);
}

TEST(TensorShapeTest, AppendShape64BitIndices) {
  const TensorShape big = Make({10, 2147483648});
  EXPECT_EQ(big.dim_size(1), 2147483648);
  EXPECT_EQ(big.num_elements(), 21474836480);
  TensorShape s = Make({3});
  EXPECT_TRUE(s.AppendShape(big));
  EXPECT_EQ(s, Make({3, 10, 2147483648}));
  EXPECT_TRUE(s.AppendShape(TensorShape()));
  EXPECT_EQ(s.dims(), 3);
  TensorShape twice = Make({2, 3});
  EXPECT_TRUE(twice.AppendShape(twice));
  EXPECT_EQ(twice, Make({2, 3, 2, 3}));
}

TEST(TensorShapeTest, DataType) {
  TensorShape s;
  EXPECT_EQ(s.data_type(), ElementType::kUnknown);
  s.set_data_type(ElementType::kU16);
  EXPECT_TRUE(s.AddDim(2) && s.AddDim(100000) && s.InsertDim(0, 4) && s.set_dim(1, 3) && s.RemoveDim(0));
  EXPECT_TRUE(s.AppendShape(Make({5})) && s.RemoveLastDims(1));
  EXPECT_EQ(s.data_type(), ElementType::kU16) << "edits keep the element type";
  EXPECT_EQ(s, Make({3, 100000})) << "comparisons ignore the element type";
  EXPECT_EQ(PartialTensorShape(s).data_type(), ElementType::kU16);
}

TEST(TensorShapeTest, ostream) {
  std::stringstream ss;
  ss << Make({10, 5, 4}) << " " << TensorShape() << " " << Make({0});
  EXPECT_EQ(ss.str(), "[10,5,4] [] [0]");
}

// Compares the shape with a plain list after each random edit.
TEST(TensorShapeTest, Randomized) {
  std::mt19937 random(20240607);  // a fixed seed, to reproduce failures
  const auto below = [&](size_t n) {
    return static_cast<int>(std::uniform_int_distribution<size_t>(0, n - 1)(random));
  };
  const int64_t sizes[] = {0, 1, 2, 3, 7, 1000, 65536, int64_t{1} << 32, int64_t{1} << 61};
  TensorShape s;
  std::vector<int64_t> plain;
  int failures = 0;
  for (int step = 0; step < 20000; ++step) {
    std::vector<int64_t> next = plain;
    const int64_t size = sizes[below(std::size(sizes))];
    const int d = below(plain.size() + 1);
    Status status;
    switch (below(6)) {
      case 0:
        status = s.AddDim(size);
        next.push_back(size);
        break;
      case 1:
        status = s.InsertDim(d, size);
        next.insert(next.begin() + d, size);
        break;
      case 2:
        if (plain.empty()) break;
        status = s.set_dim(d % s.dims(), size);
        next[static_cast<size_t>(d) % next.size()] = size;
        break;
      case 3:
        if (plain.empty()) break;
        status = s.RemoveDim(d % s.dims());
        next.erase(next.begin() + d % static_cast<int>(plain.size()));
        break;
      case 4:
        status = s.RemoveLastDims(d);
        next.resize(plain.size() - static_cast<size_t>(d));
        break;
      case 5: {
        const int end = d + below(plain.size() - static_cast<size_t>(d) + 1);
        status = s.RemoveDimRange(d, end);
        next.erase(next.begin() + d, next.begin() + end);
        break;
      }
    }
    // The product in floating point: precise enough to distinguish 2^63 from much smaller numbers.
    long double product = 1;
    for (const int64_t n : next) product *= static_cast<long double>(n);
    const bool fits = product < 0x1p63L;
    ASSERT_EQ(status.has_value(), fits) << MessageOf(status);
    if (fits) plain = next;
    failures += !fits;
    ASSERT_EQ(std::vector<int64_t>(s.dim_sizes().begin(), s.dim_sizes().end()), plain);
    ASSERT_EQ(s.dims(), static_cast<int>(plain.size()));
    if (fits) {
      ASSERT_EQ(static_cast<long double>(s.num_elements()), product) << s;
    }
    ASSERT_EQ(TensorShape::BuildTensorShape(s.AsProto()).value(), s);
  }
  EXPECT_GT(failures, 100) << "enough edits must overflow";
}

TEST(TensorShapeTest, Large) {
  const TensorShape s = Make({int64_t{1} << 62});
  EXPECT_EQ(s.num_elements(), int64_t{1} << 62);
  EXPECT_EQ(Make({INT64_MAX}).num_elements(), INT64_MAX);
}

TEST(TensorShapeTest, Overflow) {
  const int64_t one = 1;
  EXPECT_EQ(MessageOf(TensorShape::BuildTensorShape({one << 62, 2})),
            "a tensor of shape [4611686018427387904,2] has more elements than a 64-bit integer can count");
  const std::vector<std::vector<int64_t>> overflows = {
      {one << 32, one << 31},
      {one << 62, one << 62},
      {one << 40, one << 40},
      {INT64_MAX, 2},
      {3, INT64_MAX},
      {one << 21, one << 21, one << 21},
      {one << 32, one << 32, one << 32},
  };
  for (const auto& sizes : overflows) {
    const auto built = TensorShape::BuildTensorShape(sizes);
    ASSERT_FALSE(built);
    EXPECT_EQ(built.error().code, Code::kOverflow);
    EXPECT_FALSE(TensorShape::IsValid(ShapeProto{false, sizes}));
    // With a 0 at any position the shape is empty.
    for (size_t i = 0; i <= sizes.size(); ++i) {
      std::vector<int64_t> with_zero = sizes;
      with_zero.insert(with_zero.begin() + static_cast<std::ptrdiff_t>(i), 0);
      TensorShape empty = TensorShape::BuildTensorShape(with_zero).value();
      EXPECT_EQ(empty.num_elements(), 0);
      EXPECT_FALSE(empty.RemoveDim(static_cast<int>(i))) << "without the 0 the product overflows";
      EXPECT_EQ(empty.num_elements(), 0);
    }
  }
  EXPECT_EQ(Make({one << 31, one << 31}).num_elements(), one << 62);
}

// TensorFlow parses an unknown rank as a scalar here, for old files; Dimwise reports an error.
TEST(TensorShapeTest, UnknownRank) {
  ShapeProto proto;
  proto.unknown_rank = true;
  EXPECT_FALSE(TensorShape::IsValid(proto));
  const auto built = TensorShape::BuildTensorShape(proto);
  ASSERT_FALSE(built);
  EXPECT_EQ(ToString(built.error()),
            "error[DW0002]: the rank is unknown where every size must be known\n"
            "  help: a PartialTensorShape holds it");
}

TEST(TensorShapeTest, Edits_AxisOutOfRange_AreErrors) {
  const TensorShape s = Make({4, 0});
  EXPECT_EQ(s.dim_size(0), 4);
  EXPECT_EQ(s.dim_size(1), 0);
  EXPECT_EQ(s.dim_size(2), -1);
  EXPECT_EQ(s.dim_size(-1), -1);
}

TEST(TensorShapeTest, IsSameSize) {
  EXPECT_TRUE(Make({2, 3}).IsSameSize(Make({2, 3})));
  EXPECT_FALSE(Make({2, 3}).IsSameSize(Make({3, 2})));
  EXPECT_FALSE(Make({2, 3}).IsSameSize(Make({2, 3, 1})));
  EXPECT_NE(Make({0}), Make({}));
}

TEST(TensorShapeUtilsTest, StartsWith) {
  EXPECT_TRUE(TensorShapeUtils::StartsWith(Make({}), Make({})));
  EXPECT_TRUE(TensorShapeUtils::StartsWith(Make({2, 3}), Make({})));
  EXPECT_TRUE(TensorShapeUtils::StartsWith(Make({2, 3}), Make({2})));
  EXPECT_TRUE(TensorShapeUtils::StartsWith(Make({2, 3}), Make({2, 3})));
  EXPECT_FALSE(TensorShapeUtils::StartsWith(Make({2, 3}), Make({3})));
  EXPECT_FALSE(TensorShapeUtils::StartsWith(Make({2, 3}), Make({2, 4})));
  EXPECT_FALSE(TensorShapeUtils::StartsWith(Make({2, 3}), Make({2, 3, 4})));
}

TEST(TensorShapeUtilsTest, EndsWith) {
  EXPECT_TRUE(TensorShapeUtils::EndsWith(Make({}), Make({})));
  EXPECT_TRUE(TensorShapeUtils::EndsWith(Make({2, 3}), Make({})));
  EXPECT_TRUE(TensorShapeUtils::EndsWith(Make({2, 3}), Make({3})));
  EXPECT_TRUE(TensorShapeUtils::EndsWith(Make({2, 3}), Make({2, 3})));
  EXPECT_FALSE(TensorShapeUtils::EndsWith(Make({2, 3}), Make({2})));
  EXPECT_FALSE(TensorShapeUtils::EndsWith(Make({2, 3}), Make({4, 3})));
  EXPECT_FALSE(TensorShapeUtils::EndsWith(Make({2, 3}), Make({1, 2, 3})));
}

}  // namespace
}  // namespace dimwise
