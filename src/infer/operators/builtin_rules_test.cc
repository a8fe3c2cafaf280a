// Tests that all built-in rules load, that their examples hold, and that every operator has an example.
#include <gtest/gtest.h>

#include "infer/operators/builtin_rules_library.h"
#include "infer/operators/rule_examples.h"
#include "infer/operators/rule_function.h"
#include "ops/builtin_rules.h"
#include "rules/compile/library.h"
#include "rules/language/print.h"

namespace dimwise {
namespace {

TEST(BuiltinRulesTest, BuiltinRules_AllTexts_Load) {
  rules::RuleLibrary library;
  for (const RuleText& text : BuiltinRuleTexts()) {
    for (const Diagnostic& mistake : library.Load(text.text, text.file)) ADD_FAILURE() << ToString(mistake);
  }
  ASSERT_GT(library.rules().size(), 200u);

  // The index, which scans only line starts, has the same rules.
  ASSERT_EQ(BuiltinRules().entries().size(), library.rules().size());
  for (size_t i = 0; i < library.rules().size(); ++i) {
    const rules::Rule& whole = library.rules()[i];
    const rules::RuleIndex::Entry& entry = BuiltinRules().entries()[i];
    ASSERT_EQ(std::string(entry.set) + "." + std::string(entry.name), whole.FullName());
    EXPECT_EQ(entry.since, whole.since) << whole.FullName();
    EXPECT_EQ(entry.until, whole.until) << whole.FullName();
    const rules::Rule& one = BuiltinRules().Load(entry);
    EXPECT_EQ(rules::Print(*one.declared), rules::Print(*whole.declared));
    EXPECT_EQ(one.declared->doc, whole.declared->doc);
    EXPECT_EQ(one.base == nullptr, whole.base == nullptr) << whole.FullName();
    EXPECT_EQ(one.code->nodes.size(), whole.code->nodes.size()) << whole.FullName();
    EXPECT_EQ(one.file->name, whole.file->name);
  }
}

// Definitions created from rules must satisfy the same checks as those from a builder.
TEST(BuiltinRulesTest, BuiltinRules_Definitions_AreValid) {
  for (const rules::RuleIndex::Entry& entry : BuiltinRules().entries()) {
    for (const Diagnostic& d : LintOpDef(DefinitionOf(BuiltinRules().Load(entry))))
      ADD_FAILURE() << ToString(d);
  }
}

TEST(BuiltinRulesTest, BuiltinRules_AllExamples_Hold) {
  int examples = 0;
  for (const rules::RuleIndex::Entry& entry : BuiltinRules().entries()) {
    const rules::Rule& rule = BuiltinRules().Load(entry);
    for (const ExampleOutcome& o : RunExamples(rule)) {
      ++examples;
      EXPECT_EQ(o.found, o.expected) << rule.FullName() << ": " << o.example;
    }
  }
  EXPECT_GT(examples, 800);
}

}  // namespace
}  // namespace dimwise
