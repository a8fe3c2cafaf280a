// Tests requirements, guarantees, and the transaction of a run.
#include <gtest/gtest.h>

#include "dimwise/inference_context.h"
#include "infer/context/inference_context_testing.h"

namespace dimwise {
namespace {

class InferenceContextTest : public ShapeInferenceTest {
 protected:
  DimTable& dims() { return analysis_.dims(); }
  Facts& facts() { return analysis_.facts(); }
  Clause C(std::string_view text) { return ParseCondition(dims(), text).value().clauses.at(0); }
};

TEST_F(InferenceContextTest, Require_TrueFalseOrOpen_IsNothingErrorOrGuard) {
  InferenceContext c = Context({"[N]"});
  EXPECT_TRUE(c.Require(C("N >= 0"), "never"));
  EXPECT_TRUE(c.Require(AtLeast(dims(), D("N + 1"), 1), "never"));
  EXPECT_TRUE(c.guards().empty());

  const Status wrong = c.Require(C("N <= -1"), "N is negative");
  EXPECT_EQ(ErrorOf(wrong), "N is negative");
  EXPECT_EQ(wrong.error().code, Code::kRequirement);
  EXPECT_EQ(c.Require(AtLeast(dims(), 1, 2), "two", Code::kBroadcast).error().code, Code::kBroadcast);
  EXPECT_TRUE(c.guards().empty());

  EXPECT_TRUE(c.Require(C("N == M or N == 1"), [] { return std::string("N goes with M"); }));
  ASSERT_EQ(c.guards().size(), 1u);
  EXPECT_EQ(GuardsOf(c), Texts{"N == M or N == 1"});
  EXPECT_EQ(c.guards()[0].message, "N goes with M");
  EXPECT_TRUE(c.Require(C("N == M or N == 1"), "again"));  // it holds by the guard
  EXPECT_EQ(c.guards().size(), 1u);
}

TEST_F(InferenceContextTest, Require_MessageFunction_RunsOnlyOnDemand) {
  InferenceContext c = Context({"[N]"});
  int made = 0;
  const auto message = [&] {
    ++made;
    return std::string("message");
  };
  EXPECT_TRUE(c.Require(C("N >= 0"), message));
  EXPECT_EQ(made, 0);
  EXPECT_TRUE(c.Require(C("N >= 3"), message));
  EXPECT_EQ(made, 1);
}

TEST_F(InferenceContextTest, Require_ConjunctionWithFalsePart_AddsNothing) {
  InferenceContext c = Context({"[N]"});
  EXPECT_TRUE(c.Require(ParseCondition(dims(), "N >= 2, N % 4 == 0").value(), "sizes"));
  EXPECT_EQ(c.guards().size(), 2u);
  EXPECT_FALSE(c.Require(ParseCondition(dims(), "M >= 2, N <= 1").value(), "sizes"));
  EXPECT_EQ(c.guards().size(), 2u);
  EXPECT_EQ(c.AtLeast(D("M"), 2), Truth::kMaybe);
}

TEST_F(InferenceContextTest, Ensure_Condition_AddsFactWithoutGuard) {
  InferenceContext c = Context({"[N]"});
  const auto function = [&](InferenceContext* context) -> Status {
    context->Ensure(C("u <= N"));
    context->Ensure(AtLeast(dims(), D("u"), 2));
    context->set_output(0, context->Vector(D("u")).value());
    return {};
  };
  ASSERT_TRUE(c.Run(function));
  EXPECT_TRUE(c.guards().empty());
  EXPECT_EQ(facts().AtLeast(D("N"), 2), Truth::kYes);
  EXPECT_EQ(facts().constraint_count(), 2u);
}

TEST_F(InferenceContextTest, Ensure_WithOpenGuard_IsPending) {
  InferenceContext c = Context({"[N]"});
  ASSERT_TRUE(c.Run([&](InferenceContext* context) -> Status {
    DIMWISE_RETURN_IF_ERROR(context->Require(C("N >= 2"), "N is small"));
    context->Ensure(AtLeast(dims(), D("N"), 3));
    context->set_output(0, context->input(0));
    return {};
  }));
  EXPECT_EQ(facts().AtLeast(D("N"), 3), Truth::kYes);
  EXPECT_EQ(facts().AtLeast(D("N"), 2, ScopeId::kRoot, FactFilter::kWithoutChecked), Truth::kMaybe);
}

TEST_F(InferenceContextTest, Run_Success_PublishesFactsAndGuards) {
  InferenceContext c = Context({"[N, K]", "[M, 3]"});
  ASSERT_TRUE(c.Run([](InferenceContext* context) -> Status {
    DIMWISE_ASSIGN_OR_RETURN(const Shape merged, context->Merge(context->input(0), context->input(1)));
    context->set_output(0, merged);
    return {};
  }));
  EXPECT_EQ(c.output(0), c.input(1));  // it contains all information
  EXPECT_EQ(GuardsOf(c), (Texts{"N == M", "K == 3"}));
  EXPECT_EQ(facts().Equal(D("N"), D("M")), Truth::kYes);
  EXPECT_EQ(facts().Equal(D("K"), 3), Truth::kYes);
}

TEST_F(InferenceContextTest, Run_Failure_DiscardsFacts) {
  InferenceContext c = Context({"[N]", "[M]"});
  const Status status = c.Run([](InferenceContext* context) -> Status {
    DIMWISE_RETURN_IF_ERROR(context->Merge(context->input(0), context->input(1)));
    DIMWISE_RETURN_IF_ERROR(context->WithValue(context->input(0)[0], 3));
    DIMWISE_RETURN_IF_ERROR(context->WithValue(context->input(1)[0], 4));
    return {};
  });
  EXPECT_EQ(ErrorOf(status), "sizes M (3 .. 3) and 4 must be equal");
  EXPECT_TRUE(c.guards().empty());
  EXPECT_EQ(facts().constraint_count(), 0u);
  EXPECT_EQ(facts().Equal(D("N"), D("M")), Truth::kMaybe);
}

TEST_F(InferenceContextTest, Merge_Failure_DiscardsFacts) {
  InferenceContext c = Context({"[N, N, K]", "[3, 4, 5]"});
  ASSERT_TRUE(c.Run([&](InferenceContext* context) -> Status {
    DIMWISE_RETURN_IF_ERROR(context->Merge(D("K"), D("L")));
    EXPECT_FALSE(context->Merge(context->input(0), context->input(1)));  // then tries another way
    EXPECT_EQ(context->Equal(D("N"), 3), Truth::kMaybe);
    context->set_output(0, context->input(0));
    return {};
  }));
  EXPECT_EQ(GuardsOf(c), Texts{"K == L"});
  EXPECT_EQ(facts().constraint_count(), 1u);
}

TEST_F(InferenceContextTest, PendingFacts_DuringRun_AreInvisibleOutside) {
  InferenceContext c = Context({"[N]"});
  ASSERT_TRUE(c.Merge(D("N"), 3));
  EXPECT_EQ(c.Equal(D("N"), 3), Truth::kYes);
  EXPECT_EQ(facts().Equal(D("N"), 3), Truth::kMaybe);
  {
    InferenceContext other = Context({"[N]"});
    ASSERT_TRUE(other.Merge(D("N"), 4));
  }
  EXPECT_EQ(c.Equal(D("N"), 3), Truth::kYes);
}

TEST_F(InferenceContextTest, Run_Repeated_GivesSameResult) {
  InferenceContext c = Context({"[N]", "[M]"});
  const auto function = [](InferenceContext* context) -> Status {
    DIMWISE_ASSIGN_OR_RETURN(const Shape merged, context->Merge(context->input(0), context->input(1)));
    context->set_output(0, merged);
    return {};
  };
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(c.Run(function));
    EXPECT_EQ(GuardsOf(c), Texts{"N == M"});
    EXPECT_EQ(facts().constraint_count(), 1u);
  }
  // Then run a function that fails.
  EXPECT_FALSE(c.Run([](InferenceContext*) -> Status { return FailWith("no"); }));
  EXPECT_EQ(facts().constraint_count(), 0u);
}

TEST_F(InferenceContextTest, Run_NodeInScope_PublishesFactsThere) {
  const ScopeId branch = facts().NewScope(ScopeId::kRoot);
  NodeDescription node = Node(1);
  node.scope = branch;
  node.owner = 5;
  const std::vector<Shape> inputs = {S("[N]"), S("[M]")};
  InferenceContext c(analysis_, node, inputs);
  ASSERT_TRUE(c.Run([](InferenceContext* context) -> Status {
    DIMWISE_ASSIGN_OR_RETURN(const Shape merged, context->Merge(context->input(0), context->input(1)));
    context->set_output(0, merged);
    return {};
  }));
  EXPECT_EQ(facts().Equal(D("N"), D("M"), branch), Truth::kYes);
  EXPECT_EQ(facts().Equal(D("N"), D("M")), Truth::kMaybe);
  facts().RetractAll(5);
  EXPECT_EQ(facts().Equal(D("N"), D("M"), branch), Truth::kMaybe);
}

TEST_F(InferenceContextTest, Merge_ErrorByAssumption_NamesAssumption) {
  facts().Assert(C("N >= 1"), FactKind::kAssumed, 0);
  InferenceContext c = Context({"[N]"});
  const Result<Dim> merged = c.Merge(D("N"), 0);
  EXPECT_EQ(ErrorOf(merged), "sizes N (at least 1) and 0 must be equal");
  ASSERT_EQ(merged.error().notes.size(), 1u);
  EXPECT_EQ(merged.error().notes[0],
            "this follows from the assumption that sizes of the model's inputs are at least 1");
  facts().Assert(C("N >= 1"), FactKind::kGiven, 0);
  EXPECT_TRUE(c.Merge(D("N"), 0).error().notes.empty());
}

TEST_F(InferenceContextTest, Run_NegativeResultSize_IsErrorOrGuard) {
  InferenceContext c = Context({"[N]"});
  const auto gives = [&](std::string_view size) {
    const Status status = c.Run([&](InferenceContext* context) -> Status {
      context->set_output(0, analysis_.shapes().Make({Dim(2), D(size)}));
      return {};
    });
    if (!status) return status.error().message;
    return c.guards().empty() ? std::string() : GuardsOf(c)[0];
  };
  EXPECT_EQ(gives("N"), "");
  EXPECT_EQ(gives("2*N + 1"), "");
  EXPECT_EQ(gives("(N + 1)//2"), "");
  EXPECT_EQ(gives("N - 3"), "N >= 3");
  EXPECT_EQ(gives("-N - 1"), "axis 1 of the result would have the negative size -N - 1");
  EXPECT_EQ(gives("0 - 4"), "axis 1 of the result would have the negative size -4");
}

}  // namespace
}  // namespace dimwise
