#include "infer/builtin_rules_library.h"

#include <cstdio>
#include <cstdlib>

#include "ops/builtin_rules.h"

namespace dimwise {

const rules::RuleLibrary& BuiltinRules() {
  static const rules::RuleLibrary* const library = [] {
    auto* loaded = new rules::RuleLibrary();
    for (const RuleText& rule : BuiltinRuleTexts()) {
      for (const Diagnostic& mistake : loaded->Load(rule.text, rule.file)) {
        // A build whose own rules do not load is broken: say so rather than go on with less.
        std::fprintf(stderr, "%s\n", ToString(mistake).c_str());
        std::abort();
      }
    }
    return loaded;
  }();
  return *library;
}

}  // namespace dimwise
