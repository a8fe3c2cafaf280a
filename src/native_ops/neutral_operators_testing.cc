#include "native_ops/neutral_operators_testing.h"

#include <fmt/format.h>

#include <memory>
#include <set>
#include <vector>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "infer/operators/rule_function.h"
#include "native_ops/onnx/larger_contents.h"
#include "native_ops/onnx/short_sequences.h"
#include "ops/builtin_rules.h"
#include "rules/compile/library.h"
#include "rules/language/builtins.h"
#include "rules/language/parser.h"
#include "rules/language/print.h"
#include "rules/language/type_names.h"

namespace dimwise::rules {
namespace {

constexpr std::string_view kPrefix = "zq_";  // occurs in no name
constexpr std::string_view kNeutralSet = "neutral";

// Returns whether the name belongs to the rule language; such names are not replaced.
bool IsOfLanguage(const std::string& name) {
  static const std::set<std::string, std::less<>> words = [] {
    std::set<std::string, std::less<>> all = {"given", "rank",    "count", "shape",     "type",
                                              "alike", "version", "zip",   "enumerate", "name"};
    for (const BuiltinInfo& b : Builtins()) all.emplace(b.name);
    return all;
  }();
  return words.contains(name) || TypeSetNamed(name).has_value();
}

// Renames all names of a rule file.
class Renamer {
 public:
  void Rename(File& file) {
    file.set = kNeutralSet;
    for (Statement& s : file.types) RenameStatement(s);
    for (Function& f : file.functions) {
      Name(f.name);
      for (Parameter& p : f.parameters) Name(p.name);
      Expression(f.body);
      RenameMessage(f.message);
    }
    for (Operator& op : file.operators) RenameOperator(op);
  }

 private:
  static void Name(std::string& name) {
    if (!name.empty()) name.insert(0, kPrefix);
  }
  // Replaces every name: operands and attributes may share names with functions of the language.
  static void Names(std::vector<std::string>& names) {
    for (std::string& name : names) Name(name);
  }

  void RenameOperator(Operator& op) {
    Names(op.names);
    Name(op.like);
    for (Signature& s : op.signatures) {
      for (Argument& a : s.operands) RenameArgument(a);
      for (Argument& a : s.results) RenameArgument(a);
      Expression(s.when);
    }
    for (Attribute& a : op.attributes) {
      Name(a.name);
      Expression(a.otherwise);
    }
    for (Region& r : op.regions) {
      Name(r.name);
      for (TypePattern& p : r.takes) Pattern(p);
      for (TypePattern& p : r.gives) Pattern(p);
    }
    std::erase_if(op.statements, [](const Statement& s) { return s.kind == StatementKind::kExample; });
    for (Statement& s : op.statements) RenameStatement(s);
  }

  void RenameArgument(Argument& a) {
    Name(a.name);
    Name(a.count);
    Pattern(a.pattern);
  }

  void RenameStatement(Statement& s) {
    if (s.kind != StatementKind::kProperty) Name(s.name);
    Expression(s.expr);
    RenameMessage(s.message);
    for (PropertyPart& part : s.parts) {
      // The word after `computes` belongs to the language.
      if (s.name != "computes" || !part.word.empty()) Names(part.names);
      Expression(part.expr);
    }
  }

  void RenameMessage(Message& message) {
    for (MessagePiece& piece : message) Expression(piece.expr);
  }

  void Pattern(TypePattern& p) {
    Expression(p.element);
    Expression(p.key);
    Expression(p.length);
    if (!p.storage.empty() && p.storage != "dense" && p.storage != "csr" && p.storage != "row_sparse")
      Name(p.storage);
    for (ShapeItem& item : p.shape) {
      Expression(item.expr);
      Expression(item.length);
    }
    for (TypePattern& inside : p.inside) Pattern(inside);
  }

  void Expression(ExprPtr& e) {
    if (e == nullptr) return;
    if (e->kind == ExprKind::kName && e->text != "version" && !TypeSetNamed(e->text)) Name(e->text);
    if (e->kind == ExprKind::kCall && !IsOfLanguage(e->text)) Name(e->text);
    Names(e->names);
    for (ExprPtr& child : e->children) Expression(child);
  }
};

std::unique_ptr<RuleLibrary> LoadNeutralRules() {
  auto library = std::make_unique<RuleLibrary>();
  for (const RuleText& text : BuiltinRuleTexts()) {
    if (!text.file.starts_with("onnx/")) continue;
    Result<File> file = Parse(text.text, text.file);
    if (!file) continue;
    Renamer().Rename(*file);
    for (const Diagnostic& d : library->Load(Print(*file), text.file))
      fmt::print(stderr, "{}\n", ToString(d));
  }
  return library;
}

}  // namespace
}  // namespace dimwise::rules

