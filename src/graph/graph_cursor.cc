#include "graph/graph_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/base/characters.h"
#include "core/base/failure.h"
#include "core/base/text_pieces.h"
#include "core/base/utf8.h"
#include "rules/language/mistake.h"

namespace dimwise {
namespace {

constexpr std::string_view kSpace = " \t\n\r";
constexpr std::string_view kWords[] = {"after",   "const", "function", "graph",
                                       "missing", "opset", "return",   "with"};

bool IsReserved(std::string_view word) {
  return word == "_" || std::ranges::find(kWords, word) != std::end(kWords);
}

// Returns the length of the bare name at the start of a text.
size_t WordLength(std::string_view text) {
  if (text.empty() || !BeginsWord(text[0])) return 0;
  size_t end = 1;
  while (end < text.size() && (IsWordPart(text[end]) ||
                               (text[end] == '.' && end + 1 < text.size() && IsWordPart(text[end + 1])))) {
    ++end;
  }
  return end;
}

}  // namespace

std::string WithoutComments(std::string_view text) {
  std::string out(text);
  char quote = '\0';
  for (size_t i = 0; i < out.size(); ++i) {
    const char c = out[i];
    if (c == '\n') {
      quote = '\0';  // quotes end at the end of a line
    } else if (quote != '\0') {
      if (c == '\\' && quote != '`' && i + 1 < out.size() && out[i + 1] != '\n') {
        ++i;
      } else if (c == quote) {
        quote = '\0';
      }
    } else if (c == '"' || c == '\'' || c == '`') {
      quote = c;
    } else if (c == '#') {
      const size_t end = std::min(out.find('\n', i), out.size());
      std::fill(out.begin() + static_cast<ptrdiff_t>(i), out.begin() + static_cast<ptrdiff_t>(end), ' ');
      i = end - 1;
    }
  }
  return out;
}

bool IsPlainGraphName(std::string_view name) {
  return !name.empty() && WordLength(name) == name.size() && !IsReserved(name);
}

void GraphCursor::SkipSpace() { at_ = std::min(text_.find_first_not_of(kSpace, at_), text_.size()); }

char GraphCursor::Peek() {
  SkipSpace();
  return at_ < text_.size() ? text_[at_] : '\0';
}

std::string_view GraphCursor::PeekWord() {
  SkipSpace();
  const std::string_view rest = text_.substr(at_);
  return rest.substr(0, WordLength(rest));
}

bool GraphCursor::Take(char c) {
  if (at_ == text_.size() || Peek() != c || at_ == text_.size()) return false;
  ++at_;
  return true;
}

bool GraphCursor::TakeWord(std::string_view word) {
  if (PeekWord() != word) return false;
  at_ += word.size();
  return true;
}

bool GraphCursor::Need(char c, std::string_view where) {
  return Take(c) || FailExpected(fmt::format("`{}` {}", c, where));
}

bool GraphCursor::ReadName(std::string_view what, std::string_view* name, Piece* text_range) {
  const char c = Peek();
  if (c == '`' || c == '"') return ReadQuoted(name, text_range);
  const std::string_view word = PeekWord();
  if (word.empty()) return FailExpected(what, "a name that is no identifier is written in backquotes");
  const size_t start = at_;
  at_ += word.size();
  *text_range = From(start);
  *name = word;
  if (!IsReserved(word)) return true;
  return Fail(*text_range, fmt::format("`{}` is a word of the text form and cannot be {}", word, what),
              "choose another name, or put it in backquotes");
}

bool GraphCursor::ReadQuoted(std::string_view* name, Piece* text_range) {
  const size_t start = at_;
  const char quote = text_[at_++];
  const size_t line_end = std::min(text_.find('\n', at_), text_.size());
  bool escaped = false;
  while (at_ < line_end) {
    const char c = text_[at_++];
    const bool doubled = quote == '`' && c == '`' && at_ < line_end && text_[at_] == '`';
    if (doubled || (c == '\\' && quote == '"' && at_ < line_end)) {
      ++at_;
      escaped = true;
    } else if (c == quote) {
      *text_range = From(start);
      const std::string_view inside = text_.substr(start + 1, at_ - start - 2);
      if (!escaped) {
        *name = inside;
      } else if (quote == '"') {
        const std::optional<AttrValue> text = ParseAttrText(TextOf(*text_range));
        const std::string* read = text ? text->get_if<std::string>() : nullptr;
        if (read == nullptr)
          return Fail(*text_range, "an escape of this name cannot be read",
                      "write \\xHH, \\n, \\t, \\r, \\\" or \\\\");
        *name = graph_.StoreCopy(*read);
      } else {
        std::string single;
        for (size_t i = 0; i < inside.size(); ++i) {
          single += inside[i];
          if (inside[i] == '`') ++i;
        }
        *name = graph_.StoreCopy(single);
      }
      return true;
    }
  }
  return Fail(From(start), fmt::format("the line ends before the closing {} of this name",
                                       quote == '"' ? "quote" : "backquote"));
}

bool GraphCursor::ReadLabel(std::string_view what, Label* label) {
  const char first = Peek();
  const size_t start = at_;
  if (first != '%' && !ReadName(what, &label->name, &label->text_range)) return false;
  if (at_ < text_.size() && text_[at_] == '%') {
    ++at_;
    if (at_ == text_.size() || !IsDigit(text_[at_])) return FailExpected("a number after `%`");
    if (!ReadNumber("a number after `%`", &label->number)) return false;
    if (label->number == 1 && !label->name.empty()) label->number = 0;  // y%1 is the same as y
  }
  label->text_range = From(start);
  return true;
}

bool GraphCursor::ReadLabelOrBlank(std::string_view what, Label* label) {
  if (PeekWord() != "_") return ReadLabel(what, label);
  label->text_range = {static_cast<uint32_t>(at_), 1};
  label->blank = true;
  ++at_;
  return true;
}

bool GraphCursor::ReadNumber(std::string_view what, uint32_t* number) {
  SkipSpace();
  const size_t start = at_;
  while (at_ < text_.size() && IsDigit(text_[at_])) ++at_;
  if (at_ == start) return FailExpected(what);
  int32_t value = 0;
  const auto [end, error] = std::from_chars(text_.data() + start, text_.data() + at_, value);
  if (error != std::errc()) return Fail(From(start), fmt::format("{} is at most 2147483647", what));
  *number = static_cast<uint32_t>(value);
  return true;
}

bool GraphCursor::SkipBrackets() {
  const char open = text_[at_], close = open == '(' ? ')' : open == '[' ? ']' : '}';
  const std::string_view rest = text_.substr(at_ + 1);
  const size_t end = FindOutside(rest, {&close, 1});
  if (end == rest.size()) {
    return Fail({static_cast<uint32_t>(at_), 1},
                fmt::format("this `{}` is not closed by a `{}`", open, close));
  }
  at_ += end + 2;
  return true;
}

// Reads a word, brackets, and the storage of a tensor, which must be on the same line.
bool GraphCursor::ReadType(Piece* piece) {
  SkipSpace();
  const size_t start = at_;
  const auto skip_blanks = [&] { return std::min(text_.find_first_not_of(" \t", at_), text_.size()); };
  at_ = std::min(text_.find_first_of(" \t\n\r()[]{},;=", at_), text_.size());
  if (at_ == start) return FailExpected("a type", "for example: x: f32[N, 3]");
  const size_t bracket = skip_blanks();
  if (bracket < text_.size() && (text_[bracket] == '[' || text_[bracket] == '(')) {
    at_ = bracket;
    const bool is_tensor = text_[at_] == '[';
    if (!SkipBrackets()) return false;
    const size_t word = skip_blanks();
    const std::string_view rest = text_.substr(word);
    const std::string_view storage = rest.substr(0, WordLength(rest));
    if (is_tensor && !storage.empty() && ParseStorage(storage)) at_ = word + storage.size();
  }
  *piece = From(start);
  return true;
}

bool GraphCursor::ReadContents(Piece* piece) {
  const char c = Peek();
  if (c != '{' && c != '[') return ReadUpTo(" \t\r\n,;)}", "contents such as {0, -1} after `=`", piece);
  const size_t start = at_;
  if (!SkipBrackets()) return false;
  *piece = From(start);
  return true;
}

bool GraphCursor::ReadUpTo(std::string_view stops, std::string_view what, Piece* piece) {
  SkipSpace();
  const size_t start = at_;
  const std::string_view found = Trimmed(text_.substr(at_, FindOutside(text_.substr(at_), stops)));
  if (found.empty()) return FailExpected(what);
  at_ += found.size();
  *piece = From(start);
  return true;
}

int GraphCursor::LineOf(Piece text_range) const {
  return 1 + static_cast<int>(std::ranges::count(text_.substr(0, text_range.at), '\n'));
}

bool GraphCursor::Fail(Piece text_range, std::string message, std::string help) {
  Diagnostic mistake = MakeDiagnostic(Code::kGraphText, std::move(message), std::move(help));
  return Fail(text_range, std::move(mistake));
}

bool GraphCursor::Fail(Piece text_range, Diagnostic mistake) {
  if (mistake_ != nullptr) return false;
  const size_t line_start = text_range.at == 0 ? 0 : text_.rfind('\n', text_range.at - 1) + 1;
  const rules::Position position = {LineOf(text_range), static_cast<int>(text_range.at - line_start) + 1,
                                    std::max(static_cast<int>(text_range.length), 1)};
  mistake.source = rules::Mistake(original_, file_name_, position, mistake.code, "").source;
  mistake_ = std::make_unique<Diagnostic>(std::move(mistake));
  return false;
}

bool GraphCursor::FailExpected(std::string_view expected, std::string_view help) {
  SkipSpace();
  Piece text_range{static_cast<uint32_t>(at_), 1};
  std::string found = "the end";
  if (at_ < text_.size()) {
    size_t end = at_ + 1;
    if (IsWordPart(text_[at_])) {
      while (end < text_.size() && IsWordPart(text_[end])) ++end;
    } else {
      while (end < text_.size() && ContinuesCharacter(text_[end])) ++end;  // keep the character whole
    }
    end = std::min(end, at_ + 60);
    text_range.length = static_cast<uint32_t>(end - at_);
    found = fmt::format("`{}`", text_.substr(at_, end - at_));
  }
  return Fail(text_range, fmt::format("expected {}, found {}", expected, found), std::string(help));
}

}  // namespace dimwise
