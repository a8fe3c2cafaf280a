// Parses attributes in two notations with one parser: our own, which messages show (attr_print.cc), and
// Python's literals, which MXNet's files and command lines use.
//
//   text    = value | value "," ... [","]                     a list at the top level may omit brackets
//   value   = int ["L"] | float | string | word | "?" | list | tensor | function
//   list    = "[" values "]" | "(" values ")"                 values may end in a comma
//   tensor  = word-or-? "[" values "]" "{" values-or-? "}"    f32[2]{1.0, 2.0}
//   function = name "[" name "=" value, ... "]"               body[T=f32]; a name is a word or a string
//
// A word is true, false, none (also in Python's spelling), inf, nan, an element type, or else a string. The
// input may be hostile: depth is bounded, and the time is almost linear in the text.
#include <charconv>
#include <cmath>

#include "core/base/characters.h"
#include "core/values/attr_word.h"
#include "dimwise/attr_value.h"

namespace dimwise {
namespace {

constexpr int kMaxDepth = 16;
constexpr size_t kMaxElements = size_t{1} << 22;  // of a list: its memory is a multiple of the text

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::optional<AttrValue> Text() {
    std::optional<AttrValue> first = Value(0);
    if (!first) return std::nullopt;
    if (AtEnd()) return first;
    std::vector<AttrValue> elements;
    elements.push_back(*std::move(first));
    while (Take(',')) {
      if (AtEnd()) break;
      auto next = Value(0);
      if (!next) return std::nullopt;
      elements.push_back(*std::move(next));
    }
    return AtEnd() ? std::optional(AttrValue::List(std::move(elements))) : std::nullopt;
  }

 private:
  void SkipSpace() {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
  }
  bool AtEnd() {
    SkipSpace();
    return at_ == text_.size();
  }
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Take(char c) {
    SkipSpace();
    if (Peek() != c) return false;
    ++at_;
    return true;
  }

  std::optional<AttrValue> Value(int depth) {
    if (depth > kMaxDepth) return std::nullopt;
    SkipSpace();
    const char c = Peek();
    if (c == '[' || c == '(') {
      ++at_;
      auto elements = Values(c == '[' ? ']' : ')', depth);
      return elements ? std::optional(AttrValue::List(*std::move(elements))) : std::nullopt;
    }
    if (c == '"' || c == '\'') {
      auto text = Quoted();
      if (!text) return std::nullopt;
      if (Peek() == '[') return Function(*text, depth);
      return AttrValue(*std::move(text));
    }
    if (c == '?') {
      ++at_;
      return Peek() == '[' ? Tensor(ElementType::kUnknown, depth) : AttrValue();
    }
    if (IsAttrWordStart(c)) return Word(depth);
    return Number();
  }

  // Parses values up to and including `close`.
  std::optional<std::vector<AttrValue>> Values(char close, int depth) {
    std::vector<AttrValue> elements;
    while (!Take(close)) {
      auto element = Value(depth + 1);
      if (!element) return std::nullopt;
      if (elements.size() == kMaxElements) return std::nullopt;
      elements.push_back(*std::move(element));
      if (!Take(',')) {
        if (!Take(close)) return std::nullopt;
        break;
      }
    }
    return elements;
  }

  std::optional<AttrValue> Number() {
    const char* begin = text_.data() + at_ + (Peek() == '+' ? 1 : 0);
    const char* end = text_.data() + text_.size();
    if (Peek() == '+' && begin != end && *begin == '-') return std::nullopt;
    int64_t whole = 0;
    const auto as_int = std::from_chars(begin, end, whole);
    double real = 0;
    const auto as_real = std::from_chars(begin, end, real);
    if (as_real.ec != std::errc()) return std::nullopt;
    const bool is_int = as_int.ec == std::errc() && as_int.ptr == as_real.ptr;
    at_ = static_cast<size_t>(as_real.ptr - text_.data());
    if (is_int && Peek() == 'L') ++at_;
    if (IsAttrWordPart(Peek())) return std::nullopt;
    return is_int ? AttrValue(whole) : AttrValue(real);
  }

  std::optional<std::string> Quoted() {
    const char quote = text_[at_++];
    std::string value;
    while (at_ < text_.size() && text_[at_] != quote) {
      char c = text_[at_++];
      if (c == '\\') {
        if (at_ == text_.size()) return std::nullopt;
        c = text_[at_++];
        if (c == 'n') c = '\n';
        if (c == 't') c = '\t';
        if (c == 'r') c = '\r';
        if (c == 'x') {
          uint8_t byte = 0;
          if (text_.size() - at_ < 2) return std::nullopt;
          const char* digits = text_.data() + at_;
          if (std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2) return std::nullopt;
          at_ += 2;
          c = static_cast<char>(byte);
        }
      }
      value.push_back(c);
    }
    if (at_ == text_.size()) return std::nullopt;
    ++at_;
    return value;
  }

  std::optional<AttrValue> Word(int depth) {
    const size_t start = at_;
    while (IsAttrWordPart(Peek())) ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    const std::optional<ElementType> type = ParseElementType(word);
    if (Peek() == '[') return type ? Tensor(*type, depth) : Function(word, depth);
    if (word == "true" || word == "True") return AttrValue(true);
    if (word == "false" || word == "False") return AttrValue(false);
    if (word == "none" || word == "None" || word == "null") return AttrValue();
    if (word == "inf") return AttrValue(HUGE_VAL);
    if (word == "nan") return AttrValue(std::nan(""));
    return type ? AttrValue(*type) : AttrValue(word);
  }

  std::optional<AttrValue> Tensor(ElementType type, int depth) {
    ++at_;
    auto sizes = Values(']', depth);
    if (!sizes) return std::nullopt;
    auto shape = AsShape(AttrValue::List(*std::move(sizes)));
    if (!shape || !Take('{')) return std::nullopt;
    TensorValue tensor{.type = type, .shape = *std::move(shape), .contents = {}};
    if (Take('?')) return Take('}') ? std::optional(AttrValue(std::move(tensor))) : std::nullopt;
    auto elements = Values('}', depth);
    if (!elements) return std::nullopt;
    const AttrValue list = AttrValue::List(*std::move(elements));
    if (auto ints = AsInts(list)) {
      tensor.contents = *std::move(ints);
    } else if (auto floats = AsFloats(list)) {
      tensor.contents = *std::move(floats);
    } else if (auto strings = AsStrings(list)) {
      tensor.contents = *std::move(strings);
    } else {
      return std::nullopt;
    }
    return AttrValue(std::move(tensor));
  }

  std::optional<AttrValue> Function(std::string_view name, int depth) {
    ++at_;
    std::vector<AttrEntry> attrs;
    while (!Take(']')) {
      SkipSpace();
      auto key = Key();
      if (!key || !Take('=')) return std::nullopt;
      auto value = Value(depth + 1);
      if (!value) return std::nullopt;
      attrs.push_back({*std::move(key), *std::move(value)});
      if (!Take(',')) {
        if (!Take(']')) return std::nullopt;
        break;
      }
    }
    return AttrValue(FunctionValue{std::string(name), AttrMap::Of(std::move(attrs))});
  }

  std::optional<std::string> Key() {
    if (Peek() == '"' || Peek() == '\'') return Quoted();
    const size_t start = at_;
    while (IsAttrWordPart(Peek())) ++at_;
    if (at_ == start) return std::nullopt;
    return std::string(text_.substr(start, at_ - start));
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::optional<AttrValue> ParseAttrText(std::string_view text) { return Parser(text).Text(); }

}  // namespace dimwise
