#include "core/base/utf8.h"

#include <gtest/gtest.h>

namespace dimwise {
namespace {

TEST(Utf8Test, LengthOfACharacter) {
  const struct {
    std::string_view text;
    size_t length;
  } kRows[] = {
      {"", 0},
      {"ab", 1},
      {std::string_view("\0", 1), 1},
      {"é!", 2},
      {"漢字", 3},
      {"🙂", 4},
      {"\x80", 0},              // the middle of one
      {"\xc3", 0},              // cut short
      {"\xe6\xbc", 0},          //
      {"\xc3!", 0},             //
      {"\xc0\xaf", 0},          // longer than need be
      {"\xc1\xbf", 0},          //
      {"\xe0\x9f\xbf", 0},      //
      {"\xe0\xa0\x80", 3},      // U+0800
      {"\xf0\x8f\xbf\xbf", 0},  //
      {"\xf0\x90\x80\x80", 4},  // U+10000
      {"\xed\x9f\xbf", 3},      // U+D7FF
      {"\xed\xa0\x80", 0},      // a surrogate
      {"\xf4\x8f\xbf\xbf", 4},  // U+10FFFF
      {"\xf4\x90\x80\x80", 0},  // past it
      {"\xf5\x80\x80\x80", 0},  //
      {"\xff", 0},
  };
  for (const auto& row : kRows) EXPECT_EQ(CharacterLength(row.text), row.length) << Printable(row.text);
}

TEST(Utf8Test, TextsAreCutBetweenCharacters) {
  const std::string_view text = "aé漢";
  const size_t kBegins[] = {0, 1, 1, 3, 3, 3, 6};
  for (size_t at = 0; at <= text.size(); ++at) EXPECT_EQ(BeginOfCharacter(text, at), kBegins[at]) << at;
}

TEST(Utf8Test, Columns) {
  EXPECT_EQ(Width("aé漢"), 3u);
  EXPECT_EQ(Padded("aé漢", 5), "aé漢  ");
  EXPECT_EQ(Padded("aé漢", 2), "aé漢");
}

TEST(Utf8Test, ControlCharactersAreShown) {
  EXPECT_EQ(Printable("a\x1b[31mb\n\x7f é"), "a\\x1b[31mb\\n\\x7f é");
}

}  // namespace
}  // namespace dimwise
