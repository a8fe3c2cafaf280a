#include <gtest/gtest.h>

#include <array>

#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxCastTest, Cast_AnyShape_KeepsShape) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Cast", "f32[N, 3]", "to=7", "i64[N, 3]"},
      {"onnx.Cast", "f32[N, 3]", "to=bf16", "bf16[N, 3]"},
      {"onnx.Cast", "?[*]", "to=bool", "bool[*]"},
      {"onnx.CastLike", "f32[N]; i8[2]", "", "i8[N]"},
      {"onnx.CastLike", "f32[N]; ?[2]", "", "?[N]"},
      {"onnx.Cast", "i64[N]", "to=99", "error[DW0303]: Cast has to = 99, which is no element type"},
      {"onnx.Cast", "i64[N]", "", "error[DW0302]: Cast needs the attribute to"},
  }));
}

TEST(OnnxCastTest, Cast_KnownContents_AreConverted) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Cast", "i64[2]={N, 3}", "to=i32", "i32[2]={N, 3}"},
      {"onnx.Cast", "i64[3]={N, 300, 200}", "to=u8", "u8[3]={?, ?, 200}"},
      {"onnx.Cast", "i64[3]={N, 0, 5}", "to=bool", "bool[3]={min(N, 1), 0, 1}"},
      {"onnx.Cast", "i64[2]={N, 3}", "to=f32", "f32[2]={N, 3}"},
      {"onnx.Cast", "i64[2]={N, 3}", "to=f16", "f16[2]={?, 3}"},
      {"onnx.Cast", "f32[2]={1.5, -1.5}", "to=i64", "i64[2]={1, -1}"},
      {"onnx.Cast", "bool[2]={1, 0}", "to=i64", "i64[2]={1, 0}"},
      {"onnx.Cast", "i64[1]={9223372036854775807}", "to=f64", "f64[1]={9.223372036854776e+18}"},
  }));
}

}  // namespace
}  // namespace dimwise
