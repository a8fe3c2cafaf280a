#include "report/json_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace dimwise {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

uint8_t ByteAt(std::string_view text, size_t i) {
  return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0};
}

// The length of the character of UTF-8 that begins at i, 2 to 4; 0 where there is none. REQUIRES: no ASCII at
// i.
size_t CharacterLength(std::string_view text, size_t i) {
  const uint8_t first = ByteAt(text, i), second = ByteAt(text, i + 1);
  const auto continues = [&](size_t at) { return (ByteAt(text, at) & 0xC0) == 0x80; };
  if (first >= 0xC2 && first <= 0xDF) return continues(i + 1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool overlong = first == 0xE0 && second < 0xA0;
    const bool surrogate = first == 0xED && second > 0x9F;
    return continues(i + 1) && continues(i + 2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool overlong = first == 0xF0 && second < 0x90;
    const bool too_large = first == 0xF4 && second > 0x8F;
    return continues(i + 1) && continues(i + 2) && continues(i + 3) && !overlong && !too_large ? 4 : 0;
  }
  return 0;
}

// U+0085, U+2028 and U+2029 end a line for some readers (Python's splitlines among them).
std::string_view EscapedLineEnd(std::string_view character) {
  if (character == "\xc2\x85") return "\\u0085";
  if (character == "\xe2\x80\xa8") return "\\u2028";
  if (character == "\xe2\x80\xa9") return "\\u2029";
  return {};
}

}  // namespace

void JsonWriter::Separate() {
  if (after_value_) out_ += ", ";
  after_value_ = true;
}

void JsonWriter::Open(char bracket) {
  Separate();
  out_ += bracket;
  after_value_ = false;
}

void JsonWriter::Close(char bracket) {
  out_ += bracket;
  after_value_ = true;
}

void JsonWriter::Key(std::string_view name) {
  Separate();
  Quote(name);
  out_ += ": ";
  after_value_ = false;
}

void JsonWriter::String(std::string_view text) {
  Separate();
  Quote(text);
}

void JsonWriter::Int(int64_t number) {
  Separate();
  const fmt::format_int digits(number);
  out_.append(digits.data(), digits.size());
}

template <typename T>
void JsonWriter::Number(T number) {
  if (!std::isfinite(number)) return String(std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
  Separate();
  const size_t start = out_.size();
  fmt::format_to(std::back_inserter(out_), "{}", number);
  if (out_.find_first_of(".e", start) == std::string::npos) out_ += ".0";
}

void JsonWriter::Double(double number) { Number(number); }
void JsonWriter::Float(float number) { Number(number); }

void JsonWriter::Raw(std::string_view json) {
  Separate();
  out_ += json;
}

void JsonWriter::Quote(std::string_view text) {
  out_ += '"';
  size_t plain = 0;  // where the run begins that is copied as it is
  for (size_t i = 0; i < text.size();) {
    const uint8_t c = ByteAt(text, i);
    if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
      ++i;
      continue;
    }
    const size_t length = c < 0x80 ? 1 : CharacterLength(text, i);
    if (length > 1 && EscapedLineEnd(text.substr(i, length)).empty()) {
      i += length;
      continue;
    }
    out_ += text.substr(plain, i - plain);
    if (length == 0) {
      out_ += kReplacement;
    } else if (length > 1) {
      out_ += EscapedLineEnd(text.substr(i, length));
    } else if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += static_cast<char>(c);
    } else if (c == '\n') {
      out_ += "\\n";
    } else if (c == '\t') {
      out_ += "\\t";
    } else {
      fmt::format_to(std::back_inserter(out_), "\\u{:04x}", c);
    }
    i += length == 0 ? 1 : length;
    plain = i;
  }
  out_ += text.substr(plain);
  out_ += '"';
}

}  // namespace dimwise
