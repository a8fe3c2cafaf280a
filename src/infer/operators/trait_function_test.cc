// Tests definitions whose traits imply shapes.
#include <gtest/gtest.h>

#include "dimwise/inference_context.h"
#include "dimwise/shape_functions.h"

namespace dimwise {
namespace {

struct Declaration {
  OpDefBuilder def;
  std::vector<const char*> operands;
  const char* result;
  AttrMap attrs = {};
};

std::string Answer(const Declaration& row) {
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
  for (const Guard& c : context.guards()) text += " if " + ToString(analysis.dims(), c.condition);
  return text;
}

TEST(FunctionOfTraits, FunctionOfTraits_EachTrait_GivesImpliedShapes) {
  AttrMap to_f16;
  to_f16.Set("to", ElementType::kF16);
  const auto two = [](std::string_view result, Traits traits) {
    return OpDefBuilder("t.Op").Input("A: any").Input("B: any").Output(result).Trait(traits);
  };
  const auto one = [](std::string_view result, Traits traits) {
    return OpDefBuilder("t.Op").Attr("to: type").Input("A: any").Output(result).Trait(traits);
  };
  const Declaration rows[] = {
      {two("C: any", Trait::kElementwise), {"f32[N, 3]", "f32[2, M]"}, "f32[2, 3] if N == 2 if M == 3"},
      {two("C: any", Trait::kElementwise),
       {"f32[N]", "i64[N]"},
       "B of Op is i64; it must be f32, like the other operands of type T"},
      {two("C: any", Trait::kElementwise),
       {"f32[2]", "f32[3]"},
       "B of Op has 3 on axis 0, where the other operands have 2"},
      {two("C: bool", Trait::kSameShape), {"f32[N]", "i64[N]"}, "bool[N]"},
      {two("C: bool", Trait::kBroadcast), {"f32[N, 3]", "f32[2, 1, 1]"}, "bool[2, N, 3]"},
      {two("C: any", Trait::kBroadcast | Trait::kSameElementType),
       {"f32[N]", "f32[M]"},
       "f32[broadcast(N, M)] if N == M or N == 1 or M == 1"},
      {two("C: any", Trait::kBroadcast),
       {"f32[2]", "f32[3]"},
       "Op cannot broadcast 2 with 3 at axis -1: they must be equal, or one of them 1"},
      {two("C: any", Trait::kLikeFirst | Trait::kSameElementType), {"f32[N, M]", "f32[3]"}, "f32[N, M]"},
      {one("C: to", Trait::kLikeFirst), {"f32[N]"}, "f16[N]", to_f16},
      {one("C: i64", Trait::kScalarResults), {"f32[*]"}, "i64[]", to_f16},
      {one("C: any", Trait::kRuntimeResults), {"string[]"}, "?[*]", to_f16},
  };
  for (const Declaration& row : rows) EXPECT_EQ(Answer(row), row.result) << row.operands[0];
}

}  // namespace
}  // namespace dimwise
