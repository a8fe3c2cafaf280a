// Tests Merge and Relax as the meet and the join of a lattice, on random shapes: commutative, associative and
// idempotent up to the names of fresh symbols, with meets below and joins above both operands.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "core/base/rounds_testing.h"
#include "dimwise/inference_context.h"

namespace dimwise {
namespace {

using Texts = std::vector<std::string>;

std::string RandomShape(std::mt19937_64& random) {
  const auto pick = [&](uint64_t n) { return random() % n; };
  if (pick(6) == 0) return "[*]";
  static constexpr const char* kSizes[] = {"1", "2", "3", "N", "M", "K", "N + 1", "2*N", "?"};
  std::string text = "[";
  const uint64_t rank = pick(5) == 0 ? pick(4) : 2;
  for (uint64_t i = 0; i < rank; ++i)
    text += (i > 0 ? ", " : "") + std::string(kSizes[pick(std::size(kSizes))]);
  return text + "]";
}

// An analysis with a context, and the shapes parsed from texts.
struct World {
  explicit World(const Texts& texts) {
    for (const char* name : {"N", "M", "K"}) analysis.dims().Symbol(name);
    for (const std::string& t : texts) shapes.push_back(*ParseShape(analysis.dims(), analysis.shapes(), t));
    NodeDescription node;
    node.owner = 1;
    context.Reset(node, std::span<const Shape>());
  }
  // Prints the shape simplified by facts. Fresh symbols are numbered in order of occurrence.
  std::string Describe(Shape shape) {
    if (!shape.has_rank()) return "[*]";
    std::string text = "[";
    std::map<int64_t, int> fresh;
    for (Dim d : shape.dims()) {
      const Dim s = analysis.facts().Simplify(d, context.scope(), FactFilter::kEverything, /*solve=*/true);
      const bool is_generated =
          analysis.dims().Kind(s) == DimKind::kSymbol && !analysis.dims().GetSymbol(s).of_user;
      text +=
          (text.size() > 1 ? ", " : "") +
          (is_generated
               ? "?" + std::to_string(fresh.emplace(s.bits(), static_cast<int>(fresh.size())).first->second)
               : analysis.dims().ToString(s));
    }
    return text + "]";
  }

  Analysis analysis;
  InferenceContext context{analysis};
  std::vector<Shape> shapes;
};

// Folds the shapes in the order given by indices, as ((0 1) 2) or (0 (1 2)).
std::string Merged(const Texts& texts, std::vector<size_t> order, bool from_right) {
  World w(texts);
  Shape all = w.shapes[order[from_right ? order.size() - 1 : 0]];
  for (size_t i = 1; i < order.size(); ++i) {
    const Shape next = w.shapes[order[from_right ? order.size() - 1 - i : i]];
    Result<Shape> merged = from_right ? w.context.Merge(next, all) : w.context.Merge(all, next);
    if (!merged) return "error";
    all = *merged;
  }
  return w.Describe(all);
}

std::string Relaxed(const Texts& texts, std::vector<size_t> order) {
  World w(texts);
  Shape all = w.shapes[order[0]];
  for (size_t i = 1; i < order.size(); ++i) all = w.context.Relax(all, w.shapes[order[i]]);
  return w.Describe(all);
}

TEST(LatticeProperty, Merge_RandomShapes_IsCommutativeAndAssociative) {
  std::mt19937_64 random(1);
  int errors = 0;
  for (int trial = 0; trial < Rounds(1500); ++trial) {
    const Texts t = {RandomShape(random), RandomShape(random), RandomShape(random)};
    const std::string left = Merged(t, {0, 1, 2}, false);
    errors += left == "error";
    ASSERT_EQ(left, Merged(t, {0, 1, 2}, true)) << t[0] << " " << t[1] << " " << t[2];
    ASSERT_EQ(left, Merged(t, {2, 0, 1}, false)) << t[0] << " " << t[1] << " " << t[2];
    ASSERT_EQ(left, Merged(t, {1, 2, 0}, true)) << t[0] << " " << t[1] << " " << t[2];
  }
  EXPECT_GT(errors, Rounds(100)) << "some must conflict";
}

TEST(LatticeProperty, MergeAndRelax_SameShape_ReturnsHandle) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 300; ++trial) {
    World w({RandomShape(random)});
    const Shape s = w.shapes[0];
    EXPECT_EQ(*w.context.Merge(s, s), s);
    EXPECT_EQ(w.context.Relax(s, s), s);
    EXPECT_TRUE(w.context.guards().empty());
  }
}

TEST(LatticeProperty, Relax_RandomShapes_IsCommutativeAndAssociative) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < Rounds(1500); ++trial) {
    const Texts t = {RandomShape(random), RandomShape(random), RandomShape(random)};
    // The positions of shared and fresh sizes do not depend on the order.
    const auto form = [](std::string s) {
      for (size_t i = 0; i + 1 < s.size(); ++i) {
        if (s[i] == '?') s[i + 1] = '_';
      }
      return s;
    };
    ASSERT_EQ(form(Relaxed(t, {0, 1, 2})), form(Relaxed(t, {2, 1, 0}))) << t[0] << " " << t[1] << " " << t[2];
    ASSERT_EQ(form(Relaxed(t, {0, 1, 2})), form(Relaxed(t, {1, 2, 0}))) << t[0] << " " << t[1] << " " << t[2];
  }
}

TEST(LatticeProperty, MergeAndRelax_RandomShapes_AreBelowAndAbove) {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < Rounds(1500); ++trial) {
    const Texts t = {RandomShape(random), RandomShape(random)};
    World w(t);
    Facts& facts = w.analysis.facts();
    const Shape up = w.context.Relax(w.shapes[0], w.shapes[1]);
    for (const Shape s : w.shapes) {
      if (!up.has_rank()) continue;
      ASSERT_TRUE(s.has_rank() && s.rank() == up.rank()) << t[0] << " " << t[1];
      for (int i = 0; i < up.rank(); ++i) {
        // The bounds and congruences of the join hold for both sizes.
        const SizeBounds join = facts.Bounds(up[i], w.context.scope()),
                         one = facts.Bounds(s[i], w.context.scope());
        ASSERT_GE(one.min.value_or(INT64_MIN), join.min.value_or(INT64_MIN)) << t[0] << " " << t[1];
        ASSERT_LE(one.max.value_or(INT64_MAX), join.max.value_or(INT64_MAX)) << t[0] << " " << t[1];
      }
    }
    const Result<Shape> down = w.context.Merge(w.shapes[0], w.shapes[1]);
    if (!down) continue;
    for (const Shape s : w.shapes) {
      if (!s.has_rank()) continue;
      ASSERT_TRUE(down->has_rank() && down->rank() == s.rank());
      for (int i = 0; i < s.rank(); ++i)
        ASSERT_EQ(facts.Equal((*down)[i], s[i], w.context.scope()), Truth::kYes) << t[0] << " " << t[1];
    }
  }
}

}  // namespace
}  // namespace dimwise
