// A RuleIndex denotes rule texts of which it is known that they load, such as those that ship: it knows which
// operator is declared where, and reads a declaration when it is first asked for.
//
// Making one looks at the beginnings of lines only, so a program that needs three operators of five hundred
// pays for three. A declaration begins at the start of a line (with `op`, `shape op`, `fn`, `template`), its
// documentation before it. Loading a rule loads the functions that it calls and the template that it is like.
// What RuleLibrary::Load checks of a file as a whole is not checked here.
//
// Thread safety: made by one thread; then all methods but Add may be called by many.
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
  // An operator of some versions, as its declaration begins.
  struct Entry {
    std::string_view set, name;
    int since = 1, until = 0;
    uint32_t declaration = 0;
  };

  RuleIndex();
  ~RuleIndex();

  // REQUIRES: the texts live as long as the index; with those added before, RuleLibrary loads this one
  // without a mistake. Asking for a rule that cannot be read ends the program.
  void Add(std::string_view text, std::string_view file_name);

  std::span<const Entry> entries() const { return entries_; }  // in the order of the texts
  // The rule of an entry; it lives as long as the index.
  const Rule& Load(const Entry& entry) const;
  // The rule "set.Name" that serves the version, or null.
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