namespace dimwise {
namespace {

using rules::kNeutralSet;
using rules::kPrefix;

// Replaces the names of attributes in `(x, y; axis=0, to=7)`.
std::string WithNeutralAttributes(std::string_view arguments) {
  const size_t semicolon = arguments.find(';');
  std::string text(arguments.substr(0, semicolon));
  if (semicolon == std::string_view::npos) return text;
  bool begins_name = true;
  for (size_t i = semicolon; i < arguments.size(); ++i) {
    size_t end = i;
    while (end < arguments.size() &&
           (std::isalnum(static_cast<unsigned char>(arguments[end])) || arguments[end] == '_'))
      ++end;
    const bool ends_name = end < arguments.size() && (arguments[end] == '=' || arguments[end] == ':');
    if (end > i && begins_name && ends_name) {
      const std::string_view name = arguments.substr(i, end - i);
      text += kPrefix;
      text += name;
      i = end;
      text += arguments[end];
      begins_name = false;
      // Replaces the number of an element type by its name, because the numbers belong to ONNX.
      size_t digits = end + 1;
      while (digits < arguments.size() && std::isdigit(static_cast<unsigned char>(arguments[digits])))
        ++digits;
      if ((name == "to" || name == "dtype") && digits > end + 1) {
        const int number = std::stoi(std::string(arguments.substr(end + 1, digits - end - 1)));
        text += ToString(ElementTypeOf(number, TypeSystem::kOnnx).value_or(ElementType::kUnknown));
        i = digits - 1;
      }
      continue;
    }
    if (end > i) {
      text += arguments.substr(i, end - i);
      i = end - 1;
      begins_name = false;
      continue;
    }
    text += arguments[i];
    if (arguments[i] == ';' || arguments[i] == ',') begins_name = true;
  }
  return text;
}

}  // namespace

const OpRegistry& NeutralRegistry() {
  // Never destroyed: the registry refers to the rules.
  static const rules::RuleLibrary* const library = rules::LoadNeutralRules().release();
  static const OpRegistry* const registry = [] {
    OpRegistryBuilder builder;
    builder.Include(BuiltinRegistry());
    for (const rules::Rule& rule : library->rules()) {
      const std::string_view name = std::string_view(rule.name).substr(kPrefix.size());
      ShapeFn function = WithLargerContents(name, WithShortSequences(name, ShapeFunctionOf(rule)));
      builder.Override(DefinitionOf(rule), std::move(function), &rule);
    }
    return new OpRegistry(std::move(builder).Build().value());
  }();
  return *registry;
}

std::string NeutralProgram(std::string_view program) {
  constexpr std::string_view kOnnx = "onnx.";
  std::string text;
  for (size_t i = 0; i < program.size();) {
    if (!program.substr(i).starts_with(kOnnx)) {
      // The label of a region, such as `then_branch: graph(`.
      const size_t line = program.find_first_of(":\n", i);
      const bool starts_line = text.empty() || text.back() == ' ' || text.back() == '\n';
      if (starts_line && line != std::string_view::npos && program.substr(line).starts_with(": graph(")) {
        const std::string_view label = program.substr(i, line - i);
        if (label.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos &&
            !label.empty())
          text += kPrefix;
      }
      if (program.substr(i).starts_with("opset onnx ")) {
        const size_t end = program.find('\n', i);
        const std::string_view version = program.substr(i, end - i).substr(11);
        text += fmt::format("opset {} {}\n", kNeutralSet, version);
      }
      text += program[i++];
      continue;
    }
    size_t end = i + kOnnx.size();
    while (std::isalnum(static_cast<unsigned char>(program[end]))) ++end;
    const std::string neutral = fmt::format("{}.{}{}", kNeutralSet, kPrefix,
                                            program.substr(i + kOnnx.size(), end - i - kOnnx.size()));
    if (NeutralRegistry().Find(neutral) == nullptr) {  // an operator without a rule
      text += program.substr(i, end - i);
      i = end;
      continue;
    }
    text += neutral;
    int depth = 0;
    size_t close = program.find('(', end);
    text += program.substr(end, close - end);  // a version: onnx.Slice@1
    const size_t open = close;
    do {
      depth += program[close] == '(' ? 1 : program[close] == ')' ? -1 : 0;
      ++close;
    } while (depth > 0);
    text += WithNeutralAttributes(program.substr(open, close - open));
    i = close;
  }
  return text;
}

std::string WithOnnxNames(std::string text) {
  const auto replace = [&](std::string_view from, std::string_view to) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  replace(fmt::format("{}.{}", kNeutralSet, kPrefix), "onnx.");
  replace(kPrefix, "");
  return text;
}

}  // namespace dimwise
