// Tests the whole diagnostic for each mistake: message, position, line, underline, help.
#include "rules/language/mistakes_testing.h"

namespace dimwise::rules {
namespace {

TEST(ParserMistakesTest, Structure_WithMistake_HasMessage) {
  constexpr MistakenText kCases[] = {
      {"op Relu(X: T[...s] -> (Y: T[...s])", R"(
error[DW0401]: expected `,` or `)` after an operand, found `->`
  --> t.shape:1:20
   |  op Relu(X: T[...s] -> (Y: T[...s])
   |                     ^^
)"},
      {"op Relu(X T[...s]) -> (Y: T[...s])", R"(
error[DW0401]: expected `:` after the name `X`, found `T`
  --> t.shape:1:11
   |  op Relu(X T[...s]) -> (Y: T[...s])
   |            ^
  help: for example: X: T[...s]
)"},
      {"op A", R"(
error[DW0401]: expected `(` before the operands, found the end
  --> t.shape:1:5
   |  op A
   |      ^
  help: for example: op Relu(X: T[...s]) -> (Y: T[...s])
)"},
      {"op A(X: T[n]) -> Y: T[n]", R"(
error[DW0401]: expected `(` before the results, found `Y`
  --> t.shape:1:18
   |  op A(X: T[n]) -> Y: T[n]
   |                   ^
  help: results are written in parentheses: -> (Y: T[...s])
)"},
      {"op A(X: T[n], ) -> (Y: T[n])", R"(
error[DW0401]: expected the name of an operand, found `)`
  --> t.shape:1:15
   |  op A(X: T[n], ) -> (Y: T[n])
   |                ^
)"},
      {"op A(X: T[n]) (Y: T[n])", R"(
error[DW0401]: expected `->` and the results, found `(`
  --> t.shape:1:15
   |  op A(X: T[n]) (Y: T[n])
   |                ^
  help: an operator without results ends with -> ()
)"},
      {"op A(X: T[n]) -> (Y: T[n]; a: int)", R"(
error[DW0401]: attributes follow the operands, not the results
  --> t.shape:1:26
   |  op A(X: T[n]) -> (Y: T[n]; a: int)
   |                           ^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  | (X: T[n]; a: int) -> (Y: T[n])", R"(
error[DW0401]: attributes are written once, in the first signature
  --> t.shape:2:13
   |    | (X: T[n]; a: int) -> (Y: T[n])
   |              ^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let x = 1\n  | (X: T[]) -> (Y: T[])", R"(
error[DW0401]: `|` separates types, and precedes another signature `| (...) -> (...)`
  --> t.shape:3:3
   |    | (X: T[]) -> (Y: T[])
   |    ^
  help: conditions are joined with `or`; other signatures come before all statements
)"},
      {"op\nop B(X: T) -> (Y: T)", R"(
error[DW0401]: expected the name of an operator, found `op`
  --> t.shape:1:3
   |  op
   |    ^
)"},
      {"opp A(X: T[n]) -> (Y: T[n])", R"(
error[DW0401]: `opp` begins no declaration
  --> t.shape:1:1
   |  opp A(X: T[n]) -> (Y: T[n])
   |  ^^^
  help: did you mean `op`?
)"},
      {"## doc\n", R"(
error[DW0401]: there is no declaration below this documentation
  --> t.shape:1:1
   |  ## doc
   |  ^^
  help: `##` documents an op, fn or template; a comment begins with a single #
)"},
      {"## doc\nset onnx", R"(
error[DW0401]: there is no declaration below this documentation
  --> t.shape:1:1
   |  ## doc
   |  ^^
  help: `##` documents an op, fn or template; a comment begins with a single #
)"},
      {"set onnx\nset onnx", R"(
error[DW0405]: the file already belongs to the set `onnx`
  --> t.shape:2:1
   |  set onnx
   |  ^^^
)"},
      {"op A(X: T) -> (Y: T)\nset onnx", R"(
error[DW0401]: `set` comes before all functions and operators
  --> t.shape:2:1
   |  set onnx
   |  ^^^
)"},
      {"set\n", R"(
error[DW0401]: expected the name of an operator set, found the end
  --> t.shape:1:4
   |  set
   |     ^
)"},
      {"op A since 0 (X: T) -> (Y: T)", R"(
error[DW0404]: 0 is no version: versions are 1 to 2147483647
  --> t.shape:1:12
   |  op A since 0 (X: T) -> (Y: T)
   |             ^
)"},
      {"op A since X (X: T) -> (Y: T)", R"(
error[DW0401]: expected a version after `since`, found `X`
  --> t.shape:1:12
   |  op A since X (X: T) -> (Y: T)
   |             ^
)"},
      {"op A since 1 since 2 (X: T) -> (Y: T)", R"(
error[DW0405]: `since` is given twice
  --> t.shape:1:14
   |  op A since 1 since 2 (X: T) -> (Y: T)
   |               ^^^^^
)"},
      {"template a like b", R"(
error[DW0401]: a template cannot be like another
  --> t.shape:1:12
   |  template a like b
   |             ^^^^
)"},
      {"op A like (X: T)", R"(
error[DW0401]: expected the name of a template, found `(`
  --> t.shape:1:11
   |  op A like (X: T)
   |            ^
)"},
      {"fn f(x) -> int = 1", R"(
error[DW0401]: expected `:` after the name `x`, found `)`
  --> t.shape:1:7
   |  fn f(x) -> int = 1
   |        ^
  help: each parameter has a type: x: int
)"},
      {"fn f(x: int) = 1", R"(
error[DW0401]: expected `->` and the type of the result, found `=`
  --> t.shape:1:14
   |  fn f(x: int) = 1
   |               ^
)"},
      {"fn f(x: int) -> int = 1 2", R"(
error[DW0401]: expected a declaration after the function, found `2`
  --> t.shape:1:25
   |  fn f(x: int) -> int = 1 2
   |                          ^
)"},
      {"fn in(x: int) -> int = 1", R"(
error[DW0401]: `in` is a word of the rule language and cannot be the name of a function
  --> t.shape:1:4
   |  fn in(x: int) -> int = 1
   |     ^^
  help: choose another name, or put it in backquotes
)"},
  };
  CheckMistakes(kCases);
}

TEST(ParserMistakesTest, Pattern_WithMistake_HasMessage) {
  constexpr MistakenText kCases[] = {
      {"op A(X: T[..s]) -> (Y: T[n])", R"(
error[DW0401]: `..` is no list of sizes
  --> t.shape:1:11
   |  op A(X: T[..s]) -> (Y: T[n])
   |            ^^
  help: a list of sizes is written with three dots: ...s
)"},
      {"op A(X: T[n) -> (Y: T[n])", R"(
error[DW0401]: expected `,` or `]` after a size, found `)`
  --> t.shape:1:12
   |  op A(X: T[n) -> (Y: T[n])
   |             ^
)"},
      {"op A(X: [n]) -> (Y: T[n])", R"(
error[DW0401]: expected an element type, found `[`
  --> t.shape:1:9
   |  op A(X: [n]) -> (Y: T[n])
   |          ^
  help: T[...s] binds it to T; _[...s] takes any
)"},
      {"op A(X: ) -> (Y: T[n])", R"(
error[DW0401]: expected a type, found `)`
  --> t.shape:1:9
   |  op A(X: ) -> (Y: T[n])
   |          ^
)"},
      {"op A(X: sequence(T)) -> (Y: T[n])", R"(
error[DW0401]: `sequence` is no container
  --> t.shape:1:9
   |  op A(X: sequence(T)) -> (Y: T[n])
   |          ^^^^^^^^
  help: did you mean `seq`?
)"},
      {"op A(X: hadle(T)) -> (Y: T[n])", R"(
error[DW0401]: `hadle` is no container
  --> t.shape:1:9
   |  op A(X: hadle(T)) -> (Y: T[n])
   |          ^^^^^
  help: did you mean `handle`?
)"},
      {"op A(X: T[n]) -> (Y: promote(T, U)[n])", R"(
error[DW0401]: `promote` is no container
  --> t.shape:1:22
   |  op A(X: T[n]) -> (Y: promote(T, U)[n])
   |                       ^^^^^^^
  help: a computed element type is written in parentheses: (promote(T, U))[...s]
)"},
      {"op A(X: map(K)) -> (Y: T[n])", R"(
error[DW0401]: expected `,` after the type of the keys, found `)`
  --> t.shape:1:14
   |  op A(X: map(K)) -> (Y: T[n])
   |               ^
  help: for example: map(K, T[...s])
)"},
      {"op A(X: T[*, n]) -> (Y: T[n])", R"(
error[DW0401]: expected `]` after `*`, which excludes other sizes, found `,`
  --> t.shape:1:12
   |  op A(X: T[*, n]) -> (Y: T[n])
   |             ^
)"},
      {"op A(X: T[...a{2]) -> (Y: T[n])", R"(
error[DW0401]: expected `}` after the length, found `]`
  --> t.shape:1:17
   |  op A(X: T[...a{2]) -> (Y: T[n])
   |                  ^
)"},
      {"op A(X: T[n m]) -> (Y: T[n])", R"(
error[DW0401]: expected `,` or `]` after a size, found `m`
  --> t.shape:1:13
   |  op A(X: T[n m]) -> (Y: T[n])
   |              ^
)"},
      {"op A(X: T[n]) -> (Y: T[n / 2])", R"(
error[DW0401]: sizes have no division with `/`
  --> t.shape:1:26
   |  op A(X: T[n]) -> (Y: T[n / 2])
   |                           ^
  help: `//` divides and rounds down; ceildiv(a, b) rounds up
)"},
  };
  CheckMistakes(kCases);
}

TEST(ParserMistakesTest, Attribute_WithMistake_HasMessage) {
  constexpr MistakenText kCases[] = {
      {"op A(X: T; to: dtype) -> (Y: to)", R"(
error[DW0401]: `dtype` is no kind of attribute
  --> t.shape:1:16
   |  op A(X: T; to: dtype) -> (Y: to)
   |                 ^^^^^
  help: it is called `type` here
)"},
      {"op A(X: T; axes: itns) -> (Y: T)", R"(
error[DW0401]: `itns` is no kind of attribute
  --> t.shape:1:18
   |  op A(X: T; axes: itns) -> (Y: T)
   |                   ^^^^
  help: did you mean `ints`?
)"},
      {"op A(X: T; a: zebra) -> (Y: T)", R"(
error[DW0401]: `zebra` is no kind of attribute
  --> t.shape:1:15
   |  op A(X: T; a: zebra) -> (Y: T)
   |                ^^^^^
  help: the kinds are int ints float floats bool string strings type types shape tensor any
)"},
      {"op A(X: T; a) -> (Y: T)", R"(
error[DW0401]: expected `:` after the name `a`, found `)`
  --> t.shape:1:13
   |  op A(X: T; a) -> (Y: T)
   |              ^
  help: for example: axis: int = 0
)"},
      {"op A(X: T; a: int in []) -> (Y: T)", R"(
error[DW0401]: the list allows no value at all
  --> t.shape:1:23
   |  op A(X: T; a: int in []) -> (Y: T)
   |                        ^
)"},
      {"op A(X: T; a: int in 3) -> (Y: T)", R"(
error[DW0401]: expected `..` in the range, found `)`
  --> t.shape:1:23
   |  op A(X: T; a: int in 3) -> (Y: T)
   |                        ^
  help: a range is written 0..3, with both ends in it; 1.. has no upper end
)"},
      {"op A(X: T; a: int in ..) -> (Y: T)", R"(
error[DW0401]: expected an end of the range, found `)`
  --> t.shape:1:24
   |  op A(X: T; a: int in ..) -> (Y: T)
   |                         ^
)"},
      {"op A(X: T; in: int) -> (Y: T)", R"(
error[DW0401]: `in` is a word of the rule language and cannot be the name of an attribute
  --> t.shape:1:12
   |  op A(X: T; in: int) -> (Y: T)
   |             ^^
  help: choose another name, or put it in backquotes
)"},
      {"op A(X: T; a: int = ) -> (Y: T)", R"(
error[DW0401]: expected an expression, found `)`
  --> t.shape:1:21
   |  op A(X: T; a: int = ) -> (Y: T)
   |                      ^
)"},
  };
  CheckMistakes(kCases);
}

TEST(ParserMistakesTest, Statement_WithMistake_HasMessage) {
  constexpr MistakenText kCases[] = {
      {"op A(X: T[n]) -> (Y: T[n])\n  requires n == 1", R"(
error[DW0401]: `requires` begins no statement
  --> t.shape:2:3
   |    requires n == 1
   |    ^^^^^^^^
  help: did you mean `require`?
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  require n == 1 \"no\"", R"(
error[DW0401]: expected `else` before the message, found `"no"`
  --> t.shape:2:18
   |    require n == 1 "no"
   |                   ^^^^
  help: for example: require n > 0 else "n is {n}"
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  require n == 1 else no", R"(
error[DW0401]: expected a message in quotes after `else`, found `no`
  --> t.shape:2:23
   |    require n == 1 else no
   |                        ^^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  T = float", R"(
error[DW0401]: `T` is not allowed here
  --> t.shape:2:3
   |    T = float
   |    ^
  help: write `let T = ...`, `value T = ...` or, for types, `T: ...`
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  T: float |", R"(
error[DW0401]: expected a type or a class of types, found the end
  --> t.shape:2:13
   |    T: float |
   |              ^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let n 3", R"(
error[DW0401]: expected `=` after the name `n`, found `3`
  --> t.shape:2:9
   |    let n 3
   |          ^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let in = 3", R"(
error[DW0401]: `in` is a word of the rule language and cannot be a name
  --> t.shape:2:7
   |    let in = 3
   |        ^^
  help: choose another name, or put it in backquotes
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = \n  value Y = 3", R"(
error[DW0401]: expected an expression, found `value`
  --> t.shape:2:10
   |    let m =
   |           ^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  example f32[2]", R"(
error[DW0401]: expected an example in quotes, found `f32`
  --> t.shape:2:11
   |    example f32[2]
   |            ^^^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let x = 1 )", R"(
error[DW0401]: expected a statement or a declaration, found `)`
  --> t.shape:2:13
   |    let x = 1 )
   |              ^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  hello", R"(
error[DW0401]: `hello` begins no statement
  --> t.shape:2:3
   |    hello
   |    ^^^^^
)"},
  };
  CheckMistakes(kCases);
}

// Each declaration with a mistake is reported; the others are parsed.
TEST(ParserMistakesTest, File_WithSeveralMistakes_ReportsOnePerDeclaration) {
  constexpr std::string_view kText = R"(set onnx
op A(X: T[n] -> (Y: T[n])
  let x = 1
## Fine.
op B(X: T[n]) -> (Y: T[n])

  require n = 1
## Also fine.
op C(X: T[n]) -> (Y: T[n])
op D(X: T[n]) -> (
op E(X: T[n]) -> (Y: T[n])
garbage
fn f(x: int) -> int = x +
template t(X: T[n]) -> (Y: T[n])
)";
  File file;
  std::string lines;
  for (const Diagnostic& mistake : ParseAll(kText, "all.shape", &file)) {
    lines += std::to_string(mistake.source.line) + ":" + std::to_string(mistake.source.column) + " " +
             mistake.message + "\n";
  }
  EXPECT_EQ(lines,
            "2:14 expected `,` or `)` after an operand, found `->`\n"
            "7:13 `=` gives a value to a name and does not compare\n"
            "10:19 expected the name of a result, found `op`\n"
            "12:1 `garbage` begins no statement\n"
            "13:26 expected an expression, found `template`\n");
  std::string read;
  for (const Operator& op : file.operators) read += op.names[0] + " ";
  EXPECT_EQ(read, "C t ");
  EXPECT_EQ(file.operators[0].doc, "Also fine.");
  EXPECT_EQ(file.set, "onnx");
}

TEST(ParserMistakesTest, Line_TooLong_IsShortened) {
  const std::string text =
      "fn f() -> ints = [" + std::string(200, '1') + "]" + std::string(200, ' ') + "# far away";
  const Result<File> file = Parse(text, "long.shape");
  ASSERT_FALSE(file.has_value());
  const std::string words = ToString(file.error());
  EXPECT_LT(words.size(), 700u) << words;
  const std::string far =
      "fn f() -> ints = [" + std::string(100, ' ') + "1, 2 3" + std::string(200, ' ') + "]";
  const Result<File> other = Parse(far, "far.shape");
  ASSERT_FALSE(other.has_value());
  EXPECT_EQ(ToString(other.error()),
            R"(error[DW0401]: expected `,` or `]` after an item of the list, found `3`
  --> far.shape:1:124
   |  ...                                                                 1, 2 3                                       ...
   |                                                                           ^)");
}

TEST(ParserMistakesTest, LargeFile) {
  const Result<File> file = Parse(std::string(kMaxFileBytes + 1, ' '), "large.shape");
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(ToString(file.error()),
            R"(error[DW0404]: the file has 1048577 bytes; a rule file has at most 1048576
  --> large.shape:1:1
  help: split it into several files)");
}

}  // namespace
}  // namespace dimwise::rules
