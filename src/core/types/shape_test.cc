#include "dimwise/shape.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace dimwise {
namespace {

class ShapeTest : public testing::Test {
 protected:
  Shape Read(std::string_view text) {
    Result<Shape> shape = ParseShape(dims_, shapes_, text);
    EXPECT_TRUE(shape) << text << ": " << (shape ? "" : shape.error().message);
    return shape ? *shape : Shape();
  }
  std::string Text(Shape shape) { return ToString(dims_, shape); }

  DimTable dims_;
  ShapeTable shapes_;
};

TEST_F(ShapeTest, Make_EqualLists_GiveSameHandle) {
  const Dim n = dims_.Symbol("N"), m = dims_.Symbol("M");
  const Shape shape = shapes_.Make({n, 3, m});
  EXPECT_EQ(shapes_.Make({n, 3, m}), shape);
  EXPECT_NE(shapes_.Make({m, 3, n}), shape);
  EXPECT_NE(shapes_.Make({n, 3}), shape);
  EXPECT_NE(shapes_.Make({n, 3, m, 1}), shape);
  EXPECT_EQ(shapes_.Make({dims_.Add(n, n)}), shapes_.Make({dims_.Multiply(2, n)}));
  EXPECT_EQ(shapes_.Make(std::span<const Dim>()), shapes_.Scalar());
}

TEST_F(ShapeTest, Make_List_StoresSizes) {
  const Dim n = dims_.Symbol("N");
  const Shape shape = shapes_.Make({n, 3});
  EXPECT_FALSE(shape.is_none());
  EXPECT_TRUE(shape.has_rank());
  EXPECT_EQ(shape.rank(), 2);
  EXPECT_EQ(shape.min_rank(), 2);
  EXPECT_EQ(shape.max_rank(), 2);
  EXPECT_EQ(shape[0], n);
  EXPECT_EQ(shape[1], Dim(3));
  EXPECT_EQ(std::vector<Dim>(shape.dims().begin(), shape.dims().end()), (std::vector<Dim>{n, 3}));
  EXPECT_FALSE(shape.is_constant());
  EXPECT_TRUE(shapes_.Make({0, 3}).is_constant());
  EXPECT_TRUE(shapes_.Scalar().is_constant());
  EXPECT_EQ(shapes_.Scalar().rank(), 0);
  EXPECT_TRUE(Shape().is_none());
}

TEST_F(ShapeTest, Unknown_TwoCalls_GiveDistinctShapes) {
  const Shape a = shapes_.Unknown(), b = shapes_.Unknown(1, 3);
  EXPECT_NE(a, b);
  EXPECT_NE(shapes_.Unknown(), a);
  EXPECT_FALSE(a.has_rank());
  EXPECT_EQ(a.rank(), -1);
  EXPECT_EQ(a.min_rank(), 0);
  EXPECT_EQ(a.max_rank(), kMaxRank);
  EXPECT_EQ(b.min_rank(), 1);
  EXPECT_EQ(b.max_rank(), 3);
  EXPECT_TRUE(a.dims().empty());
  EXPECT_FALSE(a.is_constant());

  const SymbolKey key{.path = 1, .value = 2, .role = 3};
  const Shape keyed = shapes_.Unknown(key, 1, 4);
  EXPECT_EQ(shapes_.Unknown(key), keyed);
  EXPECT_EQ(keyed.max_rank(), 4);
  EXPECT_NE(shapes_.Unknown(SymbolKey{.path = 1, .value = 2, .role = 4}), keyed);
  EXPECT_NE(shapes_.Unknown(SymbolKey{.path = 2, .value = 2, .role = 3}), keyed);
  EXPECT_NE(shapes_.Unknown(SymbolKey{.path = 1, .value = 3, .role = 3}), keyed);
}

TEST_F(ShapeTest, Unknown_SinglePossibleRank_StaysUnknown) {
  const Shape shape = shapes_.Unknown(2, 2);
  EXPECT_FALSE(shape.has_rank());
  EXPECT_EQ(Text(shape), "[*]");
}

TEST_F(ShapeTest, Unknown_RanksOutOfRange_AreClamped) {
  EXPECT_EQ(shapes_.Unknown(-5, 1000).min_rank(), 0);
  EXPECT_EQ(shapes_.Unknown(-5, 1000).max_rank(), kMaxRank);
  EXPECT_EQ(shapes_.Unknown(3, 1).max_rank(), 3);
  EXPECT_EQ(shapes_.Unknown(1000, 1000).min_rank(), kMaxRank);
}

TEST_F(ShapeTest, Make_InvalidSizes_GivesNone) {
  EXPECT_EQ(shapes_.Make(std::vector<Dim>(kMaxRank, 1)).rank(), kMaxRank);
  EXPECT_TRUE(shapes_.Make(std::vector<Dim>(kMaxRank + 1, 1)).is_none());
  EXPECT_TRUE(shapes_.Make(std::vector<Dim>(100000, 1)).is_none());
  EXPECT_TRUE(shapes_.Make({Dim()}).is_none());
  EXPECT_TRUE(shapes_.Make({2, Dim()}).is_none());
}

// Growth of the table does not move data: handles and sizes stay valid, and each list is interned once.
TEST_F(ShapeTest, Make_TableGrowth_KeepsHandlesValid) {
  const size_t before = shapes_.size();
  std::vector<Shape> made;
  for (int64_t i = 0; i < 100; ++i) {
    for (int64_t j = 0; j < 100; ++j) made.push_back(shapes_.Make({i, j, i + j}));
  }
  EXPECT_EQ(shapes_.size(), before + made.size());
  std::set<uint32_t> ids;
  for (int64_t i = 0; i < 100; ++i) {
    for (int64_t j = 0; j < 100; ++j) {
      const Shape shape = made[static_cast<size_t>(i * 100 + j)];
      EXPECT_EQ(shapes_.Make({i, j, i + j}), shape);
      EXPECT_EQ(shape[1], Dim(j));
      ids.insert(shape.id());
    }
  }
  EXPECT_EQ(ids.size(), made.size());
  EXPECT_EQ(shapes_.size(), before + made.size());
}

TEST_F(ShapeTest, ParseShape_TableOfTexts_PrintsBack) {
  const struct {
    std::string_view text, printed;
  } kCases[] = {
      {"[]", "[]"},
      {" [ ] ", "[]"},
      {"[*]", "[*]"},
      {"[ * ]", "[*]"},
      {"[3]", "[3]"},
      {"[0]", "[0]"},
      {"[N,3]", "[N, 3]"},
      {"[N, 3, (H + 1)//2]", "[N, 3, (H + 1)//2]"},
      {"[N + N, M - M, 2*3]", "[2*N, 0, 6]"},
      {"[max(N, 2), min(N, M), broadcast(N, M)]", "[max(N, 2), min(N, M), broadcast(N, M)]"},
      {"[`a, b`, `c]d`, `e``f`]", "[`a, b`, `c]d`, `e``f`]"},
      {"[`(` + 1, N]", "[`(` + 1, N]"},
      {"[N - 5]", "[N - 5]"},
      {"\t[\nN\r,\n3 ]\n", "[N, 3]"},
      {"[9223372036854775807]", "[9223372036854775807]"},
  };
  for (const auto& c : kCases) EXPECT_EQ(Text(Read(c.text)), c.printed) << c.text;
  EXPECT_EQ(Text(Shape()), "none");
}

TEST_F(ShapeTest, ParseShape_SameText_GivesSameShape) {
  EXPECT_EQ(Read("[N, M + 1]"), Read("[N, 1 + M]"));
  EXPECT_EQ(Read("[2, 3]"), shapes_.Make({2, 3}));
  EXPECT_NE(Read("[N]"), Read("[M]"));
}

TEST_F(ShapeTest, ParseShape_QuestionMark_IsNewSize) {
  const Shape shape = Read("[?, ?, N]");
  ASSERT_EQ(shape.rank(), 3);
  EXPECT_EQ(dims_.Kind(shape[0]), DimKind::kSymbol);
  EXPECT_NE(shape[0], shape[1]);
  EXPECT_FALSE(dims_.GetSymbol(shape[0]).of_user);
  EXPECT_EQ(dims_.GetSymbol(shape[0]).min, 0);
  EXPECT_NE(Read("[?]"), Read("[?]"));
  EXPECT_NE(Read("[*]"), Read("[*]"));
}

TEST_F(ShapeTest, ParseShape_InvalidText_ReportsColumn) {
  const struct {
    std::string_view text, message;
  } kCases[] = {
      {"", "'[' is missing at column 1 of ''"},
      {"  ", "'[' is missing at column 3 of '  '"},
      {"N", "'[' is needed instead of 'N' at column 1 of 'N'"},
      {"2, 3]", "'[' is needed instead of '2' at column 1 of '2, 3]'"},
      {"[", "a size is missing at column 2 of '['"},
      {"[2", "',' or ']' is missing at column 3 of '[2'"},
      {"[2,", "a size is missing at column 4 of '[2,'"},
      {"[2,]", "a size is needed instead of ']' at column 4 of '[2,]'"},
      {"[,2]", "a size is needed instead of ',' at column 2 of '[,2]'"},
      {"[N,, 3]", "a size is needed instead of ',' at column 4 of '[N,, 3]'"},
      {"[N)]", "',' or ']' is needed instead of ')' at column 3 of '[N)]'"},
      {"[N] x", "unexpected 'x' after the shape at column 5 of '[N] x'"},
      {"[N]]", "unexpected ']' after the shape at column 4 of '[N]]'"},
      {"[N, (H + 1]", "')' is missing at column 7 of '(H + 1' in '[N, (H + 1]'"},
      {"[N M]", "unexpected 'M' at column 3 of 'N M' in '[N M]'"},
      {"[? + 1]", "expected a number, a name or '(' instead of '?' at column 1 of '? + 1' in '[? + 1]'"},
      {"[N, 6/2]", "a size is divided with '//', not '/', at column 2 of '6/2' in '[N, 6/2]'"},
      {"[N == 2]", "a size is required instead of a condition at column 7 of 'N == 2' in '[N == 2]'"},
      {"[`a]", "a closing backquote is missing at column 2 of '`a]' in '[`a]'"},
      {"[*, 3]", "'*' denotes a whole shape and cannot be combined with sizes at column 2 of '[*, 3]'"},
      {"[3, *]", "'*' denotes a whole shape and cannot be combined with sizes at column 5 of '[3, *]'"},
      {"[N, -1]", "-1 is no size at column 5 of '[N, -1]'"},
      {"[2 - 5]", "-3 is no size at column 2 of '[2 - 5]'"},
      {"[9223372036854775808]",
       "the number is too large at column 1 of '9223372036854775808' in '[9223372036854775808]'"},
      {"[-4611686027017322490]",
       "the number is too large at column 2 of '-4611686027017322490' in '[-4611686027017322490]'"},
      {"[\xff]", "expected a number, a name or '(' instead of '\xff' at column 1 of '\xff' in '[\xff]'"},
  };
  for (const auto& c : kCases) {
    const Result<Shape> shape = ParseShape(dims_, shapes_, c.text);
    ASSERT_FALSE(shape) << c.text << " is read as " << Text(*shape);
    EXPECT_EQ(shape.error().message, c.message);
  }
}

TEST_F(ShapeTest, ParseShape_InvalidText_HasCodeAndHelp) {
  const Result<Shape> negative = ParseShape(dims_, shapes_, "[-1]");
  ASSERT_FALSE(negative);
  EXPECT_EQ(ToString(negative.error()),
            "error[DW0105]: -1 is no size at column 2 of '[-1]'\n"
            "  help: a size is 0 or more; an unknown size is written '?'");
  const Result<Shape> open = ParseShape(dims_, shapes_, "[N");
  ASSERT_FALSE(open);
  EXPECT_EQ(ToString(open.error()),
            "error[DW0004]: ',' or ']' is missing at column 3 of '[N'\n"
            "  help: a shape is written [N, 3, (H + 1)//2]; '?' is a size that is not known, [*] a shape of "
            "unknown "
            "rank, [] a scalar");
}

TEST_F(ShapeTest, ParseShape_TooManySizes_IsError) {
  std::string text = "[1";
  for (int i = 1; i < kMaxRank; ++i) text += ",1";
  EXPECT_EQ(Read(text + "]").rank(), kMaxRank);
  const Result<Shape> more = ParseShape(dims_, shapes_, text + ",1]");
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, Code::kOutOfRange);
  EXPECT_EQ(more.error().message, "a shape has at most 254 sizes; this one has more at column 510 of '" +
                                      (text + ",1]").substr(0, 200) + "'");
}

