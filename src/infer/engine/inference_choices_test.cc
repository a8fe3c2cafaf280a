// Tests programs in which one condition decides several choices. Input and output are text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/base/golden_testing.h"
#include "infer/engine/inference_testing.h"

namespace dimwise {
namespace {

std::string IfText(std::string_view name, std::string_view condition, std::string_view then,
                   std::string_view otherwise) {
  return fmt::format(R"(  {0} = onnx.If({1}) {{
    then_branch: graph() {{
      {0}_a = {2}
      return {0}_a
    }}
    else_branch: graph() {{
      {0}_b = {3}
      return {0}_b
    }}
  }}
)",
                     name, condition, then, otherwise);
}

// The second If uses the decision of the first.
TEST(InferenceChoicesTest, TwoIfs_SameCondition_ChooseTheSameBranch) {
  const std::string kBoth = "onnx.Concat(p, x; axis=0)", kOne = "onnx.Relu(x)";
  const auto result = [](const std::string& ifs, std::string_view last) {
    return FoundOf(R"(
opset onnx 21
graph g(c: bool[], t: i64[], s: f32[], x: f32[N], p: f32[P], z: f32[M]) {
  const three: i64[] = {3}
  const another_three: i64[] = {3}
  const four: i64[] = {4}
  const some: f32[] = {0.5}
  const none: i64[1] = {0}
  const before_last: i64[1] = {-2}
  const pads: i64[2] = {0, 2}
  not_c = onnx.Not(c)
  again = onnx.Identity(c)
  neither = onnx.Not(not_c)
  more = onnx.Greater(t, three)
  more_again = onnx.Less(another_three, t)
  not_more = onnx.LessOrEqual(t, three)
  more_than_four = onnx.Greater(t, four)
  much = onnx.Greater(s, some)
  not_much = onnx.LessOrEqual(s, some)
)" + ifs + fmt::format("  y = {}\n  return y\n}}", last),
                   "y");
  };
  const auto add = [&](std::string_view first, std::string_view second, bool is_turned) {
    return result(IfText("a", first, kBoth, kOne) +
                      IfText("b", second, is_turned ? kOne : kBoth, is_turned ? kBoth : kOne),
                  "onnx.Add(a, b)");
  };
  const std::string kSame = "y: f32[u1]; u1 in N .. N + P";
  EXPECT_EQ(add("c", "c", false), kSame);
  EXPECT_EQ(add("c", "again", false), kSame);
  EXPECT_EQ(add("c", "neither", false), kSame);
  EXPECT_EQ(add("c", "not_c", true), kSame);
  EXPECT_EQ(add("more", "more_again", false), kSame);
  EXPECT_EQ(add("more", "not_more", true), kSame);
  EXPECT_EQ(add("c", "c", true),
            "y: f32[broadcast(2*N + P - u1, u1)]; u1 in N .. N + P; "
            "check: 2*N + P == 2*u1 or 2*N + P == u1 + 1 or u1 == 1");
  // NaN is neither greater nor not greater.
  for (const auto& [first, second] :
       {std::pair("c", "more"), std::pair("more", "more_than_four"), std::pair("much", "not_much")}) {
    const std::string found = add(first, second, true);
    EXPECT_NE(found.find("broadcast(u"), std::string::npos) << first << " " << second << ": " << found;
    EXPECT_NE(found.find("check: "), std::string::npos) << first << " " << second << ": " << found;
  }
  // The two Ifs choose opposite tensors.
  EXPECT_EQ(result(IfText("a", "c", "onnx.Relu(x)", "onnx.Relu(z)") +
                       IfText("b", "c", "onnx.Relu(z)", "onnx.Relu(x)"),
                   "onnx.Concat(a, b; axis=0)"),
            "y: f32[N + M]; u1 in min(N, M) .. max(N, M)");
  // The first If pads and the second one crops.
  EXPECT_EQ(result(IfText("a", "c", "onnx.Pad(x, pads)", "onnx.Relu(x)") +
                       IfText("b", "c", "onnx.Slice(a, none, before_last)", "onnx.Relu(a)"),
                   "onnx.Relu(b)"),
            "y: f32[N]; u1 in N .. N + 2");
}

TEST(InferenceChoicesTest, Branch_UsingConditionOfItsIf_KnowsIt) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(c: bool[], x: f32[N], z: f32[M]) {
  const one: i64[1] = {1}
  n = onnx.Shape(x)
  is_one = onnx.Equal(n, one)
  y = onnx.If(is_one) {
    then_branch: graph() {
      a = onnx.Add(x, z)
      return a
    }
    else_branch: graph() {
      return z
    }
  }
  w = onnx.If(c) {
    then_branch: graph() {
      not_c = onnx.Not(c)
      b = onnx.If(not_c) {
        then_branch: graph() {
          d = onnx.Concat(x, x; axis=0)
          return d
        }
        else_branch: graph() {
          e = onnx.Relu(x)
          return e
        }
      }
      return b
    }
    else_branch: graph() {
      return x
    }
  }
  return y, w
})"),
            "n: i64[1]\n"
            "is_one: bool[1]\n"
            "y: f32[M]\n"
            "w: f32[N]\n"
            "  a: f32[M]\n"
            "  not_c: bool[]\n"
            "  b: f32[N]\n"
            "  d: f32[2*N]\n"
            "  e: f32[N]\n");
}

