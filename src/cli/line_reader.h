// Reads lines from a file descriptor as they come, in memory that the longest line bounds.
//
// A peer that writes one line and waits for its answer must get it: before the reader asks the system for
// more, and so perhaps waits, it calls `on_pause`, where the caller sends off what it has.
#ifndef DIMWISE_CLI_LINE_READER_H_
#define DIMWISE_CLI_LINE_READER_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dimwise {

class LineReader {
 public:
  static constexpr size_t kMaxLine = size_t{64} << 20;

  struct Line {
    std::string_view text;  // without its end (LF or CR LF); valid until the next call
    size_t number = 0;      // from 1
    bool too_long = false;  // longer than the limit: text is empty, and what it was is skipped
  };

  LineReader(int descriptor, std::function<void()> on_pause, size_t max_line = kMaxLine);

  // False at the end of the input, or where reading failed. A last line without an end counts.
  bool Next(Line* line);
  // What the system said, where reading failed; 0 otherwise.
  int error_number() const { return error_number_; }

 private:
  bool Fill();  // false at the end
  void Emit(size_t end, Line* line);

  const int descriptor_;
  const std::function<void()> on_pause_;
  const size_t max_line_;
  std::vector<char> buffer_;
  size_t begin_ = 0;  // [begin_, end_) is read and not handed out
  size_t end_ = 0;
  size_t searched_ = 0;  // no end of a line before this
  size_t lines_ = 0;
  bool skipping_ = false;  // inside a line that is too long
  bool at_end_ = false;
  int error_number_ = 0;
};

}  // namespace dimwise

#endif  // DIMWISE_CLI_LINE_READER_H_
