#include "infer/operators/builtin_rules_library.h"

#include "ops/builtin_rules.h"

namespace dimwise {

const rules::RuleIndex& BuiltinRules() {
  static const rules::RuleIndex* const index = [] {
    auto* made = new rules::RuleIndex();
    for (const RuleText& rule : BuiltinRuleTexts()) made->Add(rule.text, rule.file);
    return made;
  }();
  return *index;
}

}  // namespace dimwise
