// Tests programs with loops. Input and output are text.
#include <gtest/gtest.h>

#include <string>

#include "core/base/golden_testing.h"
#include "infer/engine/inference_testing.h"

namespace dimwise {
namespace {

TEST(InferenceLoopsTest, Loop_GrowingByConstantAmount_HasClosedForm) {
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

// Exporters write `out = x if i == 0 else cat(out, x)` this way: the first trip takes what the others append.
TEST(InferenceLoopsTest, FirstTrip_TakingOtherBranch_IsSeparate) {
  const auto result = [](const std::string& trips, const std::string& initial, const std::string& compare) {
    const std::string found = InferText(R"(
opset onnx 21
graph g(x: f32[N], z: f32[M], w: f32[W]) {
  const none: i64[] = {0}
  const one: i64[] = {1}
  const three: i64[] = {3}
  const go: bool[] = {1}
  const empty: f32[0] = {}
  m = onnx.Size(z)
  y = onnx.Loop()" + trips + ", go, " + initial +
                                        R"() {
    body: graph(i: i64[], c: bool[], s: f32[*]) {
      k = onnx.Identity(c)
      is_first = )" + compare + R"(
      next = onnx.If(is_first) {
        then_branch: graph() {
          a = onnx.Relu(x)
          return a
        }
        else_branch: graph() {
          b = onnx.Concat(s, x; axis=0)
          return b
        }
      }
      return k, next
    }
  }
  return y
})");
    const size_t begin = found.find("y: ");
    return found.substr(begin, found.find('\n', begin) - begin);
  };
  EXPECT_EQ(result("three", "empty", "onnx.Equal(i, none)"), "y: f32[3*N]");
  EXPECT_EQ(result("three", "w", "onnx.Equal(i, none)"), "y: f32[3*N]");
  EXPECT_EQ(result("m", "empty", "onnx.Equal(i, none)"), "y: f32[N*M]");
  EXPECT_EQ(result("m", "w", "onnx.Less(i, one)"), "y: f32[N*M]");  // M is assumed to be at least 1
  EXPECT_EQ(result("three", "w", "onnx.Greater(i, none)"), "y: f32[N]");
  EXPECT_EQ(result("three", "w", "onnx.Equal(i, one)"), "y: f32[2*N]");
}

// A size that no trip decreases is never less than its initial size. So the last token of at least one token
// exists, and a condition on the number of tokens counts the trips.
TEST(InferenceLoopsTest, GrowingSize_InBody_IsAtLeastInitialSize) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(tokens: i64[N]) {
  const go: bool[] = {1}
  const most: i64[] = {20}
  const last: i64[1] = {-1}
  const end: i64[1] = {9223372036854775807}
  const front: i64[1] = {0}
  y = onnx.Loop(_, go, tokens) {
    body: graph(i: i64[], c: bool[], s: i64[*]) {
      t = onnx.Slice(s, last, end, front)
      next = onnx.Concat(s, t; axis=0)
      n = onnx.Size(next)
      k = onnx.Less(n, most)
      return k, next
    }
  }
  return y
})"),
            "y: i64[max(N + 1, 20)]\n"
            "  t: i64[1]\n"
            "  next: i64[u1 + 1]\n"
            "  n: i64[]\n"
            "  k: bool[]\n"
            "u1 in 0 .. ?\n");
}

// tf2onnx writes a TensorArray this way: a trip runs only if i < n, so element i exists.
TEST(InferenceLoopsTest, Condition_AtBeginningOfTrip_Holds) {
  const auto found = [](const std::string& start, const std::string& end) {
    return InferText(R"(
opset onnx 21
graph g(x: f32[N, 4], stops: bool[N]) {
  const none: i64[] = {0}
  const one: i64[] = {1}
  const go: bool[] = {1}
  shape = onnx.Shape(x)
  n = onnx.Gather(shape, none)
  m = onnx.Sub(n, one)
  first = )" + start +
                     R"(
  last, all = onnx.Loop(_, first, none) {
    body: graph(trip: i64[], c: bool[], i: i64[]) {
      row = onnx.Gather(x, i)
      next = onnx.Add(i, one)
      within = onnx.Less(next, )" +
                     end + R"()
      return within, next, row
    }
  }
  return all
})");
  };
  const std::string kInside = "  row: f32[4]\n  next: i64[]\n  within: bool[]\n";
  const std::string kOutside = "shape: i64[2]\nn: i64[]\nm: i64[]\nfirst: bool[]\nlast: i64[]\n";
  EXPECT_EQ(found("onnx.Less(none, n)", "n"), kOutside + "all: f32[N, 4]\n" + kInside);
  EXPECT_EQ(found("onnx.Identity(go)", "n"), kOutside + "all: f32[N, 4]\n" + kInside);  // N is at least 1
  EXPECT_NE(found("onnx.Identity(go)", "m").find("check: "), std::string::npos);        // but not 2
}

