// Checks that the parser accepts the examples of docs/rules.md and of the language design.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "rules/language/parser.h"
#include "rules/language/print.h"

namespace dimwise::rules {
namespace {

struct Block {
  int line = 0;  // of its first line in the page
  std::string text;
};

bool HasDeclaration(const std::string& text) {
  for (const std::string_view word : {"op ", "shape op ", "template ", "fn ", "set "}) {
    if (text.starts_with(word) || text.find("\n" + std::string(word)) != std::string::npos) return true;
  }
  return false;
}

// Returns indented and fenced blocks that contain a declaration. Blank lines inside belong to a block.
std::vector<Block> BlocksOf(const std::string& path) {
  std::ifstream page(path);
  EXPECT_TRUE(page.is_open()) << path;
  std::vector<Block> blocks;
  Block block;
  bool fenced = false;
  const auto end_block = [&] {
    if (HasDeclaration(block.text)) blocks.push_back(block);
    block = Block();
  };
  int number = 0;
  for (std::string line; std::getline(page, line);) {
    ++number;
    const bool indented = line.starts_with("    ");
    if (line.starts_with("```")) {
      fenced = !fenced;
      end_block();
    } else if (fenced || indented || (line.empty() && block.line > 0)) {
      if (block.line == 0) block.line = number;
      block.text += (fenced || line.empty() ? line : line.substr(4)) + "\n";
    } else {
      end_block();
    }
  }
  end_block();
  return blocks;
}

TEST(ParserDocsTest, Examples_InDocs_AreAccepted) {
  const std::string path = DIMWISE_SOURCE_DIR "/docs/rules.md";
  const std::vector<Block> blocks = BlocksOf(path);
  EXPECT_GE(blocks.size(), 2u);
  for (const Block& block : blocks) {
    const Result<File> file = Parse(block.text, "rules.md");
    ASSERT_TRUE(file.has_value()) << "in the block at line " << block.line << "\n" << ToString(file.error());
    const std::string printed = Print(*file);
    const Result<File> again = Parse(printed, "printed");
    ASSERT_TRUE(again.has_value()) << ToString(again.error());
    EXPECT_EQ(Print(*again), printed);
  }
}

// The statements that the page lists.
TEST(ParserDocsTest, Statements_InDocs_AreAccepted) {
  const Result<File> file = Parse(R"(op A(X: T[...s]) -> (Y: T[...s])
    let r = expr
    require cond else "message {expr}"
    ensure cond
    value Y = expr
    T: float | i32
    example "f32[N,3]; f32[3,4] -> f32[N,4]"
)",
                                  "rules.md");
  ASSERT_TRUE(file.has_value()) << ToString(file.error());
  EXPECT_EQ(file->operators[0].statements.size(), 6u);
}

// The examples of the language design, with `dtype` by its current name and ranges as calls.
TEST(ParserDocsTest, Examples_InDesign_AreAccepted) {
  const Result<File> file = Parse(R"(
op Relu(X: T[...s]) -> (Y: T[...s])
op Add(A: T[...a], B: T[...b]) -> (C: T[...broadcast(a, b)])   value C = A + B
op MatMul(A: T[...a, m, k], B: T[...b, k, n]) -> (Y: T[...broadcast(a, b), m, n])
   | (A: T[k], B: T[...b, k, n]) -> (Y: T[...b, n])
op Transpose(X: T[...s]; perm: ints = reverse(range(0, rank(s)))) -> (Y: T[...permute(s, perm)])
   require is_permutation(perm, rank(s))  else "perm {perm} must name each of the {rank(s)} axes once"
op Cast(X: T[...s]; to: type) -> (Y: to[...s])                 value Y = cast(X, to)
op Shape(X: T[...s]; start: int = 0, end: int = rank(s)) -> (Y: i64[rank(r)])
   let r = s[start:end]                                         value Y = r
op NonZero(X: T[...s]) -> (Y: i64[rank(s), unknown(0, product(s))])
op Conv(X: T[n, c, ...x], W: T[m, wc, ...k], B?: T[m]; group: int = 1, strides: ints = ones(rank(x)))
   -> (Y: T[n, m, ...window(x, k, strides, dilations, pads, auto_pad)])
   require c == wc * group  else "the input has {c} channels; the weights take {wc} in each of {group} groups"
op Reshape(X: T[...s], shape: i64[r]; allowzero: int = 0) -> (Y: T[...out])
   ensure product(out) == product(s)       # true by what the operator does: nothing to check, much to learn
)",
                                  "design");
  ASSERT_TRUE(file.has_value()) << ToString(file.error());
  EXPECT_EQ(file->operators.size(), 9u);
}

}  // namespace
}  // namespace dimwise::rules
