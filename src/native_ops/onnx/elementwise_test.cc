#include <gtest/gtest.h>

#include <array>

#include "native_ops/op_table_testing.h"

namespace dimwise {
namespace {

TEST(OnnxElementwiseTest, UnaryOperators_AnyShape_KeepShape) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Relu", "f32[N, 3]", "", "f32[N, 3]"},
      {"onnx.Relu", "f32[2, 0]", "", "f32[2, 0]"},
      {"onnx.Relu", "f32[]", "", "f32[]"},
      {"onnx.Relu", "f32[*]", "", "f32[*]"},
      {"onnx.Relu", "?[N, ?]", "", "?[N, u1]"},
      {"onnx.Sigmoid@6", "f16[2*N + 1]", "", "f16[2*N + 1]"},
      {"onnx.Gelu", "f32[N]", "approximate=tanh", "f32[N]"},
      {"onnx.LeakyRelu", "f32[N]", "alpha=0.1", "f32[N]"},
      {"onnx.IsNaN", "f32[N]", "", "bool[N]"},
      {"onnx.IsInf", "f32[N]", "", "bool[N]"},
      {"onnx.Not", "bool[N]", "", "bool[N]"},
      {"onnx.Clip@6", "f32[N]", "min=0", "f32[N]"},
      {"onnx.Clip", "f32[N]", "", "f32[N]"},
      {"onnx.Clip", "f32[N]; -; f32[]", "", "f32[N]"},
      {"onnx.Dropout", "f32[N, 3]", "", "f32[N, 3]; bool[N, 3]"},
      {"onnx.Dropout@7", "f32[N, 3]", "", "f32[N, 3]; f32[N, 3]"},
  }));
}

TEST(OnnxElementwiseTest, Identity_AnyOperand_ReturnsIt) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Identity", "f32[N, 3]", "", "f32[N, 3]"},
      {"onnx.Identity", "i64[2]={N, 3}", "", "i64[2]={N, 3}"},
      {"onnx.Identity", "seq(f32[N, 3])", "", "seq(f32[N, 3])"},
      {"onnx.Identity", "optional(f32[*])", "", "optional(f32[*])"},
  }));
}

TEST(OnnxElementwiseTest, Operands_WrongCount_IsAnError) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Relu", "", "", "error[DW0301]: onnx.Relu takes 1 input (X); none is given"},
      {"onnx.Relu", "f32[2]; f32[2]", "", "error[DW0301]: onnx.Relu takes 1 input (X); 2 are given"},
      {"onnx.Relu", "-", "", "error[DW0301]: Relu needs the operand X"},
      {"onnx.Relu", "seq(f32[2])", "", "error[DW0108]: X of Relu is a sequence; it must be a tensor"},
      {"onnx.Add", "f32[N]", "", "error[DW0301]: onnx.Add takes 2 inputs (A, B); 1 is given"},
      {"onnx.Add", "f32[N]; -", "", "error[DW0301]: Add needs the operand B"},
      {"onnx.Add", "f32[2]; map(i64, f32[2])", "", "error[DW0108]: B of Add is a map; it must be a tensor"},
      {"onnx.Max", "f32[2]; -", "", "error[DW0301]: Max needs data_0[1], which is not given"},
      {"onnx.Foo", "f32[1]", "", "error[DW0003]: there is no operator onnx.Foo"},
      {"onnx.Gelu@19", "f32[1]", "",
       "error[DW0306]: onnx.Gelu exists since version 20 of onnx; version 19 is requested"},
  }));
}

TEST(OnnxElementwiseTest, ElementTypes_Conflicting_AreErrors) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Add", "f32[N]; i64[N]", "",
       "error[DW0108]: B of Add is i64; it must be f32, like the other operands of type T"},
      {"onnx.Add", "f32[N]; ?[N]", "", "f32[N]"},
      {"onnx.Add", "?[N]; i8[N]", "", "i8[N]"},
      {"onnx.Add", "?[N]; ?[N]", "", "?[N]"},
      {"onnx.Max", "f32[N]; ?[N]; f64[N]", "",
       "error[DW0108]: data_0 of Max is f64; it must be f32, like the other operands of type T"},
      {"onnx.Not", "f32[N]", "", "error[DW0108]: X of Not is f32; it must be bool"},
      {"onnx.And", "bool[N]; i64[N]", "", "error[DW0108]: B of And is i64; it must be bool"},
      {"onnx.Less", "f32[N]; f32[N]", "", "bool[N]"},
      {"onnx.Clip", "f32[N]; i64[]", "",
       "error[DW0108]: min of Clip is i64; it must be f32, like the other operands of type T"},
      {"onnx.Pow@7", "f32[N]; i64[]", "",
       "error[DW0103]: Y is i64; before version 12 it has the type of X, f32"},
      {"onnx.Pow", "f32[N]; i64[]", "", "f32[N]"},
  }));
}

