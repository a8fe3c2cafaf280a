// Programs with branches and loops: the text form in, what was found out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "infer/engine/inference_testing.h"

namespace dimwise {
namespace {

// As exporters write for `squeeze`: a matrix x of one column becomes a vector y.
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

TEST(InferenceRegionsTest, IfJoins) {
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

// As in a decoder that is told whether there is a past: keys and values grow alike, whichever branch runs.
TEST(InferenceRegionsTest, ResultsThatChooseBetweenTheSameSizesHaveTheSameSize) {
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

// What a branch knows of a size that it made up bounds it outside, too.
TEST(InferenceRegionsTest, IfInsideIfJoins) {
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
            "u2 in 2 .. ?\n");
}

TEST(InferenceRegionsTest, ALoopThatGrowsHasAClosedForm) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(a: f32[N, 4], b: f32[M, 4]) {
  const trips: i64[] = {5}
  const go: bool[] = {1}
  y, all = onnx.Loop(trips, go, a) {
    body: graph(i: i64[], c: bool[], s: f32[*]) {
      next = onnx.Concat(s, b; axis=0)
      k = onnx.Identity(c)
      r = onnx.Relu(b)
      return k, next, r
    }
  }
  return y, all
})"),
            "y: f32[N + 5*M, 4]\n"
            "all: f32[5, M, 4]\n"
            "  next: f32[M + u1, 4]\n"
            "  k: bool[]\n"
            "  r: f32[M, 4]\n"
            "u1 in 0 .. ?\n");
}

// The number of a trip is a scalar; a body that declares a vector of one element is given that.
TEST(InferenceRegionsTest, ABodyMayDeclareTheNumberOfATripAsAVector) {
  EXPECT_EQ(InferText(R"(
opset onnx 17
graph g(x: f32[N, 3]) {
  const go: bool[] = {true}
  const one: i64[1] = {1}
  const zero: i64[] = {0}
  const first: i64[1] = {0}
  shape = onnx.Shape(x)
  n = onnx.Gather(shape, zero)
  rows = onnx.Loop(n, go) {
    body: graph(i: i64[1], keep: bool[1]) {
      next = onnx.Add(i, one)
      row = onnx.Slice(x, i, next, first)
      return keep, row
    }
  }
  return rows
})"),
            "shape: i64[2]\n"
            "n: i64[]\n"
            "rows: f32[N, 1, 3]\n"
            "  next: i64[1]\n"
            "  row: f32[1, 3]\n");
}

// A number that counts up from 0 is no place from the end; one that goes down, or by an unknown step, may be.
TEST(InferenceRegionsTest, ANumberThatOnlyGrowsIsNotNegative) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[42, 4], go: bool[], by: i64[]) {
  const zero: i64[] = {0}
  const one: i64[] = {1}
  const first: i64[1] = {0}
  const two: i64[] = {2}
  const many: i64[] = {100}
  last, falls, any, small = onnx.Loop(_, go, zero, zero, zero, many) {
    body: graph(i: i64[], c: bool[], n: i64[], m: i64[], k: i64[], h: i64[]) {
      next = onnx.Add(n, one)
      less = onnx.Sub(m, one)
      other = onnx.Add(k, by)
      from = onnx.Unsqueeze(n, first)
      to = onnx.Unsqueeze(next, first)
      row = onnx.Slice(x, from, to)
      down = onnx.Range(less, zero, one)
      half = onnx.Div(h, two)
      sum = onnx.ReduceSum(row; keepdims=0)
      on = onnx.Less(sum, sum)
      return on, next, less, other, half
    }
  }
  const front: i64[1] = {0}
  width = onnx.Unsqueeze(small, front)
  y = onnx.ConstantOfShape(width)
  return last, falls, any, y
})"),
            "last: i64[]\n"
            "falls: i64[]\n"
            "any: i64[]\n"
            "small: i64[]\n"
            "width: i64[1]\n"
            "y: f32[u1]\n"
            "  next: i64[]\n"
            "  less: i64[]\n"
            "  other: i64[]\n"
            "  from: i64[1]\n"
            "  to: i64[1]\n"
            "  row: f32[1 - min(max(u2 - 41, 0), 1), 4]\n"
            "  down: i64[max(1 - u3, 0)]\n"
            "  half: i64[]\n"
            "  sum: f32[]\n"
            "  on: bool[]\n"
            "u1 in 0 .. ?\n"
            "u2 in 0 .. ?\n"
            "u3 in ? .. ?\n");
}

