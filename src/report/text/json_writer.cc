#include "report/text/json_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "core/base/utf8.h"

namespace dimwise {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

// Some readers treat U+0085, U+2028 and U+2029 as line ends (Python's splitlines, for example).
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
  size_t plain = 0;  // start of the run that is copied unchanged
  for (size_t i = 0; i < text.size();) {
    const auto c = static_cast<uint8_t>(text[i]);
    if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
      ++i;
      continue;
    }
    const size_t length = CharacterLength(text.substr(i));
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
