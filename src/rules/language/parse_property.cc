// Parses `property elements Y some_of X` by the words in property_grammar.h.
#include <fmt/format.h>

#include <algorithm>

#include "rules/language/rule_parser.h"

namespace dimwise::rules {
namespace {

using enum TokenKind;

std::vector<std::string_view> WordsOf(std::span<const PropertyGrammar> grammars) {
  std::vector<std::string_view> words;
  for (const PropertyGrammar& g : grammars) words.push_back(g.word);
  return words;
}

}  // namespace

bool RuleParser::ParseProperty(Statement& out) {
  out.kind = StatementKind::kProperty;
  Next();
  const Token& word = Peek();
  out.at = At(word);
  const PropertyGrammar* grammar = IsName(word) ? FindPropertyGrammar(word.text) : nullptr;
  if (grammar == nullptr) {
    if (!IsName(word)) return FailExpected("the name of a property", "for example: property commutative");
    return Fail(At(word), fmt::format("there is no property `{}`", word.text),
                DidYouMean(word.text, WordsOf(PropertyGrammars())));
  }
  out.name = Next().text;
  if (grammar->head != PartForm::kNothing) {
    if (!ParsePart(grammar->head, out.parts.emplace_back())) return false;
  }
  while (AtPartOf(*grammar)) {
    const Token& token = Next();
    const PartGrammar* part = grammar->Find(token.text);
    const auto is_same = [&](const PropertyPart& p) { return p.word == part->word; };
    if (!grammar->repeats_parts && std::ranges::any_of(out.parts, is_same)) {
      return Fail(At(token), fmt::format("`{}` is given twice", token.text), "", Code::kRuleDuplicate);
    }
    PropertyPart& added = out.parts.emplace_back();
    added.word = part->word;
    added.at = At(token);
    if (!ParsePart(part->form, added)) return false;
  }
  return true;
}

// A word that begins a line and precedes a colon is a statement about types.
bool RuleParser::AtPartOf(const PropertyGrammar& grammar) const {
  return grammar.Find(Peek().text) != nullptr && Peek(1).kind != kColon;
}

bool RuleParser::ParsePart(PartForm form, PropertyPart& out) {
  if (out.at.line == 0) out.at = At(Peek());
  switch (form) {
    case PartForm::kNothing:
      return true;
    case PartForm::kExpression:
      return (out.expr = Expression()) != nullptr;
    case PartForm::kItems:
      return RegionItems(out.gives, out.gives_at);
    case PartForm::kText:
      return JoinedStrings(out.text);
    case PartForm::kName:
    case PartForm::kNames:
    case PartForm::kRegion:
      break;
  }
  do {
    if (!NeedName("a name", out.names.emplace_back(), out.names_at.emplace_back())) return false;
  } while (form == PartForm::kNames && Take(kComma));
  if (form != PartForm::kRegion || !Is(kLeftParen)) return true;
  out.has_layout = true;
  return RegionItems(out.takes, out.takes_at) && Need(kArrow, "and the outputs of the region") &&
         RegionItems(out.gives, out.gives_at);
}

// Parses `(trip, condition, state)`.
bool RuleParser::RegionItems(std::vector<std::string>& out, std::vector<Position>& at) {
  if (!Need(kLeftParen, "before the values of the region")) return false;
  if (Take(kRightParen)) return true;
  do {
    if (!NeedName("the kind of a value", out.emplace_back(), at.emplace_back())) return false;
  } while (Take(kComma));
  return NeedEnd(kRightParen, "after the kind of a value");
}

}  // namespace dimwise::rules