// As exporters write `while i < n`: the counter is carried, the test stands at the end of the body and before
// it.
TEST(InferenceRegionsTest, ALoopThatCountsToABoundRunsThatOften) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[N, 4], m: i64[M]) {
  const zero: i64[] = {0}
  const two: i64[] = {2}
  shape = onnx.Shape(x; end=1)
  n = onnx.Squeeze(shape)
  go = onnx.Less(zero, n)
  last, all = onnx.Loop(_, go, zero) {
    body: graph(t: i64[], c: bool[], i: i64[]) {
      next = onnx.Add(i, two)
      a = onnx.Cast(next; to: type = f32)
      b = onnx.Cast(n; to: type = f32)
      k = onnx.Less(a, b)
      r = onnx.Identity(m)
      return k, next, r
    }
  }
  return last, all
})"),
            "shape: i64[1]\n"
            "n: i64[]\n"
            "go: bool[]\n"
            "last: i64[]\n"
            "all: i64[(N + 1)//2, M]\n"
            "  next: i64[]\n"
            "  a: f32[]\n"
            "  b: f32[]\n"
            "  k: bool[]\n"
            "  r: i64[M]\n");
}

// Only the matrix will do.
TEST(InferenceRegionsTest, ABranchWithWhoseRankOthersFailIsNotTaken) {
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
            "check: T == 1\n"  // of the branch
            "check: T == 4\n");
}

// By a condition on sizes, one expression says it; by a flag, one of the two sizes; and if both fail, it
// fails.
TEST(InferenceRegionsTest, AnIfGivesWhatItsConditionChooses) {
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
            "y: ?[*]; error: both branches of If fail, whatever the sizes are");
}

// Nobody who reads y says what rank it has, but in both branches somebody fails with a vector.
TEST(InferenceRegionsTest, ABranchWithWhoseRankEveryRunFailsIsNotTaken) {
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
            "check: T == 1\n"
            "check: T == 4\n"
            "check: T == 4\n");
}

// What decides lies in the branch as well, and is decided there.
TEST(InferenceRegionsTest, ABranchInsideABranchIsTakenByWhatFollowsIt) {
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
            "check: T == 1\n"
            "check: T == 4\n");
}

// Before the first trip it is a number that nobody uses.
TEST(InferenceRegionsTest, WhatALoopMakesAnewHasTheRankOfALaterTrip) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[N, 4], stop: bool[]) {
  const trips: i64[] = {9}
  const go: bool[] = {1}
  const nothing: f32[] = {0}
  y = onnx.Loop(trips, go, nothing) {
    body: graph(t: i64[], c: bool[], s: f32[*]) {
      k = onnx.Identity(stop)
      z = onnx.Relu(x)
      return k, z
    }
  }
  return y
})"),
            "y: f32[N, 4]\n"
            "  k: bool[]\n"
            "  z: f32[N, 4]\n");
}

TEST(InferenceRegionsTest, ALoopThatStopsByItsDataRunsAtLeastOnce) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(a: f32[N, 4]) {
  const trips: i64[] = {4}
  const go: bool[] = {1}
  y = onnx.Loop(trips, go, a) {
    body: graph(i: i64[], c: bool[], s: f32[*]) {
      next = onnx.Concat(s, a; axis=0)
      sum = onnx.ReduceSum(s; keepdims=0)
      k = onnx.Cast(sum; to: type = bool)
      return k, next
    }
  }
  return y
})"),
            "y: f32[u1, 4]\n"
            "  next: f32[N + u2, 4]\n"
            "  sum: f32[]\n"
            "  k: bool[]\n"
            "u1 in 2*N .. 5*N\n"
            "u2 in 0 .. ?\n");
}

