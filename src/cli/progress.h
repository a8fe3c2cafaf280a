// How far a command has come with its models, as a bar on the last line of a terminal:
//
//     [##########----------]  5 of 10  encoder/bert.onnx
#ifndef DIMWISE_CLI_PROGRESS_H_
#define DIMWISE_CLI_PROGRESS_H_

#include <cstdio>
#include <string>
#include <string_view>

namespace dimwise {

// The bar in so many columns; empty where they are too few.
std::string ProgressBar(size_t done, size_t total, std::string_view next, size_t width);

// Nothing is shown where the stream is no terminal, or `total` is 1.
class Progress {
 public:
  Progress(size_t total, std::FILE* stream);
  ~Progress() { Clear(); }

  // So many are done; `next` comes next. The bar stays until something else is to be printed.
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
