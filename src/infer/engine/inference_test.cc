// Whole programs: the text form in, what was found out.
#include "dimwise/inference.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "dimwise/builtin.h"
#include "infer/engine/inference_testing.h"

namespace dimwise {
namespace {

TEST(InferenceTest, ShapesFollowTheProgram) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph mlp(x: f32[N, 784]) {
  h = onnx.Gemm(x, w1: f32[784, 128] const, b1: f32[128] const)
  y = onnx.Relu(h)
  return y
})"),
            "h: f32[N, 128]\n"
            "y: f32[N, 128]\n");
}

TEST(InferenceTest, ContentsBecomeShapes) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph heads(x: f32[N, S, 768]) {
  const zero: i64[1] = {0}
  const rest: i64[2] = {12, 64}
  s = onnx.Shape(x; start=0, end=2)
  to = onnx.Concat(s, rest; axis=0)
  y = onnx.Reshape(x, to)
  return y
})"),
            "s: i64[2]\n"
            "to: i64[4]\n"
            "y: f32[N, S, 12, 64]\n");
}

TEST(InferenceTest, WhatOneNodeChecksHoldsEverywhereAndIsCheckedOnce) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(a: f32[N, 8], b: f32[M, 8], c: f32[8, K], d: f32[8, K2]) {
  early = onnx.Shape(a)
  x = onnx.MatMul(a, c)
  y = onnx.MatMul(b, d)
  s = onnx.Concat(x, y; axis=0)
  t = onnx.Concat(x, y; axis=0)
  return s, t, early
})"),
            "early: i64[2]\n"
            "x: f32[N, K]\n"
            "y: f32[M, K]\n"
            "s: f32[N + M, K]\n"
            "t: f32[N + M, K]\n"
            "check: K == K2\n");
}

// The slice is 240 because the product needs it to be: the check stays, and does not excuse itself.
TEST(InferenceTest, WhatACheckShowsIsReadWithItAndStoredWithoutIt) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[B, N]) {
  const zero: i64[1] = {0}
  const end: i64[1] = {240}
  const axis: i64[1] = {1}
  part = onnx.Slice(x, zero, end, axis)
  y = onnx.MatMul(part, w: f32[240, 4] const)
  return y
})"),
            "part: f32[B, 240]\n"
            "y: f32[B, 4]\n"
            "check: N >= 240\n");
}

TEST(InferenceTest, AnErrorStopsNothing) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(a: f32[2, 3], b: f32[4, 5]) {
  x = onnx.MatMul(a, b)
  y = onnx.Relu(a)
  z = onnx.Relu(x)
  return x, y, z
})"),
            "x: f32[*]\n"
            "y: f32[2, 3]\n"
            "z: f32[*]\n"
            "error: MatMul multiplies 3 columns by 4 rows; the two must be equal\n");
}

TEST(InferenceTest, AnUnknownOperatorLeavesTheRest) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(a: f32[2, 3]) {
  x = my.Own(a)
  y = onnx.Relu(x)
  z = onnx.Relu(a)
  return x, y, z
})"),
            "x: ?[*]\n"
            "y: ?[*]\n"
            "z: f32[2, 3]\n"
            "warning: there is no operator my.Own, nor a set my\n");
}

TEST(InferenceTest, IfJoins) {
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

TEST(InferenceTest, ALoopThatGrowsHasAClosedForm) {
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

// As exporters write `while i < n`: the counter is carried, the test stands at the end of the body and before
// it.
TEST(InferenceTest, ALoopThatCountsToABoundRunsThatOften) {
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

// As exporters write for `squeeze`: a matrix of one column becomes a vector. Here only the matrix will do.
TEST(InferenceTest, ABranchWithWhoseRankOthersFailIsNotTaken) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[N, T], w: f32[4, 3]) {
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
  z = onnx.Gemm(y, w)
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
TEST(InferenceTest, AnIfGivesWhatItsConditionChooses) {
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
TEST(InferenceTest, ABranchWithWhoseRankEveryRunFailsIsNotTaken) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[N, T], w: f32[4, 3], p: bool[]) {
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
  z = onnx.If(p) {
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

// Before the first trip it is a number that nobody uses.
TEST(InferenceTest, WhatALoopMakesAnewHasTheRankOfALaterTrip) {
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

// The rank that is left depends on M, which MatMul requires to be 1: so it rests on that.
TEST(InferenceTest, WhatAnotherRequiresDecidesARank) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(a: f32[2, M], b: f32[1, 3]) {
  y = onnx.Squeeze(a)
  z = onnx.MatMul(a, b)
  return y, z
})"),
            "y: f32[2]\n"
            "z: f32[2, 3]\n"
            "check: M == 1\n");
}

// Whether the slice ends before the first element is decided by what the gather requires.
TEST(InferenceTest, WhatAnotherRequiresDecides) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(a: f32[N]) {
  const zero: i64[1] = {0}
  const less: i64[1] = {80}
  const far: i64[1] = {239}
  n = onnx.Shape(a)
  end = onnx.Sub(n, less)
  y = onnx.Slice(a, zero, end)
  m = onnx.Gather(a, far)
  return y, m
})"),
            "n: i64[1]\n"
            "end: i64[1]\n"
            "y: f32[N - 80]\n"
            "m: f32[1]\n"
            "check: N >= 240\n");
}

// Only where the slice has M elements is M small enough for a simpler way to say how many it has.
TEST(InferenceTest, ACheckDoesNotSimplifyWhatItIsAbout) {
  EXPECT_EQ(InferText(R"(
opset onnx 17
graph g(x: f32[M]) {
  const start: i64[1] = {-2}
  const end: i64[1] = {3}
  const axis: i64[1] = {0}
  const step: i64[1] = {2}
  s = onnx.Slice(x, start, end, axis, step)
  to = onnx.Shape(x)
  y = onnx.Reshape(s, to; allowzero=1)
  return y
})"),
            "s: f32[1]\n"
            "to: i64[1]\n"
            "y: f32[M]\n"
            "check: M == (max(min(min(M, 2), min(5 - M, 3)), 0) + 1)//2\n");
}