TEST(InferenceRegionsTest, ASequenceThatALoopFillsHasALengthForEachTrip) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[N, T, 3]) {
  const go: bool[] = {1}
  const one: i64[] = {1}
  shape = onnx.Shape(x)
  n = onnx.Gather(shape, one)
  e = onnx.SequenceEmpty()
  s = onnx.Loop(n, go, e) {
    body: graph(t: i64[], c: bool[], all: seq(f32[*])) {
      k = onnx.Identity(c)
      z = onnx.Gather(x, t; axis=1)
      next = onnx.SequenceInsert(all, z)
      return k, next
    }
  }
  y = onnx.ConcatFromSequence(s; axis=1, new_axis=1)
  return y
})"),
            "shape: i64[3]\n"
            "n: i64[]\n"
            "e: seq(f32[*], length=0)\n"
            "s: seq(f32[N, 3], length=T)\n"
            "y: f32[N, T, 3]\n"
            "  k: bool[]\n"
            "  z: f32[N, 3]\n"
            "  next: seq(f32[N, 3], length=u2 + 1)\n");
}

TEST(InferenceRegionsTest, ElementsThatALoopCollectsKeepTheirRank) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[N, 3], n: i64[], i: i64[]) {
  const go: bool[] = {1}
  e = onnx.SequenceEmpty(; dtype: type = i64)
  s = onnx.Loop(n, go, e) {
    body: graph(t: i64[], c: bool[], all: seq(i64[*])) {
      k = onnx.Identity(c)
      z = onnx.NonZero(x)
      next = onnx.SequenceInsert(all, z)
      return k, next
    }
  }
  a = onnx.SequenceAt(s, i)
  b = onnx.SequenceAt(s, n)
  return a, b
})"),
            "e: seq(i64[*], length=0)\n"
            "s: seq(i64[2, u1], each=u1)\n"
            "a: i64[2, u2]\n"
            "b: i64[2, u3]\n"
            "  k: bool[]\n"
            "  z: i64[2, u4]\n"
            "  next: seq(i64[2, u5], length=u6 + 1, each=u5)\n"
            "u1 in 0 .. ?\n"
            "u2 in 0 .. ?\n"
            "u3 in 0 .. ?\n"
            "u4 in 0 .. ?\n"
            "u5 in 0 .. ?\n");
}

TEST(InferenceRegionsTest, ScanStacks) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(init: f32[H], x: f32[T, N, H]) {
  last, all = onnx.Scan(init, x; num_scan_inputs=1) {
    body: graph(s: f32[H], e: f32[N, H]) {
      r = onnx.ReduceSum(e, axes: i64[1] const; keepdims=0)
      n = onnx.Add(s, s)
      return n, e
    }
  }
  return last, all
})"),
            "last: f32[H]\n"
            "all: f32[T, N, H]\n"
            "  r: f32[u1]\n"
            "  n: f32[H]\n"
            "u1 in 0 .. ?\n");
}

// What leaves a trip is a value that nobody makes; its user knows its elements, and no shape.
TEST(InferenceRegionsTest, AStateThatNobodyMakesIsUnknown) {
  const std::string found = InferText(R"(
opset onnx 21
graph g(init: f32[2], x: f32[3, 2]) {
  y, z = onnx.Scan(init, x; num_scan_inputs=1) {
    body: graph(s: f32[2], e: f32[2]) {
      missing lost
      n = onnx.Add(s, lost)
      return lost, n
    }
  }
  return y, z
})");
  EXPECT_NE(found.find("y: f32[*]"), std::string::npos) << found;
}

}  // namespace
}  // namespace dimwise
