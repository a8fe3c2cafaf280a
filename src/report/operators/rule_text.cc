#include "report/operators/rule_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <span>

#include "infer/operators/rule_examples.h"
#include "rules/language/predicate.h"
#include "rules/language/print.h"
#include "rules/language/property_grammar.h"

namespace dimwise {
namespace {

using rules::Attribute;
using rules::Expr;
using rules::Function;
using rules::Operator;
using rules::Rule;
using rules::RuleLibrary;
using rules::Signature;
using rules::Statement;
using rules::StatementKind;

constexpr size_t kShownAnswers = 3;
constexpr size_t kShownErrors = 1;

// Returns the text with each line indented.
std::string Indented(std::string_view text, std::string_view indent) {
  std::string out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (!line.empty()) out += fmt::format("{}{}", indent, line);
    out += '\n';
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

// Returns the statements of a rule. Those of its template come first.
std::vector<const Statement*> StatementsOf(const Rule& rule) {
  std::vector<const Statement*> all;
  if (rule.base != nullptr) {
    for (const Statement& s : rule.base->statements) all.push_back(&s);
  }
  for (const Statement& s : rule.declared->statements) all.push_back(&s);
  for (const rules::RulePart& part : rule.more) {
    for (const Statement& s : part.declared->statements) all.push_back(&s);
  }
  return all;
}

std::string_view NameOf(rules::Part part) {
  switch (part) {
    case rules::Part::kAll:
      return "all";
    case rules::Part::kShape:
      return "shape";
    case rules::Part::kType:
      return "type";
    case rules::Part::kStorage:
      return "storage";
  }
  return "";
}

const Operator& ShapeOf(const Rule& rule) { return rule.base != nullptr ? *rule.base : *rule.declared; }

// Returns the documentation of an operator. A version without one uses that of another version.
std::string_view Prose(const RuleLibrary& library, const Rule& rule) {
  if (!rule.declared->doc.empty()) return rule.declared->doc;
  for (const Rule& other : library.rules()) {
    if (other.set == rule.set && other.name == rule.name && !other.declared->doc.empty())
      return other.declared->doc;
  }
  return rule.base != nullptr ? std::string_view(rule.base->doc) : std::string_view();
}

std::string Signatures(const Rule& rule) {
  const Operator& op = ShapeOf(rule);
  std::string out = "signature\n";
  for (size_t i = 0; i < op.signatures.size(); ++i) {
    const std::string text = rules::Print(op.signatures[i]);
    out += Indented((i == 0 ? rule.name : std::string("| ")) + text, "  ");
  }
  for (const rules::RulePart& part : rule.more) {
    const Operator& declared = part.base != nullptr ? *part.base : *part.declared;
    for (const Signature& s : declared.signatures)
      out += Indented(fmt::format("{} {}", NameOf(part.part), rules::Print(s)), "  ");
  }
  for (const Statement* s : StatementsOf(rule)) {
    if (s->kind == StatementKind::kTypes || s->kind == StatementKind::kLet)
      out += fmt::format("  {}\n", rules::Print(*s));
  }
  return out;
}

std::string Limits(const Attribute& a) {
  std::string out;
  for (const rules::ExprPtr& value : a.allowed)
    out += (out.empty() ? "one of " : ", ") + rules::Print(*value);
  const auto add = [&](const Expr* bound, std::string_view words) {
    if (bound != nullptr) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", words, rules::Print(*bound));
  };
  add(a.minimum.get(), "at least");
  add(a.maximum.get(), "at most");
  return out;
}

// Returns the parts of the properties of a rule that name an attribute with a sub-graph.
std::vector<const rules::PropertyPart*> SubGraphParts(const Rule& rule) {
  std::vector<const rules::PropertyPart*> found;
  for (const Statement* s : StatementsOf(rule)) {
    if (s->kind != StatementKind::kProperty) continue;
    const rules::PropertyGrammar* grammar = rules::FindPropertyGrammar(s->name);
    for (const rules::PropertyPart& part : s->parts) {
      const rules::PartGrammar* form = grammar == nullptr ? nullptr : grammar->Find(part.word);
      if (form != nullptr && form->form == rules::PartForm::kRegion && !part.names.empty())
        found.push_back(&part);
    }
  }
  return found;
}

std::string SubGraphs(const Rule& rule) {
  std::string out;
  for (const rules::PropertyPart* part : SubGraphParts(rule)) {
    out += fmt::format("  {}({}) -> ({})\n", part->names[0], fmt::join(part->takes, ", "),
                       part->has_layout ? fmt::format("{}", fmt::join(part->gives, ", ")) : "results");
  }
  return out.empty() ? "" : "sub-graphs\n" + out;
}

std::string Attributes(const Rule& rule) {
  const std::vector<Attribute>& attributes = ShapeOf(rule).attributes;
  if (attributes.empty()) return "";
  const std::vector<const rules::PropertyPart*> graphs = SubGraphParts(rule);
  const auto kind_of = [&](const Attribute& a) {
    const bool is_graph =
        std::ranges::any_of(graphs, [&](const rules::PropertyPart* p) { return p->names[0] == a.name; });
    return is_graph ? std::string_view("graph") : std::string_view(rules::KindName(a.kind));
  };
  size_t name_width = 0, kind_width = 0, default_width = 0;
  std::vector<std::string> defaults;
  for (const Attribute& a : attributes) {
    defaults.push_back(a.otherwise != nullptr ? "= " + rules::Print(*a.otherwise)
                       : a.optional           ? "optional"
                                              : "required");
    name_width = std::max(name_width, a.name.size());
    kind_width = std::max(kind_width, kind_of(a).size());
    default_width = std::max(default_width, defaults.back().size());
  }
  std::string out = "attributes\n";
  for (size_t i = 0; i < attributes.size(); ++i) {
    const Attribute& a = attributes[i];
    std::string line = fmt::format("  {:<{}}  {:<{}}  {:<{}}  {}", a.name, name_width, kind_of(a), kind_width,
                                   defaults[i], default_width, Limits(a));
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string Regions(const std::vector<rules::Region>& regions) {
  std::string out;
  for (const rules::Region& r : regions) out += fmt::format("  {}\n", rules::Print(r));
  return out.empty() ? "" : "regions\n" + out;
}

// Returns the message as its author wrote it, without quotes.
std::string Words(const rules::Message& message) {
  std::string out;
  for (const rules::MessagePiece& piece : message) {
    out += piece.text;
    if (piece.expr != nullptr) out += fmt::format("{{{}}}", rules::Print(*piece.expr));
  }
  return out;
}

// Returns the message of a requirement, which may be that of the function that it calls.
std::string MessageOf(const RuleLibrary& library, const Statement& s) {
  if (!s.message.empty()) return Words(s.message);
  const rules::Expr& condition = rules::PredicateOf(*s.expr);
  const Function* called =
      condition.kind == rules::ExprKind::kCall ? library.functions().Find(condition.text) : nullptr;
  return called == nullptr ? "" : Words(called->message);
}

std::string Conditions(const RuleLibrary& library, const Rule& rule, StatementKind kind,
                       std::string_view title) {
  std::string out;
  for (const Statement* s : StatementsOf(rule)) {
    if (s->kind != kind) continue;
    out += fmt::format("  {}\n", rules::Print(*s->expr));
    if (const std::string words = MessageOf(library, *s); !words.empty())
      out += fmt::format("    else: {}\n", words);
  }
  return out.empty() ? "" : fmt::format("{}\n{}", title, out);
}

std::string Contents(const Rule& rule) {
  std::string out;
  for (const Statement* s : StatementsOf(rule)) {
    if (s->kind == StatementKind::kValue) out += fmt::format("  {} = {}\n", s->name, rules::Print(*s->expr));
  }
  return out.empty() ? "" : "contents\n" + out;
}

void CallsIn(const Expr* e, std::set<std::string>* names) {
  if (e == nullptr) return;
  if (e->kind == rules::ExprKind::kCall) names->insert(e->text);
  for (const rules::ExprPtr& c : e->children) CallsIn(c.get(), names);
}

void CallsIn(const std::vector<rules::Argument>& arguments, std::set<std::string>* names) {
  for (const rules::Argument& a : arguments) {
    std::vector<const rules::TypePattern*> open = {&a.pattern};
    while (!open.empty()) {
      const rules::TypePattern* p = open.back();
      open.pop_back();
      CallsIn(p->element.get(), names);
      for (const rules::ShapeItem& item : p->shape) {
        CallsIn(item.expr.get(), names);
        CallsIn(item.length.get(), names);
      }
      for (const rules::TypePattern& inside : p->inside) open.push_back(&inside);
    }
  }
}

// Returns the functions that the rule calls, with their documentation.
std::string FunctionsOf(const RuleLibrary& library, const Rule& rule) {
  std::set<std::string> names;
  const Operator& op = ShapeOf(rule);
  for (const Signature& s : op.signatures) {
    CallsIn(s.operands, &names);
    CallsIn(s.results, &names);
    CallsIn(s.when.get(), &names);
  }
  for (const Attribute& a : op.attributes) CallsIn(a.otherwise.get(), &names);
  for (const Statement* s : StatementsOf(rule)) CallsIn(s->expr.get(), &names);
  std::string out;
  for (const std::string& name : names) {
    const Function* found = library.functions().Find(name);
    if (found == nullptr) continue;
    const Function& f = *found;
    std::string parameters;
    for (const rules::Parameter& p : f.parameters)
      parameters += fmt::format("{}{}: {}", parameters.empty() ? "" : ", ", p.name, p.type);
    out += fmt::format("  {}({}) -> {}\n", f.name, parameters, f.result) + Indented(f.doc, "    ");
  }
  return out.empty() ? "" : "functions\n" + out;
}

std::string Versions(const RuleLibrary& library, const Rule& rule) {
  std::vector<const Rule*> all;
  for (const Rule& r : library.rules()) {
    if (r.set == rule.set && r.name == rule.name) all.push_back(&r);
  }
  std::ranges::sort(all, {}, &Rule::since);
  std::string out;
  for (const Rule* r : all) {
    out += out.empty() ? "  " : ", ";
    out +=
        r->until == 0 ? fmt::format("since {}", r->since) : fmt::format("{} to {}", r->since, r->until - 1);
    if (all.size() > 1 && r == &rule) out += " (shown)";
  }
  return "versions\n" + out + "\n";
}

std::string Examples(const Rule& rule) {
  size_t answers = 0, errors = 0;
  std::string out;
  for (const Statement* s : StatementsOf(rule)) {
    const size_t arrow = s->kind == StatementKind::kExample ? s->text.find("->") : std::string::npos;
    if (arrow == std::string::npos) continue;
    std::string_view call = std::string_view(s->text).substr(0, arrow);
    while (call.ends_with(' ')) call.remove_suffix(1);
    const std::string answer = AnswerExample(rule, call);
    if (answer.starts_with("error: ") ? errors++ >= kShownErrors : answers++ >= kShownAnswers) continue;
    out += fmt::format("  {}{}-> {}\n", call, call.empty() ? "" : " ", answer);
  }
  return out.empty() ? "" : "examples\n" + out;
}

}  // namespace

std::string DocumentRule(const RuleLibrary& library, const Rule& rule) {
  std::string out = rule.FullName() + "\n" + Indented(Prose(library, rule), "  ");
  for (const std::string& part :
       {Signatures(rule), Attributes(rule), SubGraphs(rule), Regions(ShapeOf(rule).regions),
        Conditions(library, rule, StatementKind::kRequire, "requires"),
        Conditions(library, rule, StatementKind::kAssume, "assumes"),
        Conditions(library, rule, StatementKind::kEnsure, "ensures"), Contents(rule),
        FunctionsOf(library, rule), Versions(library, rule), Examples(rule)}) {
    if (!part.empty()) out += "\n" + part;
  }
  return out + fmt::format("\nsource\n  {}:{}\n", rule.file->name, rule.declared->at.line);
}

}  // namespace dimwise
