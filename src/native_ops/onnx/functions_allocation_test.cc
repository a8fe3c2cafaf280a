// Tests that frequent operators allocate no heap memory in the steady state, with constant or symbolic sizes.
#include <gtest/gtest.h>

#include "dimwise/builtin.h"
#include "dimwise/inference_context.h"
#include "infer/allocation_count_testing.h"

namespace dimwise {
namespace {

struct Line {
  const char* op;
  std::vector<const char*> operands;
  AttrMap attrs;
  std::vector<Dim> contents;  // of the last operand
};

class FunctionsAllocationTest : public testing::Test {
 protected:
  // Returns the number of allocations in a run after two equal runs.
  long SteadyState(const Line& line) {
    std::vector<Type> types;
    std::vector<Value> values(line.operands.size());
    for (const char* operand : line.operands) types.push_back(ParseType(analysis_, operand).value());
    if (!line.contents.empty()) {
      const int64_t sizes[] = {static_cast<int64_t>(line.contents.size())};
      values.back() = analysis_.values().Integers(ElementType::kI64, sizes, line.contents);
    }
    const OpRegistrationData* op = BuiltinRegistry().LookUp(line.op).value();
    NodeDescription node;
    node.op = &op->def;
    node.attrs = &line.attrs;
    node.owner = 7;
    InferenceContext context(analysis_);
    long before = 0;
    for (int run = 0; run < 3; ++run) {
      before = AllocationCount();
      context.Reset(node, std::span<const Type>(types), values);
      EXPECT_TRUE(context.Run(op->shape_fn)) << line.op;
    }
    return AllocationCount() - before;
  }

  Analysis analysis_;
};

TEST_F(FunctionsAllocationTest, FrequentOperators_SteadyState_AllocateNothing) {
  const Dim n = analysis_.dims().Symbol("N");
  analysis_.facts().Assert(Clause{AtLeast(analysis_.dims(), n, 1)}, FactKind::kAssumed, 0);
  const AttrMap conv = {{"pads", AttrValue::Ints{1, 1, 1, 1}}, {"strides", AttrValue::Ints{2, 2}}};
  const AttrMap axis = {{"axis", 1}};
  const AttrMap perm = {{"perm", AttrValue::Ints{0, 2, 1}}};
  const Line lines[] = {
      {"onnx.Relu", {"f32[8, 64, 56, 56]"}, {}, {}},
      {"onnx.Relu", {"f32[N, 64, 56, 56]"}, {}, {}},
      {"onnx.Add", {"f32[8, 64, 56]", "f32[64, 1]"}, {}, {}},
      {"onnx.Add", {"f32[N, 64, 56]", "f32[N, 1, 1]"}, {}, {}},
      {"onnx.MatMul", {"f32[8, 12, 64]", "f32[64, 32]"}, {}, {}},
      {"onnx.MatMul", {"f32[N, 12, S, 64]", "f32[N, 12, 64, S]"}, {}, {}},
      {"onnx.Conv", {"f32[8, 3, 224, 224]", "f32[64, 3, 3, 3]", "f32[64]"}, conv, {}},
      {"onnx.Conv", {"f32[N, 3, N, 224]", "f32[64, 3, 3, 3]"}, conv, {}},
      {"onnx.Reshape", {"f32[8, 12, 64]", "i64[2]"}, {}, {8, -1}},
      {"onnx.Reshape", {"f32[N, S, 768]", "i64[4]"}, {}, {0, -1, 12, 64}},
      {"onnx.Concat", {"f32[8, 3]", "f32[8, 5]"}, axis, {}},
      {"onnx.Concat", {"f32[N, S]", "f32[N, 5]"}, axis, {}},
      {"onnx.Transpose", {"f32[8, 3, 4]"}, perm, {}},
      {"onnx.Transpose", {"f32[N, S, 4]"}, perm, {}},
  };
  for (const Line& line : lines) EXPECT_EQ(SteadyState(line), 0) << line.op << " " << line.operands[0];
}

}  // namespace
}  // namespace dimwise
