#include "cli/line_reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

namespace dimwise {
namespace {

struct Pipe {
  Pipe() { EXPECT_EQ(::pipe(ends), 0); }
  ~Pipe() {
    ::close(ends[0]);
    CloseWriter();
  }
  void Write(const std::string& text) {
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void CloseWriter() {
    if (ends[1] >= 0) ::close(ends[1]);
    ends[1] = -1;
  }
  int ends[2];
};

// Returns all lines of a text as "number:text", or "number!" for a line that is too long.
std::vector<std::string> NumberedLines(const std::string& text, size_t max_line = 1000) {
  Pipe pipe;
  pipe.Write(text);
  pipe.CloseWriter();
  LineReader reader(
      pipe.ends[0], [] {}, max_line);
  std::vector<std::string> lines;
  for (LineReader::Line line; reader.Next(&line);) {
    lines.push_back(std::to_string(line.number) + (line.too_long ? "!" : ":") + std::string(line.text));
  }
  EXPECT_EQ(reader.error_number(), 0);
  return lines;
}

using Lines = std::vector<std::string>;

TEST(LineReader, Input_WithAndWithoutLineEnds_IsSplitIntoLines) {
  EXPECT_EQ(NumberedLines(""), Lines{});
  EXPECT_EQ(NumberedLines("a"), Lines{"1:a"});
  EXPECT_EQ(NumberedLines("a\n"), Lines{"1:a"});
  EXPECT_EQ(NumberedLines("a\n\nb\r\n\r\nc"), (Lines{"1:a", "2:", "3:b", "4:", "5:c"}));
  EXPECT_EQ(NumberedLines("\n"), Lines{"1:"});
  EXPECT_EQ(NumberedLines(std::string("a\0b\n", 4)), Lines{std::string("1:a\0b", 5)});
}

TEST(LineReader, ByteOrderMark_AtStart_IsSkipped) {
  EXPECT_EQ(NumberedLines("\xef\xbb\xbf{}\n\xef\xbb\xbf{}\n"), (Lines{"1:{}", "2:\xef\xbb\xbf{}"}));
}

TEST(LineReader, Line_TooLong_IsSkipped) {
  EXPECT_EQ(NumberedLines("12345\n123456\n1234567\nab\n", 5), (Lines{"1:12345", "2!", "3!", "4:ab"}));
  EXPECT_EQ(NumberedLines("12345\r\nab\n", 5), (Lines{"1:12345", "2:ab"}));
  EXPECT_EQ(NumberedLines("1234567", 5), Lines{"1!"});
}

TEST(LineReader, Buffer_AfterLongLine_ShrinksAgain) {
  Pipe pipe;
  LineReader reader(
      pipe.ends[0],
      [&] {
        static int rounds = 0;
        if (++rounds < 50) {
          pipe.Write(std::string(60000, 'x'));
        } else if (rounds == 50) {
          pipe.Write("\nshort\n");
          pipe.CloseWriter();
        }
      },
      1000);
  LineReader::Line line;
  ASSERT_TRUE(reader.Next(&line));
  EXPECT_TRUE(line.too_long);
  ASSERT_TRUE(reader.Next(&line));
  EXPECT_EQ(line.text, "short");
  EXPECT_EQ(line.number, 2u);
  EXPECT_FALSE(reader.Next(&line));
}

TEST(LineReader, Line_LongerThanBuffer_IsWhole) {
  const std::string word(30000, 'x');
  EXPECT_EQ(NumberedLines(word + "\n" + word + "y\n", 40000), (Lines{"1:" + word, "2:" + word + "y"}));
}

TEST(LineReader, Pause_WithCompleteLinesLeft_ComesAfterThem) {
  Pipe pipe;
  std::vector<std::string> events;
  int pauses = 0;
  LineReader reader(pipe.ends[0], [&] {
    events.push_back("pause");
    if (++pauses == 1) pipe.Write("a\nb\nc");
    if (pauses == 2) pipe.Write("d\n");
    if (pauses == 3) pipe.CloseWriter();
  });
  for (LineReader::Line line; reader.Next(&line);) events.emplace_back(line.text);
  EXPECT_EQ(events, (Lines{"pause", "a", "b", "pause", "cd", "pause"}));
}

TEST(LineReader, Read_SystemError_IsReported) {
  LineReader reader(-1, [] {});
  LineReader::Line line;
  EXPECT_FALSE(reader.Next(&line));
  EXPECT_EQ(reader.error_number(), EBADF);
}

}  // namespace
}  // namespace dimwise
