#include "rules/language/print.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "rules/language/parser.h"

namespace dimwise::rules {
namespace {

std::string PrintAgain(std::string_view text) {
  const Result<File> file = Parse(text, "print.shape");
  return file ? Print(*file) : ToString(file.error());
}

// Prints a text and checks that the output prints unchanged.
std::string Canonical(std::string_view text) {
  std::string printed = PrintAgain(text);
  EXPECT_EQ(PrintAgain(printed), printed);
  return printed;
}

TEST(PrintTest, Expression_OfEachKind_IsPrinted) {
  const struct {
    std::string_view text;
    std::string_view printed;  // empty: equal to the input
  } cases[] = {
      {"3", ""},
      {"-3", ""},
      {"-(3)", ""},
      {"--3", "-(-3)"},
      {"-x[0]", ""},
      {"(-3)[0]", ""},
      {"-3[0]", ""},
      {"-(a + b)", ""},
      {"1.0", ""},
      {"-0.0", ""},
      {"1e20", "1e+20"},
      {"0.1", ""},
      {"(a + b) * c", ""},
      {"a + (b * c)", "a + b * c"},
      {"(a + b) + c", "a + b + c"},
      {"a + (b + c)", ""},
      {"a - (b - c)", ""},
      {"a // (b * c)", ""},
      {"(a implies b) implies c", ""},
      {"a implies (b implies c)", "a implies b implies c"},
      {"(a or b) and c", ""},
      {"not (a and b)", ""},
      {"(not a) == b", ""},
      {"not (a == b)", "not a == b"},
      {"a not in b", "not a in b"},
      {"(a < b) < c", ""},
      {"a < (b < c)", ""},
      {"a < b < c", "a < b and b < c"},
      {"1 + if a then b else c", "1 + (if a then b else c)"},
      {"(if a then b else c)[0]", ""},
      {"(fold x in xs with n = 0: n) + 1", ""},
      {"f( a,b )", "f(a, b)"},
      {"[ ...a ,b ]", "[...a, b]"},
      {"[...a + b]", ""},
      {"x[ : ]", "x[:]"},
      {"x[1:]", ""},
      {"x[fold a in b with c = 0: d:e]", ""},
      {"[e for x, y in zip(a, b) if x > y]", ""},
      {R"("\"\\\n\t{}")", ""},
      {"`in` + `a b` + `x`", "`in` + `a b` + x"},
      {"value + like", ""},
      {"true", ""},
  };
  for (const auto& c : cases) {
    const std::string printed = Canonical(fmt::format("fn f() -> int = {}", c.text));
    EXPECT_EQ(printed, fmt::format("fn f() -> int = {}\n", c.printed.empty() ? c.text : c.printed));
  }
}

// ---- Random trees: parsing the output must yield the tree, not only a text that prints the same. ----

bool Same(const Expr* a, const Expr* b) {
  if (a == nullptr || b == nullptr) return a == b;
  if (a->kind != b->kind || a->text != b->text || a->names != b->names || a->integer != b->integer ||
      a->real != b->real || a->height != b->height || a->children.size() != b->children.size()) {
    return false;
  }
  for (size_t i = 0; i < a->children.size(); ++i) {
    if (!Same(a->children[i].get(), b->children[i].get())) return false;
  }
  return true;
}

class RandomTrees {
 public:
  explicit RandomTrees(uint32_t seed) : random_(seed) {}

