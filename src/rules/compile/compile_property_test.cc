#include <gtest/gtest.h>

#include <string>

#include "rules/compile/library.h"

namespace dimwise::rules {
namespace {

// Compiles `op A(X: T[n, m], I: i64[k], B?: T[...b]; axis: int = 0, to?: ints, body?: any) -> (Y: T[n], Z?:
// i64[k])` with a property.
std::string TextWith(std::string_view property) {
  return "set my\nop A(X: T[n, m], I: i64[k], B?: T[...b]; axis: int = 0, to?: ints, body?: any)"
         " -> (Y: T[n], Z?: i64[k])\n  property " +
         std::string(property);
}

OpProperties PropertiesOf(std::string_view property) {
  RuleLibrary library;
  const std::vector<Diagnostic> mistakes = library.Load(TextWith(property), "t.shape");
  for (const Diagnostic& d : mistakes) ADD_FAILURE() << ToString(d);
  return mistakes.empty() ? library.rules()[0].code->properties : OpProperties();
}

TEST(CompilePropertyTest, Flags_AreSet) {
  EXPECT_TRUE(PropertiesOf("random").random);
  EXPECT_TRUE(PropertiesOf("commutative").commutative);
  EXPECT_EQ(PropertiesOf("mirrored Other").mirrored, "Other");
  EXPECT_EQ(PropertiesOf("repeats X, B").repeats, (std::vector<ArgIndex>{0, 2}));
}

TEST(CompilePropertyTest, Unknown_HasTextWithNode) {
  EXPECT_EQ(PropertiesOf("unknown \"the rows that \" \"{node} reads\"").unknown,
            "the rows that {node} reads");
  for (const std::string_view wrong :
       {"unknown \"the rows\"", "unknown n", "unknown \"{node}\"\n  property unknown \"{node}\""}) {
    RuleLibrary library;
    EXPECT_EQ(library.Load(TextWith(wrong), "t.shape").size(), 1u) << wrong;
  }
}

TEST(CompilePropertyTest, Computes_HasComputationAndAxis) {
  EXPECT_EQ(PropertiesOf("computes add").computes, Computation::kAdd);
  const OpProperties p = PropertiesOf("computes concat axis axis + 1");
  EXPECT_EQ(p.computes, Computation::kConcat);
  EXPECT_EQ(p.concat_axis, 0);
}

TEST(CompilePropertyTest, Elements_HaveSourcesBoundsAndIndices) {
  const OpProperties some = PropertiesOf("elements Y some_of X, B");
  EXPECT_EQ(some.element_sources,
            (std::vector<ElementSource>{{ElementSource::Kind::kSome, 0, {0, 2}, kNoExpr}}));
  EXPECT_EQ(some.SourceOf(1), nullptr);
  const OpProperties sums = PropertiesOf("elements Y sums_of X count m");
  EXPECT_EQ(sums.element_sources, (std::vector<ElementSource>{{ElementSource::Kind::kSums, 0, {0}, 0}}));
  const OpProperties bounds = PropertiesOf("elements Z from 0 to n - 1 exact");
  EXPECT_EQ(bounds.element_bounds, (std::vector<ElementBounds>{{1, 0, 1, true}}));
  const OpProperties low = PropertiesOf("elements Z from 0");
  EXPECT_EQ(low.element_bounds, (std::vector<ElementBounds>{{1, 0, kNoExpr, false}}));
  const OpProperties indices = PropertiesOf("elements Z nonzero_indices_of X");
  EXPECT_EQ(indices.element_indices, (std::vector<ElementIndices>{{1, 0}}));
}

TEST(CompilePropertyTest, Indices_NameDataAndAxis) {
  EXPECT_EQ(PropertiesOf("indices I into X axis axis negative").indexes,
            (std::vector<IndexUse>{{0, 1, 0, false, true, false}}));
  EXPECT_EQ(PropertiesOf("indices I into X axis 0 tuples").indexes,
            (std::vector<IndexUse>{{0, 1, 0, true, false, false}}));
}

TEST(CompilePropertyTest, SizeFrom_ListsSourcesInOrder) {
  using Part = SizeSource::Part;
  EXPECT_EQ(PropertiesOf("size_from shape X elements I, B number n*m count I").size_sources,
            (std::vector<SizeSource>{{Part::kShape, 0, kNoExpr},
                                     {Part::kElements, 1, kNoExpr},
                                     {Part::kElements, 2, kNoExpr},
                                     {Part::kExpression, kNoArg, 0},
                                     {Part::kTrueCount, 1, kNoExpr}}));
}

TEST(CompilePropertyTest, Sizes_NameOperandOrAttribute) {
  EXPECT_EQ(PropertiesOf("sizes I").sizes,
            (std::vector<SizesUse>{{SizesUse::Kind::kDecides, {1, ""}, kNoArg, {}, {}, kNoExpr}}));
  EXPECT_EQ(PropertiesOf("sizes I slices X starts to axes axis").sizes,
            (std::vector<SizesUse>{
                {SizesUse::Kind::kSlice, {1, ""}, 0, {kNoArg, "to"}, {kNoArg, "axis"}, kNoExpr}}));
  EXPECT_EQ(PropertiesOf("sizes to reshapes X").sizes,
            (std::vector<SizesUse>{{SizesUse::Kind::kReshape, {kNoArg, "to"}, 0, {}, {}, kNoExpr}}));
}

TEST(CompilePropertyTest, ControlFlow_HasRolesAndRegions) {
  const ControlFlow loop = PropertiesOf(
                               "loop limit I condition B state X most_trips axis pads_to_limit "
                               "body body (trip, state) -> (condition, state, stacked) "
                               "results (state, stacked)")
                               .control_flow;
  EXPECT_EQ(loop.kind, ControlFlow::Kind::kLoop);
  EXPECT_EQ(loop.limit, 1);
  EXPECT_EQ(loop.condition, 2);
  EXPECT_EQ(loop.state, 0);
  EXPECT_EQ(loop.first, kNoArg);
  EXPECT_EQ(loop.most_trips, 0);
  EXPECT_TRUE(loop.pads_to_limit);
  using enum RegionItem;
  EXPECT_EQ(
      loop.body,
      (RegionLayout{.region = "body", .takes = {kTrip, kState}, .gives = {kCondition, kState, kStacked}}));
  EXPECT_EQ(loop.results, (std::vector<RegionItem>{kState, kStacked}));
  const ControlFlow branch = PropertiesOf("branch condition I then body else body").control_flow;
  EXPECT_EQ(branch.kind, ControlFlow::Kind::kBranch);
  EXPECT_EQ(branch.if_false.region, "body");
  const ControlFlow scan =
      PropertiesOf("scan state X scanned X scanned_count axis axes to batched body body").control_flow;
  EXPECT_EQ(scan.kind, ControlFlow::Kind::kScan);
  EXPECT_EQ(scan.axes, "to");
  EXPECT_TRUE(scan.batched);
  EXPECT_EQ(PropertiesOf("map scanned X body body").control_flow.kind, ControlFlow::Kind::kMap);
}

TEST(CompilePropertyTest, ResultSizes_AreReadInPropertiesOnly) {
  EXPECT_EQ(PropertiesOf("multiply_adds product(shape(Y))*rank(Y)*m").multiply_adds, 0);
  RuleLibrary library;
  EXPECT_FALSE(library.Load("set my\nop A(X: T[n]) -> (Y: T[n])\n  require rank(Y) == 1", "t.shape").empty());
}

TEST(CompilePropertyTest, Template_PassesPropertiesOn) {
  RuleLibrary library;
  ASSERT_TRUE(library
                  .Load("set my\ntemplate t(X: T[n]) -> (Y: T[n])\n  property elements Y same_as X\n"
                        "op A like t\n  property random",
                        "t.shape")
                  .empty());
  EXPECT_TRUE(library.rules()[0].code->properties.random);
  EXPECT_NE(library.rules()[0].code->properties.SourceOf(0), nullptr);
}

// The contents of X are read only by a property, so results do not depend on them.
TEST(CompilePropertyTest, ContentsInProperty_DoNotCount) {
  RuleLibrary library;
  ASSERT_TRUE(
      library.Load("set my\nop A(X: i64[]) -> (Y: i64[])\n  property elements Y from X", "t.shape").empty());
  EXPECT_FALSE(library.rules()[0].code->ReadsContents(0));
}

TEST(CompilePropertyTest, Mistake_HasMessageAndPosition) {
  const struct {
    std::string_view property, message;
  } cases[] = {
      {"comutative", "3:12 there is no property `comutative` (did you mean `commutative`?)"},
      {"[1]", "3:12 expected the name of a property, found `[` (for example: property commutative)"},
      {"computes addd", "3:21 there is no computation 'addd' here (did you mean 'add'?)"},
      {"computes concat", "3:12 the property `computes` needs `axis`"},
      {"computes add axis 1", "3:25 `add` has no axis"},
      {"elements X from 0", "3:21 there is no result 'X' here (did you mean 'Y'?)"},
      {"elements Y",
       "3:12 the property `elements` does not state what the elements are"
       " (for example: property elements Y some_of X)"},
      {"elements Y some_of Y", "3:31 there is no operand 'Y' here (did you mean 'B'?)"},
      {"elements Y some_of X some_of I", "3:33 `some_of` is given twice"},
      {"elements Y sums_of X", "3:12 the property `elements` needs `count`"},
      {"elements Z from 0 exact", "3:12 the property `elements` needs `to`"},
      {"indices I into X", "3:12 the property `indices` needs `axis`"},
      {"indices I axis 0", "3:12 the property `indices` needs `into`"},
      {"multiply_adds X", "3:26 this is tensor, but int is required"},
      {"multiply_adds rank(b)",
       "3:31 'b' has no value where the operand B is absent (test it first: if given(B) then ... else ...)"},
      {"size_from", "3:12 the property `size_from` needs `elements`"},
      {"loop body axes", "3:22 there is no attribute 'axes' here (did you mean 'axis'?)"},
      {"loop body body (tripp) -> ()",
       "3:28 there is no kind of a value of a region 'tripp' here (did you mean 'trip'?)"},
      {"loop body body (state, state) -> ()",
       "3:35 `state` is given twice (all values of one kind are adjacent)"},
      {"loop body body (state)", "3:34 expected `->` and the outputs of the region, found the end"},
      {"branch condition I then body", "3:12 the property `branch` needs `else`"},
      {"sizes I reshapes X resizes X", "3:12 the property `sizes` is declared twice"},
      {"sizes I slices X", "3:12 the property `sizes` needs `starts`"},
      {"mirrored Less\n  property mirrored Less", "4:12 the property `mirrored` is declared twice"},
  };
  for (const auto& c : cases) {
    RuleLibrary library;
    const std::vector<Diagnostic> mistakes = library.Load(TextWith(c.property), "t.shape");
    std::string found = "none";
    if (!mistakes.empty()) {
      const Diagnostic& d = mistakes[0];
      found = std::to_string(d.source.line) + ":" + std::to_string(d.source.column) + " " + d.message +
              (d.help.empty() ? "" : " (" + d.help + ")");
    }
    EXPECT_EQ(found, c.message) << c.property;
  }
}

TEST(CompilePropertyTest, PartOfTypes_HasNoProperties) {
  RuleLibrary library;
  EXPECT_FALSE(library.Load("set my\ntype op A(X: T) -> (Y: T)\n  property commutative", "t.shape").empty());
}

}  // namespace
}  // namespace dimwise::rules
