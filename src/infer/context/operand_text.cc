#include "infer/context/operand_text.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "core/base/characters.h"
#include "core/base/failure.h"
#include "core/base/nearest_name.h"
#include "core/base/text_pieces.h"
#include "core/values/contents_text.h"

namespace dimwise {
namespace {

Unexpected UnknownAttribute(const OpDef& def, std::string_view name) {
  std::vector<std::string_view> names;
  std::string listed;
  for (const AttrDef& attr : def.attrs) {
    if (attr.kind == "type") continue;  // usually a type variable, which follows from the operands
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
  return Failure(Code::kBadUsage, fmt::format("{} has no attribute '{}'", def.FullName(), name),
                 std::move(help));
}

}  // namespace

bool IsAttributeText(std::string_view word) {
  word = Trimmed(word);
  if (word.empty() || !BeginsWord(word[0])) return false;
  size_t end = 1;
  while (end < word.size() && IsWordPart(word[end])) ++end;
  return Trimmed(word.substr(end)).starts_with('=');
}

Result<OpOperand> ParseOperand(Analysis& analysis, std::string_view word, std::vector<std::byte>* bytes) {
  word = Trimmed(word);
  OpOperand operand;
  if (word == "none") {
    operand.given = false;
    return operand;
  }
  const size_t equals = FindOutside(word, "=");
  const std::string_view type_text = Trimmed(word.substr(0, equals));
  Result<Type> type =
      ParseType(analysis, fmt::format("{}{}", type_text.starts_with('[') ? "?" : "", type_text));
  if (!type) return std::move(type).TakeError();
  operand.type = *type;
  if (equals == word.size()) return operand;
  Result<Value> contents = ParseContents(analysis, word.substr(equals + 1), operand.type, bytes);
  if (!contents) {
    contents.error().message += fmt::format(" in '{}'", word);
    return std::move(contents).TakeError();
  }
  operand.value = *contents;
  return operand;
}

// The required kind determines the meaning of a text: `3` is an int, a list of one int, or a string. A text
// that does not convert may still be a quoted string or a tensor.
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
    Result<AttrMap> read = ReadAttrs(def, AttrMap{{name, meaning}}, NumbersAsText::kRead);
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
