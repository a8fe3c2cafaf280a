#include "rules/language/property_grammar.h"

#include <algorithm>

namespace dimwise::rules {
namespace {

using Form = PartForm;

constexpr PartGrammar kBranchParts[] = {
    {"arguments", Form::kName}, {"cases", Form::kName},    {"condition", Form::kName},
    {"else", Form::kRegion},    {"results", Form::kItems}, {"then", Form::kRegion},
};
constexpr PartGrammar kComputesParts[] = {{"axis", Form::kExpression}};
constexpr PartGrammar kElementsParts[] = {
    {"all_of", Form::kNames},
    {"at_least", Form::kNames},
    {"at_most", Form::kNames},
    {"count", Form::kExpression},
    {"exact", Form::kNothing},
    {"from", Form::kExpression},
    {"nonzero_indices_of", Form::kName},
    {"permutation_of", Form::kNames},
    {"same_as", Form::kNames},
    {"some_of", Form::kNames},
    {"sums_of", Form::kNames},
    {"to", Form::kExpression},
};
constexpr PartGrammar kIndicesParts[] = {{"axis", Form::kExpression},
                                         {"into", Form::kName},
                                         {"negative", Form::kNothing},
                                         {"slices", Form::kNothing},
                                         {"tuples", Form::kNothing}};
constexpr PartGrammar kLoopParts[] = {
    {"arguments", Form::kName},
    {"body", Form::kRegion},
    {"condition", Form::kName},
    {"first", Form::kName},
    {"limit", Form::kName},
    {"most_trips", Form::kExpression},
    {"pads_to_limit", Form::kNothing},
    {"results", Form::kItems},
    {"state", Form::kName},
    {"step", Form::kName},
    {"while", Form::kRegion},
};
constexpr PartGrammar kMapParts[] = {
    {"arguments", Form::kName}, {"body", Form::kRegion}, {"results", Form::kItems}, {"scanned", Form::kName}};
constexpr PartGrammar kScanParts[] = {
    {"arguments", Form::kName},  {"axes", Form::kName},
    {"batched", Form::kNothing}, {"body", Form::kRegion},
    {"directions", Form::kName}, {"lengths", Form::kName},
    {"results", Form::kItems},   {"result_axes", Form::kName},
    {"scanned", Form::kName},    {"scanned_count", Form::kExpression},
    {"state", Form::kName},
};
constexpr PartGrammar kSizeFromParts[] = {{"count", Form::kNames},
                                          {"elements", Form::kNames},
                                          {"first", Form::kExpression},
                                          {"number", Form::kExpression},
                                          {"shape", Form::kNames}};
constexpr PartGrammar kSizesParts[] = {
    {"axes", Form::kName},   {"reshapes", Form::kName},          {"resizes", Form::kName},
    {"slices", Form::kName}, {"zero_copies", Form::kExpression}, {"starts", Form::kName}};

constexpr PropertyGrammar kGrammars[] = {
    {"branch", PropertyKind::kBranch, Form::kNothing, kBranchParts},
    {"commutative", PropertyKind::kCommutative, Form::kNothing, {}},
    {"computes", PropertyKind::kComputes, Form::kName, kComputesParts},
    {"elements", PropertyKind::kElements, Form::kName, kElementsParts},
    {"indices", PropertyKind::kIndices, Form::kName, kIndicesParts},
    {"loop", PropertyKind::kLoop, Form::kNothing, kLoopParts},
    {"map", PropertyKind::kMap, Form::kNothing, kMapParts},
    {"mirrored", PropertyKind::kMirrored, Form::kName, {}},
    {"multiply_adds", PropertyKind::kMultiplyAdds, Form::kExpression, {}},
    {"random", PropertyKind::kRandom, Form::kNothing, {}},
    {"repeats", PropertyKind::kRepeats, Form::kNames, {}},
    {"scan", PropertyKind::kScan, Form::kNothing, kScanParts},
    {"size_from", PropertyKind::kSizeFrom, Form::kNothing, kSizeFromParts, /*repeats_parts=*/true},
    {"sizes", PropertyKind::kSizes, Form::kName, kSizesParts},
    {"unknown", PropertyKind::kUnknown, Form::kText, {}},
};

}  // namespace

const PartGrammar* PropertyGrammar::Find(std::string_view part) const {
  const auto it = std::ranges::find(parts, part, &PartGrammar::word);
  return it == parts.end() ? nullptr : &*it;
}

std::span<const PropertyGrammar> PropertyGrammars() { return kGrammars; }

const PropertyGrammar* FindPropertyGrammar(std::string_view word) {
  const auto* it = std::ranges::find(kGrammars, word, &PropertyGrammar::word);
  return it == std::end(kGrammars) ? nullptr : it;
}

}  // namespace dimwise::rules
