#include "rules/language/print_pieces.h"
#include "rules/language/property_grammar.h"

namespace dimwise::rules {
namespace {

void AppendNames(std::string& out, const std::vector<std::string>& names) {
  const char* separator = "";
  for (const std::string& name : names) {
    out += separator;
    AppendName(out, name);
    separator = ", ";
  }
}

void AppendItems(std::string& out, const std::vector<std::string>& items) {
  out += '(';
  AppendNames(out, items);
  out += ')';
}

void AppendPart(std::string& out, const PropertyPart& part, PartForm form) {
  switch (form) {
    case PartForm::kNothing:
      return;
    case PartForm::kExpression:
      out += ' ';
      return AppendExpr(out, *part.expr);
    case PartForm::kItems:
      out += ' ';
      return AppendItems(out, part.gives);
    case PartForm::kText:
      out += ' ';
      return AppendString(out, part.text);
    case PartForm::kName:
    case PartForm::kNames:
    case PartForm::kRegion:
      break;
  }
  out += ' ';
  AppendNames(out, part.names);
  if (!part.has_layout) return;
  out += ' ';
  AppendItems(out, part.takes);
  out += " -> ";
  AppendItems(out, part.gives);
}

}  // namespace

void AppendProperty(std::string& out, const Statement& property) {
  const PropertyGrammar& grammar = *FindPropertyGrammar(property.name);
  out += "property " + property.name;
  for (const PropertyPart& part : property.parts) {
    if (part.word.empty()) {
      AppendPart(out, part, grammar.head);
      continue;
    }
    out += ' ';
    out += part.word;
    AppendPart(out, part, grammar.Find(part.word)->form);
  }
}

}  // namespace dimwise::rules
