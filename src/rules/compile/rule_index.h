// A RuleIndex is a set of rule texts that are known to be valid, such as the built-in rules. It finds the
// declaration of each operator, and parses a declaration on first use.
//
// Creating an index scans only the starts of lines, so a program that uses three of five hundred operators
// parses only three. A declaration starts at the start of a line (with `op`, `shape op`, `fn`, `template`),
// preceded by its documentation. Loading a rule also loads the functions that it calls and its template. The
// checks of RuleLibrary::Load that concern a whole file are not repeated.
//
// Thread safety: created by one thread; then all methods except Add may be called by many.
#ifndef DIMWISE_RULES_COMPILE_RULE_INDEX_H_
#define DIMWISE_RULES_COMPILE_RULE_INDEX_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "rules/compile/library.h"

namespace dimwise::rules {

class RuleIndex {
 public:
  // An operator in a range of versions, from the start of its declaration.
  struct Entry {
    std::string_view set, name;
    int since = 1, until = 0;
    uint32_t declaration = 0;
  };

  RuleIndex();
  ~RuleIndex();

  // Adds a text. REQUIRES: the texts outlive the index, and RuleLibrary loads this text after the earlier
  // ones without errors. Loading a rule that does not parse terminates the program.
  void Add(std::string_view text, std::string_view file_name);

  std::span<const Entry> entries() const { return entries_; }  // in the order of the texts
  // Returns the rule of an entry; it lives as long as the index.
  const Rule& Load(const Entry& entry) const;
  // Returns the rule "set.Name" that is valid in the version, or null.
  const Rule* Find(std::string_view full_name, int version) const;

 private:
  struct Declarations;
  template <typename HeaderWords>
  void AddEntries(std::string_view set, HeaderWords* words);

  std::vector<Entry> entries_;
  std::unique_ptr<Declarations> declarations_;
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_COMPILE_RULE_INDEX_H_
