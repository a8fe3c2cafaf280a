// Tests programs with branches. Input and output are text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "infer/engine/inference_testing.h"

namespace dimwise {
namespace {

// Exporters write `squeeze` this way: a matrix x with one column becomes a vector y.
const std::string kSqueezeIfOne = R"(
  const one: i64[] = {1}
  const last: i64[1] = {1}
  shape = onnx.Shape(x)
  size = onnx.Gather(shape, one)
  c = onnx.Equal(size, one)
  y = onnx.If(c) {
    then_branch: graph() {
      a = onnx.Squeeze(x, last)
      return a
    }
    else_branch: graph() {
      b = onnx.Identity(x)
      return b
    }
  }
)";

TEST(InferenceRegionsTest, If_UnknownCondition_JoinsBranches) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(c: bool[], a: f32[N, 4]) {
  y = onnx.If(c) {
    then_branch: graph() {
      r = onnx.Relu(a)
      return r
    }
    else_branch: graph() {
      d = onnx.Concat(a, a; axis=0)
      return d
    }
  }
  return y
})"),
            "y: f32[u1, 4]\n"
            "  r: f32[N, 4]\n"
            "  d: f32[2*N, 4]\n"
            "u1 in N .. 2*N\n");
}

// Exporters pad to a multiple this way: the branches return the padding, or the padded tensor.
TEST(InferenceRegionsTest, Branch_ChosenByRemainder_GivesOneSize) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[N]) {
  const eight: i64[] = {8}
  const none: i64[] = {0}
  const front: i64[1] = {0}
  shape = onnx.Shape(x)
  n = onnx.Squeeze(shape)
  rest = onnx.Mod(n, eight)
  c = onnx.Equal(rest, none)
  pad = onnx.If(c) {
    then_branch: graph() {
      a = onnx.Identity(none)
      return a
    }
    else_branch: graph() {
      b = onnx.Sub(eight, rest)
      return b
    }
  }
  end = onnx.Unsqueeze(pad, front)
  pads = onnx.Concat(front, end; axis=0)
  y = onnx.Pad(x, pads)
  const rows: i64[2] = {-1, 8}
  z = onnx.Reshape(y, rows)
  return y, z
})"),
            "shape: i64[1]\n"
            "n: i64[]\n"
            "rest: i64[]\n"
            "c: bool[]\n"
            "pad: i64[]\n"
            "end: i64[1]\n"
            "pads: i64[2]\n"
            "y: f32[8*((N + 7)//8)]\n"
            "z: f32[(N + 7)//8, 8]\n"
            "  a: i64[]\n"
            "  b: i64[]\n");
}

// Both sizes are padded if one of them has to be.
TEST(InferenceRegionsTest, Branch_PaddingTwoSizes_GivesExactSizes) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[H, W]) {
  const eight: i64[2] = {8, 8}
  const none: i64[2] = {0, 0}
  size = onnx.Shape(x)
  rest = onnx.Mod(size, eight)
  open = onnx.Equal(rest, none)
  short = onnx.Not(open)
  flags = onnx.Cast(short; to=7)
  lack = onnx.Sub(eight, rest)
  end = onnx.Mul(lack, flags)
  any = onnx.ReduceMax(flags; keepdims=0)
  c = onnx.Cast(any; to=9)
  y = onnx.If(c) {
    then_branch: graph() {
      pads = onnx.Concat(none, end; axis=0)
      a = onnx.Pad(x, pads)
      return a
    }
    else_branch: graph() {
      b = onnx.Identity(x)
      return b
    }
  }
  return y
})"),
            "size: i64[2]\n"
            "rest: i64[2]\n"
            "open: bool[2]\n"
            "short: bool[2]\n"
            "flags: i64[2]\n"
            "lack: i64[2]\n"
            "end: i64[2]\n"
            "any: i64[]\n"
            "c: bool[]\n"
            "y: f32[8*((H + 7)//8), 8*((W + 7)//8)]\n"
            "  pads: i64[4]\n"
            "  a: f32[8*((H + 7)//8), 8*((W + 7)//8)]\n"
            "  b: f32[H, W]\n");
}

