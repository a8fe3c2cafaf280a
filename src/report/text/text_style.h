// How text for a person looks: colours, and columns that line up (core/base/utf8.h).
#ifndef DIMWISE_REPORT_TEXT_TEXT_STYLE_H_
#define DIMWISE_REPORT_TEXT_TEXT_STYLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/utf8.h"

namespace dimwise {

// Whether text is for a terminal, in colours, or plain.
enum class Colour : uint8_t { kNever, kAlways };

// Select Graphic Rendition, as terminals have it.
inline constexpr std::string_view kBold = "\x1b[1m";
inline constexpr std::string_view kFaint = "\x1b[2m";
inline constexpr std::string_view kRed = "\x1b[1;31m";
inline constexpr std::string_view kYellow = "\x1b[1;33m";
inline constexpr std::string_view kCyan = "\x1b[36m";

std::string Painted(std::string_view text, std::string_view style, Colour colour);

// The text with ".." in its middle where it is wider than that.
std::string Shortened(std::string_view text, size_t width);
// The beginning of the text and "..." where it is wider than that.
std::string Clipped(std::string_view text, size_t width);

// "1 node", "2 nodes", "no nodes".
std::string Counted(size_t count, std::string_view noun);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_TEXT_TEXT_STYLE_H_
