#include "cli/progress.h"

#include <fmt/format.h>

#include "cli/terminal.h"

namespace dimwise {

std::string ProgressBar(size_t done, size_t total, std::string_view next, size_t width) {
  constexpr size_t kCells = 20;
  const size_t filled = total == 0 ? kCells : kCells * done / total;
  const std::string count = fmt::format("{}", total);
  std::string bar = fmt::format("[{}{}]  {:>{}} of {}", std::string(filled, '#'),
                                std::string(kCells - filled, '-'), done, count.size(), count);
  if (bar.size() > width) return {};
  // Keep one column free, because some terminals wrap after writing the last one.
  const size_t left = width - bar.size();
  if (left > 12) bar += "  " + Shortened(Printable(next), left - 3);
  return bar;
}

Progress::Progress(size_t total, std::FILE* stream)
    : total_(total),
      stream_(stream),
      width_(total > 1 && ColourOf(stream) == Colour::kAlways ? WidthOf(stream) : 0) {}

void Progress::Show(size_t done, std::string_view next) {
  const std::string bar = ProgressBar(done, total_, next, width_);
  if (bar.empty()) return;
  fmt::print(stream_, "\r{}\x1b[K", bar);
  std::fflush(stream_);
  shown_ = true;
}

void Progress::Clear() {
  if (!shown_) return;
  fmt::print(stream_, "\r\x1b[K");
  std::fflush(stream_);
  shown_ = false;
}

}  // namespace dimwise
