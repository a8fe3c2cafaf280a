#include "dimwise/graph.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace dimwise {
namespace {

using Uses = std::vector<std::pair<NodeId, size_t>>;

Uses UsesOf(const Graph& graph, ValueId value) {
  Uses uses;
  graph.ForEachUse(value, [&](NodeId node, size_t i) { uses.emplace_back(node, i); });
  return uses;
}

class GraphTest : public testing::Test {
 protected:
  NodeId Add(std::initializer_list<ValueId> operands, std::initializer_list<std::string_view> results) {
    return graph_.AddNode(graph_.body(), {.op = op_}, operands, results);
  }

  Analysis analysis_;
  Graph graph_{analysis_};
  OpId op_ = graph_.UseOp("onnx.Foo", 1);
  RegionId body_ = graph_.body();
  ValueId x_ = graph_.AddInput(body_, "x", *ParseType(analysis_, "f32[N]"));
};

TEST_F(GraphTest, AddNode_OperandsAttrsResults_AreStored) {
  const Type type = *ParseType(analysis_, "i64[2]");
  const int64_t sizes[] = {2};
  const Value contents = analysis_.values().Integers(ElementType::kI64, sizes, std::vector<Dim>{0, -1});
  const ValueId c = graph_.AddConstant(body_, "c", type, contents);
  const AttrsId attrs = graph_.AddAttrs({{"axis", 1}});
  const NodeId node = graph_.AddNode(body_, {.op = op_, .name = "n", .attrs = attrs, .position = 7},
                                     {x_, kNoValue, c, x_}, {"y", ""});
  graph_.AddOutput(body_, graph_.results(node)[0]);

  EXPECT_EQ(graph_.role(x_), ValueRole::kInput);
  EXPECT_EQ(graph_.name(x_), "x");
  EXPECT_EQ(graph_.role(c), ValueRole::kConstant);
  EXPECT_EQ(graph_.declared(c), type);
  EXPECT_EQ(graph_.contents(c), contents);
  EXPECT_EQ(graph_.op_name(node), "onnx.Foo");
  EXPECT_EQ(graph_.op(graph_.op_of(node)).version, 1);
  EXPECT_EQ(graph_.name(node), "n");
  EXPECT_EQ(graph_.position(node), 7u);
  EXPECT_EQ(graph_.attrs(graph_.attrs_of(node)), (AttrMap{{"axis", 1}}));
  ASSERT_EQ(graph_.operands(node).size(), 4u);
  EXPECT_EQ(graph_.operands(node)[1], kNoValue);
  EXPECT_EQ(graph_.operands(node)[3], x_);
  ASSERT_EQ(graph_.results(node).size(), 2u);
  const ValueId second = graph_.results(node)[1];
  EXPECT_EQ(graph_.role(second), ValueRole::kResult);
  EXPECT_EQ(graph_.maker(second), node);
  EXPECT_EQ(graph_.result_index(second), 1u);
  EXPECT_EQ(graph_.name(second), "");
  EXPECT_EQ(graph_.declared(second), Type());
  EXPECT_TRUE(graph_.contents(second).is_none());
  EXPECT_EQ(UsesOf(graph_, x_), (Uses{{node, 3}, {node, 0}}));
  EXPECT_EQ(graph_.outputs(body_)[0], graph_.results(node)[0]);
  graph_.Declare(second, type);
  EXPECT_EQ(graph_.declared(second), type);
}

TEST_F(GraphTest, AddNode_WithoutPosition_UsesIndexInRegion) {
  const NodeId first = graph_.AddNode(body_, {.op = op_}, {x_}, {"a"});
  const NodeId second = graph_.AddNode(body_, {.op = op_}, {x_}, {"b"});
  const NodeId inside = graph_.AddNode(graph_.AddRegion(second, "body"), {.op = op_}, {x_}, {"c"});
  EXPECT_EQ(graph_.position(first), 0u);
  EXPECT_EQ(graph_.position(second), 1u);
  EXPECT_EQ(graph_.position(inside), 0u);
  EXPECT_TRUE(graph_.mistakes().empty());
}

TEST_F(GraphTest, UseOpAndAddAttrs_EqualArguments_AreShared) {
  EXPECT_EQ(graph_.UseOp("onnx.Foo", 1), op_);
  EXPECT_NE(graph_.UseOp("onnx.Foo", 2), op_);
  EXPECT_NE(graph_.UseOp("onnx.Bar", 1), op_);
  EXPECT_EQ(graph_.AddAttrs({}), kNoAttrs);
  const AttrsId one = graph_.AddAttrs({{"axis", 1}, {"mode", "a"}});
  EXPECT_EQ(graph_.AddAttrs({{"mode", "a"}, {"axis", 1}}), one);
  EXPECT_NE(graph_.AddAttrs({{"axis", 1}}), one);
  EXPECT_NE(graph_.AddAttrs({{"axis", 1.0}, {"mode", "a"}}), one);
}

TEST_F(GraphTest, AddNode_UnknownIds_AreReportedAsMistakes) {
  const NodeId node =
      graph_.AddNode(RegionId{99}, {.op = OpId{99}, .name = "n", .attrs = AttrsId{99}, .position = 0},
                     {ValueId{99}, x_}, {});
  EXPECT_EQ(graph_.region(node), body_);
  EXPECT_EQ(graph_.op_name(node), "");
  EXPECT_EQ(graph_.attrs_of(node), kNoAttrs);
  EXPECT_EQ(graph_.operands(node)[0], kNoValue);
  EXPECT_EQ(graph_.AddRegion(NodeId{99}, "r"), kNoRegion);
  graph_.AddOutput(body_, ValueId{99});
  EXPECT_TRUE(graph_.outputs(body_).empty());
  graph_.Declare(ValueId{99}, Type());
  graph_.SetContents(ValueId{99}, Value());
  graph_.AddControlEdge(node, NodeId{99});
  graph_.ReferToAttr(NodeId{99}, "a", "b");
  EXPECT_TRUE(graph_.Order(RegionId{99}).empty());
  EXPECT_FALSE(graph_.Has(NodeId{99}));
  EXPECT_FALSE(graph_.Has(ValueId{99}));
  std::string mistakes;
  for (const Graph::Mistake& m : graph_.mistakes()) {
    mistakes += m.diagnostic.node + (m.node == kNoNode ? "-: " : ": ") + m.diagnostic.message + "\n";
  }
  EXPECT_EQ(mistakes,
            "-: something is added to region 99, which the graph does not have\n"
            "n: operand 0 is value 99, which the graph does not have\n"
            "n: the operator is number 99, which the graph does not have\n"
            "n: the attributes are set 99, which the graph does not have\n"
            "-: an output is value 99, which the graph does not have\n");

  const auto message = [](const Status& status) { return status ? "" : status.error().message; };
  EXPECT_EQ(message(graph_.SetOperand(NodeId{99}, 0, x_)), "there is no node 99 in the graph");
  EXPECT_EQ(message(graph_.SetOperand(node, 2, x_)), "there is no operand 2 in the graph");
  EXPECT_EQ(message(graph_.SetOperand(node, 0, ValueId{99})), "there is no value 99 in the graph");
  EXPECT_EQ(message(graph_.AppendOperand(NodeId{99}, x_)), "there is no node 99 in the graph");
  EXPECT_EQ(message(graph_.AppendOperand(node, ValueId{99})), "there is no value 99 in the graph");
  EXPECT_EQ(message(graph_.SetAttrs(node, AttrsId{99})), "there is no set of attributes 99 in the graph");
  EXPECT_EQ(message(graph_.SetAttrs(NodeId{99}, kNoAttrs)), "there is no node 99 in the graph");
  EXPECT_EQ(message(graph_.RemoveNode(NodeId{99})), "there is no node 99 in the graph");
  EXPECT_EQ(message(graph_.RemoveNode(node)), "");
  EXPECT_EQ(message(graph_.RemoveNode(node)), "there is no node 0 in the graph");
  EXPECT_EQ(message(graph_.SetOperand(node, 0, x_)), "there is no node 0 in the graph");
}

TEST_F(GraphTest, AddNodeFor_ValueWithMaker_IsReplaced) {
  const ValueId later = graph_.AddValue(body_, "later");
  const NodeId user = Add({later}, {});
  EXPECT_EQ(graph_.role(later), ValueRole::kMissing);
  EXPECT_EQ(graph_.maker(later), kNoNode);
  const NodeId maker = graph_.AddNodeFor(body_, {.op = op_}, {}, {{later}});
  EXPECT_EQ(graph_.maker(later), maker);
  EXPECT_EQ(UsesOf(graph_, later), (Uses{{user, 0}}));
  // A second maker of a value, or a maker of an input, gets a new value.
  const NodeId other = graph_.AddNodeFor(body_, {.op = op_}, {}, {{later, x_, ValueId{99}}});
  EXPECT_EQ(graph_.maker(later), maker);
  EXPECT_NE(graph_.results(other)[0], later);
  EXPECT_EQ(graph_.name(graph_.results(other)[0]), "later");
  EXPECT_EQ(graph_.role(x_), ValueRole::kInput);
  EXPECT_EQ(graph_.name(graph_.results(other)[2]), "");
}

TEST_F(GraphTest, AddNodeFor_OtherRegion_MovesResults) {
  const RegionId inner = graph_.AddRegion(Add({}, {}), "body");
  const ValueId value = graph_.AddValue(body_, "v");
  graph_.AddNodeFor(inner, {.op = op_}, {}, {{value}});
  EXPECT_EQ(graph_.region(value), inner);
}

TEST_F(GraphTest, AddNode_SpansOfOtherNodes_AreCopied) {
  NodeId last = Add({x_, x_, x_}, {"a", "b"});
  for (int i = 0; i < 1000; ++i) last = graph_.AddNode(body_, {.op = op_}, graph_.operands(last), {});
  ASSERT_EQ(graph_.operands(last).size(), 3u);
  for (const ValueId operand : graph_.operands(last)) EXPECT_EQ(operand, x_);
  EXPECT_EQ(UsesOf(graph_, x_).size(), 3003u);
  NodeId maker{0};
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(graph_.RemoveNode(maker));
    maker = graph_.AddNodeFor(body_, {.op = op_}, {}, graph_.results(maker));
    ASSERT_EQ(graph_.results(maker).size(), 2u);
    EXPECT_EQ(graph_.results(maker)[1], graph_.results(NodeId{0})[1]);
  }
}

