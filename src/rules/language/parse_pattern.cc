// Parses operands, results, attributes, and type patterns.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "rules/language/builtins.h"
#include "rules/language/rule_parser.h"
#include "rules/language/type_names.h"

namespace dimwise::rules {
namespace {

using enum TokenKind;

struct ContainerWord {
  std::string_view word;
  PatternKind kind;
};
constexpr std::array kContainers = std::to_array<ContainerWord>({{"seq", PatternKind::kSequence},
                                                                 {"opt", PatternKind::kOptional},
                                                                 {"map", PatternKind::kMap},
                                                                 {"handle", PatternKind::kHandle}});
constexpr std::array kContainerWords = std::to_array<std::string_view>({"seq", "opt", "map", "handle"});

// In the order of AttributeKind.
constexpr std::array kAttributeKinds =
    std::to_array<std::string_view>({"int", "ints", "float", "floats", "bool", "string", "strings", "type",
                                     "types", "shape", "shapes", "tensor", "any"});

std::optional<AttributeKind> KindOfType(ExprType type) {
  switch (type) {
    case ExprType::kInt:
      return AttributeKind::kInt;
    case ExprType::kInts:
      return AttributeKind::kInts;
    case ExprType::kFloat:
      return AttributeKind::kFloat;
    case ExprType::kType:
      return AttributeKind::kType;
    default:
      return std::nullopt;
  }
}

// Determines the kind of an attribute from its default, if that is a literal, an element type, a list of
// literals or a call of a built-in function.
bool TakeKindOf(const Expr& value, AttributeKind* kind) {
  std::optional<AttributeKind> found;
  switch (value.kind) {
    case ExprKind::kInteger:
      *kind = AttributeKind::kInt;
      return true;
    case ExprKind::kReal:
      *kind = AttributeKind::kFloat;
      return true;
    case ExprKind::kString:
      *kind = AttributeKind::kString;
      return true;
    case ExprKind::kBoolean:
      *kind = AttributeKind::kBool;
      return true;
    case ExprKind::kName:
      if (TypeNamed(value.text)) found = AttributeKind::kType;
      break;
    case ExprKind::kIf:
      return TakeKindOf(*value.children[1], kind);
    case ExprKind::kList:
      if (!value.children.empty() && TakeKindOf(*value.children[0], kind)) {
        if (*kind == AttributeKind::kInt) found = AttributeKind::kInts;
        if (*kind == AttributeKind::kFloat) found = AttributeKind::kFloats;
        if (*kind == AttributeKind::kString) found = AttributeKind::kStrings;
      }
      break;
    case ExprKind::kCall: {
      const auto builtin = std::ranges::find(Builtins(), value.text, &BuiltinInfo::name);
      if (builtin != Builtins().end()) found = KindOfType(builtin->result);
      break;
    }
    default:
      break;
  }
  *kind = found.value_or(*kind);
  return found.has_value();
}

}  // namespace

// ---- Operands and results ----

// Parses up to `)` or, for operands, `;`, which is not consumed.
bool RuleParser::Arguments(std::vector<Argument>& out, std::string_view what) {
  if (Is(kRightParen) || Is(kSemicolon)) return true;
  do {
    if (!ArgumentGroup(out, what)) return false;
  } while (Take(kComma));
  return true;
}

// Parses `X, Y?: T[...s]`: names that share a pattern.
bool RuleParser::ArgumentGroup(std::vector<Argument>& out, std::string_view what) {
  const size_t first = out.size();
  do {
    if (!ArgumentName(out.emplace_back(), what)) return false;
  } while (Take(kComma));
  if (!NeedAfterName(kColon, out.back().name, "for example: X: T[...s]")) return false;
  return Repeat(out.size() - first, [&](size_t i) { return Pattern(out[first + i].pattern); });
}

// Parses a name and its arity: x, x?, x+, x*, x{N}.
bool RuleParser::ArgumentName(Argument& out, std::string_view what) {
  if (!NeedName(what, out.name, out.at)) return false;
  if (Take(kQuestion))
    out.arity = Arity::kOptional;
  else if (Take(kPlus))
    out.arity = Arity::kOneOrMore;
  else if (Take(kStar))
    out.arity = Arity::kAnyNumber;
  else if (Take(kLeftBrace)) {
    out.arity = Arity::kAnyNumber;
    return NeedName("the attribute that says how many there are", out.count, out.count_at) &&
           NeedAfter(kRightBrace, "after the attribute");
  }
  return true;
}

// ---- Types ----

bool RuleParser::Pattern(TypePattern& out) {
  const Level level(*this);
  if (!level.Fits()) return false;
  const Token& first = Peek();
  if (Is(kUnderscore) && Peek(1).kind != kLeftBracket) {
    Next();
    out.kind = PatternKind::kAnything;
    out.has_shape = false;
  } else if (first.kind == kName && Peek(1).kind == kLeftParen) {
    const auto found = std::ranges::find(kContainers, first.text, &ContainerWord::word);
    if (found == kContainers.end()) {
      std::string help = DidYouMean(first.text, kContainerWords);
      if (first.text == "sequence") help = "did you mean `seq`?";
      if (first.text == "optional") help = "did you mean `opt`?";
      if (help.empty()) help = "a computed element type is written in parentheses: (promote(T, U))[...s]";
      return Fail(At(first), fmt::format("`{}` is no container", first.text), std::move(help));
    }
    if (!Container(found->kind, out)) return false;
  } else if (!Tensor(out)) {
    return false;
  }
  out.at = From(first);
  return true;
}

// Parses seq(p), seq(p, length=n), opt(p), map(K, p), handle(p, ...).
bool RuleParser::Container(PatternKind kind, TypePattern& out) {
  out.kind = kind;
  out.has_shape = false;
  Next();
  Next();
  if (kind == PatternKind::kMap) {
    out.key = Element();
    if (out.key == nullptr || !Need(kComma, "after the type of the keys", "for example: map(K, T[...s])"))
      return false;
  }
  if (kind != PatternKind::kHandle || !Is(kRightParen)) {
    do {
      if (!Pattern(out.inside.emplace_back())) return false;
    } while (kind == PatternKind::kHandle && Take(kComma));
  }
  if (kind == PatternKind::kSequence && Take(kComma)) {
    if (Peek().text != "length") return FailExpected("`length=`", "for example: seq(T[...s], length=n)");
    Next();
    if (!Need(kEqual, "after `length`", "for example: seq(T[...s], length=n)")) return false;
    out.length = Expression();
    if (out.length == nullptr) return false;
  }
  return Need(kRightParen, "after the pattern");
}

// Parses T[n, ...x] csr. A `shape op` also accepts a shape alone, a `storage op` a storage alone.
bool RuleParser::Tensor(TypePattern& out) {
  if (part_ == Part::kStorage && IsName(Peek()) && Peek(1).kind != kLeftBracket) {
    out.has_shape = false;
    return TakeStorage(out);
  }
  out.each_element = Take(kEach);
  if (!Take(kUnderscore) && !(part_ == Part::kShape && Is(kLeftBracket))) {
    out.element = Element();
    if (out.element == nullptr) return false;
  }
  out.has_shape = Take(kLeftBracket);
  if (out.has_shape && !Shape(out)) return false;
  return !AtStorage() || TakeStorage(out);
}

// Returns whether a word after a type is a storage, rather than the next argument after a missing comma.
bool RuleParser::AtStorage() const {
  const TokenKind after = Peek(1).kind;
  return IsName(Peek()) && !Peek().starts_line &&
         (after == kComma || after == kRightParen || after == kSemicolon);
}

bool RuleParser::TakeStorage(TypePattern& out) {
  const Token& token = Next();
  out.storage = NameOf(token);
  out.storage_at = At(token);
  return true;
}

// Parses a type variable, a type, a class of types, or an expression in parentheses.
ExprPtr RuleParser::Element() {
  const Token& token = Peek();
  if (token.kind == kLeftParen) return Primary();
  if (IsName(token)) {
    Next();
    return Make(ExprKind::kName, token, NameOf(token));
  }
  if (token.kind == kLeftBracket) {
    FailExpected("an element type", "T[...s] binds it to T; _[...s] takes any");
  } else {
    FailExpected("a type");
  }
  return nullptr;
}

bool RuleParser::Shape(TypePattern& out) {
  if (Is(kStar)) {
    Next();
    out.unknown_shape = true;
    return Need(kRightBracket, "after `*`, which excludes other sizes");
  }
  if (Take(kRightBracket)) return true;
  do {
    if (!Item(out.shape.emplace_back())) return false;
  } while (Take(kComma));
  return NeedEnd(kRightBracket, "after a size");
}

bool RuleParser::Item(ShapeItem& out) {
  const Token& first = Peek();
  if (Take(kUnderscore)) {
    out.kind = ItemKind::kAny;
  } else if (Take(kEllipsis)) {
    out.kind = ItemKind::kList;
    if (!Is(kComma) && !Is(kRightBracket)) {
      out.each = Take(kEach);
      out.expr = Postfix();
      if (out.expr == nullptr) return false;
      if (Take(kLeftBrace)) {
        out.length = Expression();
        if (out.length == nullptr || !NeedAfter(kRightBrace, "after the length")) return false;
      }
    }
  } else if (Is(kDotDot)) {
    return Fail(At(first), "`..` is no list of sizes", "a list of sizes is written with three dots: ...s");
  } else {
    out.kind = ItemKind::kExpr;
    out.each = Take(kEach);
    out.expr = Expression();
    if (out.expr == nullptr) return false;
  }
  out.at = From(first);
  return true;
}

// ---- Attributes ----

bool RuleParser::Attributes(Operator& out) {
  do {
    const bool is_region = Peek(1).kind == kColon && Peek(2).text == "region";
    if (!(is_region ? ParseRegion(out.regions.emplace_back()) : AttributeGroup(out.attributes))) return false;
  } while (Take(kComma));
  return true;
}

// Parses `name: region(p, ...) -> (p, ...)`.
bool RuleParser::ParseRegion(Region& out) {
  constexpr std::string_view kHelp = "for example: body: region(T[...s]) -> (U[...r])";
  if (!NeedName("the name of a region", out.name, out.at)) return false;
  Next();
  Next();
  return Need(kLeftParen, "before the inputs of the region", kHelp) && Patterns(out.takes) &&
         Need(kArrow, "and the outputs of the region", kHelp) &&
         Need(kLeftParen, "before the outputs of the region", kHelp) && Patterns(out.gives);
}

// Parses up to and including `)`.
bool RuleParser::Patterns(std::vector<TypePattern>& out) {
  if (Take(kRightParen)) return true;
  do {
    if (!Pattern(out.emplace_back())) return false;
  } while (Take(kComma));
  return NeedEnd(kRightParen, "after a pattern");
}

// Parses `alpha, beta: float = 1.0`: names that share a kind, a default and the allowed values.
bool RuleParser::AttributeGroup(std::vector<Attribute>& out) {
  const size_t first = out.size();
  do {
    Attribute& attribute = out.emplace_back();
    if (!NeedName("the name of an attribute", attribute.name, attribute.at)) return false;
    attribute.optional = Take(kQuestion);
  } while (Take(kComma));
  if (!Is(kEqual) && !NeedAfterName(kColon, out.back().name, "for example: axis: int = 0")) return false;
  return Repeat(out.size() - first, [&](size_t i) { return AttributeValues(out[first + i]); });
}

// Parses `kind = default in [...]`. Without a kind, the default determines the kind.
bool RuleParser::AttributeValues(Attribute& out) {
  const Token& kind = Peek();
  const bool has_kind = kind.kind != kEqual;
  if (has_kind) {
    if (!IsName(kind)) return FailExpected("a kind of attribute");
    const auto found = std::ranges::find(kAttributeKinds, kind.text);
    if (found == kAttributeKinds.end()) return FailKind(kind);
    Next();
    out.kind = static_cast<AttributeKind>(found - kAttributeKinds.begin());
  }
  if (Take(kEqual)) {
    const Token& first = Peek();
    stop_at_in_ = true;
    out.otherwise = Expression();
    stop_at_in_ = false;
    if (out.otherwise == nullptr) return false;
    if (!has_kind && !TakeKindOf(*out.otherwise, &out.kind)) {
      return Fail(From(first), "the kind of an attribute is omitted only if its default shows the kind",
                  fmt::format("for example: {}: ints = []", out.name));
    }
  }
  return !Take(kIn) || Allowed(out);
}

// Parses ["floor", "ceil"], or a range that includes its ends: 0..3, 1.., ..8.
bool RuleParser::Allowed(Attribute& out) {
  if (Take(kLeftBracket)) {
    if (Is(kRightBracket)) return Fail(At(Peek()), "the list allows no value at all");
    return Expressions(kRightBracket, "after an allowed value", out.allowed);
  }
  if (!Is(kDotDot) && (out.minimum = Sum()) == nullptr) return false;
  if (!Need(kDotDot, "in the range", "a range is written 0..3, with both ends in it; 1.. has no upper end"))
    return false;
  if (Is(kComma) || Is(kRightParen)) {
    if (out.minimum != nullptr) return true;
    return FailExpected("an end of the range");
  }
  return (out.maximum = Sum()) != nullptr;
}

}  // namespace dimwise::rules