// One file contains a decoder with and without a cache as two branches. A mask of 64 is long enough in both.
TEST(InferenceChoicesTest, Requirement_InBranch_HoldsForItsResults) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(c: bool[], x: f32[N, S], row: f32[1, S], past: f32[N, P], masks: f32[1, 64]) {
  const last: i64[1] = {1}
  s = onnx.Shape(x; start=1, end=2)
  p = onnx.Shape(past; start=1, end=2)
  y, z = onnx.If(c) {
    then_branch: graph() {
      end = onnx.Add(p, s)
      mask = onnx.Slice(masks, p, end, last)
      both = onnx.Concat(x, mask; axis=0)
      return mask, both
    }
    else_branch: graph() {
      more = onnx.Concat(x, row; axis=0)
      return row, more
    }
  }
  return y, z
})"),
            "s: i64[1]\n"
            "p: i64[1]\n"
            "y: f32[1, S]\n"
            "z: f32[N + 1, S]\n"
            "  end: i64[1]\n"
            "  mask: f32[1, S]\n"
            "  both: f32[N + 1, S]\n"
            "  more: f32[N + 1, S]\n"
            "check: S + P <= 64\n");
}

// The branch of a function is selected by the rank that later nodes require, as in the main graph.
TEST(InferenceChoicesTest, RankRequirement_InFunction_SelectsItsBranch) {
  EXPECT_EQ(FoundOf(R"(
opset onnx 21
opset my 1
function my.Rows(x, w) {
  const first: i64[1] = {0}
  const one: i64[1] = {1}
  n = onnx.Shape(x; start=0, end=1)
  single = onnx.Equal(n, one)
  rows = onnx.If(single) {
    then_branch: graph() {
      row = onnx.Squeeze(x, first)
      return row
    }
    else_branch: graph() {
      all = onnx.Identity(x)
      return all
    }
  }
  both = onnx.Concat(rows, w; axis=0)
  return both
}
graph g(x: f32[N, 4], w: f32[M, 4]) {
  y = my.Rows(x, w)
  return y
})",
                    "y"),
            "y: f32[N + M, 4]; check: N != 1");
}

// A size that depends on loop-carried values differs between trips, so the condition belongs to a trip.
TEST(InferenceChoicesTest, ConditionOfTrip_InNextTrip_IsIndependent) {
  EXPECT_EQ(InferText(R"(
opset onnx 21
graph g(flags: bool[T], x: f32[N], z: f32[M]) {
  const trips: i64[] = {3}
  const on: bool[] = {1}
  y, both = onnx.Loop(trips, on, x) {
    body: graph(i: i64[], go: bool[], v: f32[K]) {
      c = onnx.Gather(flags, i)
      a = onnx.If(c) {
        then_branch: graph() {
          return x
        }
        else_branch: graph() {
          return z
        }
      }
      b = onnx.If(c) {
        then_branch: graph() {
          b_a = onnx.Relu(x)
          return b_a
        }
        else_branch: graph() {
          b_b = onnx.Neg(z)
          return b_b
        }
      }
      w = onnx.Add(a, b)
      s = onnx.Size(w)
      return go, w, s
    }
  }
  return y, both
})"),
            "y: f32[u2]\n"
            "both: i64[3]\n"
            "  c: bool[]\n"
            "  a: f32[u3]\n"
            "  b: f32[u3]\n"
            "  w: f32[u3]\n"
            "  s: i64[]\n"
            "  b_a: f32[N]\n"
            "  b_b: f32[M]\n"
            "check: T >= u1 + 1\n"
            "check: T >= 3\n"
            "u2 in 0 .. ?\n"
            "u3 in 0 .. ?\n");
}

// A condition before the loop determines the trip count. No guard is needed to prove that sizes are not
// negative.
TEST(InferenceChoicesTest, Loop_AddingChosenSizes_NeedsNoGuard) {
  EXPECT_EQ(FoundOf(R"(
opset onnx 21
graph g(c: bool[], x: f32[N], z: f32[M]) {
  const go: bool[] = {1}
  m = onnx.Size(z)
)" + IfText("a", "c", "onnx.Concat(x, x; axis=0)", "onnx.Relu(x)") +
                        R"(  y = onnx.Loop(m, go, a) {
    body: graph(i: i64[], k: bool[], v: f32[*]) {
)" + IfText("b", "c", "onnx.Concat(v, x; axis=0)", "onnx.Relu(v)") +
                        R"(      return k, b
    }
  }
  return y
})",
                    "y"),
            "y: f32[M*u1 - N*M + u1]; u1 in N .. 2*N");
}