TEST_F(GraphTest, RemoveNode_Operands_AreNoLongerUsed) {
  const NodeId a = Add({x_}, {"a"});
  const ValueId ra = graph_.results(a)[0];
  const NodeId b = Add({ra, x_}, {"b"});
  EXPECT_TRUE(graph_.RemoveNode(a));
  EXPECT_FALSE(graph_.Has(a));
  EXPECT_EQ(graph_.role(ra), ValueRole::kMissing);
  EXPECT_EQ(graph_.maker(ra), kNoNode);
  EXPECT_EQ(graph_.operands(b)[0], ra);
  EXPECT_EQ(UsesOf(graph_, x_), (Uses{{b, 1}}));
  EXPECT_EQ(graph_.op_name(a), "onnx.Foo");
  EXPECT_EQ(graph_.operands(a)[0], kNoValue);
  EXPECT_EQ(graph_.Order(body_), std::vector<NodeId>{b});
  // A node after the user computes the value again. Order puts this node before the user.
  const NodeId again = graph_.AddNodeFor(body_, {.op = op_}, {}, {{ra}});
  EXPECT_EQ(graph_.Order(body_), (std::vector<NodeId>{again, b}));
}

TEST_F(GraphTest, RemoveNode_WithRegions_RemovesThem) {
  const NodeId outer = Add({x_}, {"y"});
  const RegionId then_branch = graph_.AddRegion(outer, "then_branch");
  const RegionId else_branch = graph_.AddRegion(outer, "else_branch");
  const NodeId inner = graph_.AddNode(then_branch, {.op = op_}, {x_}, {"z"});
  const RegionId innermost = graph_.AddRegion(inner, "body");
  const NodeId leaf = graph_.AddNode(innermost, {.op = op_}, {x_}, {"w"});
  EXPECT_EQ(graph_.parent(body_), kNoRegion);
  EXPECT_EQ(graph_.parent(innermost), then_branch);
  EXPECT_EQ(graph_.carrier(innermost), inner);
  EXPECT_EQ(graph_.attribute(else_branch), "else_branch");
  ASSERT_EQ(graph_.regions_of(outer).size(), 2u);
  EXPECT_EQ(graph_.regions_of(outer)[1].region, else_branch);
  EXPECT_TRUE(graph_.regions_of(leaf).empty());
  EXPECT_FALSE(graph_.carries_regions(leaf));
  EXPECT_EQ(UsesOf(graph_, x_).size(), 3u);
  EXPECT_TRUE(graph_.RemoveNode(outer));
  EXPECT_FALSE(graph_.Has(inner));
  EXPECT_FALSE(graph_.Has(leaf));
  EXPECT_TRUE(UsesOf(graph_, x_).empty());
}

