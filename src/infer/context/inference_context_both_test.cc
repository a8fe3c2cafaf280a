// Tests known outputs, and queries without side effects.
#include <gtest/gtest.h>

#include "dimwise/inference_context.h"
#include "infer/context/inference_context_testing.h"

namespace dimwise {
namespace {

class BothTest : public ShapeInferenceTest {
 protected:
  Type T(std::string_view text) { return ParseType(analysis_, text).value(); }
  // Sets the first output to input 0 without its last two elements on each axis.
  static Status Cut(InferenceContext* c) {
    DIMWISE_ASSIGN_OR_RETURN(const Dim last, c->Dim(c->input(0), -1));
    DIMWISE_ASSIGN_OR_RETURN(const Dim rest, c->Subtract(last, 2));
    DIMWISE_ASSIGN_OR_RETURN(const Shape out, c->ReplaceDim(c->input(0), -1, rest));
    c->set_output(0, out);
    return {};
  }
  std::string Sizes(Shape shape) {
    std::string text;
    for (const Dim d : shape.dims()) {
      text += (text.empty() ? "" : " ") + analysis_.dims().ToString(analysis_.facts().Simplify(d));
    }
    return text;
  }
};

TEST_F(BothTest, Run_KnownOutput_DeterminesInputSizes) {
  InferenceContext c = Context({"[N, M]"});
  c.set_known_outputs(std::vector<Type>{T("f32[4, 6]")});
  ASSERT_TRUE(c.Run(Cut));
  EXPECT_EQ(Sizes(c.input(0)), "4 8");
  EXPECT_EQ(c.full_output_type(0), T("f32[4, 6]"));
  EXPECT_EQ(GuardsOf(c), (Texts{"M >= 2", "N == 4", "M == 8"}));
  EXPECT_EQ(c.guards()[1].message, "output 0 has N on axis 0, but 4 was given");
}

TEST_F(BothTest, Run_GeneratedSymbolInKnownOutput_NeedsNoGuard) {
  InferenceContext c = Context({"[N, 5]"});
  const Dim u = analysis_.dims().Fresh();
  c.set_known_outputs(
      std::vector<Type>{Type::Tensor(ElementType::kUnknown, analysis_.shapes().Make({u, Dim(3)}))});
  ASSERT_TRUE(c.Run(Cut));
  EXPECT_EQ(GuardsOf(c), Texts{});
  EXPECT_EQ(analysis_.dims().ToString(analysis_.facts().Simplify(u)), "N");
}

TEST_F(BothTest, Run_ContradictoryKnownOutput_IsError) {
  struct Row {
    const char* input;
    const char* known;
    const char* error;
  };
  const Row rows[] = {
      {"[N, 5]", "?[2, 4]", "output 0 has 3 on axis 1, but 4 was given"},
      {"[N, 5]", "?[3]", "output 0 is of rank 2, but rank 1 was given"},
      {"[N, N]", "?[4, 4]", "output 0 has N - 2 on axis 1, but 4 was given"},
      {"[N, 5]", "seq(f32[2])", "output 0 is ?[N, 3], but seq(f32[2]) was given"},
  };
  for (const Row& row : rows) {
    InferenceContext c = Context({row.input});
    c.set_known_outputs(std::vector<Type>{T(row.known)});
    EXPECT_EQ(ErrorOf(c.Run(Cut)), row.error) << row.input;
    EXPECT_EQ(analysis_.facts().constraint_count(), 0u);
  }
}

TEST_F(BothTest, Run_KnownElementTypeAndStorage_AreMerged) {
  InferenceContext c = Context({"[2]"});
  c.set_known_outputs(std::vector<Type>{T("f32[*] csr")});
  ASSERT_TRUE(c.Run([](InferenceContext* k) {
    k->set_output(0, k->input(0));
    return Status();
  }));
  EXPECT_EQ(ToString(analysis_.dims(), c.full_output_type(0)), "f32[2] csr");
  const auto dense = [](InferenceContext* k) {
    k->set_output(0, k->input(0));
    k->set_output_storage(0, Storage::Dense());
    return Status();
  };
  EXPECT_EQ(ErrorOf(c.Run(dense)), "output 0 is dense, but csr was given");
}

TEST_F(BothTest, Reset_KnownOutputs_AreCleared) {
  InferenceContext c = Context({"[N, 5]"});
  c.set_known_outputs(std::vector<Type>{T("f32[4, 4]")});
  EXPECT_FALSE(c.Run(Cut));
  const Shape input = S("[N, 5]");
  c.Reset(Node(1), std::span<const Shape>(&input, 1));
  EXPECT_FALSE(c.refines_inputs());
  EXPECT_TRUE(c.Run(Cut));
}

TEST_F(BothTest, WouldSucceed_AnyFunction_HasNoSideEffects) {
  InferenceContext c = Context({"[N]", "[4]", "[1]"});
  EXPECT_EQ(c.WouldSucceed(Cut), Truth::kMaybe);
  EXPECT_EQ(analysis_.facts().constraint_count(), 0u);
  EXPECT_EQ(c.guards().size(), 0u);
  EXPECT_TRUE(c.output(0).is_none());
  const auto cut = [&](int input) {
    return [input](InferenceContext& k) {
      k.set_output(0, k.input(input));
      return k.Subtract(k.input(input)[0], 2) ? Status() : FailWith("no");
    };
  };
  EXPECT_EQ(c.WouldSucceed(cut(1)), Truth::kYes);
  EXPECT_EQ(c.WouldSucceed(cut(2)), Truth::kNo);
  EXPECT_EQ(c.WouldSucceed([](InferenceContext* k) { return k->set_output(7, k->input(0)), Status(); }),
            Truth::kNo);
  // A query leaves nothing behind for a run.
  ASSERT_TRUE(c.Run(Cut));
  EXPECT_EQ(GuardsOf(c), Texts{"N >= 2"});
  // A query does not discard the results of a run.
  EXPECT_EQ(c.WouldSucceed(cut(2)), Truth::kNo);
  EXPECT_EQ(GuardsOf(c), Texts{"N >= 2"});
  EXPECT_EQ(c.output(0), S("[N - 2]"));
}

TEST_F(BothTest, WouldHold_SeveralRequirements_AreCombined) {
  InferenceContext c = Context({"[N, N]", "[3, 4]"});
  EXPECT_EQ(c.WouldHold([&] {
    return c.Merge(c.input(0)[0], 3) && c.Merge(c.input(0)[1], 4) ? Status() : FailWith("no");
  }),
            Truth::kNo);
  EXPECT_EQ(c.WouldHold([&] { return c.Merge(c.input(0)[0], 3) ? Status() : FailWith("no"); }),
            Truth::kMaybe);
  EXPECT_EQ(analysis_.facts().constraint_count(), 0u);
}

TEST_F(BothTest, WouldHold_AssumedFact_DoesNotDecide) {
  analysis_.facts().Assert(Clause{AtLeast(analysis_.dims(), D("N"), 1)}, FactKind::kAssumed, 0);
  InferenceContext c = Context({"[N]"});
  const auto empty = [&] { return c.Require(Equal(analysis_.dims(), D("N"), 0), "N is 0"); };
  EXPECT_EQ(c.WouldHold(empty), Truth::kMaybe);
  EXPECT_FALSE(empty());
}

TEST_F(BothTest, WouldSucceed_WrongArity_ReturnsNo) {
  const OpDef def = OpDefBuilder("t.One").Input("X: any").Output("Y: any").Build().value();
  NodeDescription node = Node(1);
  node.op = &def;
  InferenceContext c(analysis_, node, std::span<const Shape>());
  EXPECT_EQ(c.WouldSucceed([](InferenceContext*) { return Status(); }), Truth::kNo);
}

}  // namespace
}  // namespace dimwise
