// The rules that ship: all load, all their examples hold, and every operator has one.
#include <gtest/gtest.h>

#include <chrono>

#include "dimwise/builtin.h"
#include "infer/builtin_rules_library.h"
#include "infer/rule_examples.h"
#include "ops/builtin_rules.h"
#include "rules/library.h"

namespace dimwise {
namespace {

TEST(BuiltinRulesTest, AllLoad) {
  rules::RuleLibrary library;
  for (const RuleText& text : BuiltinRuleTexts()) {
    for (const Diagnostic& mistake : library.Load(text.text, text.file)) ADD_FAILURE() << ToString(mistake);
  }
  EXPECT_GT(library.rules().size(), 200u);
}

TEST(BuiltinRulesTest, EveryExampleHolds) {
  int examples = 0;
  for (const rules::Rule& rule : BuiltinRules().rules()) {
    for (const ExampleOutcome& o : RunExamples(rule)) {
      ++examples;
      EXPECT_EQ(o.found, o.expected) << rule.FullName() << ": " << o.example;
    }
  }
  EXPECT_GT(examples, 800);
}

TEST(BuiltinRulesTest, TheRegistryHasThem) {
  for (const char* name : {"onnx.LSTM", "onnx.Conv", "ai.onnx.ml.Scaler", "com.microsoft.FastGelu"}) {
    EXPECT_NE(BuiltinRegistry().Find(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace dimwise
