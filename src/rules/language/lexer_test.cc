#include "rules/language/lexer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace dimwise::rules {
namespace {

// Returns "kind:text" for each token but the last, separated by spaces. The kind is omitted if the text
// determines it.
std::string Show(std::string_view text) {
  std::string out;
  for (const Token& token : Lex(text)) {
    if (token.kind == TokenKind::kEnd) break;
    if (!out.empty()) out += ' ';
    switch (token.kind) {
      case TokenKind::kBad:
        out += fmt::format("bad{}:", static_cast<int>(token.mistake));
        break;
      case TokenKind::kDoc:
        out += "doc:";
        break;
      case TokenKind::kName:
        out += "name:";
        break;
      case TokenKind::kInteger:
        out += "int:";
        break;
      case TokenKind::kReal:
        out += "real:";
        break;
      case TokenKind::kString:
        out += "str:";
        break;
      default:
        // The text of a symbol or keyword equals the spelling of its kind.
        EXPECT_EQ(token.text, Spelling(token.kind));
    }
    out += token.text;
  }
  return out;
}

TEST(LexerTest, Tokens_OfEachKind_AreRecognized) {
  const struct {
    std::string_view text;
    std::string_view tokens;
  } cases[] = {
      {"", ""},
      {" \t\r\n ", ""},
      {"axis _x x1 T", "name:axis name:_x name:x1 name:T"},
      {"set sets Set", "set name:sets name:Set"},
      {"and assume each else ensure example false fn fold for",
       "and assume each else ensure example false fn fold for"},
      {"if implies in let like not op or require set", "if implies in let like not op or require set"},
      {"since template then true until value when with", "since template then true until value when with"},
      {"_ __ _a", "_ name:__ name:_a"},
      {"`in` `a b` `x.y/z:0`", "name:`in` name:`a b` name:`x.y/z:0`"},
      {"0 12 007", "int:0 int:12 int:007"},
      {"0.5 1e5 1e-5 2.5E+3", "real:0.5 real:1e5 real:1e-5 real:2.5E+3"},
      {"0..3", "int:0 .. int:3"},
      {"0.5..1.5", "real:0.5 .. real:1.5"},
      {"1.", "int:1 ."},
      {"-3", "- int:3"},
      {"...x .. . ....", "... name:x .. . ... ."},
      {"()[]{},;:?", "( ) [ ] { } , ; : ?"},
      {"+-*//%/", "+ - * // % /"},
      {"== != < <= > >= = ->", "== != < <= > >= = ->"},
      {"===", "== ="},
      {"a|b", "name:a | name:b"},
      {R"("a" "" "q\"q" "\\")", R"(str:"a" str:"" str:"q\"q" str:"\\")"},
      {"a # b\nc", "name:a name:c"},
      {"## a b\n##c\n##", "doc:## a b doc:##c doc:##"},
      {"### ruler\n######", ""},
      {"x ## not at the start of a line", "name:x"},
      {"  ## indented", "doc:## indented"},
      {"\"{n # m}\"", "str:\"{n # m}\""},
  };
  for (const auto& c : cases) EXPECT_EQ(Show(c.text), c.tokens) << c.text;
}

TEST(LexerTest, Text_Invalid_BecomesBadTokens) {
  const struct {
    std::string_view text;
    std::string_view tokens;
  } cases[] = {
      {"a ! b", "name:a bad1:! name:b"},
      {"a && b || c & d", "name:a bad1:&& name:b bad1:|| name:c bad1:& name:d"},
      {"@ $", "bad1:@ bad1:$"},
      {"\xc3\xa9t", "bad1:\xc3\xa9 name:t"},
      {"\x80\x80", "bad1:\x80\x80"},
      {"\"open\nx", "bad2:\"open name:x"},
      {"\"open\\", "bad2:\"open\\"},
      {"\"open\\\nx", "bad2:\"open\\ name:x"},
      {"`open\nx", "bad3:`open name:x"},
      {"``", "bad4:``"},
      {"3x 1e 1.5f 0x1F", "bad5:3x bad5:1e bad5:1.5f bad5:0x1F"},
  };
  for (const auto& c : cases) EXPECT_EQ(Show(c.text), c.tokens) << c.text;
}

TEST(LexerTest, Positions_InWholeFile_StartAtOne) {
  const std::vector<Token> tokens = Lex("op A\n  # comment\n\tlet  x\r\n");
  ASSERT_EQ(tokens.size(), 5u);
  const auto place = [&](size_t i) {
    return fmt::format("{}:{}+{}{}", tokens[i].line, tokens[i].column, tokens[i].text.size(),
                       tokens[i].starts_line ? " first" : "");
  };
  EXPECT_EQ(place(0), "1:1+2 first");
  EXPECT_EQ(place(1), "1:4+1");
  EXPECT_EQ(place(2), "3:2+3 first");
  EXPECT_EQ(place(3), "3:7+1");
  EXPECT_EQ(place(4), "4:1+0 first");
}

TEST(LexerTest, Positions_InPart_StartAtGivenPosition) {
  const std::vector<Token> tokens = Lex(" a\nb", 7, 20);
  EXPECT_EQ(tokens[0].line, 7);
  EXPECT_EQ(tokens[0].column, 21);
  EXPECT_EQ(tokens[1].line, 8);
  EXPECT_EQ(tokens[1].column, 1);
}

TEST(LexerTest, Words_KeywordOrIdentifier_AreClassified) {
  EXPECT_EQ(KeywordOrName("fold"), TokenKind::kFold);
  EXPECT_EQ(KeywordOrName("fol"), TokenKind::kName);
  EXPECT_EQ(KeywordOrName("zip"), TokenKind::kName);
  EXPECT_EQ(KeywordOrName(""), TokenKind::kName);
  EXPECT_TRUE(IsIdentifier("a_1"));
  EXPECT_FALSE(IsIdentifier("1a"));
  EXPECT_FALSE(IsIdentifier("_"));
  EXPECT_FALSE(IsIdentifier("a b"));
  EXPECT_FALSE(IsIdentifier(""));
}

}  // namespace
}  // namespace dimwise::rules
