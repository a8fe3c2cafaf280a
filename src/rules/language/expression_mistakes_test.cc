// Tests the whole message for each mistake in an expression or a string.
#include "rules/language/mistakes_testing.h"

namespace dimwise::rules {
namespace {

TEST(ExpressionMistakesTest, Expression_WithMistake_HasMessage) {
  constexpr MistakenText kCases[] = {
      {"op A(X: T[n]) -> (Y: T[n])\n  require n = 1", R"(
error[DW0401]: `=` gives a value to a name and does not compare
  --> t.shape:2:13
   |    require n = 1
   |              ^
  help: to compare, write `==`
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = if n == 1 then 2\n  let q = 3", R"(
error[DW0401]: expected `else` after the value of `then`, found `let`
  --> t.shape:2:27
   |    let m = if n == 1 then 2
   |                            ^
  help: an `if` has a value either way: if c then a else b
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = range(0..3)", R"(
error[DW0401]: `..` is used only between the ends of an attribute's range
  --> t.shape:2:18
   |    let m = range(0..3)
   |                   ^^
  help: for a list of integers write range(a, b)
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = [..a]", R"(
error[DW0401]: `..` is used only between the ends of an attribute's range
  --> t.shape:2:12
   |    let m = [..a]
   |             ^^
  help: a list is spread with three dots: [...x]
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = ...a", R"(
error[DW0401]: `...` denotes a list of sizes only inside [ ]
  --> t.shape:2:11
   |    let m = ...a
   |            ^^^
  help: a list itself is its name, without dots
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = a && b", R"(
error[DW0401]: `&&` is no part of the rule language
  --> t.shape:2:13
   |    let m = a && b
   |              ^^
  help: conditions are joined with `and`
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = a || b", R"(
error[DW0401]: `||` is no part of the rule language
  --> t.shape:2:13
   |    let m = a || b
   |              ^^
  help: conditions are joined with `or`
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = !b", R"(
error[DW0401]: `!` is no part of the rule language
  --> t.shape:2:11
   |    let m = !b
   |            ^
  help: a condition is negated with `not`
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = a ? b : c", R"(
error[DW0401]: a choice is not written with `?`
  --> t.shape:2:13
   |    let m = a ? b : c
   |              ^
  help: write: if c then a else b
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = y.shape", R"(
error[DW0401]: nothing here has parts that `.` could select
  --> t.shape:2:12
   |    let m = y.shape
   |             ^
  help: the sizes of X are what its pattern binds: X: T[...s]
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = [1, 2", R"(
error[DW0401]: expected `,` or `]` after an item of the list, found the end
  --> t.shape:2:16
   |    let m = [1, 2
   |                 ^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = f(1, 2", R"(
error[DW0401]: expected `,` or `)` after an argument, found the end
  --> t.shape:2:17
   |    let m = f(1, 2
   |                  ^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = (1 + 2\n  let n = 3", R"(
error[DW0401]: expected `)` after the expression, found `let`
  --> t.shape:2:17
   |    let m = (1 + 2
   |                  ^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = _ + 1", R"(
error[DW0401]: `_` has no value
  --> t.shape:2:11
   |    let m = _ + 1
   |            ^
  help: it matches any size or type in a pattern; give it a name to use it
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = 1 != 2 != 3", R"(
error[DW0401]: only ==, <, <=, > and >= can be chained
  --> t.shape:2:18
   |    let m = 1 != 2 != 3
   |                   ^^
  help: join the two comparisons with `and`
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = 1 + not a", R"(
error[DW0401]: `not` binds less tightly than the operator before it
  --> t.shape:2:15
   |    let m = 1 + not a
   |                ^^^
  help: put it in parentheses: (not x)
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = 1 + ", R"(
error[DW0401]: expected an expression, found the end
  --> t.shape:2:14
   |    let m = 1 +
   |               ^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = [...x for x in xs]", R"(
error[DW0401]: a list that is spread cannot be repeated with `for`
  --> t.shape:2:17
   |    let m = [...x for x in xs]
   |                  ^^^
  help: join lists with fold: fold x in xs with all = []: [...all, ...f(x)]
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = [] for x in xs", R"(
error[DW0401]: expected a statement or a declaration, found `for`
  --> t.shape:2:14
   |    let m = [] for x in xs
   |               ^^^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = [x] for x in xs", R"(
error[DW0401]: expected a statement or a declaration, found `for`
  --> t.shape:2:15
   |    let m = [x] for x in xs
   |                ^^^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = [a, b for x in xs]", R"(
error[DW0401]: expected `,` or `]` after an item of the list, found `for`
  --> t.shape:2:17
   |    let m = [a, b for x in xs]
   |                  ^^^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = [x for x xs]", R"(
error[DW0401]: expected `in` after the name that is bound, found `xs`
  --> t.shape:2:20
   |    let m = [x for x xs]
   |                     ^^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = fold x in xs: x", R"(
error[DW0401]: expected `with` after the list, found `:`
  --> t.shape:2:23
   |    let m = fold x in xs: x
   |                        ^
  help: for example: fold x in xs with total = 0: total + x
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = 3x", R"(
error[DW0401]: `3x` is no number
  --> t.shape:2:11
   |    let m = 3x
   |            ^^
  help: numbers are written 12, 0.5 or 1e-5; a name begins with a letter or _
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = 99999999999999999999", R"(
error[DW0404]: 99999999999999999999 needs more than 64 bits
  --> t.shape:2:11
   |    let m = 99999999999999999999
   |            ^^^^^^^^^^^^^^^^^^^^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = 1e999", R"(
error[DW0404]: 1e999 needs more than 64 bits
  --> t.shape:2:11
   |    let m = 1e999
   |            ^^^^^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = é + 1", R"(
error[DW0401]: `é` is no part of the rule language
  --> t.shape:2:11
   |    let m = é + 1
   |            ^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = 'a'", R"(
error[DW0401]: `'` is no part of the rule language
  --> t.shape:2:11
   |    let m = 'a'
   |            ^
  help: strings stand in double quotes: "..."
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = ``", R"(
error[DW0401]: a name has at least one letter
  --> t.shape:2:11
   |    let m = ``
   |            ^^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = `a", R"(
error[DW0401]: the name in backquotes does not end on its line
  --> t.shape:2:11
   |    let m = `a
   |            ^
)"},
  };
  CheckMistakes(kCases);
}

TEST(ExpressionMistakesTest, String_WithMistake_HasMessage) {
  constexpr MistakenText kCases[] = {
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = \"abc", R"(
error[DW0401]: the string does not end on its line
  --> t.shape:2:11
   |    let m = "abc
   |            ^
  help: close it with "; a quote inside is written \"
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  let m = \"a\\q\"", R"(
error[DW0401]: this escape is not known
  --> t.shape:2:13
   |    let m = "a\q"
   |              ^^
  help: there are \" \\ \n and \t
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  require n > 1 else \"n is {n +}\"", R"(
error[DW0401]: expected an expression, found the end
  --> t.shape:2:32
   |    require n > 1 else "n is {n +}"
   |                                 ^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  require n > 1 else \"n is {n m}\"", R"(
error[DW0401]: expected `}` after the expression, found `m`
  --> t.shape:2:31
   |    require n > 1 else "n is {n m}"
   |                                ^
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  require n > 1 else \"n is {n} }\"", R"(
error[DW0401]: there is no `{` to this `}`
  --> t.shape:2:32
   |    require n > 1 else "n is {n} }"
   |                                 ^
  help: a brace itself is written twice: }}
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  require n > 1 else \"n is {n\"", R"(
error[DW0401]: there is no `}` to this `{`
  --> t.shape:2:28
   |    require n > 1 else "n is {n"
   |                             ^
  help: a brace itself is written twice: {{
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  require n > 1 else \"n is {}\"", R"(
error[DW0401]: there is no expression in the braces
  --> t.shape:2:28
   |    require n > 1 else "n is {}"
   |                             ^^
  help: a brace itself is written twice: {{ }}
)"},
      {"op A(X: T[n]) -> (Y: T[n])\n  require n > 1 else \"{n / 2} is \\x\"", R"(
error[DW0401]: sizes have no division with `/`
  --> t.shape:2:26
   |    require n > 1 else "{n / 2} is \x"
   |                           ^
  help: `//` divides and rounds down; ceildiv(a, b) rounds up
)"},
  };
  CheckMistakes(kCases);
}

}  // namespace
}  // namespace dimwise::rules