// There is no M for which both the reshape and the gather succeed; one of them gets the error.
TEST(InferenceTest, AProgramThatContradictsItselfSettles) {
  EXPECT_EQ(InferText(R"(
opset onnx 17
graph g(a: f32[1, 1, 1], b: f32[M, N, M]) {
  const places: i64[2] = {1, 2}
  to = onnx.Shape(b)
  c = onnx.Reshape(a, to; allowzero=1)
  d = onnx.Gather(c, places; axis=0)
  return d
})"),
            "to: i64[3]\n"
            "c: f32[*]\n"
            "d: f32[*]\n"
            "error: shape [M, N, M] has M*M*N elements, and data [1, 1, 1] has 1\n");
}

TEST(InferenceTest, ALoopThatStopsByItsDataRunsAtLeastOnce) {
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

TEST(InferenceTest, ASequenceThatALoopFillsHasALengthForEachTrip) {
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

TEST(InferenceTest, WhatAnOperatorEnsuresDoesNotStandForItsOwnCheck) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(x: f32[M]) {
  const two: i64[2] = {-1, 2}
  const three: i64[2] = {-1, 3}
  y = onnx.Reshape(x, two)
  z = onnx.Reshape(y, three)
  return z
})"),
            "y: f32[M//2, 2]\n"
            "z: f32[M//2 - M//6, 3]\n"
            "check: M % 2 == 0\n"
            "check: M//2 == 3*((M + 4)//6)\n");
}

TEST(InferenceTest, ElementsThatALoopCollectsKeepTheirRank) {
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

TEST(InferenceTest, ScanStacks) {
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
TEST(InferenceTest, AStateThatNobodyMakesIsUnknown) {
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

TEST(InferenceTest, FunctionsAreWalkedInto) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
function my.Twice(x; axis: int = 0) {
  y = onnx.Concat(x, x; axis=$axis)
  return y
}
graph g(a: f32[N, 4]) {
  x = my.Twice(a)
  y = my.Twice(a; axis=1)
  i = onnx.NonZero(x)
  return x, y, i
})"),
            "x: f32[2*N, 4]\n"
            "y: f32[N, 8]\n"
            "i: i64[2, u1]\n"
            "u1 in 0 .. 8*N\n");
}

TEST(InferenceTest, AnUnknownOperatorIsSeenFromItsUsers) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(a: f32[N, 3], w: f32[4, 5]) {
  x = my.Own(a)
  y = onnx.Gemm(x, w)
  z = my.Own(a)
  s = onnx.Concat(z, a; axis=1)
  return y, s
})"),
            "x: f32[u3, 4]\n"
            "y: f32[u3, 5]\n"
            "z: f32[N, u4]\n"
            "s: f32[N, u4 + 3]\n"
            "warning: there is no operator my.Own, nor a set my\n"
            "warning: there is no operator my.Own, nor a set my\n"
            "check: u1 == 4\n"
            "check: N == u2\n"
            "u3 in 0 .. ?\n"
            "u4 in 0 .. ?\n");
}

// A Constant of a file is known by its bytes. Its attributes, made of them, tell the rule the same.
TEST(InferenceTest, AConstantOfAFileIsWhatItsRuleSays) {
  std::mt19937 random(7);
  std::vector<std::byte> bytes(64 * 8);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random() % 3 == 0 ? random() : random() % 4);
  for (const ElementType element :
       {ElementType::kF64, ElementType::kF32, ElementType::kF16, ElementType::kBF16, ElementType::kI64,
        ElementType::kI32, ElementType::kI8, ElementType::kU64, ElementType::kU8, ElementType::kI4,
        ElementType::kBool}) {
    for (const std::vector<int64_t>& dims :
         {std::vector<int64_t>{}, {0}, {1}, {3}, {2, 2}, {4, 0, 2}, {64}}) {
      Analysis analysis;
      const std::vector<Dim> sizes(dims.begin(), dims.end());
      const Type type = Type::Tensor(element, analysis.shapes().Make(sizes));
      Graph graph(analysis);
      const AttrsId of_file =
          graph.AddTensorAttr({"value", type, analysis.values().Bytes(element, dims, bytes)});
      const AttrsId of_text = graph.AddAttrs(graph.attrs(of_file));
      const auto add = [&](AttrsId attrs) {
        const OpId op = graph.UseOp("onnx.Constant", 21);
        return graph.results(graph.AddNode(graph.body(), {.op = op, .attrs = attrs}, {}, {"c"}))[0];
      };
      const ValueId by_bytes = add(of_file), by_rule = add(of_text);
      Inference inference(graph, BuiltinRegistry());
      inference.Run();
      const std::string where = ToString(analysis.dims(), type);
      EXPECT_EQ(inference.type(by_bytes), type) << where;
      EXPECT_EQ(inference.type(by_rule), type) << where;
      const Value file = inference.contents(by_bytes), rule = inference.contents(by_rule);
      if (rule.is_none()) continue;  // where one element is no number that we know
      ASSERT_EQ(file.size(), rule.size()) << where;
      for (int64_t i = 0; i < rule.size(); ++i) {
        EXPECT_EQ(file.Integer(i), rule.Integer(i)) << where << " at " << i;
        EXPECT_EQ(file.FloatingPoint(i), rule.FloatingPoint(i)) << where << " at " << i;
      }
    }
  }
}

}  // namespace
}  // namespace dimwise
