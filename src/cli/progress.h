// A progress bar on the last line of a terminal, for commands with several models:
//
//     [##########----------]  5 of 10  encoder/bert.onnx
#ifndef DIMWISE_CLI_PROGRESS_H_
#define DIMWISE_CLI_PROGRESS_H_

#include <cstdio>
#include <string>
#include <string_view>

namespace dimwise {

// Returns the bar for a terminal of `width` columns; empty if they are too few.
std::string ProgressBar(size_t done, size_t total, std::string_view next, size_t width);

// Shows nothing if the stream is not a terminal or `total` is 1.
class Progress {
 public:
  Progress(size_t total, std::FILE* stream);
  ~Progress() { Clear(); }

  // Shows that `done` models are done and `next` is in progress. Call Clear before printing anything else.
  void Show(size_t done, std::string_view next);
  void Clear();

 private:
  const size_t total_;
  std::FILE* const stream_;
  const size_t width_;
  bool shown_ = false;
};

}  // namespace dimwise

#endif  // DIMWISE_CLI_PROGRESS_H_
