#include "ops/rule_preludes.h"

#include <algorithm>

#include "ops/builtin_rules.h"

namespace dimwise {
namespace {

bool IsPreludeFile(const RuleText& text) { return text.file.ends_with("/prelude.shape"); }

}  // namespace

void LoadPreludes(rules::RuleLibrary* library) {
  for (const RuleText& text : BuiltinRuleTexts()) {
    if (IsPreludeFile(text)) (void)library->Load(text.text, text.file);
  }
}

bool IsPrelude(std::string_view text) {
  return std::ranges::any_of(BuiltinRuleTexts(),
                             [&](const RuleText& t) { return IsPreludeFile(t) && t.text == text; });
}

}  // namespace dimwise
