#include "report/models/newer_opsets.h"

#include <gtest/gtest.h>

#include "dimwise/graph_text.h"

namespace dimwise {
namespace {

std::string WarningsFor(const std::string& opsets) {
  Analysis analysis;
  const auto graph = ParseGraph(analysis, opsets + R"(
graph g(x: f32[N]) {
  y = onnx.Relu(x)
  z = my.Own(y)
  return z
})")
                         .value();
  std::string text;
  for (const Diagnostic& warning : NewerOpsets(*graph)) text += ToString(warning) + "\n";
  return text;
}

TEST(NewerOpsetsTest, Opset_NewerThanKnown_IsAWarning) {
  EXPECT_EQ(WarningsFor("opset onnx 28"), "");
  EXPECT_EQ(WarningsFor("opset onnx 28\nopset my 1000"), "");
  EXPECT_EQ(
      WarningsFor("opset onnx 29"),
      "warning[DW0507]: the model uses version 29 of onnx; the newest known version is 28\n"
      "  help: operators are inferred by their newest known definitions; a newer Dimwise may know more\n");
}

}  // namespace
}  // namespace dimwise