// The trip number is a scalar. If the body declares a vector of one element, it has that type.
TEST(InferenceLoopsTest, TripNumber_DeclaredAsVector_HasThatType) {
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

// A number that counts up from 0 is never an index from the end. A decreasing or unknown number may be one.
TEST(InferenceLoopsTest, GrowingNumber_FromZero_IsNotNegative) {
  ExpectGolden("src/infer/engine/testdata/growing_number.txt", InferText(R"(
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
})"));
}

// Exporters write `while i < n` this way: the counter is loop-carried, and the condition is computed before
// the loop and at the end of the body.
TEST(InferenceLoopsTest, CountingLoop_ToBound_HasItsTripCount) {
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

// The initial value, a number, is never used.
TEST(InferenceLoopsTest, CarriedValue_ReplacedInEachTrip_HasRankOfLaterTrips) {
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

TEST(InferenceLoopsTest, DataDependentLoop_AfterFirstTest_RunsAtLeastOnce) {
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

// A decoder that stops at a maximum length, or earlier depending on data.
TEST(InferenceLoopsTest, Bound_InCondition_BoundsTripCount) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(ids: i64[1, N], room: f32[L], stop: bool[]) {
  const go: bool[] = {1}
  const last: i64[] = {1}
  const next_id: i64[1, 1] = {7}
  sizes = onnx.Shape(room)
  limit = onnx.Squeeze(sizes)
  y = onnx.Loop(_, go, ids) {
    body: graph(i: i64[], c: bool[], s: i64[*]) {
      next = onnx.Concat(s, next_id; axis=1)
      shape = onnx.Shape(next)
      length = onnx.Gather(shape, last)
      fits = onnx.Less(length, limit)
      k = onnx.And(stop, fits)
      return k, next
    }
  }
  return y
})"),
            "sizes: i64[1]\n"
            "limit: i64[]\n"
            "y: i64[1, u1]\n"
            "  next: i64[1, u2 + 1]\n"
            "  shape: i64[2]\n"
            "  length: i64[]\n"
            "  fits: bool[]\n"
            "  k: bool[]\n"
            "u1 in N + 1 .. max(N + 1, L)\n"
            "u2 in 0 .. ?\n");
}

TEST(InferenceLoopsTest, Sequence_FilledByLoop_HasTripCountAsLength) {
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
            "  next: seq(f32[N, 3], length=u1 + 1)\n");
}

TEST(InferenceLoopsTest, SequenceElements_CollectedByLoop_KeepTheirRank) {
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

TEST(InferenceLoopsTest, Scan_Results_AreStacked) {
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

// No node computes the state after a trip. Its user knows the element type, but no shape.
TEST(InferenceLoopsTest, State_WithoutDefinition_IsUnknown) {
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

// The stacked results of the trips must fit a Reshape, so there is one trip.
TEST(InferenceLoopsTest, NodeAfterLoop_RequiringSize_DeterminesTripCount) {
  EXPECT_EQ(InferText(R"(
opset onnx 18
graph g(x: f32[4, 2], j: i64[]) {
  y, z = onnx.Loop(j, _, x) {
    body: graph(i: i64[], c: bool[], s: f32[4, 2]) {
      return c, s, s
    }
  }
  shape = onnx.Shape(x)
  r = onnx.Reshape(z, shape)
  return r
})"),
            "y: f32[4, 2]\n"
            "z: f32[1, 4, 2]\n"
            "shape: i64[2]\n"
            "r: f32[4, 2]\n"
            "check: u1 == 1\n");
}

// The trip number is below the limit, but only inside the body: if N is 1 there is no trip.
TEST(InferenceLoopsTest, LimitThatMayBeZero_OutsideBody_IsNotPositive) {
  EXPECT_EQ(InferText(R"(
opset onnx 17
graph g(x: f32[N]) {
  const one: i64[] = {1}
  const zero: i64[] = {0}
  const go: bool[] = {1}
  const three: i64[3] = {1, 2, 3}
  shape = onnx.Shape(x)
  n = onnx.Gather(shape, zero)
  trips = onnx.Mod(one, n)
  y = onnx.Loop(trips, _, n) {
    body: graph(i: i64[], c: bool[], s: i64[*]) {
      next = onnx.Identity(three)
      return go, next
    }
  }
  k = onnx.Range(zero, trips, one)
  return y, k
})"),
            "shape: i64[1]\n"
            "n: i64[]\n"
            "trips: i64[]\n"
            "y: i64[*]\n"
            "k: i64[1 % N]\n"
            "  next: i64[3]\n");
}

}  // namespace
}  // namespace dimwise
