// Tests rules with regions: the outputs of a region are inferred from the inputs that the rule determines.
#include "infer/engine/control/region_rule.h"

#include <gtest/gtest.h>

#include "infer/engine/inference_testing.h"
#include "infer/operators/registry_with_rules.h"

namespace dimwise {
namespace {

constexpr const char* kRegionRules = R"(set my

## The body for each slice along the first axis; the results are stacked.
op Map(X: T[n, ...s]; body: region(T[...s]) -> (U[...r])) -> (Y: U[n, ...r])

## Folds axes away, two elements at a time, beginning with init.
op Reduce(X+: each T[...each s], Init{N}: each T[]; N: int in 0.., axes: ints, body: region(each T[], each T[]) -> (each U[]))
  -> (Y+: each U[...each kept])
  let kept = [remove(x, axes) for x in s]

## Where the body holds.
op Filter(X: T[n, ...s]; keep: region(T[...s]) -> (bool[])) -> (Y: T[unknown(0, n), ...s])
)";

std::string Infer(std::string_view program) {
  const RuleSource source{"my.shape", kRegionRules};
  const RegistryWithRules loaded = LoadRules(BuiltinRegistry(), std::span(&source, 1));
  for (const Diagnostic& d : loaded.mistakes) return ToString(d);
  return InferText(program, {}, loaded.registry);
}

TEST(RegionRule, Body_OfRegion_DecidesTypeAndSizes) {
  EXPECT_EQ(Infer(R"(
opset onnx 21
graph g(x: f32[N, 3, H], w: f32[H, 8]) {
  y = my.Map(x) {
    body: graph(e: f32[*]) {
      p = onnx.MatMul(e, w)
      q = onnx.Cast(p; to: type = f16)
      return q
    }
  }
  z = onnx.Relu(y)
  return z
})"),
            "y: f16[N, 3, 8]\n"
            "z: f16[N, 3, 8]\n"
            "  p: f32[3, 8]\n"
            "  q: f16[3, 8]\n");
}

TEST(RegionRule, Guard_InBody_HoldsOnlyInside) {
  EXPECT_EQ(Infer(R"(
opset onnx 21
graph g(x: f32[N, H], w: f32[K]) {
  y = my.Map(x) {
    body: graph(e: f32[*]) {
      p = onnx.Concat(e, w; axis=0)
      q = onnx.Add(e, w)
      return p
    }
  }
  z = onnx.NonZero(x)
  return y, z
})"),
            "y: f32[N, H + K]\n"
            "z: i64[2, u1]\n"
            "  p: f32[H + K]\n"
            "  q: f32[broadcast(H, K)]\n"
            "check: H == 1 or H == K or K == 1\n"
            "u1 in 0 .. N*H\n");
}

TEST(RegionRule, SizesOfOneRun_Outside_AreUnknown) {
  EXPECT_EQ(Infer(R"(
opset onnx 21
graph g(x: f32[N, H]) {
  y = my.Map(x) {
    body: graph(e: f32[*]) {
      p = onnx.NonZero(e)
      return p
    }
  }
  a = onnx.Add(y, y)
  return a
})"),
            "y: i64[N, 1, u1]\n"
            "a: i64[N, 1, u1]\n"
            "  p: i64[1, u2]\n"
            "u1 in 0 .. ?\n"
            "u2 in 0 .. ?\n");
}

TEST(RegionRule, VariadicOperand_InRegion_HasOneInputEach) {
  EXPECT_EQ(Infer(R"(
opset onnx 21
graph g(x: f32[N, H], i: i64[N, H], a: f32[], b: i64[]) {
  most, at = my.Reduce(x, i, a, b; N=2, axes=[1]) {
    body: graph(p: f32[], q: i64[], r: f32[], s: i64[]) {
      m = onnx.Max(p, r)
      n = onnx.Cast(s; to: type = i32)
      return m, n
    }
  }
  return most, at
})"),
            "most: f32[N]\n"
            "at: i32[N]\n"
            "  m: f32[]\n"
            "  n: i32[]\n");
}

TEST(RegionRule, OutputsOfBody_AgainstPattern_AreChecked) {
  EXPECT_EQ(Infer(R"(
opset onnx 21
graph g(x: f32[N, H]) {
  y = my.Filter(x) {
    keep: graph(e: f32[*]) {
      p = onnx.ReduceSum(e; keepdims=0)
      return p
    }
  }
  z = my.Filter(x) {
    keep: graph(e: f32[*]) {
      p2 = onnx.ReduceSum(e; keepdims=0)
      p3 = onnx.Cast(p2; to: type = bool)
      return p2, p3
    }
  }
  return y, z
})"),
            "y: f32[u1, H]\n"
            "z: f32[u2, H]\n"
            "  p: f32[]\n"
            "  p2: f32[]\n"
            "  p3: bool[]\n"
            "error: result 0 of keep of Filter is f32; it must be bool\n"
            "error: the keep of Filter gives 2 values; 1 are expected\n"
            "u1 in 0 .. ?\n"
            "u2 in 0 .. ?\n");
}

TEST(RegionRule, Bodies_NestedOrMissing_AreHandled) {
  EXPECT_EQ(Infer(R"(
opset onnx 21
graph g(x: f32[N, M, H]) {
  const zero: i64[1] = {0}
  y = my.Map(x) {
    body: graph(e: f32[*]) {
      p = my.Map(e) {
        body: graph(d: f32[*]) {
          q = onnx.Unsqueeze(d, zero)
          return q
        }
      }
      return p
    }
  }
  z = my.Map(x)
  return y, z
})"),
            "y: f32[N, M, 1, H]\n"
            "z: ?[*]\n"
            "  p: f32[M, 1, H]\n"
            "  q: f32[1, H]\n");
}

}  // namespace
}  // namespace dimwise