TEST(OnnxElementwiseTest, Softmax_InvalidAxis_IsAnError) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Softmax", "f32[2, N]", "", "f32[2, N]"},
      {"onnx.Softmax", "f32[2, N]", "axis=0", "f32[2, N]"},
      {"onnx.Softmax", "f32[2, 3]", "axis=2",
       "error[DW0103]: axis 2 is not an axis of a tensor of rank 2"},
      {"onnx.Softmax", "f32[2, 3]", "axis=-3",
       "error[DW0103]: axis -3 is not an axis of a tensor of rank 2"},
      {"onnx.Softmax", "f32[*]", "axis=2", "f32[*]"},
      {"onnx.Softmax", "f32[]", "", "error[DW0103]: axis -1 is not an axis of a tensor of rank 0"},
      {"onnx.Softmax@11", "f32[4]", "",
       "error[DW0103]: axis 1 is not an axis of a tensor of rank 1"},
      {"onnx.LogSoftmax@11", "f32[4, 3]", "", "f32[4, 3]"},
      {"onnx.Hardmax", "f32[0, 3]", "", "f32[0, 3]"},
      {"onnx.Softmax", "f32[2]", "axis=last",
       "error[DW0303]: Softmax has axis = \"last\", which is of the wrong kind"},
  }));
}

TEST(OnnxElementwiseTest, Arithmetic_KnownContents_IsComputed) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Add", "i64[2]={N, 3}; i64[1]={2}", "", "i64[2]={N + 2, 5}"},
      {"onnx.Add", "i64[2, 2]={1, 2, 3, 4}; i64[2, 1]={10, 20}", "", "i64[2, 2]={11, 12, 23, 24}"},
      {"onnx.Add", "i64[2]={N, 3}; i64[2]", "", "i64[2]"},
      {"onnx.Add", "i32[1]={2147483647}; i32[1]={1}", "", "i32[1]"},
      {"onnx.Sub", "i64[1]={N}; i64[1]={N}", "", "i64[1]={0}"},
      {"onnx.Mul", "i64[2]={N, 3}; i64[2]={M, N}", "", "i64[2]={N*M, 3*N}"},
      {"onnx.Div", "i64[2]={N, 7}; i64[]={2}", "", "i64[2]={N//2, 3}"},
      {"onnx.Div", "i64[3]={4*N, -7, N - M}; i64[3]={2, 2, 2}", "",
       "i64[3]={2*N, -3, min(max((N + M)//2 - M, 0), (N + M + 1)//2 - M)}"},
      {"onnx.Div", "i64[1]={N}; i64[1]={0}", "", "i64[1]"},
      {"onnx.Mod", "i64[2]={-7, N}; i64[]={2}", "", "i64[2]={1, N % 2}"},
      {"onnx.Mod", "i64[2]={-7, N}; i64[]={2}", "fmod=1", "i64[2]={-1, N % 2}"},
      {"onnx.Min", "i64[2]={N, 3}; i64[2]={N + 1, M}", "", "i64[2]={N, min(M, 3)}"},
      {"onnx.Max", "i64[2]={N, 3}; i64[2]={N + 1, M}", "", "i64[2]={N + 1, max(M, 3)}"},
      {"onnx.Max", "i64[1]={N}", "", "i64[1]={N}"},
      {"onnx.Sum", "i64[1]={N}; i64[1]={M}", "", "error[DW0108]: data_0 of Sum is i64; it must be float"},
      {"onnx.Neg", "i64[2]={N, -3}", "", "i64[2]={-N, 3}"},
      {"onnx.Abs", "i64[3]={N, -3, N - M}", "", "i64[3]={N, 3, max(M - N, N - M)}"},
      {"onnx.Floor", "f32[2]={1.5, -1.5}", "", "f32[2]={1, -2}"},
      {"onnx.Ceil", "f32[2]={1.5, -1.5}", "", "f32[2]={2, -1}"},
      {"onnx.Mul", "f32[1]={0.5}; f32[1]={3}", "", "f32[1]={1.5}"},
      {"onnx.Div", "f32[1]={1}; f32[1]={3}", "", "f32[1]={0.3333333432674408}"},
  }));
}

TEST(OnnxElementwiseTest, Comparisons_KnownContents_AreComputed) {
  ExpectOpCases(std::to_array<OpCase>({
      {"onnx.Equal", "i64[3]={N, -1, 3}; i64[3]={N, N, M}", "", "bool[3]={1, 0, max(min(4 - M, M - 2), 0)}"},
      {"onnx.Equal", "f32[2]={1.5, 2}; f32[1]={2}", "", "bool[2]={0, 1}"},
      {"onnx.Less", "i64[2]={N, 3}; i64[2]={N, M}", "", "bool[2]={0, min(max(M - 3, 0), 1)}"},
      {"onnx.LessOrEqual", "i64[2]={N, 3}; i64[2]={N, M}", "", "bool[2]={1, min(max(M - 2, 0), 1)}"},
      {"onnx.Greater", "i64[2]={N + 1, 3}; i64[2]={N, 4}", "", "bool[2]={1, 0}"},
      {"onnx.GreaterOrEqual", "i64[2]={N + 1, 3}; i64[2]={N, 4}", "", "bool[2]={1, 0}"},
      {"onnx.And", "bool[2]={1, 0}; bool[2]={B, B}", "", "bool[2]={B, 0}"},
      {"onnx.Or", "bool[2]={0, 1}; bool[2]={B, 0}", "", "bool[2]={B, 1}"},
      {"onnx.Xor", "bool[2]={1, 1}; bool[2]={0, 1}", "", "bool[2]={1, 0}"},
      {"onnx.Not", "bool[2]={1, 0}", "", "bool[2]={0, 1}"},
  }));
}

}  // namespace
}  // namespace dimwise
