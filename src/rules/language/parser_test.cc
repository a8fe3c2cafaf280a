// Tests the syntax tree for each construct. Errors are tested in parser_mistakes_test.cc.
#include "rules/language/parser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "rules/language/print.h"

namespace dimwise::rules {
namespace {

File Read(std::string_view text) {
  Result<File> file = Parse(text, "test.shape");
  EXPECT_TRUE(file.has_value()) << ToString(file.error());
  return file ? *std::move(file) : File();
}

// Returns the tree in prefix notation: (+ a (* b c)).
std::string Tree(const Expr* expr) {
  if (expr == nullptr) return "null";
  std::string head;
  switch (expr->kind) {
    case ExprKind::kInteger:
      return fmt::format("{}", expr->integer);
    case ExprKind::kReal:
      return fmt::format("real {}", expr->real);
    case ExprKind::kBoolean:
      return expr->integer != 0 ? "true" : "false";
    case ExprKind::kString:
      return "'" + expr->text + "'";
    case ExprKind::kName:
      return expr->text;
    case ExprKind::kList:
      head = "list";
      break;
    case ExprKind::kSpread:
      head = "...";
      break;
    case ExprKind::kCall:
      head = "call " + expr->text;
      break;
    case ExprKind::kIndex:
      head = "index";
      break;
    case ExprKind::kSlice:
      head = "slice";
      break;
    case ExprKind::kUnary:
    case ExprKind::kBinary:
      head = expr->text;
      break;
    case ExprKind::kIf:
      head = "if";
      break;
    case ExprKind::kFor:
      head = "for";
      break;
    case ExprKind::kFold:
      head = "fold";
      break;
  }
  for (const std::string& name : expr->names) head += " " + name + ":";
  for (const ExprPtr& child : expr->children) head += " " + Tree(child.get());
  return "(" + head + ")";
}

ExprPtr ReadExpr(std::string_view text) {
  File file = Read(fmt::format("fn f() -> int = {}", text));
  return file.functions.size() == 1 ? std::move(file.functions[0].body) : nullptr;
}

TEST(ParserTest, Expression_OfEachKind_HasExpectedTree) {
  const struct {
    std::string_view text;
    std::string_view tree;
  } cases[] = {
      // Literals and names.
      {"3", "3"},
      {"-3", "-3"},
      {"-(3)", "(- 3)"},
      {"--3", "(- -3)"},
      {"9223372036854775807", "9223372036854775807"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"0.5", "real 0.5"},
      {"-1e-05", "real -1e-05"},
      {"true", "true"},
      {"false", "false"},
      {R"("a\"\\\n\t{b}")", "'a\"\\\n\t{b}'"},
      {"axis", "axis"},
      {"`in`", "in"},
      {"value", "value"},
      {"(((x)))", "x"},
      // From lowest to highest precedence.
      {"a implies b implies c", "(implies a (implies b c))"},
      {"a or b implies c or d", "(implies (or a b) (or c d))"},
      {"a or b or c", "(or (or a b) c)"},
      {"a or b and c", "(or a (and b c))"},
      {"a and b or c", "(or (and a b) c)"},
      {"not a and b", "(and (not a) b)"},
      {"a and not b", "(and a (not b))"},
      {"not not a", "(not (not a))"},
      {"not a == b", "(not (== a b))"},
      {"not x in xs", "(not (in x xs))"},
      {"x not in xs", "(not (in x xs))"},
      {"a == b + c", "(== a (+ b c))"},
      {"a - b - c", "(- (- a b) c)"},
      {"a - (b - c)", "(- a (- b c))"},
      {"a + b * c", "(+ a (* b c))"},
      {"a * b // c % d", "(% (// (* a b) c) d)"},
      {"-a * b", "(* (- a) b)"},
      {"a - -3", "(- a -3)"},
      {"a -3", "(- a 3)"},
      {"-x[0]", "(- (index x 0))"},
      {"-3[0]", "(- (index 3 0))"},
      // Comparisons.
      {"1 <= x", "(<= 1 x)"},
      {"1 <= x < 8", "(and (<= 1 x) (< x 8))"},
      {"a == b == c == d", "(and (and (== a b) (== b c)) (== c d))"},
      {"(a < b) < c", "(< (< a b) c)"},
      {"a != b and c >= d > e", "(and (!= a b) (and (>= c d) (> d e)))"},
      // Lists.
      {"[]", "(list)"},
      {"[n, ...x, 2]", "(list n (... x) 2)"},
      {"[...a, ...b[1:]]", "(list (... a) (... (slice b 1 null)))"},
      {"x[i]", "(index x i)"},
      {"x[-1][0]", "(index (index x -1) 0)"},
      {"x[1:-1]", "(slice x 1 -1)"},
      {"x[:n]", "(slice x null n)"},
      {"x[:]", "(slice x null null)"},
      {"f(x)[0]", "(index (call f x) 0)"},
      {"[1, 2][i]", "(index (list 1 2) i)"},
      {"[e for x in xs]", "(for x: e xs null)"},
      {"[e for x in xs if x > 0]", "(for x: e xs (> x 0))"},
      {"[x + y for x, y in zip(xs, ys)]", "(for x: y: (+ x y) (call zip xs ys) null)"},
      {"[x[0] for x in xs]", "(for x: (index x 0) xs null)"},
      {"[x for x in if a then b else c if d]", "(for x: x (if a b c) d)"},
      {"fold x in xs with acc = 0: acc + x", "(fold acc: x: xs 0 (+ acc x))"},
      {"fold x, i in enumerate(xs) with n = k: n", "(fold n: x: i: (call enumerate xs) k n)"},
      // Calls and choices.
      {"f()", "(call f)"},
      {"f(a, g(b))", "(call f a (call g b))"},
      {"if a then b else c", "(if a b c)"},
      {"if a then b else if c then d else e", "(if a b (if c d e))"},
      {"if a then b else c + 1", "(if a b (+ c 1))"},
      {"1 + if a then b else c", "(+ 1 (if a b c))"},
      {"x in [1, 2]", "(in x (list 1 2))"},
      // Line ends are white space.
      {"a\n  + # here\n b", "(+ a b)"},
  };
  for (const auto& c : cases) {
    const ExprPtr expr = ReadExpr(c.text);
    EXPECT_EQ(Tree(expr.get()), c.tree) << c.text;
  }
}

TEST(ParserTest, Positions_OfExpressions_CoverTheirText) {
  const ExprPtr expr = ReadExpr("(a + bc) *\n  f(x, y)");
  const auto at = [](const Expr& e) { return fmt::format("{}:{}+{}", e.at.line, e.at.column, e.at.length); };
  EXPECT_EQ(at(*expr), "1:17+10");  // the part on the first line
  EXPECT_EQ(at(*expr->children[0]), "1:17+8");
  EXPECT_EQ(at(*expr->children[0]->children[1]), "1:22+2");
  EXPECT_EQ(at(*expr->children[1]), "2:3+7");
  EXPECT_EQ(at(*expr->children[1]->children[1]), "2:8+1");
}

TEST(ParserTest, Pattern_OfEachKind_IsParsed) {
  const struct {
    std::string_view text;
    std::string_view
        kinds;  // of the items: a any, e expression, l list; E and L with `each`; { with a length
  } cases[] = {
      {"T[...s]", "l"},
      {"T[n, 3, ...x]", "eel"},
      {"f32[]", ""},
      {"_[...]", "l"},
      {"T[...a{axis}, d, ...b]", "l{el"},
      {"T[4 * h, _, ...]", "eal"},
      {"T[...a, each d, ...b]", "lEl"},
      {"each T[...each s]", "L"},
      {"T[...broadcast(a, b), m, n]", "lee"},
      {"T[...s[1:], ...(if c then a else b)]", "ll"},
      {"(if given(dtype) then dtype else T)[n]", "e"},
      {"`in`[value]", "e"},
  };
  for (const auto& c : cases) {
    const File file = Read(fmt::format("op A(X: {}) -> ()", c.text));
    ASSERT_EQ(file.operators.size(), 1u) << c.text;
    const TypePattern& pattern = file.operators[0].signatures[0].operands[0].pattern;
    EXPECT_EQ(pattern.kind, PatternKind::kTensor);
    EXPECT_TRUE(pattern.has_shape);
    std::string kinds;
    for (const ShapeItem& item : pattern.shape) {
      kinds += item.kind == ItemKind::kAny    ? 'a'
               : item.kind == ItemKind::kExpr ? (item.each ? 'E' : 'e')
                                              : (item.each ? 'L' : 'l');
      if (item.length != nullptr) kinds += '{';
    }
    EXPECT_EQ(kinds, c.kinds) << c.text;
    EXPECT_EQ(Print(pattern), c.text);
    EXPECT_EQ(pattern.at.column, 9);
    EXPECT_EQ(pattern.at.length, static_cast<int>(c.text.size()));
  }
}

TEST(ParserTest, Pattern_WithoutShape_IsParsed) {
  const File file = Read(
      "op A(X: _, Y: V, Z: T[*], S: seq(T[...s]), O: opt(seq(_)), M: map(K, T[n]), H: handle(T[n], U), G: "
      "handle()) "
      "-> ()");
  ASSERT_EQ(file.operators.size(), 1u);
  const std::vector<Argument>& x = file.operators[0].signatures[0].operands;
  EXPECT_EQ(x[0].pattern.kind, PatternKind::kAnything);
  EXPECT_EQ(x[1].pattern.kind, PatternKind::kTensor);
  EXPECT_FALSE(x[1].pattern.has_shape);
  EXPECT_TRUE(x[2].pattern.has_shape);
  EXPECT_TRUE(x[2].pattern.unknown_shape);
  EXPECT_EQ(x[3].pattern.kind, PatternKind::kSequence);
  EXPECT_EQ(x[3].pattern.inside[0].shape.size(), 1u);
  EXPECT_EQ(x[4].pattern.inside[0].inside[0].kind, PatternKind::kAnything);
  EXPECT_EQ(x[5].pattern.key->text, "K");
  EXPECT_EQ(x[6].pattern.inside.size(), 2u);
  EXPECT_EQ(x[7].pattern.inside.size(), 0u);
}

TEST(ParserTest, ArgumentsAndAttributes_OfEachForm_AreParsed) {
  const File file = Read(R"(op A(X: T[n], B?: T, C+: T, D*: T;
      axis: int = 0, axes?: ints, mode: string = "floor" in ["floor", "ceil"], k: int in 1.., l: int in ..-1,
      m: int = if a then 1 else 2 in -rank(s)..rank(s) - 1, b: bool = (x in xs), value: tensor, in_: any)
      -> (Y: T[n], Z?: T, W+: T)
      when n > 1)");
  ASSERT_EQ(file.operators.size(), 1u);
  const Operator& op = file.operators[0];
  const Signature& signature = op.signatures[0];
  std::string arities;
  for (const Argument& argument : signature.operands) arities += "1?+*"[static_cast<size_t>(argument.arity)];
  EXPECT_EQ(arities, "1?+*");
  EXPECT_EQ(signature.results.size(), 3u);
  EXPECT_EQ(Tree(signature.when.get()), "(> n 1)");

