// A RuleLibrary denotes a set of rules: built-in rules, and rules that were loaded.
//
// Loading checks everything. Functions of a file are visible to files loaded later, so functions shared by
// several families are in a separate file that is loaded first. A rule is immutable. A library is built by
// one thread and then shared.
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

// An operator that is declared in parts is one rule: `code` is its shape part, if there is one, and `more`
// contains the others.
struct Rule {
  std::string set, name;
  int since = 1, until = 0;
  const Operator* declared = nullptr;  // the declaration; owned by the library
  const Operator* base = nullptr;      // its template, or null
  const File* file = nullptr;
  std::shared_ptr<const RuleCode> code;
  Part part = Part::kAll;
  std::vector<RulePart> more;

  std::string FullName() const { return set + "." + name; }
  // Returns whether element types in attributes may be ONNX's numbers.
  bool HasOnnxNumbers() const {
    return set == "onnx" || set.starts_with("ai.onnx") || set == "com.microsoft";
  }
  // Returns the value of `version` inside the rule for the version of the program (0: the newest). The result
  // is a version for which the rule is valid.
  int VersionFor(int requested) const {
    const int last = until != 0 ? until - 1 : std::numeric_limits<int>::max();
    return requested == 0 ? last : std::clamp(requested, since, last);
  }
  // Returns whether the rule, including its parts, defines this part: the shape, the element type or the
  // storage.
  bool Fills(Part what) const;
};

// Adds a part to a rule.
void JoinPart(const Rule& part, Rule* rule);

class RuleLibrary {
 public:
  // Adds the rules of a file and returns its errors. If there is an error, no rule is added.
  std::vector<Diagnostic> Load(std::string_view text, std::string_view file_name);

  const std::deque<Rule>& rules() const { return rules_; }
  const FunctionMap& functions() const { return functions_; }
  // Returns the rule with this name that is valid in the version, or null.
  const Rule* Find(std::string_view full_name, int version) const;

 private:
  // Returns the rule that a declaration extends by a part, or null. Returns an error if both define the same
  // part or have different arguments.
  Result<Rule*> RuleToJoin(const Rule& part, std::vector<Rule>& now, const Complain& complain);

  std::deque<std::unique_ptr<File>> files_;
  FunctionMap functions_;
  std::map<std::string, const Operator*, std::less<>> templates_;
  std::deque<Rule> rules_;
};

}  // namespace dimwise::rules

#endif  // DIMWISE_RULES_COMPILE_LIBRARY_H_
