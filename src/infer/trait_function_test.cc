// Definitions whose traits say their shapes.
#include <gtest/gtest.h>

#include "dimwise/builtin.h"
#include "dimwise/inference_context.h"

namespace dimwise {
namespace {

struct Row {
  const char* what;
  OpDefBuilder def;
  std::vector<const char*> operands;
  const char* result;
  AttrMap attrs = {};
};

std::string Answer(const Row& row) {
  Result<OpRegistry> registry = OpRegistryBuilder(FunctionOfTraits).Register(row.def).Build();
  if (!registry) return registry.error().message;
  const OpRegistrationData& op = *registry->List()[0];
  Analysis analysis;
  std::vector<Type> types;
  for (const char* text : row.operands) types.push_back(ParseType(analysis, text).value());
  NodeDescription node;
  node.op = &op.def;
  node.attrs = &row.attrs;
  InferenceContext context(analysis, node, types);
  if (Status status = context.Run(op.shape_fn); !status) return status.error().message;
  std::string text = ToString(analysis.dims(), context.full_output_type(0));
  for (const Check& c : context.checks()) text += " if " + ToString(analysis.dims(), c.condition);
  return text;
}

TEST(FunctionOfTraits, SaysWhatTheDeclarationImplies) {
  AttrMap to_f16;
  to_f16.Set("to", ElementType::kF16);
  const auto op = [] { return OpDefBuilder("t.Op"); };
  const Row rows[] = {
      {"elementwise", op().Input("A: any").Input("B: any").Output("C: any").Trait(Trait::kElementwise), {"f32[N, 3]", "f32[2, M]"}, ""},
      {"elementwise", op().Input("A: any").Input("B: any").Output("C: any").Trait(Trait::kElementwise), {"f32[N]", "i64[N]"}, ""},
      {"elementwise", op().Input("A: any").Input("B: any").Output("C: any").Trait(Trait::kElementwise), {"f32[2]", "f32[3]"}, ""},
      {"same shape", op().Input("A: any").Input("B: any").Output("C: bool").Trait(Trait::kSameShape), {"f32[N]", "i64[N]"}, ""},
      {"broadcast", op().Input("A: any").Input("B: any").Output("C: bool").Trait(Trait::kBroadcast), {"f32[N, 3]", "f32[2, 1, 1]"}, ""},
      {"broadcast", op().Input("A: any").Input("B: any").Output("C: any").Trait(Trait::kBroadcast | Trait::kSameElementType), {"f32[N]", "f32[M]"}, ""},
      {"broadcast", op().Input("A: any").Input("B: any").Output("C: any").Trait(Trait::kBroadcast), {"f32[2]", "f32[3]"}, ""},
      {"like first", op().Input("A: any").Input("B: any").Output("C: any").Trait(Trait::kLikeFirst | Trait::kSameElementType), {"f32[N, *]", "f32[3]"}, ""},
      {"like first", op().Attr("to: type").Input("A: any").Output("C: to").Trait(Trait::kLikeFirst), {"f32[N]"}, "", to_f16},
      {"scalar", op().Input("A: any").Output("C: i64").Trait(Trait::kScalarResults), {"f32[*]"}, ""},
      {"run time", op().Input("A: string").Output("C: any").Trait(Trait::kRuntimeResults), {"string[]"}, ""},
  };
  for (const Row& row : rows) EXPECT_EQ(Answer(row), row.result) << row.what;
}

}  // namespace
}  // namespace dimwise
