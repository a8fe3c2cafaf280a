// Checks that a model changed by `set` is inferred exactly as the original model with --set.
#include "cli/changed_model.h"

#include <gtest/gtest.h>

#include <random>

#include "dimwise/builtin.h"
#include "formats/onnx/onnx_builder_testing.h"
#include "report/models/model_diff.h"

namespace dimwise {
namespace {

using namespace onnx_build;  // NOLINT: the words of the builder

// A model with declarations that contain the symbols, and an unknown operator whose result is only declared.
std::string OnnxSample() {
  return ModelProto({.graph = GraphProto({
                         .nodes = {NodeProto({.op = "Concat",
                                              .inputs = {"x", "x"},
                                              .outputs = {"c"},
                                              .attributes = {IntAttr("axis", 0)}}),
                                   NodeProto({.op = "Reshape", .inputs = {"c", "flat"}, .outputs = {"f"}}),
                                   NodeProto({.op = "Add", .inputs = {"x", "y"}, .outputs = {"z"}}),
                                   NodeProto({.op = "NonZero", .inputs = {"z"}, .outputs = {"nz"}})},
                         .initializers = {TensorProto({.name = "flat", .dims = {1}, .raw = RawInts({-1})})},
                         .inputs = {F32("x", {"N", "S"}), F32("y", {"M", "S"})},
                         .outputs = {F32("f", {"2*N*S"}), F32("z", {"rows", "S"}),
                                     ValueInfoProto("nz", UnrankedType(kInt64))},
                         .value_infos = {F32("c", {"2*N", "S"})},
                     })});
}

constexpr std::string_view kTextSample = R"(opset onnx 17
graph g(x: f32[N, S], y: f32[M, S + 1]) {
  p = onnx.Concat(x, y; axis=1)
  q: f32[N + 0, 2*S + 1] = onnx.Relu(p)
  m = onnx.MatMul(x, x)
  return q, m
}
)";

MappedFile Held(std::string_view bytes) {
  const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
  return MappedFile::Holding({data, data + bytes.size()});
}

TEST(ChangedModelTest, Set_ThenInfer_EqualsInferWithSet) {
  std::mt19937 random(7);
  int compared = 0, contradictory = 0;
  for (int round = 0; round < 60; ++round) {
    const std::string bytes = round % 2 == 0 ? OnnxSample() : std::string(kTextSample);
    OnnxEdits sizes;
    ModelOptions with_sets;
    for (const char* symbol : {"N", "M", "S"}) {
      if (random() % 4 == 0) continue;
      const auto number = static_cast<int64_t>(random() % 4);
      sizes.numbers[symbol] = number;
      with_sets.sets.push_back(std::string(symbol) + "=" + std::to_string(number));
    }
    const auto expected = InferModel(*ReadModel("model", Held(bytes), ""), BuiltinRegistry(), with_sets);
    ASSERT_TRUE(expected) << ToString(expected.error());
    auto original = ReadModel("model", Held(bytes), "");
    const auto changed =
        InferModel(*ReadModel("model", WithSizes(**original, sizes), ""), BuiltinRegistry(), ModelOptions());
    ASSERT_TRUE(changed) << ToString(changed.error());
    const ModelDiff diff = Compare(*expected->report, *changed->report);
    EXPECT_TRUE(diff.empty()) << DiffText({*expected->report, *changed->report, "--set", "set"}, diff);
    EXPECT_EQ(expected->report->has_errors(), changed->report->has_errors());
    ++(expected->report->has_errors() ? contradictory : compared);
  }
  EXPECT_GT(compared, 10);
  EXPECT_GT(contradictory, 5);
}

}  // namespace
}  // namespace dimwise
