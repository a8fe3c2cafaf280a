#include "infer/operand_text.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>

#include "core/nearest_name.h"
#include "infer/contents_builder.h"

namespace dimwise {
namespace {

constexpr std::string_view kSpace = " \t\n\r";

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

bool IsNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsNamePart(char c) { return IsNameStart(c) || (c >= '0' && c <= '9'); }

// Where `c` first stands outside brackets, quotes and backquotes; npos where it does not.
size_t FindOutside(std::string_view text, char c) {
  int depth = 0;
  char quote = '\0';
  for (size_t i = 0; i < text.size(); ++i) {
    const char now = text[i];
    if (quote != '\0') {
      if (now == quote) quote = '\0';
      continue;
    }
    if (now == c && depth == 0) return i;
    if (now == '`' || now == '"' || now == '\'') quote = now;
    if (now == '(' || now == '[' || now == '{') ++depth;
    if (now == ')' || now == ']' || now == '}') --depth;
  }
  return std::string_view::npos;
}

Unexpected Fail(Code code, std::string message, std::string help = {}) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.help = std::move(help);
  return Unexpected(std::move(diagnostic));
}

std::optional<bool> AsTruth(std::string_view text) {
  if (text == "true" || text == "True") return true;
  if (text == "false" || text == "False") return false;
  return std::nullopt;
}

std::optional<double> AsNumber(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// An element of contents: what it looks like is what it is; Build holds it to the element type.
Status AddElement(Analysis& analysis, std::string_view text, ElementType type, ContentsBuilder* contents) {
  if (text.empty()) {
    return Fail(Code::kBadExpression, "an element of the contents is empty",
                "contents are written {N, -1}, 3 or {true, ?}");
  }
  if (text == "?") {
    contents->AddUnknown();
  } else if (IsString(type) || text.front() == '"' || text.front() == '\'') {
    contents->AddText();
  } else if (const std::optional<bool> truth = AsTruth(text)) {
    contents->AddBool(*truth);
  } else if (const std::optional<double> number = AsNumber(text);
             number && (IsFloat(type) || text.find_first_of(".eEn") != std::string_view::npos)) {
    contents->AddFloat(*number);
  } else {
    Result<Dim> integer = analysis.dims().Parse(text);
    if (!integer) return std::move(integer).TakeError();
    if (integer->is_none())
      return Fail(Code::kOverflow, fmt::format("the number {} does not fit 64 bits", text));
    contents->AddInteger(*integer);
  }
  return {};
}

Status ParseContents(Analysis& analysis, std::string_view text, OpOperand* operand,
                     std::vector<std::byte>* bytes) {
  ContentsBuilder contents;
  const bool is_list =
      (text.starts_with('{') && text.ends_with('}')) || (text.starts_with('[') && text.ends_with(']'));
  std::string_view rest = is_list ? Trimmed(text.substr(1, text.size() - 2)) : text;
  if (!is_list && text.empty()) {
    return Fail(Code::kBadExpression, "contents are missing behind '='", "contents are written {N, -1} or 3");
  }
  while (!rest.empty()) {
    const size_t comma = is_list ? FindOutside(rest, ',') : std::string_view::npos;
    const std::string_view element = Trimmed(rest.substr(0, comma));
    if (Status status = AddElement(analysis, element, operand->type.element, &contents); !status)
      return status;
    rest = comma == std::string_view::npos ? std::string_view() : Trimmed(rest.substr(comma + 1));
  }
  Result<Value> value = contents.Build(analysis, operand->type, bytes);
  if (!value) return std::move(value).TakeError();
  operand->value = *value;
  return {};
}

Unexpected UnknownAttribute(const OpDef& def, std::string_view name) {
  std::vector<std::string_view> names;
  std::string listed;
  for (const AttrDef& attr : def.attrs) {
    if (attr.kind == "type") continue;  // mostly a type variable, which follows from the operands
    names.push_back(attr.name);
    listed += (listed.empty() ? "" : ", ") + attr.name;
  }
  const std::string_view near = NearestName(name, names);
  std::string help;
  if (!near.empty()) {
    help = fmt::format("did you mean {}?", near);
  } else if (!names.empty()) {
    help = fmt::format("its attributes are {}", listed);
  } else {
    help = "it has no attributes; an operand is written f32[N, 3], with contents i64[2]={N, -1}";
  }
  return Fail(Code::kBadUsage, fmt::format("{} has no attribute '{}'", def.FullName(), name),
              std::move(help));
}

}  // namespace

bool IsAttributeText(std::string_view word) {
  word = Trimmed(word);
  if (word.empty() || !IsNameStart(word[0])) return false;
  size_t end = 1;
  while (end < word.size() && IsNamePart(word[end])) ++end;
  return Trimmed(word.substr(end)).starts_with('=');
}

Result<OpOperand> ParseOperand(Analysis& analysis, std::string_view word, std::vector<std::byte>* bytes) {
  word = Trimmed(word);
  OpOperand operand;
  if (word == "none") {
    operand.given = false;
    return operand;
  }
  const size_t equals = FindOutside(word, '=');
  const std::string_view type_text = Trimmed(word.substr(0, equals));
  Result<Type> type =
      ParseType(analysis, fmt::format("{}{}", type_text.starts_with('[') ? "?" : "", type_text));
  if (!type) return std::move(type).TakeError();
  operand.type = *type;
  if (equals == std::string_view::npos) return operand;
  if (Status status = ParseContents(analysis, Trimmed(word.substr(equals + 1)), &operand, bytes); !status) {
    status.error().message += fmt::format(" in '{}'", word);
    return std::move(status).TakeError();
  }
  return operand;
}

// A text means what the kind that is due makes of it: `3` is an int, a list of one, or a string. What it
// cannot mean it may still be written as: a quoted string, a tensor.
Status ParseAttribute(const OpDef& def, std::string_view word, AttrMap* attrs) {
  const size_t equals = word.find('=');
  const std::string name(Trimmed(word.substr(0, equals)));
  const std::string text(Trimmed(word.substr(equals + 1)));
  const AttrDef* attr = FindAttr(def, name);
  if (attr == nullptr) return UnknownAttribute(def, name);
  const std::optional<AttrValue> literal = ParseAttrText(text);
  const bool quoted = text.starts_with('"') || text.starts_with('\'');
  std::vector<AttrValue> meanings;
  if (!quoted) meanings.emplace_back(text);
  if (literal) meanings.push_back(*literal);
  if (quoted) meanings.emplace_back(text);
  Status last;
  for (const AttrValue& meaning : meanings) {
    Result<AttrMap> read = ReadAttrs(def, AttrMap{{name, meaning}});
    if (read) {
      if (const AttrValue* value = read->Find(name)) attrs->Set(name, *value);
      return {};
    }
    last = std::move(read).TakeError();
  }
  last.error().op = def.FullName();
  return last;
}

}  // namespace dimwise