// A decoder with a flag for the past: keys and values grow by the same size in either branch.
TEST(InferenceRegionsTest, Results_ChoosingBetweenEqualSizes_HaveEqualSizes) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(c: bool[], past: f32[P, 4], now: f32[S, 4]) {
  k, v = onnx.If(c) {
    then_branch: graph() {
      pk = onnx.Concat(past, now; axis=0)
      pv = onnx.Relu(pk)
      return pk, pv
    }
    else_branch: graph() {
      ek = onnx.Relu(now)
      ev = onnx.Neg(now)
      return ek, ev
    }
  }
  y = onnx.Add(k, v)
  return y
})"),
            "k: f32[u1, 4]\n"
            "v: f32[u1, 4]\n"
            "y: f32[u1, 4]\n"
            "  pk: f32[P + S, 4]\n"
            "  pv: f32[P + S, 4]\n"
            "  ek: f32[S, 4]\n"
            "  ev: f32[S, 4]\n"
            "u1 in S .. P + S\n");
}

// Bounds that a branch infers for a generated symbol also hold outside.
TEST(InferenceRegionsTest, NestedIf_UnknownConditions_JoinsBranches) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(c: bool[], d: bool[], a: f32[N, 4]) {
  y = onnx.If(c) {
    then_branch: graph() {
      r = onnx.Relu(a)
      return r
    }
    else_branch: graph() {
      z = onnx.If(d) {
        then_branch: graph() {
          t = onnx.Concat(a, a, a; axis=0)
          return t
        }
        else_branch: graph() {
          b = onnx.Concat(a, a; axis=0)
          return b
        }
      }
      return z
    }
  }
  return y
})"),
            "y: f32[u1, 4]\n"
            "  r: f32[N, 4]\n"
            "  z: f32[u2, 4]\n"
            "  t: f32[3*N, 4]\n"
            "  b: f32[2*N, 4]\n"
            "u1 in N .. 3*N\n"
            "u2 in 0 .. ?\n");
}

// Only the matrix is valid.
TEST(InferenceRegionsTest, Branch_WithRankThatOthersReject_IsNotTaken) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[N, T], w: f32[4, 3]) {)" +
                      kSqueezeIfOne + R"(  z = onnx.Gemm(y, w)
  return z
})"),
            "shape: i64[2]\n"
            "size: i64[]\n"
            "c: bool[]\n"
            "y: f32[N, 4]\n"
            "z: f32[N, 3]\n"
            "  a: f32[N]\n"
            "  b: f32[N, 4]\n"
            "check: T == 4\n");
}

// The sizes must select the branch whose rank is the only valid one.
TEST(InferenceRegionsTest, Branch_WithOnlyValidRank_IsRequired) {
  const auto end_of = [](const std::string& text) { return text.substr(text.find("z: ")); };
  const std::string before = "opset onnx 17\ngraph g(x: f32[N, M]) {" + kSqueezeIfOne;
  EXPECT_EQ(end_of(InferText(before + "  z = onnx.Transpose(y; perm=[0])\n  return z\n}")),
            "z: f32[N]\n"
            "  a: f32[N]\n"
            "  b: f32[N, 1]\n"
            "check: M == 1\n");
  EXPECT_EQ(end_of(InferText(before + "  z = onnx.Transpose(y; perm=[1, 0])\n  return z\n}")),
            "z: f32[M, N]\n"
            "  a: f32[N]\n"
            "  b: f32[N, M]\n"
            "check: M != 1\n");
}

