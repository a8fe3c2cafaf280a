#include "rules/language/print.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <utility>

#include "rules/language/lexer.h"
#include "rules/language/print_pieces.h"

namespace dimwise::rules {
namespace {

constexpr size_t kLineWidth = 110;

// In the order of AttributeKind.
constexpr std::array kKindNames =
    std::to_array<std::string_view>({"int", "ints", "float", "floats", "bool", "string", "strings", "type",
                                     "types", "shape", "shapes", "tensor", "any"});

void AppendArgument(std::string& out, const Argument& argument) {
  constexpr std::array kMarks = {"", "?", "+", "*"};
  AppendName(out, argument.name);
  if (argument.count.empty()) {
    out += kMarks[static_cast<size_t>(argument.arity)];
  } else {
    out += '{';
    AppendName(out, argument.count);
    out += '}';
  }
  out += ": ";
  AppendPattern(out, argument.pattern);
}

void AppendAllowed(std::string& out, const Attribute& attribute) {
  if (!attribute.allowed.empty()) {
    out += " in [";
    const char* separator = "";
    for (const ExprPtr& value : attribute.allowed) {
      out += separator;
      AppendExpr(out, *value);
      separator = ", ";
    }
    out += ']';
  }
  if (attribute.minimum == nullptr && attribute.maximum == nullptr) return;
  out += " in ";
  if (attribute.minimum != nullptr) {
    std::string minimum;
    AppendExpr(minimum, *attribute.minimum, Binding::kSum);
    // A bracket would begin a list of allowed values.
    out += minimum.starts_with('[') ? "(" + minimum + ")" : minimum;
  }
  out += "..";
  if (attribute.maximum != nullptr) AppendExpr(out, *attribute.maximum, Binding::kSum);
}

void AppendAttribute(std::string& out, const Attribute& attribute) {
  AppendName(out, attribute.name);
  if (attribute.optional) out += '?';
  out += ": ";
  out += KindName(attribute.kind);
  if (attribute.otherwise != nullptr) {
    out += " = ";
    const bool parentheses = UsesIn(*attribute.otherwise);
    if (parentheses) out += '(';
    AppendExpr(out, *attribute.otherwise);
    if (parentheses) out += ')';
  }
  AppendAllowed(out, attribute);
}

// Appends `body: region(T[...s]) -> (U[...r])`.
void AppendRegion(std::string& out, const Region& region) {
  AppendName(out, region.name);
  out += ": region(";
  const auto append = [&](const std::vector<TypePattern>& patterns) {
    const char* separator = "";
    for (const TypePattern& pattern : patterns) {
      out += separator;
      AppendPattern(out, pattern);
      separator = ", ";
    }
    out += ')';
  };
  append(region.takes);
  out += " -> (";
  append(region.gives);
}

// Appends pieces, with line breaks before pieces that exceed the line width.
class Filler {
 public:
  // The last line of `out` begins at index `line`.
  Filler(std::string& out, size_t line) : out_(out), line_(line) {}

  void Add(std::string_view piece, std::string_view indent) {
    if (out_.size() - line_ + piece.size() > kLineWidth && out_.ends_with(' ')) {
      out_.pop_back();
      out_ += '\n';
      line_ = out_.size();
      out_ += indent;
    }
    out_ += piece;
  }

