// Collects the facts about the symbols in an answer: a symbol or number that each one equals, or else its
// bounds and its congruence.
//
// A symbol is listed if a type, contents or a guard contains it, or a fact about a listed symbol does. The
// list has the order of mention.
#ifndef DIMWISE_REPORT_TEXT_SYMBOL_FACTS_H_
#define DIMWISE_REPORT_TEXT_SYMBOL_FACTS_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "dimwise/analysis.h"

namespace dimwise {

struct SymbolFacts {
  Dim symbol;
  std::string name;         // unquoted, as a key of JSON
  Dim equals;               // a number, or the representative symbol; none: see the fields below
  Dim min, max;             // a number or an expression; none: unbounded
  Congruence congruence;    // modulus >= 1
  std::string origin;       // "input x, axis 0"; empty for a generated symbol without a node
  std::string description;  // what it counts: "the number of boxes that NonMaxSuppression 'nms' keeps"
  std::string computed;     // its definition, if it has one: "max(N - 4, 0)"
};

// Returns the definition of a symbol in terms of others, such as a sum beyond the size limit of expressions;
// else "".
std::string DefinitionText(DimTable& dims, Dim symbol);

class SymbolCollector {
 public:
  // `origin_of_ours` is the origin of generated symbols without an origin of their own.
  SymbolCollector(Analysis& analysis, std::string origin_of_ours)
      : analysis_(analysis), origin_of_ours_(std::move(origin_of_ours)) {}

  // Sets the scope of the mentions that follow. A symbol is described by the facts of the scope that mentions
  // it, or by those of the whole program if several scopes mention it.
  void set_scope(ScopeId scope) { scope_ = scope; }

  void Mention(Dim dim);
  void Mention(Shape shape);
  void Mention(const Type& type);
  void Mention(Value value);
  void Mention(const Condition& condition);

  // Returns the facts about all mentioned symbols. It names symbols, so call it after the last mention.
  std::vector<SymbolFacts> Collect();

 private:
  struct Mentioned {
    Dim symbol;
    ScopeId scope;
  };
  SymbolFacts Describe(Mentioned mentioned);

  Analysis& analysis_;
  const std::string origin_of_ours_;
  ScopeId scope_ = ScopeId::kRoot;
  std::vector<Mentioned> symbols_;
  std::unordered_map<Dim, size_t> places_;  // index into the list above, once it is long
};

}  // namespace dimwise

#endif  // DIMWISE_REPORT_TEXT_SYMBOL_FACTS_H_
