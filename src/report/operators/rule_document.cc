#include "report/operators/rule_document.h"

#include <fmt/format.h>

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

void AddSignatures(const Rule& rule, RuleDocument* document) {
  for (const Signature& s : ShapeOf(rule).signatures) document->signatures.push_back({"", rules::Print(s)});
  for (const rules::RulePart& part : rule.more) {
    const Operator& declared = part.base != nullptr ? *part.base : *part.declared;
    for (const Signature& s : declared.signatures)
      document->signatures.push_back({std::string(NameOf(part.part)), rules::Print(s)});
  }
  for (const Statement* s : StatementsOf(rule)) {
    if (s->kind == StatementKind::kTypes || s->kind == StatementKind::kLet)
      document->types.push_back(rules::Print(*s));
  }
}

RuleDocument::Attr Documented(const Attribute& a) {
  const auto text = [](const Expr* e) { return e == nullptr ? "" : rules::Print(*e); };
  RuleDocument::Attr attr;
  attr.name = a.name;
  attr.kind = rules::KindName(a.kind);
  attr.otherwise = text(a.otherwise.get());
  attr.optional = a.optional;
  attr.minimum = text(a.minimum.get());
  attr.maximum = text(a.maximum.get());
  for (const rules::ExprPtr& value : a.allowed) attr.allowed.push_back(rules::Print(*value));
  return attr;
}

// Returns the sub-graphs that the properties of a rule name.
std::vector<RuleDocument::SubGraph> SubGraphsOf(const Rule& rule) {
  std::vector<RuleDocument::SubGraph> found;
  for (const Statement* s : StatementsOf(rule)) {
    if (s->kind != StatementKind::kProperty) continue;
    const rules::PropertyGrammar* grammar = rules::FindPropertyGrammar(s->name);
    for (const rules::PropertyPart& part : s->parts) {
      const rules::PartGrammar* form = grammar == nullptr ? nullptr : grammar->Find(part.word);
      if (form == nullptr || form->form != rules::PartForm::kRegion || part.names.empty()) continue;
      found.push_back({part.names[0], part.takes, part.gives});
      if (!part.has_layout) found.back().gives = {"results"};
    }
  }
  return found;
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

std::vector<RuleDocument::Condition> Conditions(const RuleLibrary& library, const Rule& rule,
                                                StatementKind kind) {
  std::vector<RuleDocument::Condition> conditions;
  for (const Statement* s : StatementsOf(rule)) {
    if (s->kind == kind) conditions.push_back({rules::Print(*s->expr), MessageOf(library, *s)});
  }
  return conditions;
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
std::vector<RuleDocument::Fn> FunctionsOf(const RuleLibrary& library, const Rule& rule) {
  std::set<std::string> names;
  const Operator& op = ShapeOf(rule);
  for (const Signature& s : op.signatures) {
    CallsIn(s.operands, &names);
    CallsIn(s.results, &names);
    CallsIn(s.when.get(), &names);
  }
  for (const Attribute& a : op.attributes) CallsIn(a.otherwise.get(), &names);
  for (const Statement* s : StatementsOf(rule)) CallsIn(s->expr.get(), &names);
  std::vector<RuleDocument::Fn> functions;
  for (const std::string& name : names) {
    const Function* found = library.functions().Find(name);
    if (found == nullptr) continue;
    const Function& f = *found;
    std::string parameters;
    for (const rules::Parameter& p : f.parameters)
      parameters += fmt::format("{}{}: {}", parameters.empty() ? "" : ", ", p.name, p.type);
    functions.push_back({fmt::format("{}({}) -> {}", f.name, parameters, f.result), f.doc});
  }
  return functions;
}

std::vector<RuleDocument::Version> VersionsOf(const RuleLibrary& library, const Rule& rule) {
  std::vector<RuleDocument::Version> versions;
  for (const Rule& r : library.rules()) {
    if (r.set == rule.set && r.name == rule.name) versions.push_back({r.since, r.until, &r == &rule});
  }
  std::ranges::sort(versions, {}, &RuleDocument::Version::since);
  return versions;
}

std::vector<RuleDocument::Example> ShownExamples(const Rule& rule) {
  size_t answers = 0, errors = 0;
  std::vector<RuleDocument::Example> examples;
  for (const Statement* s : StatementsOf(rule)) {
    const size_t arrow = s->kind == StatementKind::kExample ? s->text.find("->") : std::string::npos;
    if (arrow == std::string::npos) continue;
    std::string_view call = std::string_view(s->text).substr(0, arrow);
    while (call.ends_with(' ')) call.remove_suffix(1);
    const std::string answer = AnswerExample(rule, call);
    if (answer.starts_with("error: ") ? errors++ >= kShownErrors : answers++ >= kShownAnswers) continue;
    examples.push_back({std::string(call), answer});
  }
  return examples;
}

}  // namespace

RuleDocument DocumentRule(const RuleLibrary& library, const Rule& rule) {
  RuleDocument document;
  document.name = rule.FullName();
  document.doc = Prose(library, rule);
  AddSignatures(rule, &document);
  document.sub_graphs = SubGraphsOf(rule);
  for (const Attribute& a : ShapeOf(rule).attributes) {
    document.attributes.push_back(Documented(a));
    if (std::ranges::find(document.sub_graphs, a.name, &RuleDocument::SubGraph::attribute) !=
        document.sub_graphs.end()) {
      document.attributes.back().kind = "graph";
    }
  }
  for (const rules::Region& r : ShapeOf(rule).regions) document.regions.push_back(rules::Print(r));
  document.requirements = Conditions(library, rule, StatementKind::kRequire);
  document.assumptions = Conditions(library, rule, StatementKind::kAssume);
  document.guarantees = Conditions(library, rule, StatementKind::kEnsure);
  for (const Statement* s : StatementsOf(rule)) {
    if (s->kind == StatementKind::kValue) document.contents.push_back({s->name, rules::Print(*s->expr)});
  }
  document.functions = FunctionsOf(library, rule);
  document.versions = VersionsOf(library, rule);
  document.examples = ShownExamples(rule);
  document.file = rule.file->name;
  document.line = rule.declared->at.line;
  return document;
}

RuleDocument DocumentFunction(const OpDef& def) {
  RuleDocument document;
  document.name = def.FullName();
  document.doc = def.doc;
  document.signatures.push_back({"", ToString(def).substr(def.FullName().size())});
  return document;
}

}  // namespace dimwise
