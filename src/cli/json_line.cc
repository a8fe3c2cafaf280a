#include "cli/json_line.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "core/base/characters.h"
#include "core/base/failure.h"

namespace dimwise {
namespace {

// A parser whose buffer grew past this size is replaced.
constexpr size_t kKeptCapacity = size_t{1} << 20;
constexpr size_t kShownNumber = 40;

// Returns the end of the string that begins at `at`: the position after its closing quote, or the end of the
// text.
size_t EndOfString(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

// Returns the value of a field of the outermost object as it is written. If the text is not valid JSON, the
// result is unspecified.
std::string_view FindField(std::string_view text, std::string_view name) {
  int depth = 0;
  bool matches = false;                   // whether the last string at depth 1 was the name
  size_t start = std::string_view::npos;  // of the value, once found
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (start != std::string_view::npos && depth == 1 && (c == ',' || c == '}')) {
      while (i > start && IsSpace(text[i - 1])) --i;
      return text.substr(start, i - start);
    }
    if (c == '"') {
      const size_t end = EndOfString(text, i);
      if (depth == 1 && start == std::string_view::npos) matches = text.substr(i, end - i) == name;
      i = end;
      continue;
    }
    if (c == ':' && depth == 1 && matches && start == std::string_view::npos) {
      do {
        ++i;
      } while (i < text.size() && IsSpace(text[i]));
      start = i;
      continue;
    }
    if (c == ',' && depth == 1) matches = false;
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    ++i;
  }
  return {};
}

std::string WithoutSpace(std::string_view json) {
  std::string text;
  for (size_t i = 0; i < json.size();) {
    const size_t end = json[i] == '"' ? EndOfString(json, i) : i + 1;
    if (!IsSpace(json[i])) text += json.substr(i, end - i);
    i = end;
  }
  return text;
}

// Returns whether the text is a number in the grammar of JSON.
bool IsNumber(std::string_view text, bool* is_integer) {
  size_t i = 0;
  const auto digits = [&] {
    const size_t before = i;
    while (i < text.size() && IsDigit(text[i])) ++i;
    return i > before;
  };
  if (i < text.size() && text[i] == '-') ++i;
  const size_t first = i;
  if (!digits() || (text[first] == '0' && i > first + 1)) return false;
  *is_integer = i == text.size();
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (!digits()) return false;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (!digits()) return false;
  }
  return i == text.size();
}

bool IsTooLarge(std::string_view number, bool is_integer) {
  const char* end = number.data() + number.size();
  if (!is_integer) return std::isinf(std::strtod(std::string(number).c_str(), nullptr));
  int64_t as_signed = 0;
  uint64_t as_unsigned = 0;
  return std::from_chars(number.data(), end, as_signed).ec != std::errc() &&
         std::from_chars(number.data(), end, as_unsigned).ec != std::errc();
}

std::string_view WhatIsWrong(simdjson::error_code error) {
  switch (error) {
    case simdjson::EMPTY:
      return "it is empty";
    case simdjson::UTF8_ERROR:
      return "it is not UTF-8";
    case simdjson::DEPTH_ERROR:
      return "it is nested more than 1024 deep";
    case simdjson::NUMBER_ERROR:
      return "a number is malformed";
    case simdjson::STRING_ERROR:
    case simdjson::UNESCAPED_CHARS:
      return "a string has a wrong escape or a control character";
    case simdjson::UNCLOSED_STRING:
      return "a string is not closed";
    case simdjson::T_ATOM_ERROR:
    case simdjson::F_ATOM_ERROR:
    case simdjson::N_ATOM_ERROR:
      return "a literal is not true, false or null";
    case simdjson::MEMALLOC:
      return "there is not enough memory for it";
    default:
      return "a comma, colon, bracket, quote or key is missing or redundant";
  }
}

}  // namespace

// Replaces each number that cannot be read by 0. The ID may be replaced too, because it is kept separately.
void JsonLine::ReplaceLargeNumbers(std::string_view id) {
  for (size_t i = 0; i < text_.size();) {
    if (text_[i] == '"') {
      i = EndOfString(text_, i);
      continue;
    }
    if (text_[i] != '-' && !IsDigit(text_[i])) {
      ++i;
      continue;
    }
    const size_t end = std::min(text_.find_first_not_of("0123456789+-.eE", i), text_.size());
    const std::string_view number = std::string_view(text_).substr(i, end - i);
    bool is_integer = false;
    if (IsNumber(number, &is_integer) && IsTooLarge(number, is_integer)) {
      if (number.data() != id.data() && too_large_.empty()) {
        too_large_ =
            number.size() > kShownNumber ? std::string(number.substr(0, kShownNumber)) + "..." : number;
      }
      text_.replace(i, end - i, end - i, ' ');
      text_[i] = '0';
    }
    i = end;
  }
}

Status JsonLine::Parse(std::string_view line) {
  if (parser_.capacity() > kKeptCapacity && line.size() <= kKeptCapacity) {
    parser_ = simdjson::dom::parser();
    text_ = {};
  }
  id_.clear();
  too_large_.clear();
  text_.reserve(line.size() + simdjson::SIMDJSON_PADDING);
  text_ = line;
  simdjson::error_code error = parser_.parse(text_.data(), text_.size(), false).get(root_);
  const std::string_view id = FindField(text_, "\"id\"");
  id_ = WithoutSpace(id);
  if (error != simdjson::SUCCESS) {
    ReplaceLargeNumbers(id);
    error = parser_.parse(text_.data(), text_.size(), false).get(root_);
  }
  if (error == simdjson::SUCCESS) return {};
  return Failure(Code::kBadRequest, "the line is not valid JSON: " + std::string(WhatIsWrong(error)));
}

}  // namespace dimwise