 private:
  std::string& out_;
  size_t line_;
};

constexpr std::string_view kIndent = "      ";

std::string Results(const Signature& signature) {
  std::string out = "-> (";
  const char* separator = "";
  for (const Argument& result : signature.results) {
    out += separator;
    AppendArgument(out, result);
    separator = ", ";
  }
  out += ')';
  if (signature.when != nullptr) {
    out += " when ";
    AppendExpr(out, *signature.when);
  }
  return out;
}

// The last line of `out` begins at index `line`.
void AppendSignature(std::string& out, size_t line, const Signature& signature,
                     std::span<const Attribute> attributes, std::span<const Region> regions) {
  Filler filler(out, line);
  out += '(';
  for (size_t i = 0; i < signature.operands.size(); ++i) {
    std::string piece;
    AppendArgument(piece, signature.operands[i]);
    if (i + 1 < signature.operands.size()) piece += ", ";
    filler.Add(piece, kIndent);
  }
  const size_t count = attributes.size() + regions.size();
  if (count > 0) out += "; ";
  for (size_t i = 0; i < count; ++i) {
    std::string piece;
    if (i < attributes.size()) {
      AppendAttribute(piece, attributes[i]);
    } else {
      AppendRegion(piece, regions[i - attributes.size()]);
    }
    if (i + 1 < count) piece += ", ";
    filler.Add(piece, kIndent);
  }
  out += ") ";
  filler.Add(Results(signature), "    ");
}

void AppendStatement(std::string& out, const Statement& statement) {
  switch (statement.kind) {
    case StatementKind::kLet:
    case StatementKind::kValue:
      out += statement.kind == StatementKind::kLet ? "let " : "value ";
      AppendName(out, statement.name);
      out += " = ";
      return AppendExpr(out, *statement.expr);
    case StatementKind::kRequire:
    case StatementKind::kAssume:
      out += statement.kind == StatementKind::kRequire ? "require " : "assume ";
      AppendExpr(out, *statement.expr);
      if (statement.message.empty()) return;
      out += " else ";
      return AppendMessage(out, statement.message);
    case StatementKind::kEnsure:
      out += "ensure ";
      return AppendExpr(out, *statement.expr);
    case StatementKind::kTypes: {
      AppendName(out, statement.name);
      const char* separator = ": ";
      for (const std::string& word : statement.words) {
        out += separator;
        AppendName(out, word);
        separator = " | ";
      }
      return;
    }
    case StatementKind::kProperty:
      return AppendProperty(out, statement);
    case StatementKind::kWith:
      out += "with ";
      return AppendName(out, statement.name);
    case StatementKind::kExample:
      out += "example ";
      return AppendString(out, statement.text);
  }
}

void AppendDoc(std::string& out, std::string_view doc) {
  while (!doc.empty()) {
    const size_t end = doc.find('\n');
    const std::string_view line = doc.substr(0, end);
    out += line.empty() ? "##" : "## ";
    out += line;
    out += '\n';
    if (end == std::string_view::npos) return;
    doc.remove_prefix(end + 1);
  }
}

void AppendHead(std::string& out, const Operator& op) {
  out += WordOf(op.part);
  if (op.part != Part::kAll) out += ' ';
  out += op.is_template ? "template " : "op ";
  const char* separator = "";
  for (const std::string& name : op.names) {
    out += separator;
    if (IsIdentifier(name))
      out += name;
    else
      AppendName(out, name);
    separator = ", ";
  }
  if (op.since != 1) fmt::format_to(std::back_inserter(out), " since {}", op.since);
  if (op.until != 0) fmt::format_to(std::back_inserter(out), " until {}", op.until);
  if (op.like.empty()) {
    if (op.since != 1 || op.until != 0) out += ' ';
    return;
  }
  out += " like ";
  AppendName(out, op.like);
}

void AppendOperator(std::string& out, const Operator& op) {
  AppendDoc(out, op.doc);
  size_t line = out.size();
  AppendHead(out, op);
  for (size_t i = 0; i < op.signatures.size(); ++i) {
    if (i > 0) {
      out += '\n';
      line = out.size();
      out += "  | ";
    }
    AppendSignature(out, line, op.signatures[i],
                    i == 0 ? std::span(op.attributes) : std::span<const Attribute>(),
                    i == 0 ? std::span(op.regions) : std::span<const Region>());
  }
  if (op.signatures.empty() && !op.attributes.empty()) {
    const char* separator = op.like.empty() ? "(; " : " (; ";
    for (const Attribute& attribute : op.attributes) {
      out += std::exchange(separator, ", ");
      AppendAttribute(out, attribute);
    }
    out += ')';
  }
  for (const Statement& statement : op.statements) {
    out += "\n  ";
    AppendStatement(out, statement);
  }
  out += '\n';
}

void AppendFunction(std::string& out, const Function& function) {
  AppendDoc(out, function.doc);
  out += "fn ";
  AppendName(out, function.name);
  out += '(';
  const char* separator = "";
  for (const Parameter& parameter : function.parameters) {
    out += separator;
    AppendName(out, parameter.name);
    out += ": ";
    AppendName(out, parameter.type);
    separator = ", ";
  }
  out += ") -> ";
  AppendName(out, function.result);
  out += " = ";
  AppendExpr(out, *function.body);
  if (!function.message.empty()) {
    out += "\n  else ";
    AppendMessage(out, function.message);
  }
  out += '\n';
}

template <typename Piece>
std::string Printed(void (*append)(std::string&, const Piece&), const Piece& piece) {
  std::string out;
  append(out, piece);
  return out;
}

}  // namespace

std::string_view WordOf(Part part) {
  constexpr std::array kWords = std::to_array<std::string_view>({"", "shape", "type", "storage"});
  return kWords[static_cast<size_t>(part)];
}

std::string_view KindName(AttributeKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

std::string Print(const File& file) {
  std::string out;
  if (!file.set.empty()) out += "set " + file.set + "\n";
  for (const Function& function : file.functions) {
    if (!out.empty()) out += '\n';
    AppendFunction(out, function);
  }
  for (const Operator& op : file.operators) {
    if (!out.empty()) out += '\n';
    AppendOperator(out, op);
  }
  return out;
}

std::string Print(const Operator& op) { return Printed(AppendOperator, op); }
std::string Print(const Function& function) { return Printed(AppendFunction, function); }
std::string Print(const Statement& statement) { return Printed(AppendStatement, statement); }
std::string Print(const Argument& argument) { return Printed(AppendArgument, argument); }
std::string Print(const Attribute& attribute) { return Printed(AppendAttribute, attribute); }
std::string Print(const Region& region) { return Printed(AppendRegion, region); }

std::string Print(const Signature& signature, std::span<const Attribute> attributes) {
  std::string out;
  AppendSignature(out, 0, signature, attributes, {});
  return out;
}

}  // namespace dimwise::rules
