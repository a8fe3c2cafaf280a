#include "core/base/utf8.h"

#include <gtest/gtest.h>

namespace dimwise {
namespace {

TEST(Utf8Test, CharacterLength_TableOfBytes_RejectsInvalid) {
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
      {"\x80", 0},              // a continuation byte
      {"\xc3", 0},              // truncated
      {"\xe6\xbc", 0},          //
      {"\xc3!", 0},             //
      {"\xc0\xaf", 0},          // overlong
      {"\xc1\xbf", 0},          //
      {"\xe0\x9f\xbf", 0},      //
      {"\xe0\xa0\x80", 3},      // U+0800
      {"\xf0\x8f\xbf\xbf", 0},  //
      {"\xf0\x90\x80\x80", 4},  // U+10000
      {"\xed\x9f\xbf", 3},      // U+D7FF
      {"\xed\xa0\x80", 0},      // a surrogate
      {"\xf4\x8f\xbf\xbf", 4},  // U+10FFFF
      {"\xf4\x90\x80\x80", 0},  // beyond the last code point
      {"\xf5\x80\x80\x80", 0},  //
      {"\xff", 0},
  };
  for (const auto& row : kRows) EXPECT_EQ(CharacterLength(row.text), row.length) << Printable(row.text);
}

TEST(Utf8Test, BeginOfCharacter_AnyByte_GivesCharacterStart) {
  const std::string_view text = "aé漢";
  const size_t kBegins[] = {0, 1, 1, 3, 3, 3, 6};
  for (size_t at = 0; at <= text.size(); ++at) EXPECT_EQ(BeginOfCharacter(text, at), kBegins[at]) << at;
}

TEST(Utf8Test, Width_NonAsciiText_CountsCharacters) {
  EXPECT_EQ(Width("aé漢"), 3u);
  EXPECT_EQ(Padded("aé漢", 5), "aé漢  ");
  EXPECT_EQ(Padded("aé漢", 2), "aé漢");
}

TEST(Utf8Test, Printable_ControlCharacters_AreEscaped) {
  EXPECT_EQ(Printable("a\x1b[31mb\n\x7f é"), "a\\x1b[31mb\\n\\x7f é");
}

}  // namespace
}  // namespace dimwise
