#include "native_ops/onnx/onnx_ops.h"

#include <gtest/gtest.h>

#include <set>

#include "dimwise/builtin.h"
#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxOpsTest, Definitions_OfOnnx_AreValid) {
  OpRegistryBuilder builder;
  RegisterOnnxFunctions(builder);
  for (const Diagnostic& finding : builder.Lint()) ADD_FAILURE() << finding.message;
  for (const OpRegistrationData* op : BuiltinRegistry().List("onnx")) {
    EXPECT_TRUE(op->shape_fn) << op->def.FullName();
  }
}

TEST(OnnxOpsTest, Registry_FrequentOperators_ArePresent) {
  std::set<std::string_view> names;
  for (const OpRegistrationData* op : BuiltinRegistry().List("onnx")) names.insert(op->def.name);
  for (const std::string_view name :
       {"Add",  "AveragePool", "Cast",      "Clip",   "Concat",       "ConstantOfShape",
        "Conv", "Div",         "Equal",     "Expand", "Flatten",      "Gather",
        "Gemm", "Identity",    "MatMul",    "Max",    "MaxPool",      "NonZero",
        "Pad",  "Range",       "ReduceSum", "Relu",   "Reshape",      "Shape",
        "Size", "Slice",       "Softmax",   "Split",  "Squeeze",      "Tile",
        "TopK", "Transpose",   "Unsqueeze", "Where",  "GlobalMaxPool"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(OnnxOpsTest, Axes_ByVersion_AreAttributeOrOperand) {
  const OpRegistry& registry = BuiltinRegistry();
  const auto axes_are_attribute = [&](std::string_view op, int version) {
    return FindAttr(registry.LookUp(op, version).value()->def, "axes") != nullptr;
  };
  EXPECT_TRUE(axes_are_attribute("onnx.Squeeze", 12));
  EXPECT_FALSE(axes_are_attribute("onnx.Squeeze", 13));
  EXPECT_TRUE(axes_are_attribute("onnx.ReduceSum", 12));
  EXPECT_FALSE(axes_are_attribute("onnx.ReduceSum", 13));
  EXPECT_TRUE(axes_are_attribute("onnx.ReduceMean", 17));
  EXPECT_FALSE(axes_are_attribute("onnx.ReduceMean", 18));
  EXPECT_TRUE(axes_are_attribute("onnx.Slice", 9));
  EXPECT_FALSE(axes_are_attribute("onnx.Slice", 10));
}

TEST(OnnxOpsTest, Add_Signature_GivesEqualDefinition) {
  OpRegistryBuilder builder;
  OnnxOps(builder).Add(3,
                       "Foo(X: T, I: Tind, rest*: T; Tind?: {i32, i64}, mode: {'a', 'b'} = 'a', k?: "
                       "list(int)) -> (Y: T, M?: bool)",
                       "Does nothing.", [](InferenceContext*) -> Status { return {}; });
  const OpRegistry registry = builder.Build().value();
  const OpDef& def = registry.Find("onnx.Foo")->def;
  EXPECT_EQ(def.since, 3);
  EXPECT_EQ(def.doc, "Does nothing.");
  EXPECT_EQ(ToString(def),
            "onnx.Foo(X: T, I: Tind, rest*: T; T?: type, Tind?: {i32, i64}, mode: {'a', 'b'} = \"a\", k?: "
            "list(int))"
            " -> (Y: T, M?: bool)");
}

}  // namespace
}  // namespace dimwise
