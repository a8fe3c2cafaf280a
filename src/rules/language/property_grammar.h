// The words of `property` statements (docs/rules.md, "Properties").
#ifndef DIMWISE_RULES_LANGUAGE_PROPERTY_GRAMMAR_H_
#define DIMWISE_RULES_LANGUAGE_PROPERTY_GRAMMAR_H_

#include <cstdint>
#include <span>
#include <string_view>

namespace dimwise::rules {

enum class PropertyKind : uint8_t {
  kBranch,
  kCommutative,
  kComputes,
  kElements,
  kIndices,
  kLoop,
  kMap,
  kMirrored,
  kMultiplyAdds,
  kRandom,
  kRepeats,
  kScan,
  kSizeFrom,
  kSizes,
  kUnknown,
};

// The syntax after a word of a property.
enum class PartForm : uint8_t {
  kNothing,     // exact
  kName,        // into X
  kNames,       // some_of X, Z
  kExpression,  // axis at
  kRegion,      // body body (trip, state) -> (state)
  kItems,       // results (state, stacked)
  kText,        // "the number of boxes"
};

struct PartGrammar {
  std::string_view word;
  PartForm form;
};

// `property WORD`, what follows the word, then parts in any order.
struct PropertyGrammar {
  std::string_view word;
  PropertyKind kind;
  PartForm head;
  std::span<const PartGrammar> parts;
  bool repeats_parts = false;  // a part may occur twice

  const PartGrammar* Find(std::string_view part) const;  // null if there is none
};

std::span<const PropertyGrammar> PropertyGrammars();                // sorted by word
const PropertyGrammar* FindPropertyGrammar(std::string_view word);  // null if there is none

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_LANGUAGE_PROPERTY_GRAMMAR_H_