// Creates random expressions over a few symbols, one of which needs backquotes.
class RandomDim {
 public:
  explicit RandomDim(DimTable& dims)
      : dims_(dims), symbols_{dims.Symbol("N"), dims.Symbol("M"), dims.Symbol("a, b]"), dims.Symbol("max")} {}

  Dim Next(int depth) {
    if (depth == 0 || random_() % 4 == 0) {
      return random_() % 2 == 0 ? symbols_[random_() % symbols_.size()]
                                : Dim(static_cast<int64_t>(random_() % 12));
    }
    const Dim a = Next(depth - 1), b = Next(depth - 1);
    switch (random_() % 9) {
      case 0:
      case 1:
        return dims_.Add(a, b);
      case 2:
        return dims_.Subtract(a, b);
      case 3:
        return dims_.Multiply(a, b);
      case 4:
        return dims_.FloorDivide(a, static_cast<int64_t>(random_() % 6 + 1));
      case 5:
        return dims_.Mod(a, static_cast<int64_t>(random_() % 6 + 2));
      case 6:
        return dims_.Max(a, b);
      case 7:
        return dims_.Min(a, b);
      default:
        return dims_.Broadcast(a, b);
    }
  }

  // Returns whether all symbols of d are user symbols. Names of generated symbols do not parse back.
  bool IsPlain(Dim d) const {
    for (Dim symbol : dims_.SymbolsOf(d)) {
      if (!dims_.GetSymbol(symbol).of_user) return false;
    }
    return true;
  }

