#include <gtest/gtest.h>

#include <array>

#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxShapeTest, Shape_Sizes_BecomeContents) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Shape", "f32[2, 3]", "", "i64[2]={2, 3}"},
      {"onnx.Shape", "f32[N, 3, H]", "", "i64[3]={N, 3, H}"},
      {"onnx.Shape", "f32[N, 0, ?]", "", "i64[3]={N, 0, u1}"},
      {"onnx.Shape", "f32[]", "", "i64[0]={}"},
      {"onnx.Shape", "f32[N, 3, H]", "start=1", "i64[2]={3, H}"},
      {"onnx.Shape", "f32[N, 3, H]", "start=-1", "i64[1]={H}"},
      {"onnx.Shape", "f32[N, 3, H]", "start=5", "i64[0]={}"},
      {"onnx.Shape", "f32[N, 3, H]", "start=-9 end=-1", "i64[2]={N, 3}"},
      {"onnx.Shape", "f32[N, 3, H]", "start=2 end=1", "i64[0]={}"},
      {"onnx.Shape@13", "f32[N, 3, H]", "start=1", "i64[3]={N, 3, H}"},
      {"onnx.Shape", "f32[*]", "", "i64[u1]"},
      {"onnx.Shape", "f32[*]", "start=0 end=0", "i64[0]={}"},
  }));
}

TEST(OnnxShapeTest, Size_Elements_AreCounted) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Size", "f32[2, 3]", "", "i64[]={6}"},
      {"onnx.Size", "f32[N, 3, H]", "", "i64[]={3*N*H}"},
      {"onnx.Size", "f32[N, 0]", "", "i64[]={0}"},
      {"onnx.Size", "f32[]", "", "i64[]={1}"},
      {"onnx.Size", "f32[*]", "", "i64[]"},
  }));
}

TEST(OnnxShapeTest, ConstantOfShape_Sizes_GiveFilledTensor) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.ConstantOfShape", "i64[2]={2, 0}", "", "f32[2, 0]={}"},
      {"onnx.ConstantOfShape", "i64[2]={N, 3}", "", "f32[N, 3]"},
      {"onnx.ConstantOfShape", "i64[1]={3}", "value=i64[1]{7}", "i64[3]={7, 7, 7}"},
      {"onnx.ConstantOfShape", "i64[0]={}", "value=f32[1]{2.5}", "f32[]={2.5}"},
      {"onnx.ConstantOfShape", "i64[1]={N - N}", "", "f32[0]={}"},
      {"onnx.ConstantOfShape", "i64[1]={N - M}", "",
       "f32[N - M]\n"
       "check: N >= M"},
      {"onnx.ConstantOfShape", "i64[1]={?}", "value=bool[1]{1}",
       "bool[u1]\n"
       "check: u1 >= 0"},
      {"onnx.ConstantOfShape", "i64[2]", "", "f32[u1, u2]"},
      {"onnx.ConstantOfShape", "i64[K]", "", "f32[*]"},
      {"onnx.ConstantOfShape", "i64[2]={2, -1}", "", "error[DW0103]: input [2, -1] has a negative size"},
      {"onnx.ConstantOfShape", "i64[1]={3}", "value=i64[2]{7,8}",
       "error[DW0103]: value holds one number to fill with; it has the sizes [2]"},
      {"onnx.ConstantOfShape", "i64[1]={3}", "value=7",
       "error[DW0303]: ConstantOfShape has value = 7, which is of the wrong kind"},
      {"onnx.ConstantOfShape", "i32[1]={3}", "",
       "error[DW0108]: input of ConstantOfShape is i32; it must be i64"},
  }));
}

TEST(OnnxShapeTest, Range_Limits_GiveCountAndContents) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Range", "i64[]={0}; i64[]={5}; i64[]={2}", "", "i64[3]={0, 2, 4}"},
      {"onnx.Range", "i64[]={5}; i64[]={0}; i64[]={-2}", "", "i64[3]={5, 3, 1}"},
      {"onnx.Range", "i64[]={5}; i64[]={0}; i64[]={1}", "", "i64[0]={}"},
      {"onnx.Range", "i64[]={0}; i64[]={N}; i64[]={2}", "", "i64[(N + 1)//2]"},
      {"onnx.Range", "i64[]={N}; i64[]={0}; i64[]={-1}", "", "i64[N]"},
      {"onnx.Range", "i64[]={N}; i64[]={N + 2}; i64[]={1}", "", "i64[2]={N, N + 1}"},
      {"onnx.Range", "i64[]={M}; i64[]={N}; i64[]={1}", "", "i64[max(N - M, 0)]"},
      {"onnx.Range", "i64[]={0}; i64[]={N}; i64[]={M}", "", "i64[-((-N)//M)]", "M >= 1"},
      {"onnx.Range", "i64[]={0}; i64[]={N}; i64[]={M}", "",
       "i64[-((-N)//M)]\n"
       "check: M != 0"},
      {"onnx.Range", "i64[]={0}; i64[]; i64[]={1}", "", "i64[u1]"},
      {"onnx.Range", "i64[*]; i64[]={5}; i64[]={1}", "", "i64[u1]"},
      {"onnx.Range", "f32[]={0}; f32[]={0.7}; f32[]={0.1}", "", "f32[7]"},
      {"onnx.Range", "f32[]={0}; f32[]={7}; f32[]={2}", "", "f32[4]={0, 2, 4, 6}"},
      {"onnx.Range", "f64[]={0}; f64[]={1}; f64[]={0.3}", "", "f64[4]"},
      {"onnx.Range@27", "f16[]={0}; f16[]={1}; f16[]={0.3}", "", "f16[4]"},
      {"onnx.Range", "i64[]={0}; i64[]={5}; i64[]={0}", "", "error[DW0103]: delta must not be 0"},
      {"onnx.Range", "i64[2, 2]; i64[]; i64[]", "",
       "error[DW0103]: start, limit and delta are single numbers; they have ranks 2, 0 and 0"},
      {"onnx.Range", "i64[]; i32[]; i64[]", "",
       "error[DW0108]: limit of Range is i32; it must be i64, like the other operands of type T"},
  }));
}

}  // namespace
}  // namespace dimwise
