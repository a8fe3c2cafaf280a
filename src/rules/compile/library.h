// A RuleLibrary denotes the rules that are known: those that ship with Dimwise, and those that were loaded.
//
// Loading checks everything. A file's functions are visible to the files loaded after it, so what several
// families share stands in a file of its own that comes first. A rule is immutable; a library is built by one
// thread and then shared.
#ifndef DIMWISE_RULES_COMPILE_LIBRARY_H_
#define DIMWISE_RULES_COMPILE_LIBRARY_H_

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/result.h"
#include "rules/compile/code.h"
#include "rules/compile/compiler.h"
#include "rules/language/ast.h"

namespace dimwise::rules {

// Another part of an operator that is declared in parts.
struct RulePart {
  Part part = Part::kAll;
  const Operator* declared = nullptr;
  const Operator* base = nullptr;
  std::shared_ptr<const RuleCode> code;
};

// An operator that is declared in parts is one rule: `code` is that of its shape, if there is one, and `more`
// has the others.
struct Rule {
  std::string set, name;
  int since = 1, until = 0;
  const Operator* declared = nullptr;  // as written, owned by the library
  const Operator* base = nullptr;      // its template, or null
  const File* file = nullptr;
  std::shared_ptr<const RuleCode> code;
  Part part = Part::kAll;
  std::vector<RulePart> more;

  std::string FullName() const { return set + "." + name; }
  // Whether element types in attributes may be the numbers that ONNX has for them.
  bool HasOnnxNumbers() const {
    return set == "onnx" || set.starts_with("ai.onnx") || set == "com.microsoft";
  }
  // What `version` is inside the rule where the program says `asked` (0: the newest): a version that it
  // serves.
  int VersionFor(int asked) const {
    const int last = until != 0 ? until - 1 : std::numeric_limits<int>::max();
    return asked == 0 ? last : std::clamp(asked, since, last);
  }
  // Whether it, with its parts, says what it knows of shapes, or element types, or storage.
  bool Fills(Part what) const;
};

// Makes a further part one with its rule.
void JoinPart(const Rule& part, Rule* rule);

class RuleLibrary {
 public:
  // Adds the rules of a file; all its mistakes, and none of its rules where there is one.
  std::vector<Diagnostic> Load(std::string_view text, std::string_view file_name);

  const std::deque<Rule>& rules() const { return rules_; }
  const FunctionMap& functions() const { return functions_; }
  // The rule of that name that serves the version, or null.
  const Rule* Find(std::string_view full_name, int version) const;

 private:
  // The rule that a declaration is a further part of, or null; a mistake where both fill the same part, or do
  // not speak of the same arguments.
  Result<Rule*> RuleToJoin(const Rule& part, std::vector<Rule>& now, const Complain& complain);

  std::deque<std::unique_ptr<File>> files_;
  FunctionMap functions_;
  std::map<std::string, const Operator*, std::less<>> templates_;
  std::deque<Rule> rules_;
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_COMPILE_LIBRARY_H_