  std::mt19937& random() { return random_; }

 private:
  DimTable& dims_;
  std::vector<Dim> symbols_;
  std::mt19937 random_{11};
};

TEST_F(ShapeTest, ToString_RandomShape_ParsesBack) {
  RandomDim dim(dims_);
  int tried = 0;
  while (tried < 3000) {
    std::vector<Dim> sizes;
    for (size_t rank = dim.random()() % 5; sizes.size() < rank;) {
      const Dim d = dim.Next(3);
      if (d.is_none() || (d.is_constant() && d.constant() < 0) || !dim.IsPlain(d)) continue;
      sizes.push_back(d);
    }
    const Shape shape = shapes_.Make(sizes);
    const std::string text = Text(shape);
    ASSERT_EQ(Read(text), shape) << text;
    ++tried;
  }
}

TEST_F(ShapeTest, ParseShape_RandomText_DoesNotCrash) {
  std::mt19937 random(7);
  const std::string_view alphabet = "[[[]]],,,()`*?+-/%012NM max\n\xff";
  for (int round = 0; round < 50000; ++round) {
    std::string text = "[";
    for (size_t i = random() % 14; i > 0; --i) text += alphabet[random() % alphabet.size()];
    if (random() % 2 == 0) text += "]";
    const Result<Shape> shape = ParseShape(dims_, shapes_, text);
    if (!shape) {
      EXPECT_FALSE(shape.error().message.empty());
      continue;
    }
    ASSERT_FALSE(shape->is_none()) << text;
    const std::string printed = Text(*shape);
    EXPECT_TRUE(ParseShape(dims_, shapes_, printed)) << text << " is printed " << printed;
  }
}

}  // namespace
}  // namespace dimwise
