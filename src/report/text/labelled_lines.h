// Formats lines with labels. A label that repeats that of the line before is omitted.
#ifndef DIMWISE_REPORT_TEXT_LABELLED_LINES_H_
#define DIMWISE_REPORT_TEXT_LABELLED_LINES_H_

#include <string>
#include <string_view>
#include <utility>

#include "report/text/text_style.h"

namespace dimwise {

class LabelledLines {
 public:
  // `label_width` is the width of the label column.
  LabelledLines(size_t label_width, Colour colour) : label_width_(label_width), colour_(colour) {}

  void Title(std::string_view title) { text_ += title; }
  void Line(std::string_view label, std::string_view line) {
    const std::string_view shown = label == last_label_ ? std::string_view() : label;
    text_ += "  " + Painted(shown, kFaint, colour_);
    text_.append(label_width_ - shown.size(), ' ');
    text_ += line;
    text_ += '\n';
    last_label_ = label;
  }
  std::string Take() && { return std::move(text_); }

 private:
  const size_t label_width_;
  const Colour colour_;
  std::string text_;
  std::string last_label_;
};

}  // namespace dimwise

#endif  // DIMWISE_REPORT_TEXT_LABELLED_LINES_H_
