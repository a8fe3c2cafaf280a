#include "rules/print.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "rules/parser.h"

namespace dimwise::rules {
namespace {

std::string PrintAgain(std::string_view text) {
  const Result<File> file = Parse(text, "print.shape");
  return file ? Print(*file) : ToString(file.error());
}

// What is printed prints the same.
std::string Canonical(std::string_view text) {
  std::string printed = PrintAgain(text);
  EXPECT_EQ(PrintAgain(printed), printed);
  return printed;
}

TEST(PrintTest, Expressions) {
  const struct {
    std::string_view text;
    std::string_view printed;  // empty: the same
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

TEST(PrintTest, Operators) {
  constexpr std::string_view kCases[] = {
      "op Relu(X: T[...s]) -> (Y: T[...s])\n",
      "op A(; value: tensor) -> ()\n",
      "op A(X: _, Y: _[...], Z: T, W: T[*]) -> (Y?: each T[...each s])\n",
      "op A(X+: T[...a{axis}, each d, ...b]; axis: int in ..3) -> (Y: (promote(T, U))[...a, sum(d), ...(b + "
      "c)])\n",
      "op A(S: seq(opt(map((K + L), handle(T[n], _))))) -> (Y: handle())\n",
      "op A(; a?: ints, b: bool = (x in xs) in [true], c: int = 1 in 0..n + 1) -> ()\n",
      "op and, `a b` since 3 until 9 (X: T) -> (Y: T)\n",
      "op A like `op`\n  T: float | `in`\n",
      "template t(X: T[n]) -> (Y: T[n]) when n > 1\n  | (X: T[]) -> (Y: T[])\n",
      "op A(X: T[n]) -> (Y: T[n])\n  let `let` = 1\n  require n > 1\n  require n > 2 else \"{n} {{}} "
      "\\\"\\\\\\n\"\n"
      "  require n > 3 else \"\"\n  ensure n > 1\n  value Y = X\n  T: f32\n  example \"{\"\n",
      "set a.b\n\n## one\n##\n##   two\nfn f(x: int, y: ints) -> bool = x in y\n\nop A(X: T) -> (Y: T)\n",
  };
  for (const std::string_view text : kCases) EXPECT_EQ(Canonical(text), text);
}

TEST(PrintTest, LongSignatures) {
  EXPECT_EQ(
      Canonical(
          "op Conv(X: T[n, c, ...x], W: T[m, wc, ...k], B?: T[m]; auto_pad: string = \"NOTSET\" in "
          "[\"NOTSET\", \"VALID\"], dilations: ints = ones(rank(x)), group: int = 1 in 1..) -> (Y: T[n, m, "
          "...out])"),
      R"(op Conv(X: T[n, c, ...x], W: T[m, wc, ...k], B?: T[m]; auto_pad: string = "NOTSET" in ["NOTSET", "VALID"],
      dilations: ints = ones(rank(x)), group: int = 1 in 1..) -> (Y: T[n, m, ...out])
)");
}

TEST(PrintTest, CommentsAndLayoutGo) {
  EXPECT_EQ(Canonical("# c\nop  A ( X:T [ n ] )->( Y:T[n] ) # d\n let m=n\n## doc\nfn f()->int=1"),
            "## doc\nfn f() -> int = 1\n\nop A(X: T[n]) -> (Y: T[n])\n  let m = n\n");
}

TEST(PrintTest, Pieces) {
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

}  // namespace
}  // namespace dimwise::rules
