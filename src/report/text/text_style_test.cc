#include "report/text/text_style.h"

#include <gtest/gtest.h>

namespace dimwise {
namespace {

TEST(TextStyle, Shortened_LongName_LosesItsMiddle) {
  EXPECT_EQ(Shortened("encoder/layer.0/attention/MatMul_output_0", 20), "encode..Mul_output_0");
  EXPECT_EQ(Shortened("short", 5), "short");
  EXPECT_EQ(Shortened("shorter", 5), "s..er");
  EXPECT_EQ(Shortened("größe形状長名前", 6), "g..長名前");
  EXPECT_EQ(Shortened("abc", 2), "..");
}

TEST(TextStyle, Clipped_LongText_LosesItsEnd) {
  EXPECT_EQ(Clipped("i64[4] = [1, 2, 3, 4]", 12), "i64[4] = ...");
  EXPECT_EQ(Clipped("i64[4]", 6), "i64[4]");
  EXPECT_EQ(Clipped("größe形状", 6), "grö...");
}

TEST(TextStyle, Width_MultibyteText_CountsCharacters) {
  EXPECT_EQ(Padded("größe", 7) + "|", "größe  |");
  EXPECT_EQ(Padded("long", 2), "long");
  EXPECT_EQ(Width("形状"), 2u);
}

TEST(TextStyle, Printable_ControlCharacters_AreReplaced) {
  EXPECT_EQ(Printable("a\x1b[31mb\n\x7f é"), "a\\x1b[31mb\\n\\x7f é");
}

TEST(TextStyle, Painted_ColoursOff_IsPlain) {
  EXPECT_EQ(Painted("x", kBold, Colour::kNever), "x");
  EXPECT_EQ(Painted("x", kBold, Colour::kAlways), "\x1b[1mx\x1b[0m");
  EXPECT_EQ(Painted("", kBold, Colour::kAlways), "");
}

TEST(TextStyle, Counted_AnyNumber_HasNoun) {
  EXPECT_EQ(Counted(0, "node"), "no nodes");
  EXPECT_EQ(Counted(1, "node"), "1 node");
  EXPECT_EQ(Counted(2, "node"), "2 nodes");
}

}  // namespace
}  // namespace dimwise