// A condition on sizes gives a single expression, a flag gives one of two sizes. If both branches fail, the
// If is an error.
TEST(InferenceRegionsTest, If_ChoosingSizes_GivesExpressionOrChoice) {
  const auto program = [](std::string_view condition, std::string_view then, std::string_view otherwise) {
    return fmt::format(R"(
opset onnx 21
graph g(x: f32[N], z: f32[M], w: f32[2], v: f32[3], p: bool[]) {{
  const eight: i64[1] = {{8}}
  n = onnx.Shape(x)
  m = onnx.Shape(z)
  less = onnx.Less(n, eight)
  c = onnx.Identity({})
  y = onnx.If(c) {{
    then_branch: graph() {{
      a = {}
      return a
    }}
    else_branch: graph() {{
      b = {}
      return b
    }}
  }}
  return y
}})",
                       condition, then, otherwise);
  };
  const auto result = [&](std::string_view condition, std::string_view then, std::string_view otherwise) {
    const std::string text = InferText(program(condition, then, otherwise));
    const size_t begin = text.find("y: ");
    std::string found = text.substr(begin, text.find('\n', begin) - begin);
    for (const char* more : {"u1 in ", "error"}) {
      const size_t at = text.find(more);
      if (at != std::string::npos) found += "; " + text.substr(at, text.find('\n', at) - at);
    }
    return found;
  };
  EXPECT_EQ(result("less", "onnx.Relu(x)", "onnx.Relu(x)"), "y: f32[N]");
  EXPECT_EQ(result("less", "onnx.ConstantOfShape(eight)", "onnx.Relu(x)"), "y: f32[max(N, 8)]");
  EXPECT_EQ(result("p", "onnx.Relu(x)", "onnx.Relu(z)"), "y: f32[u1]; u1 in min(N, M) .. max(N, M)");
  EXPECT_EQ(result("p", "onnx.Add(w, v)", "onnx.Add(v, w)"),
            "y: ?[*]; error: both branches of If fail for all sizes");
}

// No user of y determines its rank, but in both branches a user rejects a vector.
TEST(InferenceRegionsTest, Branch_WithRankThatEveryRunRejects_IsNotTaken) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[N, T], w: f32[4, 3], p: bool[]) {)" +
                      kSqueezeIfOne + R"(  z = onnx.If(p) {
    then_branch: graph() {
      r = onnx.Relu(y)
      d = onnx.Gemm(r, w)
      return d
    }
    else_branch: graph() {
      e = onnx.Gemm(y, w)
      return e
    }
  }
  return z
})"),
            "shape: i64[2]\n"
            "size: i64[]\n"
            "c: bool[]\n"
            "y: f32[N, T]\n"
            "z: f32[N, 3]\n"
            "  a: f32[N]\n"
            "  b: f32[N, T]\n"
            "  r: f32[N, 4]\n"
            "  d: f32[N, 3]\n"
            "  e: f32[N, 3]\n"
            "check: T != 1\n"
            "check: T == 4\n"
            "check: T == 4\n");
}

// The node that decides is inside the branch, and so is the decision.
TEST(InferenceRegionsTest, BranchInBranch_DecidedByLaterNode_IsTaken) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[N, T], w: f32[4, 3], v: f32[N, 3], p: bool[]) {
  z = onnx.If(p) {
    then_branch: graph() {)" +
                      kSqueezeIfOne + R"(      r = onnx.Relu(y)
      d = onnx.Gemm(r, w)
      return d
    }
    else_branch: graph() {
      e = onnx.Identity(v)
      return e
    }
  }
  return z
})"),
            "z: f32[N, 3]\n"
            "  shape: i64[2]\n"
            "  size: i64[]\n"
            "  c: bool[]\n"
            "  y: f32[N, 4]\n"
            "  r: f32[N, 4]\n"
            "  d: f32[N, 3]\n"
            "  a: f32[N]\n"
            "  b: f32[N, 4]\n"
            "  e: f32[N, 3]\n"
            "check: T == 4\n");
}