  ExprPtr Tree(int depth) {
    auto expr = std::make_unique<Expr>();
    expr->kind = static_cast<ExprKind>(Below(depth > 0 ? 15 : 5));
    switch (expr->kind) {
      case ExprKind::kInteger:
        expr->integer = static_cast<int64_t>(Below(5)) - 2;
        break;
      case ExprKind::kReal:
        expr->real = 0.25 * (static_cast<double>(Below(5)) - 2);
        break;
      case ExprKind::kBoolean:
        expr->integer = static_cast<int64_t>(Below(2));
        break;
      case ExprKind::kString:
        expr->text = Any({"a", "", "\"\\\n", "{x}"});
        break;
      case ExprKind::kName:
        expr->text = Name();
        break;
      case ExprKind::kList:
        Children(*expr, Below(3), depth);
        for (ExprPtr& child : expr->children) {
          if (Below(3) == 0) child = Spread(std::move(child));
        }
        break;
      case ExprKind::kSpread:  // inside lists only
        return Tree(depth);
      case ExprKind::kCall:
        expr->text = Name();
        Children(*expr, Below(3), depth);
        break;
      case ExprKind::kIndex:
        Children(*expr, 2, depth);
        break;
      case ExprKind::kSlice:
        Children(*expr, 3, depth);
        if (Below(3) == 0) expr->children[1] = nullptr;
        if (Below(3) == 0) expr->children[2] = nullptr;
        break;
      case ExprKind::kUnary:
        expr->text = Any({"-", "not"});
        Children(*expr, 1, depth);
        break;
      case ExprKind::kBinary:
        expr->text =
            Any({"+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "implies", "in"});
        Children(*expr, 2, depth);
        break;
      case ExprKind::kIf:
        Children(*expr, 3, depth);
        break;
      case ExprKind::kFor:
        expr->names = {Name(), "i"};
        Children(*expr, 3, depth);
        if (Below(2) == 0) expr->children[2] = nullptr;
        break;
      case ExprKind::kFold:
        expr->names = {"acc", Name()};
        Children(*expr, 3, depth);
        break;
    }
    for (const ExprPtr& child : expr->children) {
      if (child != nullptr)
        expr->height = std::max<uint8_t>(expr->height, static_cast<uint8_t>(child->height + 1));
    }
    return expr;
  }

 private:
  size_t Below(size_t end) { return random_() % end; }
  std::string Any(std::vector<std::string> choices) { return choices[Below(choices.size())]; }
  std::string Name() { return Any({"x", "y", "value", "in", "a b", "like", "_", "then"}); }
  void Children(Expr& expr, size_t count, int depth) {
    for (size_t i = 0; i < count; ++i) expr.children.push_back(Tree(depth - 1));
  }
  static ExprPtr Spread(ExprPtr child) {
    auto spread = std::make_unique<Expr>();
    spread->kind = ExprKind::kSpread;
    spread->height = static_cast<uint8_t>(child->height + 1);
    spread->children.push_back(std::move(child));
    return spread;
  }

  std::mt19937 random_;
};

TEST(PrintTest, RandomTree_PrintedAndParsed_IsUnchanged) {
  RandomTrees trees(1);
  for (int i = 0; i < 20'000; ++i) {
    const ExprPtr tree = trees.Tree(1 + i % 5);
    const std::string text = Print(*tree);
    const Result<File> file = Parse("fn f() -> int = " + text, "random.shape");
    ASSERT_TRUE(file.has_value()) << ToString(file.error());
    ASSERT_TRUE(Same(tree.get(), file->functions[0].body.get())) << text;
  }
}

TEST(PrintTest, RandomDefault_PrintedAndParsed_IsUnchanged) {
  RandomTrees trees(2);
  for (int i = 0; i < 5'000; ++i) {
    Attribute attribute;
    attribute.name = "a";
    attribute.otherwise = trees.Tree(1 + i % 4);
    attribute.minimum = trees.Tree(1 + i % 3);
    attribute.maximum = trees.Tree(1 + i % 3);
    const std::string text = Print(attribute);
    const Result<File> file = Parse("op A(; " + text + ") -> ()", "random.shape");
    ASSERT_TRUE(file.has_value()) << ToString(file.error());
    const Attribute& again = file->operators[0].attributes[0];
    ASSERT_TRUE(Same(attribute.otherwise.get(), again.otherwise.get())) << text;
    ASSERT_TRUE(Same(attribute.maximum.get(), again.maximum.get())) << text;
    ASSERT_TRUE(Same(attribute.minimum.get(), again.minimum.get())) << text;
  }
}

TEST(PrintTest, Operator_OfEachForm_IsPrinted) {
  constexpr std::string_view kCases[] = {
      "op Relu(X: T[...s]) -> (Y: T[...s])\n",
      "op A(; value: tensor) -> ()\n",
      "op A(X: _, Y: _[...], Z: V, W: T[*]) -> (Y?: each T[...each s])\n",
      "op A(X+: T[...a{axis}, each d, ...b]; axis: int in ..3) -> (Y: (promote(T, U))[...a, sum(d), ...(b + "
      "c)])\n",
      "op A(S: seq(opt(map((K + L), handle(T[n], _))))) -> (Y: handle())\n",
      "op A(; a?: ints, b: bool = (x in xs) in [true], c: int = 1 in 0..n + 1) -> ()\n",
      "op and, `a b` since 3 until 9 (X: T) -> (Y: T)\n",
      "op A(X{n}: T[...s], W{`a b`}: U; n: int, `a b`: int, s: shapes) -> (Y{n}: each T[...each s])\n",
      "op A(X: T[n, ...s]; a: int, body: region(T[...s], each T[]) -> (U[...r]), other: region() -> ()) -> "
      "(Y: U[n])\n",
      "op A like `op`\n  T: float | `in`\n",
      "template t(X: T[n]) -> (Y: T[n]) when n > 1\n  | (X: T[]) -> (Y: T[])\n",
      "op A(X: T[n]) -> (Y: T[n])\n  let `let` = 1\n  require n > 1\n  require n > 2 else \"{n} {{}} "
      "\\\"\\\\\\n\"\n"
      "  require n > 3 else \"\"\n  assume n > 2\n  assume n > 4 else \"{n}\"\n  ensure n > 1\n  value Y = "
      "X\n  T: f32\n  example \"{\"\n",
      "set a.b\n\n## one\n##\n##   two\nfn f(x: int, y: ints) -> bool = x in y\n\nop A(X: T) -> (Y: T)\n",
  };
  for (const std::string_view text : kCases) EXPECT_EQ(Canonical(text), text);
}

TEST(PrintTest, Signature_TooLong_IsWrapped) {
  EXPECT_EQ(
      Canonical(
          "op Conv(X: T[n, c, ...x], W: T[m, wc, ...k], B?: T[m]; auto_pad: string = \"NOTSET\" in "
          "[\"NOTSET\", \"VALID\"], dilations: ints = ones(rank(x)), group: int = 1 in 1..) -> (Y: T[n, m, "
          "...out])"),
      R"(op Conv(X: T[n, c, ...x], W: T[m, wc, ...k], B?: T[m]; auto_pad: string = "NOTSET" in ["NOTSET", "VALID"],
      dilations: ints = ones(rank(x)), group: int = 1 in 1..) -> (Y: T[n, m, ...out])
)");
}

TEST(PrintTest, CommentsAndLayout_Printed_AreRemoved) {
  EXPECT_EQ(Canonical("# c\nop  A ( X:T [ n ] )->( Y:T[n] ) # d\n let m=n\n## doc\nfn f()->int=1"),
            "## doc\nfn f() -> int = 1\n\nop A(X: T[n]) -> (Y: T[n])\n  let m = n\n");
}

TEST(PrintTest, Parts_PrintedAlone_HaveNoLineEnd) {
  const Result<File> file =
      Parse("op A(X?: T[n]; a: int = 0) -> (Y: T[n])\n require n > 1 else \"no {n}\"", "p.shape");
  ASSERT_TRUE(file.has_value());
  const Operator& op = file->operators[0];
  EXPECT_EQ(Print(op.signatures[0].operands[0]), "X?: T[n]");
  EXPECT_EQ(Print(op.attributes[0]), "a: int = 0");
  EXPECT_EQ(Print(op.statements[0]), "require n > 1 else \"no {n}\"");
  EXPECT_EQ(Print(op.statements[0].message), "\"no {n}\"");
  EXPECT_EQ(Print(op.signatures[0]), "(X?: T[n]) -> (Y: T[n])");
  EXPECT_EQ(Print(op.signatures[0], op.attributes), "(X?: T[n]; a: int = 0) -> (Y: T[n])");
}

TEST(PrintTest, PartsAndStorage_InOperators_ArePrinted) {
  const std::string_view text =
      "shape op Dot(A: _[m, k], B: _[k, n]) -> (Y: _[m, n])\n"
      "\n"
      "type op Dot(A: T, B: T) -> (Y: T)\n"
      "  T: float\n"
      "\n"
      "storage op Dot(A: csr, B: _) -> (Y: S)\n"
      "  | (A: dense, B: S) -> (Y: `each`)\n"
      "\n"
      "op Pack(X: T[...s] dense, Y?: _[*] S; axis: int = 0) -> (Z: T[...s] csr)\n";
  EXPECT_EQ(Canonical(text), text);
  EXPECT_EQ(Canonical("shape op Dot(A: [m, k]) -> (Y: [])\n"), "shape op Dot(A: _[m, k]) -> (Y: _[])\n");
}

}  // namespace
}  // namespace dimwise::rules
