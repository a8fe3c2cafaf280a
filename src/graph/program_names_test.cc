#include "graph/program_names.h"

#include <gtest/gtest.h>

namespace dimwise {
namespace {

class ProgramNamesTest : public testing::Test {
 protected:
  // Adds a node with a result, to which regions can be added.
  NodeId Add(RegionId region, std::string_view name, std::string_view result) {
    const std::string_view results[] = {graph_.StoreCopy(result)};
    return graph_.AddNode(region, {.op = graph_.UseOp("my.Op", 1), .name = graph_.StoreCopy(name)},
                          std::span<const ValueId>(), results);
  }
  RegionId Inside(NodeId node, std::string_view attribute) {
    return graph_.AddRegion(node, graph_.StoreCopy(attribute));
  }

  Analysis analysis_;
  Graph graph_{analysis_};
};

TEST_F(ProgramNamesTest, FindValue_NamesOfAllRegions_AreFound) {
  const NodeId loop = Add(graph_.body(), "loop", "y");
  const RegionId body = Inside(loop, "body");
  const NodeId inner = Add(body, "", "y");
  const RegionId then_branch = Inside(inner, "then");
  Add(then_branch, "last", "y");
  Add(then_branch, "last", "a/b");
  Add(graph_.body(), "odd", "loop.body/z");
  const NodeId twin = Add(body, "twin/x.y", "t");
  Add(Inside(twin, "b"), "", "v");
  const ProgramNames names(graph_);
  std::string all;
  for (uint32_t v = 0; v < graph_.value_count(); ++v) {
    const std::string name = names.Value(ValueId{v});
    all += name + "\n";
    EXPECT_EQ(names.FindValue(name), ValueId{v}) << name;
  }
  EXPECT_EQ(all,
            "y\nloop.body/y\nloop.body/#0.then/y\nloop.body/#0.then/a/b\nloop.body/z\nloop.body/t\n"
            "loop.body/twin/x.y.b/v\n");
  for (const std::string_view name : {"", "/", "x", "loop.body/", "loop.body/x", "#0.then/y", "then/y"}) {
    EXPECT_EQ(names.FindValue(name), kNoValue) << name;
  }
}

TEST_F(ProgramNamesTest, FindValue_TwoRegionsWithPrefix_ReturnsFirst) {
  const NodeId loop = Add(graph_.body(), "loop", "y");
  const RegionId first = Inside(loop, "body"), second = Inside(loop, "body");
  Add(second, "", "x");
  Add(first, "", "x");
  const ProgramNames names(graph_);
  EXPECT_EQ(graph_.region(names.FindValue("loop.body/x")), first);
  Add(graph_.body(), "", "loop.body/x");
  EXPECT_EQ(graph_.region(ProgramNames(graph_).FindValue("loop.body/x")), graph_.body());
}

// The long name of the node must not be stored for each of its regions.
TEST_F(ProgramNamesTest, FindValue_ManyRegionsOfLongName_TakesLinearMemory) {
  const NodeId node = Add(graph_.body(), std::string(1 << 20, 'n'), "y");
  for (int i = 0; i < 20'000; ++i) Add(Inside(node, "branch" + std::to_string(i)), "", "y");
  const ProgramNames names(graph_);
  for (uint32_t v = 0; v < graph_.value_count(); v += 1000) {
    EXPECT_EQ(names.FindValue(names.Value(ValueId{v})), ValueId{v});
  }
}

}  // namespace
}  // namespace dimwise
