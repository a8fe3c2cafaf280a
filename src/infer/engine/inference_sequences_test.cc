// Tests programs that split tensors into sequences and join them again. Input and output are text.
#include <gtest/gtest.h>

#include <string>

#include "infer/engine/inference_testing.h"

namespace dimwise {
namespace {

// No part is larger than the requested size, and none is empty.
TEST(InferenceSequencesTest, Part_OfSplit_IsAtMostRequestedSize) {
  const std::string found = InferText(R"(
opset onnx 18
graph g(x: f32[N, 4], i: i64[]) {
  const three: i64[] = {3}
  parts = onnx.SplitToSequence(x, three; axis=0)
  part = onnx.SequenceAt(parts, i)
  return part
})");
  EXPECT_EQ(found.substr(found.find("part: ")), "part: f32[u2, 4]\nu1 in 0 .. ?\nu2 in 1 .. min(N, 3)\n");
}

// All parts but the last have the requested size, and together they have the whole size.
TEST(InferenceSequencesTest, Parts_AtKnownPositions_HaveExactSizes) {
  EXPECT_EQ(InferText(R"(
opset onnx 18
graph g(x: f32[N, 4]) {
  const three: i64[] = {3}
  const first: i64[] = {0}
  const last: i64[] = {-1}
  parts = onnx.SplitToSequence(x, three; axis=0)
  a = onnx.SequenceAt(parts, first)
  b = onnx.SequenceAt(parts, last)
  all = onnx.ConcatFromSequence(parts; axis=0)
  fewer = onnx.SequenceErase(parts, first)
  c = onnx.SequenceAt(fewer, last)
  return a, b, all, c
})"),
            "parts: seq(f32[min(max(N - 3*u1, 1), 3), 4], length=(N + 2)//3, each=u1)\n"
            "a: f32[3, 4]\n"
            "b: f32[N - 3*((N + 2)//3) + 3, 4]\n"
            "all: f32[N, 4]\n"
            "fewer: seq(f32[u2, 4], length=(N + 2)//3 - 1, each=u2)\n"
            "c: f32[u3, 4]\n"
            "check: N >= 4\n"
            "u1 in 0 .. ?\n"
            "u2 in 1 .. 3\n"
            "u3 in 1 .. 3\n");
}

// Parts of size 1, as many as the axis has elements.
TEST(InferenceSequencesTest, Parts_AllOfOneSize_HaveThatSize) {
  EXPECT_EQ(InferText(R"(
opset onnx 18
graph g(x: f32[N, 4], y: f32[M, 4]) {
  n = onnx.Shape(x; end=1)
  ones = onnx.ConstantOfShape(n; value=i64[1]{1})
  parts = onnx.SplitToSequence(x, ones; axis=0)
  others = onnx.SplitToSequence(y, ones; axis=0)
  return parts, others
})"),
            "n: i64[1]\n"
            "ones: i64[N]\n"
            "parts: seq(f32[1, 4], length=N)\n"
            "others: seq(f32[1, 4], length=N)\n"
            "check: N == M\n");
}

}  // namespace
}  // namespace dimwise
