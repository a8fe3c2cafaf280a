// Reads lines from a file descriptor as they arrive. Memory is bounded by the longest line.
//
// A peer that writes one line and waits for its answer must get it. Therefore the reader calls `on_pause`
// before each read that may block; the caller then sends its pending output.
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
    std::string_view text;  // without LF or CR LF; valid until the next call
    size_t number = 0;      // starts at 1
    bool too_long = false;  // longer than the limit: text is empty and the line is skipped
  };

  LineReader(int descriptor, std::function<void()> on_pause, size_t max_line = kMaxLine);

  // Returns false at the end of the input or after a read error. A last line without a line end counts as a
  // line.
  bool Next(Line* line);
  // Returns the errno of a failed read, or 0.
  int error_number() const { return error_number_; }

 private:
  bool Fill();  // returns false at the end
  void Emit(size_t end, Line* line);

  const int descriptor_;
  const std::function<void()> on_pause_;
  const size_t max_line_;
  std::vector<char> buffer_;
  size_t begin_ = 0;  // [begin_, end_) is read but not yet returned
  size_t end_ = 0;
  size_t searched_ = 0;  // there is no line end before this position
  size_t lines_ = 0;
  bool skipping_ = false;  // inside a line that is too long
  bool at_end_ = false;
  int error_number_ = 0;
};

}  // namespace dimwise

#endif  // DIMWISE_CLI_LINE_READER_H_
