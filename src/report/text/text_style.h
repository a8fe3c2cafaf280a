// Styles text for terminals: colors, and shortening to a width (core/base/utf8.h).
#ifndef DIMWISE_REPORT_TEXT_TEXT_STYLE_H_
#define DIMWISE_REPORT_TEXT_TEXT_STYLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/utf8.h"

namespace dimwise {

// Whether to emit the color codes of a terminal.
enum class Colour : uint8_t { kNever, kAlways };

// Select Graphic Rendition codes.
inline constexpr std::string_view kBold = "\x1b[1m";
inline constexpr std::string_view kFaint = "\x1b[2m";
inline constexpr std::string_view kRed = "\x1b[1;31m";
inline constexpr std::string_view kYellow = "\x1b[1;33m";
inline constexpr std::string_view kCyan = "\x1b[36m";

std::string Painted(std::string_view text, std::string_view style, Colour colour);

// Returns the text with ".." in its middle if it is wider than `width`.
std::string Shortened(std::string_view text, size_t width);
// Like Shortened, for a path: the folders are shortened before the name of the file.
std::string ShortenedPath(std::string_view path, size_t width);
// Returns the beginning of the text and "..." if it is wider than `width`.
std::string Clipped(std::string_view text, size_t width);

// Returns "1 node", "2 nodes", "no nodes".
std::string Counted(size_t count, std::string_view noun);

}  // namespace dimwise

#endif  // DIMWISE_REPORT_TEXT_TEXT_STYLE_H_
