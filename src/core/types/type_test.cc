#include "dimwise/type.h"

#include <gtest/gtest.h>

#include <random>

#include "dimwise/analysis.h"

namespace dimwise {
namespace {

class TypeTest : public testing::Test {
 protected:
  Type Read(std::string_view text) {
    Result<Type> type = ParseType(analysis_, text);
    EXPECT_TRUE(type) << text << ": " << (type ? "" : type.error().message);
    return type ? *type : Type();
  }
  std::string Text(const Type& type) { return ToString(dims(), type); }
  DimTable& dims() { return analysis_.dims(); }
  ShapeTable& shapes() { return analysis_.shapes(); }
  TypeTable& types() { return analysis_.types(); }

  // Takes an element out. Fresh symbols are named after the old ones: k1, k2, ...
  Type Take(const Type& container, int64_t place = -1) {
    return types().TakeElement(
        dims(), shapes(), container,
        [&](Dim each) {
          return dims().Symbol((each.is_none() ? "any" : std::string(dims().NameOf(each))) +
                               std::to_string(++taken_));
        },
        place);
  }

  Analysis analysis_;
  int taken_ = 0;
};

TEST_F(TypeTest, Make_EqualContainers_AreOnePointer) {
  const Type element = Read("f32[N, 3]");
  const Type sequence = types().Sequence(element);
  EXPECT_EQ(types().Sequence(element), sequence);
  EXPECT_EQ(types().Sequence(element).container, sequence.container);
  EXPECT_NE(types().Sequence(Read("f32[N]")), sequence);
  EXPECT_NE(types().Sequence(element, 2), sequence);
  EXPECT_NE(types().Sequence(element, {}, {dims().Symbol("N")}), sequence);
  EXPECT_NE(types().Optional(element), sequence);
  EXPECT_NE(types().Map(ElementType::kI64, element), types().Map(ElementType::kString, element));
  EXPECT_EQ(types().Sequence(types().Optional(element)), types().Sequence(types().Optional(element)));
  const Type behind[] = {element, element};
  EXPECT_NE(types().Handle(behind), types().Handle({behind, 1}));
}

TEST_F(TypeTest, Make_EquivalentContainers_HaveOneForm) {
  const Type a = Read("f32[2]"), b = Read("f32[3]");
  const Dim k = dims().Symbol("k"), m = dims().Symbol("m");
  const struct {
    Container inside;
    std::string_view text;
  } kCases[] = {
      {{TypeKind::kSequence, {}, {}, {}, {}}, "seq(?)"},
      {{TypeKind::kSequence, {}, {}, {a, b}, {}}, "seq(f32[2], f32[3])"},
      {{TypeKind::kSequence, {}, {}, {a, a}, {}}, "seq(f32[2], length=2)"},
      {{TypeKind::kSequence, ElementType::kI64, {}, {a}, {}}, "seq(f32[2])"},
      {{TypeKind::kSequence, {}, {}, {a}, {m, k, m}}, "seq(f32[2], each=(k, m))"},
      {{TypeKind::kOptional, {}, 3, {a}, {k}}, "optional(f32[2])"},
      {{TypeKind::kOptional, {}, {}, {}, {}}, "optional(?)"},
      {{TypeKind::kMap, ElementType::kI64, {}, {}, {}}, "map(i64, ?)"},
      {{TypeKind::kHandle, {}, {}, {}, {}}, "handle()"},
      {{TypeKind::kHandle, {}, {}, {a, a}, {}}, "handle(f32[2], f32[2])"},
  };
  for (const auto& c : kCases) EXPECT_EQ(Text(types().Make(c.inside)), c.text);
}

TEST_F(TypeTest, Type_ElementShapeStorage_AreIndependent) {
  Type type;
  EXPECT_EQ(Text(type), "?");
  EXPECT_FALSE(type.is_tensor());
  type = Type::Tensor(ElementType::kUnknown, Shape());
  EXPECT_EQ(Text(type), "?[*]");
  type.element = ElementType::kF32;
  EXPECT_EQ(Text(type), "f32[*]");
  type.shape = shapes().Make({2, 3});
  EXPECT_EQ(Text(type), "f32[2, 3]");
  type.storage = Storage::Csr();
  EXPECT_EQ(Text(type), "f32[2, 3] csr");
}

TEST_F(TypeTest, ParseType_TableOfTexts_PrintsBack) {
  const struct {
    std::string_view text, printed;
  } kCases[] = {
      {"f32[N, 3]", "f32[N, 3]"},
      {"f32[]", "f32[]"},
      {"f32[*]", "f32[*]"},
      {"?", "?"},
      {"?[2]", "?[2]"},
      {"?[*]", "?[*]"},
      {" f32 [ N ] ", "f32[N]"},
      {"f32[2, 3] csr", "f32[2, 3] csr"},
      {"f32[2, 3]row_sparse", "f32[2, 3] row_sparse"},
      {"f32[2] default", "f32[2] dense"},
      {"f32[2] ?", "f32[2]"},
      // Spellings of any framework.
      {"float[2]", "f32[2]"},
      {"DT_INT64[]", "i64[]"},
      {"float_ref[]", "f32[]"},
      {"complex<f32>[2]", "c64[2]"},
      {"!stablehlo.token[]", "token[]"},
      // Containers.
      {"seq(f32[N])", "seq(f32[N])"},
      {"seq( f32[N] , length = 2*T )", "seq(f32[N], length=2*T)"},
      {"seq(f32[N], length=(T + 1)//2)", "seq(f32[N], length=(T + 1)//2)"},
      {"seq(f32[N], length=?)", "seq(f32[N])"},
      {"seq(f32[k, 3], each=k)", "seq(f32[k, 3], each=k)"},
      {"seq(f32[k, m], length=max(T, 2), each=(m, k))", "seq(f32[k, m], length=max(T, 2), each=(k, m))"},
      {"seq(f32[`a, b`], each=`a, b`)", "seq(f32[`a, b`], each=`a, b`)"},
      {"seq(f32[2], f32[3], i64[] dense)", "seq(f32[2], f32[3], i64[] dense)"},
      {"seq(f32[2], f32[3], length=2)", "seq(f32[2], f32[3])"},
      {"seq(f32[2], f32[2])", "seq(f32[2], length=2)"},
      {"seq(f32[2], length=0)", "seq(f32[2], length=0)"},
      {"seq(?)", "seq(?)"},
      {"seq(?[*])", "seq(?[*])"},
      {"optional(f32[])", "optional(f32[])"},
      {"optional(seq(f32[N, 3]))", "optional(seq(f32[N, 3]))"},
      {"map(i64, f32[2])", "map(i64, f32[2])"},
      {"map(STRING, f32[k], length=T, each=k)", "map(string, f32[k], length=T, each=k)"},
      {"map(?, ?)", "map(?, ?)"},
      {"seq(map(i64, f32[]))", "seq(map(i64, f32[]))"},
      {"handle(f32[2], i32[])", "handle(f32[2], i32[])"},
      {"handle()", "handle()"},
      {"handle(f32[*])", "handle(f32[*])"},
  };
  for (const auto& c : kCases) EXPECT_EQ(Text(Read(c.text)), c.printed) << c.text;
}

TEST_F(TypeTest, ToString_RandomType_ParsesBack) {
  for (std::string_view text :
       {"f32[N, 3, (H + 1)//2]", "i64[]", "?[`a b`]", "f16[2, M] csr", "?", "seq(f32[N], length=T + 1)",
        "seq(f32[k], each=k)", "seq(f32[2], seq(i8[k], each=k), f32[2])", "optional(map(i64, f32[N]))",
        "map(string, u8[a, b], length=3, each=(a, b))", "handle(f32[2], handle(), i32[] dense)"}) {
    const Type type = Read(text);
    EXPECT_EQ(Read(Text(type)), type) << text;
    EXPECT_EQ(Text(type), text);
  }
}

TEST_F(TypeTest, ParseType_QuestionMarkInContainer_IsEachDimension) {
  const Type type = Read("seq(f32[?, N])");
  ASSERT_NE(type.container, nullptr);
  ASSERT_EQ(type.container->each.size(), 1u);
  EXPECT_EQ(type.container->each[0], type.container->elements[0].shape[0]);
  // It belongs to the innermost enclosing sequence or map; an optional or a handle does not count.
  EXPECT_EQ(Read("seq(optional(f32[?]))").container->each.size(), 1u);
  const Type nested = Read("seq(seq(f32[?]))");
  EXPECT_EQ(nested.container->each.size(), 0u);
  EXPECT_EQ(nested.container->elements[0].container->each.size(), 1u);
  EXPECT_EQ(Read("optional(f32[?])").container->each.size(), 0u);
  EXPECT_EQ(Read("handle(f32[?])").container->each.size(), 0u);
}

TEST_F(TypeTest, ParseType_InvalidText_ReportsColumn) {
  const struct {
    std::string_view text, message;
  } kCases[] = {
      {"", "a type is missing at column 1 of ''"},
      {"[2]", "a type is needed instead of '[' at column 1 of '[2]'"},
      {"f32", "'f32' has no shape at column 1 of 'f32'"},
      {"f33[2]", "'f33' is no element type at column 1 of 'f33[2]'"},
      {"F32[2]", "'F32' is no element type at column 1 of 'F32[2]'"},
      {"f33", "'f33' is no element type at column 1 of 'f33'"},
      {"f32[2", "',' or ']' is missing at column 6 of 'f32[2'"},
      {"f32[2]]", "unexpected ']' after the type at column 7 of 'f32[2]]'"},
      {"f32[2] crs", "'crs' is no storage at column 8 of 'f32[2] crs'"},
      {"f32[2] csr csr", "unexpected 'c' after the type at column 12 of 'f32[2] csr csr'"},
      {"f32[-1]", "-1 is no size at column 5 of 'f32[-1]'"},
      {"f32[N, (H]", "')' is missing at column 3 of '(H' in 'f32[N, (H]'"},
      {"? x", "unexpected 'x' after the type at column 3 of '? x'"},
      {"list(f32[2])", "'list' is no kind of type at column 1 of 'list(f32[2])'"},
      {"seq", "'(' is missing at column 4 of 'seq'"},
      {"seq[2]", "'(' is needed instead of '[' at column 4 of 'seq[2]'"},
      {"seq(", "a type is missing at column 5 of 'seq('"},
      {"seq()", "a type is needed instead of ')' at column 5 of 'seq()'"},
      {"seq(f32)", "'f32' has no shape at column 5 of 'seq(f32)'"},
      {"seq(f32[2]", "')' is missing at column 11 of 'seq(f32[2]'"},
      {"seq(f32[2]]", "')' is needed instead of ']' at column 11 of 'seq(f32[2]]'"},
      {"seq(f32[2],)", "a type is needed instead of ')' at column 12 of 'seq(f32[2],)'"},
      {"seq(length=2)", "'length' is no element type at column 5 of 'seq(length=2)'"},
      {"seq(f32[2], size=2)",
       "'length=' or 'each=' is needed instead of 's' at column 13 of 'seq(f32[2], size=2)'"},
      {"seq(f32[2], length=)", "the expression ends too early at column 1 of '' in 'seq(f32[2], length=)'"},
      {"seq(f32[2], length=-1)", "-1 is no length at column 20 of 'seq(f32[2], length=-1)'"},
      {"seq(f32[2], f32[3], length=3)",
       "a sequence with 2 types has that length, not 3 at column 28 of 'seq(f32[2], f32[3], length=3)'"},
      {"seq(f32[2], length=2, f32[3])",
       "'length=' or 'each=' is needed instead of 'f' at column 23 of 'seq(f32[2], length=2, f32[3])'"},
      {"seq(f32[k], each=2)", "'2' is no name at column 18 of 'seq(f32[k], each=2)'"},
      {"seq(f32[k], each=k + 1)", "'k + 1' is no name at column 18 of 'seq(f32[k], each=k + 1)'"},
      {"seq(f32[k], each=(k,))",
       "the expression ends too early at column 1 of '' in 'seq(f32[k], each=(k,))'"},
      {"optional(f32[], f32[])", "')' is needed instead of ',' at column 15 of 'optional(f32[], f32[])'"},
      {"optional()", "a type is needed instead of ')' at column 10 of 'optional()'"},
      {"map(f32[2])", "',' is needed instead of '[' at column 8 of 'map(f32[2])'"},
      {"map(i64)", "',' is needed instead of ')' at column 8 of 'map(i64)'"},
      {"map(, f32[])", "the element type of the keys is needed instead of ',' at column 5 of 'map(, f32[])'"},
      {"map(key, f32[])", "'key' is no element type at column 5 of 'map(key, f32[])'"},
      {"map(i64, f32[], f32[])",
       "'length=' or 'each=' is needed instead of 'f' at column 17 of 'map(i64, f32[], f32[])'"},
      {"handle(f32[2],)", "a type is needed instead of ')' at column 15 of 'handle(f32[2],)'"},
      {"handle(f32[2], length=2)", "'length' is no element type at column 16 of 'handle(f32[2], length=2)'"},
      {"\xff[2]", "'\xff' is no element type at column 1 of '\xff[2]'"},
  };
  for (const auto& c : kCases) {
    const Result<Type> type = ParseType(analysis_, c.text);
    ASSERT_FALSE(type) << c.text << " is read as " << Text(*type);
    EXPECT_EQ(type.error().message, c.message);
  }
}

TEST_F(TypeTest, ParseType_ElementTypeWithoutShape_SuggestsBrackets) {
  const Result<Type> type = ParseType(analysis_, "float");
  ASSERT_FALSE(type);
  EXPECT_EQ(ToString(type.error()),
            "error[DW0004]: 'float' has no shape at column 1 of 'float'\n"
            "  help: write f32[] for a scalar, f32[*] for an unknown rank");
}

TEST_F(TypeTest, ParseType_DeepNesting_IsError) {
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += "seq(";
    return text + "f32[]" + std::string(static_cast<size_t>(depth), ')');
  };
  EXPECT_EQ(Text(Read(nested(32))), nested(32));
  const Result<Type> deeper = ParseType(analysis_, nested(33));
  ASSERT_FALSE(deeper);
  EXPECT_EQ(deeper.error().message,
            "the types are nested more than 32 deep at column 129 of '" + nested(33) + "'");
  EXPECT_FALSE(ParseType(analysis_, nested(100000)));
}

TEST_F(TypeTest, TakeElement_EachDimension_BecomesFresh) {
  const struct {
    std::string_view container, element;
  } kCases[] = {
      {"seq(f32[N, 3])", "f32[N, 3]"},
      {"seq(f32[N, k], each=k)", "f32[N, k1]"},
      {"seq(f32[N, k, 2*k + 1] csr, each=k)", "f32[N, k1, 2*k1 + 1] csr"},
      {"seq(f32[k, max(k, m), m//2], each=(k, m))", "f32[k1, max(k1, m2), m2//2]"},
      {"map(i64, f32[k], each=k)", "f32[k1]"},
      {"optional(f32[N])", "f32[N]"},
      {"handle(f32[N])", "f32[N]"},
      {"seq(optional(f32[k]), each=k)", "optional(f32[k1])"},
      {"seq(handle(f32[k], i8[N]), each=k)", "handle(f32[k1], i8[N])"},
      {"seq(seq(f32[k], length=k), each=k)", "seq(f32[k1], length=k1)"},
      {"seq(seq(f32[k, m], each=m), each=k)", "seq(f32[k1, m], each=m)"},
      // The inner k hides the outer k, except in the length of the inner sequence.
      {"seq(seq(f32[k, m], length=k, each=k), each=(k, m))", "seq(f32[k, m2], length=k1, each=k)"},
      {"seq(?)", "?"},
      {"handle()", "?"},
      {"f32[2]", "?"},
      {"?", "?"},
  };
  for (const auto& c : kCases) {
    taken_ = 0;
    EXPECT_EQ(Text(Take(Read(c.container))), c.element) << c.container;
  }
}

TEST_F(TypeTest, TakeElement_Twice_GivesDistinctSizes) {
  const Type sequence = Read("seq(f32[N, k], each=k)");
  const Type a = Take(sequence), b = Take(sequence);
  EXPECT_EQ(a.shape[0], b.shape[0]);
  EXPECT_NE(a.shape[1], b.shape[1]);
}

TEST_F(TypeTest, TakeElement_UnknownShapes_AreDistinct) {
  const Type sequence = Read("seq(f32[*])");
  const Type a = Take(sequence), b = Take(sequence);
  EXPECT_FALSE(a.shape.has_rank());
  EXPECT_NE(a.shape, b.shape);
  EXPECT_NE(a.shape, sequence.container->elements[0].shape);

  // An optional has one element, so repeated queries return the same shape. Two optionals have two elements.
  const Type optional = Read("optional(f32[*])");
  EXPECT_EQ(Take(optional).shape, Take(optional).shape);
  const Type optionals = types().Sequence(optional);
  EXPECT_NE(Take(Take(optionals)).shape, Take(Take(optionals)).shape);

  // Within one element, equal unknown shapes stay equal.
  const Type unknown = Type::Tensor(ElementType::kF32, shapes().Unknown(1, 3));
  const Type two[] = {unknown, unknown};
  const Type handle = Take(types().Sequence(types().Handle(two)));
  EXPECT_EQ(handle.container->elements[0].shape, handle.container->elements[1].shape);
  EXPECT_NE(handle.container->elements[0].shape, unknown.shape);
  EXPECT_EQ(handle.container->elements[0].shape.max_rank(), 3);
}

TEST_F(TypeTest, TakeElement_KnownIndex_SelectsType) {
  const Type sequence = Read("seq(f32[2, N], f32[k, N], i8[4], each=k)");
  EXPECT_EQ(Text(Take(sequence, 0)), "f32[2, N]");
  taken_ = 0;
  EXPECT_EQ(Text(Take(sequence, 1)), "f32[k1, N]");
  EXPECT_EQ(Text(Take(sequence, 2)), "i8[4]");
  EXPECT_EQ(Text(Take(sequence, 3)), "?");
  EXPECT_EQ(Text(Take(Read("seq(f32[2], length=3)"), 2)), "f32[2]");
  EXPECT_EQ(Text(Take(Read("seq(f32[2], length=3)"), 3)), "?");
  EXPECT_EQ(Text(Take(Read("seq(f32[2], length=T)"), 3)), "f32[2]");
  EXPECT_EQ(Text(Take(Read("handle(f32[2], i8[])"), 1)), "i8[]");
}

TEST_F(TypeTest, TakeElement_UnknownIndex_GivesJoin) {
  const Type mixed = Take(Read("seq(f32[2, N], f32[3] csr, i8[4])"));
  EXPECT_EQ(Text(mixed), "?[*]");
  EXPECT_EQ(mixed.shape.min_rank(), 1);
  EXPECT_EQ(mixed.shape.max_rank(), 2);
  EXPECT_EQ(Text(Take(Read("seq(f32[N] csr, f32[M] csr)"))), "f32[any1] csr");
  EXPECT_EQ(Text(Take(Read("seq(f32[N], i8[N])"))), "?[N]");
  EXPECT_EQ(Text(Take(Read("seq(f32[N], seq(f32[N]))"))), "?");
  EXPECT_EQ(Text(Take(Read("seq(seq(f32[N]), seq(f32[N], length=2))"))), "?");
}

// A symbol that is defined by an each-dimension is also different for each element, at any depth of
// definitions.
TEST_F(TypeTest, TakeElement_DefinedSymbol_IsRenamed) {
  const Dim k = dims().Symbol("k"), n = dims().Symbol("N");
  const auto select = [&](Dim a, Dim b) {
    const Dim operands[] = {a, b, n};
    return dims().Defined({Operation::kSelect, 0, operands}, 2, 9);
  };
  Dim deep = select(k, 1);
  for (int i = 0; i < 50000; ++i) deep = select(dims().Add(deep, 1), i);
  const Dim about_k = select(k, 7), about_n = select(n, 8);
  const Type element =
      Type::Tensor(ElementType::kF32, shapes().Make({k, about_k, dims().Add(about_n, 2), deep}));
  const Type taken = Take(types().Sequence(element, {}, {k}));
  const Dim k1 = dims().Symbol("k1");
  EXPECT_EQ(taken.shape[0], k1);
  EXPECT_EQ(taken.shape[1], select(k1, 7));
  EXPECT_EQ(dims().GetSymbol(taken.shape[1]).max, 9);
  EXPECT_EQ(taken.shape[2], dims().Add(about_n, 2));
  Dim expected = select(k1, 1);
  for (int i = 0; i < 50000; ++i) expected = select(dims().Add(expected, 1), i);
  EXPECT_EQ(taken.shape[3], expected);
}

TEST_F(TypeTest, ParseType_RandomText_DoesNotCrash) {
  std::mt19937 random(7);
  const std::string_view pieces[] = {
      "f32", "[",    "]",      "(", ")",   ",", "seq(", "map(i64,", "optional(", "handle(", "N", "k",
      "?",   "each", "length", "=", "csr", " ", "[2]",  "f32[k]",   "`",         "*",       "1", "\xff"};
  int read = 0;
  for (int round = 0; round < 100000; ++round) {
    std::string text;
    for (size_t i = random() % 10; i > 0; --i) text += pieces[random() % std::size(pieces)];
    const Result<Type> type = ParseType(analysis_, text);
    if (!type) continue;
    ++read;
    const std::string printed = Text(*type);
    const Result<Type> again = ParseType(analysis_, printed);
    ASSERT_TRUE(again) << text << " is printed " << printed;
    EXPECT_EQ(Text(*again), printed) << text;
  }
  EXPECT_GT(read, 1000);
}

}  // namespace
}  // namespace dimwise
