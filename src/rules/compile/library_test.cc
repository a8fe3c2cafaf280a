#include "rules/compile/library.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dimwise::rules {
namespace {

struct LoadedText {
  const char* text;
  const char* mistakes;
};

TEST(LibraryTest, Load_DuplicateDeclaration_IsError) {
  constexpr LoadedText kTexts[] = {
      {"set my\nop A(X: T[n]) -> (Y: T[n])\nop A(X: T[n]) -> (Y: T[n + 1])", R"(
error[DW0405]: 'A' is declared already, at line 2
  --> t.shape:3:4
   |  op A(X: T[n]) -> (Y: T[n + 1])
   |     ^
  help: remove one, rename one, or give it a version of its own: `since N`
)"},
      {"set my\nop A, B, A(X: T[n]) -> (Y: T[n])", R"(
error[DW0405]: 'A' is declared already, at line 2
  --> t.shape:2:10
   |  op A, B, A(X: T[n]) -> (Y: T[n])
   |           ^
  help: remove one, rename one, or give it a version of its own: `since N`
)"},
      {"set my\nop A since 3 (X: T[n]) -> (Y: T[n])\nop A since 3 until 5 (X: T[n]) -> (Y: T[1])", R"(
error[DW0405]: 'A' is declared already, at line 2
  --> t.shape:3:4
   |  op A since 3 until 5 (X: T[n]) -> (Y: T[1])
   |     ^
  help: remove one, rename one, or give it a version of its own: `since N`
)"},
      {"set my\nop A(X: T[n]) -> (Y: T[n])\nop A since 3 (X: T[n]) -> (Y: T[1])", ""},
      {"set my\nshape op A(X: T[n]) -> (Y: T[n])\ntype op A(X: T[n]) -> (Y: f32[n])", ""},
      {"template a(X: T[n]) -> (Y: T[n])\n\nop A like a\nop B like a", R"(
error[DW0402]: the file does not name the set of 'A'
  --> t.shape:3:4
   |  op A like a
   |     ^
  help: begin the file with `set NAME`, as in `set my`
)"},
      {"fn twice(n: int) -> int = 2*n", ""},  // used by the following texts
  };
  for (const LoadedText& t : kTexts) {
    RuleLibrary library;
    std::string mistakes;
    for (const Diagnostic& d : library.Load(t.text, "t.shape")) mistakes += "\n" + ToString(d) + "\n";
    EXPECT_EQ(mistakes, t.mistakes) << t.text;
  }
}

// A later text may redeclare a rule, as a modified file does.
TEST(LibraryTest, Load_LaterText_ReplacesDeclaration) {
  RuleLibrary library;
  EXPECT_TRUE(library.Load("set my\nop A(X: T[n]) -> (Y: T[n])", "a.shape").empty());
  EXPECT_TRUE(library.Load("set my\nop A(X: T[n]) -> (Y: T[1])", "b.shape").empty());
  EXPECT_EQ(library.Find("my.A", 1)->file->name, "b.shape");
}

}  // namespace
}  // namespace dimwise::rules
