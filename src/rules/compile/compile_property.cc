// Compiles `property` statements (docs/rules.md, "Properties").
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "dimwise/result_macros.h"
#include "rules/compile/compiler.h"
#include "rules/language/property_grammar.h"

namespace dimwise::rules {
namespace {

template <typename T>
struct WordFor {
  std::string_view word;
  T meaning;
};

constexpr WordFor<Computation> kComputations[] = {
    {"absolute", Computation::kAbsolute},
    {"add", Computation::kAdd},
    {"cast", Computation::kCast},
    {"clamp", Computation::kClamp},
    {"concat", Computation::kConcat},
    {"constant", Computation::kConstant},
    {"equal", Computation::kEqual},
    {"greater", Computation::kGreater},
    {"greater_or_equal", Computation::kGreaterOrEqual},
    {"identity", Computation::kIdentity},
    {"less", Computation::kLess},
    {"less_or_equal", Computation::kLessOrEqual},
    {"logical_and", Computation::kAnd},
    {"logical_not", Computation::kNot},
    {"logical_or", Computation::kOr},
    {"maximum", Computation::kMaximum},
    {"minimum", Computation::kMinimum},
    {"multiply", Computation::kMultiply},
    {"positive_part", Computation::kPositivePart},
    {"select", Computation::kSelect},
    {"subtract", Computation::kSubtract},
};

constexpr WordFor<ElementSource::Kind> kSourceKinds[] = {
    {"all_of", ElementSource::Kind::kAll},     {"at_least", ElementSource::Kind::kAtLeast},
    {"at_most", ElementSource::Kind::kAtMost}, {"permutation_of", ElementSource::Kind::kPermuted},
    {"same_as", ElementSource::Kind::kSame},   {"some_of", ElementSource::Kind::kSome},
    {"sums_of", ElementSource::Kind::kSums},
};

constexpr WordFor<SizeSource::Part> kSizeParts[] = {
    {"count", SizeSource::Part::kTrueCount},
    {"elements", SizeSource::Part::kElements},
    {"number", SizeSource::Part::kExpression},
    {"shape", SizeSource::Part::kShape},
};

constexpr WordFor<SizesUse::Kind> kSizesUses[] = {
    {"reshapes", SizesUse::Kind::kReshape},
    {"resizes", SizesUse::Kind::kResize},
    {"slices", SizesUse::Kind::kSlice},
};

constexpr WordFor<RegionItem> kRegionItems[] = {
    {"argument", RegionItem::kArgument}, {"condition", RegionItem::kCondition},
    {"element", RegionItem::kElement},   {"forwarded", RegionItem::kForwarded},
    {"stacked", RegionItem::kStacked},   {"state", RegionItem::kState},
    {"trip", RegionItem::kTrip},
};

template <typename T, size_t N>
const T* MeaningOf(const WordFor<T> (&words)[N], std::string_view word) {
  const auto* it = std::ranges::find(words, word, &WordFor<T>::word);
  return it == std::end(words) ? nullptr : &it->meaning;
}

template <typename T, size_t N>
std::vector<std::string> WordsIn(const WordFor<T> (&words)[N]) {
  std::vector<std::string> all;
  for (const WordFor<T>& w : words) all.emplace_back(w.word);
  return all;
}

// Returns the part of a property with this word, or null.
const PropertyPart* PartIn(const Statement& s, std::string_view word) {
  const auto it = std::ranges::find(s.parts, word, &PropertyPart::word);
  return it == s.parts.end() ? nullptr : &*it;
}

}  // namespace

Status Compiler::CompileProperty(const Statement& s) {
  if (part_ == Part::kType || part_ == Part::kStorage) {
    return Fail(s.at, Code::kRuleSyntax, "a property belongs to the shape of an operator",
                "declare it in the `op` or `shape op`");
  }
  in_property_ = true;
  const auto first = static_cast<NodeId>(code_.nodes.size());
  Status status = CompilePropertyByKind(s);
  // Properties read contents, but results do not depend on them.
  value_nodes_.push_back({first, static_cast<NodeId>(code_.nodes.size())});
  in_property_ = false;
  return status;
}

Status Compiler::CompilePropertyByKind(const Statement& s) {
  OpProperties& p = code_.properties;
  switch (FindPropertyGrammar(s.name)->kind) {
    case PropertyKind::kRandom:
      p.random = true;
      return {};
    case PropertyKind::kCommutative:
      p.commutative = true;
      return {};
    case PropertyKind::kMirrored:
      if (!p.mirrored.empty()) return FailTwice(s);
      p.mirrored = s.parts[0].names[0];
      return {};
    case PropertyKind::kComputes:
      return CompileComputes(s);
    case PropertyKind::kElements:
      return CompileElements(s);
    case PropertyKind::kIndices:
      return CompileIndices(s);
    case PropertyKind::kSizeFrom:
      return CompileSizeFrom(s);
    case PropertyKind::kBranch:
    case PropertyKind::kLoop:
    case PropertyKind::kScan:
    case PropertyKind::kMap:
      return CompileControlFlow(s);
    case PropertyKind::kMultiplyAdds:
      if (p.multiply_adds != kNoExpr) return FailTwice(s);
      return CompilePropertyExpr(&s.parts[0], &p.multiply_adds);
    case PropertyKind::kSizes:
      return CompileSizes(s);
    case PropertyKind::kRepeats:
      return FindOperands(s.parts[0], &p.repeats);
    case PropertyKind::kUnknown:
      if (!p.unknown.empty()) return FailTwice(s);
      if (s.parts[0].text.find("{node}") == std::string::npos) {
        return Fail(s.at, Code::kRuleSyntax, "the text of `unknown` does not mention {node}",
                    "for example: property unknown \"the number of boxes that {node} keeps\"");
      }
      p.unknown = s.parts[0].text;
      return {};
  }
  return {};
}

Unexpected Compiler::FailTwice(const Statement& s) const {
  return Fail(s.at, Code::kRuleDuplicate, fmt::format("the property `{}` is declared twice", s.name));
}

Unexpected Compiler::FailMissing(const Statement& s, std::string_view part) const {
  return Fail(s.at, Code::kRuleSyntax, fmt::format("the property `{}` needs `{}`", s.name, part));
}

// ---- Names and expressions ----

// Without a part, *out is unchanged.
Status Compiler::CompilePropertyExpr(const PropertyPart* part, PropertyExpr* out) {
  if (part == nullptr) return {};
  DIMWISE_ASSIGN_OR_RETURN(const NodeId node, ExpressionOf(*part->expr, ExprType::kInt));
  *out = static_cast<PropertyExpr>(code_.property_expressions.size());
  code_.property_expressions.push_back(node);
  return {};
}

Result<uint32_t> Compiler::FindArgument(const PropertyPart& part, size_t i, NameKind kind) const {
  const auto it = names_.find(part.names[i]);
  if (it != names_.end() && it->second.kind == kind) return it->second.index;
  std::vector<std::string> candidates;
  for (const auto& [name, meaning] : names_) {
    if (meaning.kind == kind) candidates.push_back(name);
  }
  Expr e;
  e.at = part.names_at[i];
  e.text = part.names[i];
  return UnknownName(e, kind == NameKind::kResult ? "result" : "operand", candidates);
}

// Without a part, *out is unchanged.
Status Compiler::FindOperand(const PropertyPart* part, ArgIndex* out) const {
  if (part == nullptr) return {};
  DIMWISE_ASSIGN_OR_RETURN(const uint32_t index, FindArgument(*part, 0, NameKind::kOperand));
  *out = static_cast<ArgIndex>(index);
  return {};
}

Status Compiler::FindOperands(const PropertyPart& part, std::vector<ArgIndex>* out) const {
  for (size_t i = 0; i < part.names.size(); ++i) {
    DIMWISE_ASSIGN_OR_RETURN(const uint32_t index, FindArgument(part, i, NameKind::kOperand));
    out->push_back(static_cast<ArgIndex>(index));
  }
  return {};
}

bool Compiler::IsAttribute(std::string_view name) const {
  const auto it = names_.find(name);
  if (it == names_.end()) return false;
  if (it->second.kind == NameKind::kRegion) return true;
  return it->second.kind == NameKind::kSlot && code_.slots[it->second.index].attribute != kNone;
}

// Without a part, *out is unchanged.
Status Compiler::FindAttribute(const PropertyPart* part, std::string* out) const {
  if (part == nullptr) return {};
  if (!IsAttribute(part->names[0])) {
    std::vector<std::string> candidates;
    for (const auto& [name, meaning] : names_) {
      if (IsAttribute(name)) candidates.push_back(name);
    }
    Expr e;
    e.at = part->names_at[0];
    e.text = part->names[0];
    return UnknownName(e, "attribute", candidates);
  }
  *out = part->names[0];
  return {};
}

Status Compiler::FindNumbers(const PropertyPart* part, NumbersAt* out) const {
  if (part == nullptr) return {};
  return IsAttribute(part->names[0]) ? FindAttribute(part, &out->attribute)
                                     : FindOperand(part, &out->operand);
}

// ---- Values ----

Status Compiler::CompileComputes(const Statement& s) {
  const PropertyPart& head = s.parts[0];
  if (code_.properties.computes != Computation::kNothingSpecial) return FailTwice(s);
  const Computation* computation = MeaningOf(kComputations, head.names[0]);
  if (computation == nullptr) {
    Expr e;
    e.at = head.names_at[0];
    e.text = head.names[0];
    return UnknownName(e, "computation", WordsIn(kComputations));
  }
  code_.properties.computes = *computation;
  const PropertyPart* axis = PartIn(s, "axis");
  const bool needs_axis = *computation == Computation::kConcat;
  if (needs_axis && axis == nullptr) return FailMissing(s, "axis");
  if (!needs_axis && axis != nullptr)
    return Fail(axis->at, Code::kRuleSyntax, fmt::format("`{}` has no axis", head.names[0]));
  return CompilePropertyExpr(axis, &code_.properties.concat_axis);
}

Status Compiler::CompileElements(const Statement& s) {
  DIMWISE_ASSIGN_OR_RETURN(const uint32_t result, FindArgument(s.parts[0], 0, NameKind::kResult));
  OpProperties& p = code_.properties;
  const size_t before = p.element_sources.size() + p.element_bounds.size() + p.element_indices.size();
  for (const PropertyPart& part : s.parts) {
    const ElementSource::Kind* kind = MeaningOf(kSourceKinds, part.word);
    if (kind == nullptr) continue;
    ElementSource source{*kind, static_cast<ArgIndex>(result), {}, kNoExpr};
    DIMWISE_RETURN_IF_ERROR(FindOperands(part, &source.operands));
    const PropertyPart* count = PartIn(s, "count");
    if (*kind == ElementSource::Kind::kSums && count == nullptr) return FailMissing(s, "count");
    DIMWISE_RETURN_IF_ERROR(CompilePropertyExpr(count, &source.count));
    if (p.SourceOf(source.result) != nullptr) return FailTwice(s);
    p.element_sources.push_back(std::move(source));
  }
  if (const PropertyPart* part = PartIn(s, "nonzero_indices_of")) {
    ElementIndices& indices = p.element_indices.emplace_back();
    indices.result = static_cast<ArgIndex>(result);
    DIMWISE_RETURN_IF_ERROR(FindOperand(part, &indices.operand));
  }
  const PropertyPart *from = PartIn(s, "from"), *to = PartIn(s, "to"), *exact = PartIn(s, "exact");
  if (exact != nullptr && (from == nullptr || to == nullptr))
    return FailMissing(s, from == nullptr ? "from" : "to");
  if (from != nullptr || to != nullptr) {
    if (p.BoundsOf(static_cast<ArgIndex>(result)) != nullptr) return FailTwice(s);
    ElementBounds bounds{static_cast<ArgIndex>(result), kNoExpr, kNoExpr, exact != nullptr};
    DIMWISE_RETURN_IF_ERROR(CompilePropertyExpr(from, &bounds.low));
    DIMWISE_RETURN_IF_ERROR(CompilePropertyExpr(to, &bounds.high));
    p.element_bounds.push_back(bounds);
  }
  if (p.element_sources.size() + p.element_bounds.size() + p.element_indices.size() == before) {
    return Fail(s.at, Code::kRuleSyntax, "the property `elements` does not state what the elements are",
                "for example: property elements Y some_of X");
  }
  return {};
}

Status Compiler::CompileIndices(const Statement& s) {
  IndexUse use;
  const PropertyPart *into = PartIn(s, "into"), *axis = PartIn(s, "axis");
  if (into == nullptr) return FailMissing(s, "into");
  if (axis == nullptr) return FailMissing(s, "axis");
  DIMWISE_RETURN_IF_ERROR(FindOperand(&s.parts[0], &use.indices));
  DIMWISE_RETURN_IF_ERROR(FindOperand(into, &use.data));
  DIMWISE_RETURN_IF_ERROR(CompilePropertyExpr(axis, &use.axis));
  use.tuples = PartIn(s, "tuples") != nullptr;
  use.negative = PartIn(s, "negative") != nullptr;
  use.slices = PartIn(s, "slices") != nullptr;
  code_.properties.indexes.push_back(use);
  return {};
}

Status Compiler::CompileSizeFrom(const Statement& s) {
  if (s.parts.empty()) return FailMissing(s, "elements");
  std::vector<SizeSource>& sources = code_.properties.size_sources;
  for (const PropertyPart& part : s.parts) {
    SizeSource source;
    if (part.word == "first") {
      if (sources.empty() || sources.back().part != SizeSource::Part::kTrueCount)
        return Fail(part.at, Code::kRuleSyntax, "`first` limits the `count` before it");
      DIMWISE_RETURN_IF_ERROR(CompilePropertyExpr(&part, &sources.back().expr));
      continue;
    }
    source.part = *MeaningOf(kSizeParts, part.word);
    if (source.part == SizeSource::Part::kExpression) {
      DIMWISE_RETURN_IF_ERROR(CompilePropertyExpr(&part, &source.expr));
      sources.push_back(source);
      continue;
    }
    std::vector<ArgIndex> operands;
    DIMWISE_RETURN_IF_ERROR(FindOperands(part, &operands));
    for (const ArgIndex operand : operands) {
      source.operand = operand;
      sources.push_back(source);
    }
  }
  return {};
}

// ---- Control flow ----

Status Compiler::FindRegionItems(const std::vector<std::string>& words, const std::vector<Position>& at,
                                 std::vector<RegionItem>* out) const {
  for (size_t i = 0; i < words.size(); ++i) {
    const RegionItem* item = MeaningOf(kRegionItems, words[i]);
    if (item == nullptr) {
      Expr e;
      e.at = at[i];
      e.text = words[i];
      return UnknownName(e, "kind of a value of a region", WordsIn(kRegionItems));
    }
    if (std::ranges::find(*out, *item) != out->end()) {
      return Fail(at[i], Code::kRuleDuplicate, fmt::format("`{}` is given twice", words[i]),
                  "all values of one kind are adjacent");
    }
    out->push_back(*item);
  }
  return {};
}

// Without a part, *out is unchanged.
Status Compiler::CompileLayout(const PropertyPart* part, RegionLayout* out) const {
  if (part == nullptr) return {};
  DIMWISE_RETURN_IF_ERROR(FindAttribute(part, &out->region));
  DIMWISE_RETURN_IF_ERROR(FindRegionItems(part->takes, part->takes_at, &out->takes));
  return FindRegionItems(part->gives, part->gives_at, &out->gives);
}

Status Compiler::CompileControlFlow(const Statement& s) {
  ControlFlow& c = code_.properties.control_flow;
  if (c.kind != ControlFlow::Kind::kNone) return FailTwice(s);
  const PropertyKind kind = FindPropertyGrammar(s.name)->kind;
  c.kind = kind == PropertyKind::kBranch ? ControlFlow::Kind::kBranch
           : kind == PropertyKind::kLoop ? ControlFlow::Kind::kLoop
           : kind == PropertyKind::kScan ? ControlFlow::Kind::kScan
                                         : ControlFlow::Kind::kMap;
  const bool is_branch = kind == PropertyKind::kBranch;
  std::vector<std::string_view> needed = {"body"};
  if (is_branch) needed = {"condition"};
  if (is_branch && PartIn(s, "cases") == nullptr) needed = {"condition", "then", "else"};
  if (kind == PropertyKind::kScan || kind == PropertyKind::kMap) needed = {"body", "scanned"};
  for (const std::string_view part : needed) {
    if (PartIn(s, part) == nullptr) return FailMissing(s, part);
  }
  const std::pair<std::string_view, ArgIndex*> operands[] = {
      {"condition", &c.condition}, {"limit", &c.limit},     {"first", &c.first},
      {"step", &c.step},           {"state", &c.state},     {"scanned", &c.scanned},
      {"arguments", &c.arguments}, {"lengths", &c.lengths},
  };
  for (const auto& [word, out] : operands) DIMWISE_RETURN_IF_ERROR(FindOperand(PartIn(s, word), out));
  const std::pair<std::string_view, std::string*> attributes[] = {
      {"axes", &c.axes}, {"result_axes", &c.result_axes}, {"directions", &c.directions}, {"cases", &c.cases}};
  for (const auto& [word, out] : attributes) DIMWISE_RETURN_IF_ERROR(FindAttribute(PartIn(s, word), out));
  const std::pair<std::string_view, RegionLayout*> regions[] = {
      {"then", &c.if_true}, {"else", &c.if_false}, {"body", &c.body}, {"while", &c.condition_region}};
  for (const auto& [word, out] : regions) DIMWISE_RETURN_IF_ERROR(CompileLayout(PartIn(s, word), out));
  DIMWISE_RETURN_IF_ERROR(CompilePropertyExpr(PartIn(s, "scanned_count"), &c.scanned_count));
  DIMWISE_RETURN_IF_ERROR(CompilePropertyExpr(PartIn(s, "most_trips"), &c.most_trips));
  c.batched = PartIn(s, "batched") != nullptr;
  c.pads_to_limit = PartIn(s, "pads_to_limit") != nullptr;
  const PropertyPart* results = PartIn(s, "results");
  if (results == nullptr) return {};
  return FindRegionItems(results->gives, results->gives_at, &c.results);
}

// ---- What `generalize` may rewrite ----

Status Compiler::CompileSizes(const Statement& s) {
  SizesUse use;
  DIMWISE_RETURN_IF_ERROR(FindNumbers(&s.parts[0], &use.sizes));
  for (const PropertyPart& part : s.parts) {
    const SizesUse::Kind* kind = MeaningOf(kSizesUses, part.word);
    if (kind == nullptr) continue;
    if (use.kind != SizesUse::Kind::kDecides) return FailTwice(s);
    use.kind = *kind;
    DIMWISE_RETURN_IF_ERROR(FindOperand(&part, &use.data));
  }
  DIMWISE_RETURN_IF_ERROR(FindNumbers(PartIn(s, "starts"), &use.starts));
  DIMWISE_RETURN_IF_ERROR(FindNumbers(PartIn(s, "axes"), &use.axes));
  DIMWISE_RETURN_IF_ERROR(CompilePropertyExpr(PartIn(s, "zero_copies"), &use.zero_copies));
  if (use.kind == SizesUse::Kind::kSlice && !use.starts.given()) return FailMissing(s, "starts");
  code_.properties.sizes.push_back(std::move(use));
  return {};
}

}  // namespace dimwise::rules