  std::string attributes;
  for (const Attribute& a : op.attributes) {
    attributes +=
        fmt::format("{}{}: {} = {} [{}] {} {}\n", a.name, a.optional ? "?" : "", KindName(a.kind),
                    Tree(a.otherwise.get()), a.allowed.size(), Tree(a.minimum.get()), Tree(a.maximum.get()));
  }
  EXPECT_EQ(attributes,
            "axis: int = 0 [0] null null\n"
            "axes?: ints = null [0] null null\n"
            "mode: string = 'floor' [2] null null\n"
            "k: int = null [0] 1 null\n"
            "l: int = null [0] null -1\n"
            "m: int = (if a 1 2) [0] (- (call rank s)) (- (call rank s) 1)\n"
            "b: bool = (in x xs) [0] null null\n"
            "value: tensor = null [0] null null\n"
            "in_: any = null [0] null null\n");
}

TEST(ParserTest, Signature_OnlyAttributes_IsParsed) {
  const File file = Read("op Constant(; value: tensor) -> ()");
  EXPECT_TRUE(file.operators[0].signatures[0].operands.empty());
  EXPECT_TRUE(file.operators[0].signatures[0].results.empty());
  EXPECT_EQ(file.operators[0].attributes.size(), 1u);
}

TEST(ParserTest, Attribute_OfEachKind_IsParsed) {
  constexpr std::string_view kKinds[] = {"int",  "ints",  "float", "floats", "bool",   "string", "strings",
                                         "type", "types", "shape", "shapes", "tensor", "any"};
  for (const std::string_view kind : kKinds) {
    const File file = Read(fmt::format("op A(; a: {}) -> ()", kind));
    EXPECT_EQ(KindName(file.operators[0].attributes[0].kind), kind);
  }
}

TEST(ParserTest, Statement_OfEachKind_IsParsed) {
  const File file = Read(R"(op A(X: T[n]) -> (Y: T[m])  let m = n // 2
  require m > 0 else "n is {n}, {{m}} is \"{ m + 1 }\"" require m < 9 ensure m * 2 == n
  value Y = value value: float
  T: float | i32 | `in`
  example "f32[2] -> f32[1]")");
  ASSERT_EQ(file.operators.size(), 1u);
  const std::vector<Statement>& s = file.operators[0].statements;
  ASSERT_EQ(s.size(), 8u);
  EXPECT_EQ(s[0].kind, StatementKind::kLet);
  EXPECT_EQ(s[0].name, "m");
  EXPECT_EQ(Tree(s[0].expr.get()), "(// n 2)");

  EXPECT_EQ(s[1].kind, StatementKind::kRequire);
  ASSERT_EQ(s[1].message.size(), 3u);
  EXPECT_EQ(s[1].message[0].text, "n is ");
  EXPECT_EQ(Tree(s[1].message[0].expr.get()), "n");
  EXPECT_EQ(s[1].message[0].expr->at.column, 29);
  EXPECT_EQ(s[1].message[1].text, ", {m} is \"");
  EXPECT_EQ(Tree(s[1].message[1].expr.get()), "(+ m 1)");
  EXPECT_EQ(s[1].message[1].expr->at.line, 2);
  EXPECT_EQ(s[1].message[1].expr->at.column, 46);
  EXPECT_EQ(s[1].message[2].text, "\"");
  EXPECT_EQ(s[1].message[2].expr, nullptr);

  EXPECT_EQ(s[2].kind, StatementKind::kRequire);
  EXPECT_TRUE(s[2].message.empty());
  EXPECT_EQ(s[3].kind, StatementKind::kEnsure);
  EXPECT_EQ(s[4].kind, StatementKind::kValue);
  EXPECT_EQ(s[4].name, "Y");
  EXPECT_EQ(Tree(s[4].expr.get()), "value");
  EXPECT_EQ(s[5].kind, StatementKind::kTypes);
  EXPECT_EQ(s[5].name, "value");
  EXPECT_EQ(s[6].words, (std::vector<std::string>{"float", "i32", "in"}));
  EXPECT_EQ(s[6].words_at[1].column, 14);
  EXPECT_EQ(s[7].kind, StatementKind::kExample);
  EXPECT_EQ(s[7].text, "f32[2] -> f32[1]");
}

TEST(ParserTest, Declaration_OfEachKind_IsParsed) {
  const File file = Read(R"(# A comment.
set ai.onnx.ml
## Rounds up.
fn divide_up(a: int, b: int) -> int = -(-a // b)

##
## Two operands.
##
## And one result.
##
##
template binary(A: T[...a], B: T[...b]) -> (C: T[...broadcast(a, b)])
  T: float
op Add, and, `odd name` since 7 until 13 like binary
  value C = A + B
op Squeeze until 13 (X: T[...s]) -> (Y: T[*])
  | (X: T[]) -> (Y: T[]) when version > 3
op set(X: T) -> (Y: T))");
  EXPECT_EQ(file.name, "test.shape");
  EXPECT_EQ(file.set, "ai.onnx.ml");
  ASSERT_EQ(file.functions.size(), 1u);
  const Function& fn = file.functions[0];
  EXPECT_EQ(fn.name, "divide_up");
  EXPECT_EQ(fn.doc, "Rounds up.");
  EXPECT_EQ(fn.parameters[1].name, "b");
  EXPECT_EQ(fn.parameters[1].type, "int");
  EXPECT_EQ(fn.result, "int");
  EXPECT_EQ(Tree(fn.body.get()), "(- (// (- a) b))");

  ASSERT_EQ(file.operators.size(), 4u);
  const Operator& binary = file.operators[0];
  EXPECT_TRUE(binary.is_template);
  EXPECT_EQ(binary.doc, "Two operands.\n\nAnd one result.");
  const Operator& add = file.operators[1];
  EXPECT_FALSE(add.is_template);
  EXPECT_EQ(add.names, (std::vector<std::string>{"Add", "and", "odd name"}));
  EXPECT_EQ(add.names_at[1].column, 9);
  EXPECT_EQ(add.since, 7);
  EXPECT_EQ(add.until, 13);
  EXPECT_EQ(add.like, "binary");
  EXPECT_EQ(add.like_at.column, 47);
  EXPECT_TRUE(add.signatures.empty());
  EXPECT_EQ(add.statements.size(), 1u);
  const Operator& squeeze = file.operators[2];
  EXPECT_EQ(squeeze.since, 1);
  EXPECT_EQ(squeeze.until, 13);
  EXPECT_EQ(squeeze.signatures.size(), 2u);
  EXPECT_NE(squeeze.signatures[1].when, nullptr);
  EXPECT_EQ(file.operators[3].names[0], "set");
}

TEST(ParserTest, File_WithoutDeclarations_IsEmpty) {
  EXPECT_TRUE(Read("").operators.empty());
  EXPECT_TRUE(Read("# only a comment").operators.empty());
  EXPECT_EQ(Read("set onnx").set, "onnx");
}

// ---- Limits ----

std::string Repeat(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

// Returns the code of the diagnostic, or 0.
int CodeOf(std::string_view text) {
  const Result<File> file = Parse(text, "limit.shape");
  return file ? 0 : static_cast<int>(file.error().code);
}

TEST(ParserTest, Nesting_PastLimit_IsAnError) {
  constexpr size_t kDeep = 100'000;
  const struct {
    std::string_view open, inside, close;
  } cases[] = {
      {"(", "x", ")"},
      {"[", "x", "]"},
      {"f(", "x", ")"},
      {"x[", "0", "]"},
      {"-", "x", ""},
      {"not ", "x", ""},
      {"x + ", "x", ""},
      {"x * ", "x", ""},
      {"x and ", "x", ""},
      {"x implies ", "x", ""},
      {"x < ", "x", ""},
      {"", "x", "[0]"},
      {"if a then b else ", "x", ""},
      {"if ", "x", " then a else b"},
      {"fold x in y with z = 0: ", "x", ""},
      {"x < (", "x", ") < x"},
  };
  for (const auto& c : cases) {
    const auto nested = [&](size_t n) {
      return fmt::format("fn f() -> int = {}{}{}", Repeat(c.open, n), c.inside, Repeat(c.close, n));
    };
    EXPECT_EQ(CodeOf(nested(10)), 0) << c.open << c.close;
    EXPECT_EQ(CodeOf(nested(kDeep / (c.open.size() + c.close.size()))), 404) << c.open << c.close;
  }
  EXPECT_EQ(CodeOf("fn f() -> int = " + Repeat("(", 99) + "x" + Repeat(")", 99)), 0);
  EXPECT_EQ(CodeOf("fn f() -> int = " + Repeat("(", 100) + "x" + Repeat(")", 100)), 404);
  EXPECT_EQ(CodeOf("fn f() -> int = x" + Repeat(" + x", 99)), 0);
  EXPECT_EQ(CodeOf("fn f() -> int = x" + Repeat(" + x", 100)), 404);
  EXPECT_EQ(CodeOf("op A(X: " + Repeat("seq(", kDeep) + ") -> ()"), 404);
}

// Each level of a chain doubles its middle.
TEST(ParserTest, Comparisons_NestedChains_AreLimited) {
  const std::string text = "fn f() -> int = " + Repeat("x < (", 90) + "x" + Repeat(") < x", 90);
  EXPECT_EQ(CodeOf(text), 404);
}

TEST(ParserTest, File_TooLarge_IsAnError) {
  EXPECT_EQ(CodeOf("#" + std::string(kMaxFileBytes - 1, 'x')), 0);
  EXPECT_EQ(CodeOf("#" + std::string(kMaxFileBytes, 'x')), 404);
}

TEST(ParserTest, Mistakes_PastLimit_AreOmitted) {
  File file;
  EXPECT_EQ(ParseAll(Repeat("op\n", 1000), "m.shape", &file).size(), kMaxMistakes);
}

}  // namespace
}  // namespace dimwise::rules
