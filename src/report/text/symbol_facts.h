// What an answer tells about its symbols: for each one that it speaks of, another symbol or number that it
// equals, or else its bounds and the multiples that it can be.
//
// A symbol is listed because a type, contents or a check mentions it, or because what is told of a listed one
// does. They stand in the order of mention.
#ifndef DIMWISE_REPORT_TEXT_SYMBOL_FACTS_H_
#define DIMWISE_REPORT_TEXT_SYMBOL_FACTS_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "dimwise/analysis.h"

namespace dimwise {

struct SymbolFacts {
  Dim symbol;
  std::string name;       // bare, as the key of a table
  Dim equals;             // a number, or a symbol that equals no other; none: the rest is said instead
  Dim min, max;           // a number, or an expression that says more; none: not bounded
  Congruence congruence;  // of modulus 1 or more
  std::string origin;     // "input x, axis 0"; empty: one of ours that no node made
  std::string computed;   // what it stands for, where that is a computation of others: "max(N - 4, 0)"
};

// What a symbol stands for where it is defined by others, such as a sum that is too large to be kept as one;
// else empty.
std::string DefinitionText(DimTable& dims, Dim symbol);

class SymbolCollector {
 public:
  // `origin_of_ours` is said of symbols that inference made up and that have no origin of their own.
  SymbolCollector(Analysis& analysis, std::string origin_of_ours)
      : analysis_(analysis), origin_of_ours_(std::move(origin_of_ours)) {}

  // Where what is mentioned from here on stands. A symbol is described by the facts of the scope that
  // mentions it, or by those of the whole program where several do.
  void set_scope(ScopeId scope) { scope_ = scope; }

  void Mention(Dim dim);
  void Mention(Shape shape);
  void Mention(const Type& type);
  void Mention(Value value);
  void Mention(const Condition& condition);

  // The facts of all that was mentioned. Looking them up names symbols, so it comes after the last mention.
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
  std::unordered_map<Dim, size_t> places_;  // of the same, once they are many
};

}  // namespace dimwise

#endif  // DIMWISE_REPORT_TEXT_SYMBOL_FACTS_H_
