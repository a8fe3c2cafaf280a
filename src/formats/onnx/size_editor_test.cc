#include "formats/onnx/size_editor.h"

#include <gtest/gtest.h>

#include <utility>

#include "formats/onnx/onnx_builder_testing.h"

namespace dimwise {
namespace {

using namespace onnx_build;  // NOLINT: the words of the builder

std::string Shown(const std::optional<WrittenSize>& size) {
  if (!size) return "stays";
  if (const int64_t* number = std::get_if<int64_t>(&*size)) return std::to_string(*number);
  return "'" + std::get<std::string>(*size) + "'";
}

TEST(SizeEditorTest, WithNumbers_NameOrExpression_ReplacesSymbols) {
  const SymbolNumbers numbers = {{"N", 8}, {"a.b", 3}, {"S", 5}};
  const std::pair<const char*, const char*> table[] = {
      {"N", "8"},           {"a.b", "3"},         {"N + 1", "9"},     {"(N + 1)//2", "4"},
      {"N*M", "'8*M'"},     {"N*M - 7*M", "'M'"}, {"max(N, S)", "8"}, {"M", "stays"},
      {"M + 1", "stays"},   {"N-", "stays"},  // not an expression
      {"S - N", "stays"},                     // not a size
      {"batch/N", "stays"},                   // not in our expression syntax
      {"past_N", "stays"},  {"", "stays"},
  };
  for (const auto& [param, expected] : table) {
    EXPECT_EQ(Shown(WithNumbers(param, numbers)), expected) << param;
  }
}

TEST(SizeEditorTest, EditSizes_NestedTypes_ChangesOnlySizes) {
  const EditSize edit = [](std::string_view param, int axis) -> std::optional<WrittenSize> {
    if (axis == 1) return int64_t{7};
    if (param == "N") return "B";
    return std::nullopt;
  };
  EXPECT_EQ(EditSizes(TensorType(kFloat, {"N", "M", 3}), edit), TensorType(kFloat, {"B", 7, 3}));
  EXPECT_EQ(EditSizes(TensorType(kFloat, {3}), edit), std::nullopt);
  EXPECT_EQ(EditSizes(UnrankedType(kFloat), edit), std::nullopt);
  EXPECT_EQ(EditSizes(SequenceType(TensorType(kFloat, {"N", "N"})), edit),
            SequenceType(TensorType(kFloat, {"B", "B"})));
  EXPECT_EQ(EditSizes(OptionalType(TensorType(kFloat, {"N"})), edit),
            OptionalType(TensorType(kFloat, {"B"})));
  EXPECT_EQ(EditSizes(MapType(kInt64, TensorType(kFloat, {"N"})), edit),
            MapType(kInt64, TensorType(kFloat, {"B"})));
  EXPECT_EQ(EditSizes(TensorType(kFloat, {"N"}) + '\xff', edit), std::nullopt) << "damaged";
}

}  // namespace
}  // namespace dimwise
