#include "infer/operators/registry_with_rules.h"

#include <gtest/gtest.h>

#include "dimwise/inference_context.h"
#include "dimwise/op_def.h"

namespace dimwise {
namespace {

// Returns a registry of operators whose result is [the version since which they are valid].
OpRegistry Base() {
  OpRegistryBuilder ops;
  for (const int since : {1, 11, 13}) {
    ops.Register(OpDefBuilder("t.Old").Since(since).Input("X: any").Output("Y: any"),
                 [since](InferenceContext* c) {
                   c->set_output(0, c->Vector(since).value());
                   return Status();
                 });
  }
  return ops.Build().value();
}

std::string ResultTypeOf(const OpRegistry& registry, std::string_view op, int version) {
  const OpRegistrationData* found = registry.Find(op, version);
  if (found == nullptr) return "none";
  Analysis analysis;
  const std::vector<Type> inputs = {ParseType(analysis, "f32[N]").value()};
  NodeDescription node;
  node.op = &found->def;
  InferenceContext context(analysis, node, inputs);
  if (Status status = context.Run(found->shape_fn); !status) return status.error().message;
  return ToString(analysis.dims(), context.full_output_type(0));
}

RegistryWithRules Load(std::string text) {
  const RuleSource source{"my.shape", std::move(text)};
  return LoadRules(Base(), std::span(&source, 1));
}

TEST(RegistryWithRules, LoadRules_SinceAndUntil_SelectVersions) {
  struct Row {
    const char* rule;
    const char* versions[5];  // at 1, 10, 11, 12, 13
  };
  const Row rows[] = {
      {"op New(X: T[n]) -> (Y: T[2*n])", {"?[1]", "?[1]", "?[11]", "?[11]", "?[13]"}},
      {"op Old(X: T[n]) -> (Y: T[2*n])", {"f32[2*N]", "f32[2*N]", "f32[2*N]", "f32[2*N]", "f32[2*N]"}},
      {"op Old since 11 (X: T[n]) -> (Y: T[2*n])", {"?[1]", "?[1]", "f32[2*N]", "f32[2*N]", "f32[2*N]"}},
      {"op Old since 12 (X: T[n]) -> (Y: T[2*n])", {"?[1]", "?[1]", "?[11]", "f32[2*N]", "f32[2*N]"}},
      {"op Old until 12 (X: T[n]) -> (Y: T[2*n])", {"f32[2*N]", "f32[2*N]", "f32[2*N]", "?[11]", "?[13]"}},
      {"op Old since 10 until 13 (X: T[n]) -> (Y: T[2*n])",
       {"?[1]", "f32[2*N]", "f32[2*N]", "f32[2*N]", "?[13]"}},
  };
  constexpr int kVersions[] = {1, 10, 11, 12, 13};
  for (const Row& row : rows) {
    const RegistryWithRules loaded = Load(std::string("set t\n") + row.rule);
    ASSERT_TRUE(loaded.mistakes.empty()) << ToString(loaded.mistakes[0]);
    for (size_t i = 0; i < std::size(kVersions); ++i) {
      EXPECT_EQ(ResultTypeOf(loaded.registry, "t.Old", kVersions[i]), row.versions[i])
          << row.rule << " at " << kVersions[i];
    }
  }
}

TEST(RegistryWithRules, LoadRules_ExistingOperator_IsReportedAsReplaced) {
  const RegistryWithRules loaded = Load("set t\nop Old(X: T[n]) -> (Y: T[n])\nop New(X: T[n]) -> (Y: T[n])");
  ASSERT_EQ(loaded.replaced.size(), 1u);
  EXPECT_EQ(loaded.replaced[0].file, "my.shape");
  EXPECT_EQ(loaded.replaced[0].op, "t.Old");
  EXPECT_EQ(ResultTypeOf(loaded.registry, "t.New", 1), "f32[N]");
}

TEST(RegistryWithRules, LoadRules_FunctionsOfEarlierFiles_CanBeCalled) {
  const RuleSource sources[] = {
      {"a.shape", "set t\nfn last(s: ints) -> int = s[normalize_axis(-1, rank(s))]"},
      {"b.shape", "set t\nop Last(X: T[...s]) -> (Y: T[last(s)])"},
  };
  const RegistryWithRules loaded = LoadRules(Base(), sources);
  ASSERT_TRUE(loaded.mistakes.empty()) << ToString(loaded.mistakes[0]);
  EXPECT_EQ(ResultTypeOf(loaded.registry, "t.Last", 1), "f32[N]");
}

TEST(RegistryWithRules, LoadRules_Errors_GiveEmptyRegistry) {
  const RegistryWithRules loaded = Load("set t\nop A(X: T[n]) -> (Y: T[m])\n\nop B(X T[n]) -> (Y: T[n])\n");
  ASSERT_EQ(loaded.mistakes.size(), 2u);
  EXPECT_EQ(loaded.registry.size(), 0u);
}

}  // namespace
}  // namespace dimwise