TEST_F(GraphTest, AddFunction_SameName_ReturnsFirst) {
  Graph* f = graph_.AddFunction("my.Gelu");
  EXPECT_EQ(f->name(), "my.Gelu");
  EXPECT_EQ(graph_.AddFunction("my.Gelu"), f);
  EXPECT_EQ(graph_.FindFunction("my.Gelu"), f);
  EXPECT_EQ(graph_.FindFunction("my.Gel"), nullptr);
  EXPECT_EQ(&f->analysis(), &analysis_);
  const NodeId node = f->AddNode(f->body(), {.op = f->UseOp("onnx.Elu", 1)}, {}, {});
  f->ReferToAttr(node, "alpha", "a");
  ASSERT_EQ(f->attr_references(node).size(), 1u);
  EXPECT_EQ(f->attr_references(node)[0].of_call, "a");
  EXPECT_TRUE(graph_.attr_references(Add({}, {})).empty());
  for (int i = 0; i < 100; ++i) graph_.AddFunction("my.F" + std::to_string(i));
  EXPECT_EQ(graph_.FindFunction("my.Gelu"), f);
  EXPECT_EQ(graph_.functions().size(), 101u);
}

TEST_F(GraphTest, AppendOperand_InterleavedNodes_IsLinear) {
  const NodeId nodes[] = {Add({}, {}), Add({x_}, {}), Add({x_, x_}, {})};
  for (int i = 0; i < 100000; ++i) {
    for (const NodeId node : nodes) ASSERT_TRUE(graph_.AppendOperand(node, i % 2 == 0 ? x_ : kNoValue));
  }
  for (size_t k = 0; k < 3; ++k) {
    const auto operands = graph_.operands(nodes[k]);
    ASSERT_EQ(operands.size(), 100000 + k);
    for (size_t i = k; i < operands.size(); ++i) ASSERT_EQ(operands[i], (i - k) % 2 == 0 ? x_ : kNoValue);
  }
  EXPECT_EQ(UsesOf(graph_, x_).size(), 150003u);
  EXPECT_TRUE(graph_.in_order());
}

}  // namespace
}  // namespace dimwise