// Exporters write -1 in a size list of Expand to keep an axis. Other nodes require that this size is not
// negative, so it is not -1 in a Reshape either.
TEST(InferenceChoicesTest, Choice_DecidedByOtherNodes_IsResolved) {
  ExpectGolden("src/infer/engine/testdata/choice_by_other_nodes.txt", InferText(R"(
opset onnx 17
graph g(x: f32[B, 4, T], mask: f32[B, 1]) {
  const w: f32[8, 4, 6]
  const one: i64[1] = {1}
  const minus: i64[1] = {-1}
  y = onnx.Conv(x, w; strides=[2])
  b = onnx.Shape(y; end=1)
  t = onnx.Shape(y; start=2)
  is_left = onnx.Equal(t, minus)
  chosen = onnx.Where(is_left, one, t)
  sizes = onnx.Concat(b, chosen; axis=0)
  wide = onnx.Expand(mask, sizes)
  whole = onnx.Concat(b, t, minus; axis=0)
  again = onnx.Reshape(wide, whole)
  first = onnx.Constant(; value=i64[]{0})
  step = onnx.Constant(; value=i64[]{1})
  last = onnx.Squeeze(t)
  range = onnx.Range(first, last, step)
  column = onnx.Unsqueeze(range, one)
  square = onnx.Sub(range, column)
  sides = onnx.Concat(t, one, t; axis=0)
  z = onnx.Reshape(square, sides)
  return again, z
})"));
}

// A requirement of a node before the branches stays a guard, although the results of the branches imply it. A
// table of positions is resized to the number of patches of an image if the numbers differ.
TEST(InferenceChoicesTest, Requirement_BeforeBranches_IsKept) {
  EXPECT_EQ(InferText(R"(
opset onnx 17
graph g(x: f32[1, 3, H, 64], positions: f32[7]) {
  const w: f32[8, 3, 16, 16]
  const one: i64[1] = {1}
  const two: i64[1] = {2}
  const three: i64[1] = {3}
  const seven: i64[1] = {7}
  patches = onnx.Conv(x, w; strides=[16, 16])
  shape = onnx.Shape(patches)
  rows = onnx.Slice(shape, two, three)
  doubled = onnx.Mul(rows, two)
  distances = onnx.Sub(doubled, one)
  is_seven = onnx.Equal(distances, seven)
  is_other = onnx.Not(is_seven)
  y = onnx.If(is_other) {
    then_branch: graph() {
      a = onnx.Resize(positions, _, _, distances; mode="linear")
      return a
    }
    else_branch: graph() {
      b = onnx.Identity(positions)
      return b
    }
  }
  return y
})"),
            "patches: f32[1, 8, H//16, 4]\n"
            "shape: i64[4]\n"
            "rows: i64[1]\n"
            "doubled: i64[1]\n"
            "distances: i64[1]\n"
            "is_seven: bool[1]\n"
            "is_other: bool[1]\n"
            "y: f32[2*(H//16) - 1]\n"
            "  a: f32[2*(H//16) - 1]\n"
            "  b: f32[7]\n"
            "check: H >= 16\n");
}

// A choice between two sizes does not remove the guard either: the order of the sizes is known only if the
// earlier node succeeds.
TEST(InferenceChoicesTest, Requirement_BeforeChoice_IsKept) {
  EXPECT_EQ(InferText(R"(
opset onnx 17
graph g(x: f32[N, 1, N], is_short: bool[]) {
  const w: f32[3, 1, 3]
  c = onnx.Conv(x, w)
  y = onnx.If(is_short) {
    then_branch: graph() {
      a = onnx.Relu(c)
      return a
    }
    else_branch: graph() {
      b = onnx.Transpose(x; perm=[0, 2, 1])
      return b
    }
  }
  return y
})"),
            "c: f32[N, 3, N - 2]\n"
            "y: f32[N, u1, N - u1 + 1]\n"
            "  a: f32[N, 3, N - 2]\n"
            "  b: f32[N, N, 1]\n"
            "check: N >= 3\n"
            "u1 in min(N, 3) .. N + 1\n");
}

// TorchScript writes `if rows % 4 != 0 or columns % 4 != 0` with the second condition in a branch of the
// first.
TEST(InferenceChoicesTest, NestedConditions_OfAnOr_AreJoined) {
  EXPECT_EQ(FoundOf(R"(
opset onnx 17
graph g(x: f32[H, W]) {
  const zero: i64[1] = {0}
  const zeros: i64[2] = {0, 0}
  const four: i64[2] = {4, 4}
  const is_so: bool[1] = {1}
  shape = onnx.Shape(x)
  less = onnx.Neg(shape)
  lacks = onnx.Mod(less, four)
  rows, columns = onnx.Split(lacks)
  rows_miss = onnx.Greater(rows, zero)
  some_miss = onnx.If(rows_miss) {
    then_branch: graph() {
      return is_so
    }
    else_branch: graph() {
      columns_miss = onnx.Greater(columns, zero)
      return columns_miss
    }
  }
  y = onnx.If(some_miss) {
    then_branch: graph() {
      pads = onnx.Concat(zeros, lacks; axis=0)
      padded = onnx.Pad(x, pads)
      return padded
    }
    else_branch: graph() {
      return x
    }
  }
  return y
})",
                    "y"),
            "y: f32[4*((H + 3)//4), 4*((W + 3)//4)]");
}

}  // namespace
}  // namespace dimwise
