#include "cli/line_reader.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace dimwise {
namespace {

constexpr size_t kChunk = size_t{64} << 10;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

LineReader::LineReader(int descriptor, std::function<void()> on_pause, size_t max_line)
    : descriptor_(descriptor), on_pause_(std::move(on_pause)), max_line_(max_line) {}

bool LineReader::Fill() {
  if (at_end_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    searched_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() - end_ < kChunk) buffer_.resize(std::max(buffer_.size() * 2, end_ + kChunk));
  on_pause_();
  ssize_t count = 0;
  do {
    count = ::read(descriptor_, buffer_.data() + end_, buffer_.size() - end_);
  } while (count < 0 && errno == EINTR);
  if (count < 0) error_number_ = errno;
  if (count <= 0) {
    at_end_ = true;
    return false;
  }
  end_ += static_cast<size_t>(count);
  return true;
}

// Returns the line in [begin_, end). The caller moves begin_ past it.
void LineReader::Emit(size_t end, Line* line) {
  std::string_view text(buffer_.data() + begin_, end - begin_);
  if (text.ends_with('\r')) text.remove_suffix(1);
  line->number = ++lines_;
  line->too_long = skipping_ || text.size() > max_line_;
  if (lines_ == 1 && text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  line->text = line->too_long ? std::string_view() : text;
  skipping_ = false;
}

bool LineReader::Next(Line* line) {
  while (true) {
    const char* data = buffer_.data();
    const void* found = end_ > searched_ ? std::memchr(data + searched_, '\n', end_ - searched_) : nullptr;
    if (found != nullptr) {
      const auto at = static_cast<size_t>(static_cast<const char*>(found) - data);
      Emit(at, line);
      begin_ = searched_ = at + 1;
      return true;
    }
    searched_ = end_;
    if (end_ - begin_ > max_line_ + 1) {  // one more byte for the CR of a line end that is not read yet
      skipping_ = true;
      begin_ = end_;
    }
    if (Fill()) continue;
    if (error_number_ != 0 || (begin_ == end_ && !skipping_)) return false;
    Emit(end_, line);
    begin_ = searched_ = end_;
    return true;
  }
}

}  // namespace dimwise