// A conflict in a branch that may not run is a warning, and a guard that is false only there.
TEST(InferenceRegionsTest, Conflict_InBranchThatMayNotRun_IsAFalseGuard) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(c: bool[], x: f32[3], y: f32[4], n: f32[N], m: f32[M]) {
  z = onnx.If(c) {
    then_branch: graph() {
      a = onnx.Add(x, y)
      b = onnx.Add(n, m)
      d = onnx.Concat(a, b; axis=0)
      return d
    }
    else_branch: graph() {
      return x
    }
  }
  unused = onnx.MatMul(x, y)
  return z
})"),
            "z: f32[u1]\n"
            "unused: f32[*]\n"
            "  a: f32[u2]\n"
            "  b: f32[broadcast(N, M)]\n"
            "  d: f32[u2 + broadcast(N, M)]\n"
            "warning: Add cannot broadcast 3 with 4 at axis -1: they must be equal, or one of them 1\n"
            "warning: MatMul multiplies 3 columns by 4 rows; the two must be equal\n"
            "check: 1 == 0\n"
            "check: N == 1 or N == M or M == 1\n"
            "check: 1 == 0\n"
            "u1 in 0 .. ?\n"
            "u2 in 0 .. ?\n");
}

TEST(InferenceRegionsTest, Branch_OfUnusedNode_MayNotRun) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[3], y: f32[4]) {
  const t: bool[] = {1}
  unused = onnx.If(t) {
    then_branch: graph() {
      a = onnx.Add(x, y)
      return a
    }
    else_branch: graph() {
      return y
    }
  }
  return x
})"),
            "unused: f32[*]\n"
            "  a: f32[*]\n"
            "warning: Add cannot broadcast 3 with 4 at axis -1: they must be equal, or one of them 1\n"
            "check: 1 == 0\n");
}

// A requirement in a branch of a function does not apply to the call. An unconditional requirement does.
TEST(InferenceRegionsTest, Function_FailingInBranchOrAlways_IsReportedAtCall) {
  const std::string functions = R"(
opset onnx 21
function my.Either(c, x, y) {
  z = onnx.If(c) {
    then_branch: graph() {
      a = onnx.Add(x, y)
      return a
    }
    else_branch: graph() {
      return x
    }
  }
  return z
}
function my.Both(x, y) {
  z = onnx.Add(x, y)
  return z
}
)";
  EXPECT_EQ(InferText(functions + R"(
graph g(c: bool[], n: f32[N], m: f32[M], x: f32[3], y: f32[4]) {
  p = my.Either(c, n, m)
  q = my.Either(c, x, y)
  r = onnx.If(c) {
    then_branch: graph() {
      s = my.Both(x, y)
      return s
    }
    else_branch: graph() {
      t = my.Both(n, m)
      return t
    }
  }
  return p, q, r
})"),
            "p: f32[u1]\n"
            "q: f32[*]\n"
            "r: f32[*]\n"
            "  s: f32[*]\n"
            "  t: f32[broadcast(N, M)]\n"
            "warning: Add cannot broadcast 3 with 4 at axis -1: they must be equal, or one of them 1\n"
            "warning: Add cannot broadcast 3 with 4 at axis -1: they must be equal, or one of them 1\n"
            "check: 1 == 0\n"
            "check: N == 1 or N == M or M == 1\n"
            "u1 in min(N, broadcast(N, M)) .. max(N, broadcast(N, M))\n");
  EXPECT_EQ(InferText(functions + R"(
graph g(c: bool[], x: f32[3], y: f32[4]) {
  r = onnx.If(c) {
    then_branch: graph() {
      s = my.Both(x, y)
      return s
    }
    else_branch: graph() {
      t = my.Both(y, x)
      return t
    }
  }
  return r
})"),
            "r: ?[*]\n"
            "  s: f32[*]\n"
            "  t: f32[*]\n"
            "warning: Add cannot broadcast 3 with 4 at axis -1: they must be equal, or one of them 1\n"
            "warning: Add cannot broadcast 4 with 3 at axis -1: they must be equal, or one of them 1\n"
            "error: both branches of If fail for all sizes\n"
            "check: 1 == 0\n"
            "check: 1 == 0\n");
}

}  // namespace
}  // namespace dimwise
