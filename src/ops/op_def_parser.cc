#include "ops/op_def_parser.h"

#include <charconv>
#include <utility>

#include "core/base/characters.h"
#include "fmt/format.h"

namespace dimwise {
namespace {

using Failure = std::optional<SpecError>;

template <typename... Args>
SpecError Error(fmt::format_string<Args...> format, Args&&... args) {
  return {fmt::format(format, std::forward<Args>(args)...)};
}

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  std::string_view Rest() {
    SkipSpace();
    std::string_view rest = text_.substr(at_);
    while (!rest.empty() && IsSpace(rest.back())) rest.remove_suffix(1);
    return rest;
  }
  bool AtEnd() { return Rest().empty(); }

  // Consumes the mark if it is next.
  bool Take(std::string_view mark) {
    SkipSpace();
    if (text_.substr(at_, mark.size()) != mark) return false;
    at_ += mark.size();
    return true;
  }
  // Consumes letters, digits and underscores; returns "" if there are none.
  std::string_view TakeWord() {
    SkipSpace();
    const size_t start = at_;
    while (at_ < text_.size() && IsWordPart(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  void Skip() { ++at_; }
  // Consumes the word if it is next and ends there.
  bool TakeWord(std::string_view word) {
    const size_t start = at_;
    if (TakeWord() == word) return true;
    at_ = start;
    return false;
  }
  std::optional<int64_t> TakeInt() {
    SkipSpace();
    int64_t value = 0;
    const char* end = text_.data() + text_.size();
    const auto read = std::from_chars(text_.data() + at_, end, value);
    if (read.ec != std::errc() || (read.ptr != end && IsWordPart(*read.ptr))) return std::nullopt;
    at_ = static_cast<size_t>(read.ptr - text_.data());
    return value;
  }
  // Consumes the text before the next quote; there are no escapes. Returns nullopt if that quote is missing.
  std::optional<std::string_view> TakeQuoted(char quote) {
    const size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view inside = text_.substr(at_, end - at_);
    at_ = end + 1;
    return inside;
  }
  // Returns the following text for messages: "'>= x'" or "nothing".
  std::string Next() {
    const std::string_view rest = Rest();
    return rest.empty() ? "nothing" : fmt::format("'{}'", rest);
  }

 private:
  void SkipSpace() {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
  }

  std::string_view text_;
  size_t at_ = 0;
};

// Returns the class of element types with this name in the rule language or in TensorFlow.
std::optional<ElementTypeSet> TypeClass(std::string_view word) {
  if (word == "numbertype") return kNumericTypes | kQuantizedTypes;
  if (word == "realnumbertype") return kRealTypes;
  if (word == "quantizedtype") return kQuantizedTypes;
  return ParseElementTypeSet(word);
}

SpecError RefError(std::string_view word) {
  const auto base = ParseElementType(word);
  return Error("'{}' is a reference type, which only an argument can have, written Ref({})", word,
               base ? ToString(*base) : "T");
}

// Parses the types or strings after "{", and "}".
Failure ParseAllowed(Cursor* cursor, AttrDef* attr) {
  do {
    const char quote = cursor->Take("'") ? '\'' : cursor->Take("\"") ? '"' : '\0';
    if (quote != '\0') {
      const auto text = cursor->TakeQuoted(quote);
      if (!text) return Error("a string in {{...}} has no closing {}", quote);
      attr->allowed_strings.emplace_back(*text);
      continue;
    }
    const std::string_view word = cursor->TakeWord();
    if (word.empty()) return Error("expected a type or a quoted string in {{...}}, found {}", cursor->Next());
    if (IsTensorFlowRef(word)) return RefError(word);
    if (const auto type = ParseElementType(word)) {
      attr->allowed_types = attr->allowed_types | ElementTypeSet(*type);
    } else if (const auto types = TypeClass(word)) {
      attr->allowed_types = attr->allowed_types | *types;
    } else {
      return Error("'{}' is no element type, nor a class of them", word);
    }
  } while (cursor->Take(","));
  if (!cursor->Take("}")) return Error("expected '}}', found {}", cursor->Next());
  if (!attr->allowed_strings.empty() && !attr->allowed_types.empty()) {
    return Error("{{...}} holds types or strings, not both");
  }
  attr->kind = attr->allowed_strings.empty() ? "type" : "string";
  return std::nullopt;
}

// Parses a kind without "list(": a word or {...}. LintOpDef rejects unknown words.
Failure ParseSimpleKind(Cursor* cursor, AttrDef* attr) {
  if (cursor->Take("{")) return ParseAllowed(cursor, attr);
  const std::string_view word = cursor->TakeWord();
  if (word.empty()) return Error("expected a kind, such as int or list(int), found {}", cursor->Next());
  attr->kind = word;
  if (ParseAttrKind(word) || word == "graph") return std::nullopt;
  if (const auto types = TypeClass(word)) {
    attr->kind = "type";
    if (word != "any") attr->allowed_types = *types;
  }
  return std::nullopt;
}

Failure ParseKind(Cursor* cursor, AttrDef* attr) {
  Cursor ahead = *cursor;
  if (!ahead.TakeWord("list") || !ahead.Take("(")) return ParseSimpleKind(cursor, attr);
  *cursor = ahead;
  if (Failure failure = ParseSimpleKind(cursor, attr)) return failure;
  if (!cursor->Take(")")) return Error("expected ')', found {}", cursor->Next());
  attr->kind = fmt::format("list({})", attr->kind);
  if (cursor->TakeWord("or")) {
    const std::string_view single = cursor->TakeWord();
    if (single != "int" || attr->kind != "list(int)") return Error("only 'list(int) or int' is possible");
    attr->or_single = true;
  }
  return std::nullopt;
}

// Converts the default to the declared kind if possible; LintOpDef reports an error otherwise.
Failure ParseDefault(std::string_view text, AttrDef* attr) {
  if (text.empty()) return Error("expected a default after '=', found nothing");
  Cursor words(text);
  const bool is_type = attr->kind == "type" || attr->kind == "list(type)";
  while (is_type && !words.AtEnd()) {
    const std::string_view word = words.TakeWord();
    if (IsTensorFlowRef(word)) return RefError(word);
    if (word.empty()) words.Skip();
  }
  if (attr->kind == "shape" && text.front() == '{') {
    Cursor proto(text.substr(1));
    ShapeProto shape;
    if (proto.TakeWord("unknown_rank")) {
      if (!proto.Take(":") || !proto.TakeWord("true")) return Error("write the shape as [*] or [2, ?]");
      shape.unknown_rank = true;
    }
    if (!proto.Take("}") || !proto.AtEnd()) return Error("write the shape as [*] or [2, ?]");
    attr->default_value = std::move(shape);
    return std::nullopt;
  }
  const auto value = ParseAttrText(text);
  if (!value) return Error("the default {} cannot be read", text);
  attr->default_value = *value;
  // Only files contain numbers in quotes; here they are a mistake.
  const bool takes_text = is_type || attr->kind == "string" || attr->kind == "list(string)";
  if (value->kind() == AttrKind::kString && !takes_text) return std::nullopt;
  if (const auto kind = ParseAttrKind(attr->kind)) {
    auto converted = ConvertTo(*kind, *value);
    if (!converted && attr->or_single) converted = AsIntsOrInt(*value);
    if (converted) attr->default_value = *std::move(converted);
  }
  return std::nullopt;
}

}  // namespace

std::optional<SpecError> ParseArgSpec(std::string_view spec, ArgDef* arg) {
  Cursor cursor(spec);
  arg->name = cursor.TakeWord();
  if (arg->name.empty()) return Error("expected a name, found {}", cursor.Next());
  if (cursor.Take("?")) {
    arg->optional = true;
  } else if (cursor.Take("+")) {
    arg->variadic = true;
  } else if (cursor.Take("*")) {
    arg->variadic = true;
    arg->min_count = 0;
  }
  if (!cursor.Take(":")) return Error("expected ':' and a type after the name, found {}", cursor.Next());
  Cursor ahead = cursor;
  if (ahead.TakeWord("each") && !ahead.AtEnd()) {
    cursor = ahead;
    arg->homogeneous = false;
  }
  ahead = cursor;
  if (ahead.TakeWord("Ref") && ahead.Take("(")) {
    cursor = ahead;
    arg->is_ref = true;
  }
  std::string_view word = cursor.TakeWord();
  if (cursor.Take("*")) {
    if (word.empty()) return Error("expected the name of an attribute before '*'");
    arg->number_attr = word;
    word = cursor.TakeWord();
  }
  if (word.empty()) return Error("expected a type, found {}", cursor.Next());
  if (arg->is_ref && !cursor.Take(")")) return Error("expected ')', found {}", cursor.Next());
  if (!cursor.AtEnd()) return Error("expected the end after the type, found {}", cursor.Next());
  if (IsTensorFlowRef(word)) return RefError(word);
  if (const auto type = ParseElementType(word); type && *type != ElementType::kUnknown) {
    arg->type = *type;
  } else if (word == "any") {
    arg->any_type = true;
  } else {
    arg->type_attr = word;
  }
  return std::nullopt;
}

std::optional<SpecError> ParseAttrSpec(std::string_view spec, AttrDef* attr) {
  Cursor cursor(spec);
  attr->name = cursor.TakeWord();
  if (attr->name.empty()) return Error("expected a name, found {}", cursor.Next());
  if (cursor.Take("?")) attr->required = false;
  if (!cursor.Take(":")) return Error("expected ':' and a kind after the name, found {}", cursor.Next());
  if (Failure failure = ParseKind(&cursor, attr)) return failure;
  if (cursor.Take(">=")) {
    attr->minimum = cursor.TakeInt();
    if (!attr->minimum) return Error("expected a number after '>=', found {}", cursor.Next());
  }
  if (cursor.Take("=")) {
    attr->required = false;
    return ParseDefault(cursor.Rest(), attr);
  }
  if (!cursor.AtEnd()) return Error("expected '>=', '=' or the end after the kind, found {}", cursor.Next());
  return std::nullopt;
}

}  // namespace dimwise
