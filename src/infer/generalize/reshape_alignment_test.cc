#include "infer/generalize/reshape_alignment.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "dimwise/shape.h"

namespace dimwise {
namespace {

// B, E, S, H and W are new symbols; their old sizes were 1, 1, 16, 7 and 7, and that of D was 2. N is
// unchanged.
Dim Old(DimTable& dims, Dim size) {
  return dims.Substitute(size, [&](Dim atom) {
    if (dims.Kind(atom) != DimKind::kSymbol) return Dim();
    const std::string_view name = dims.NameOf(atom);
    return name == "B" || name == "E"   ? Dim(1)
           : name == "S"                ? Dim(16)
           : name == "H" || name == "W" ? Dim(7)
           : name == "D"                ? Dim(2)
                                        : Dim();
  });
}

struct Reshaping {
  const char* in;
  const char* old_out;
  const char* out;              // "?" after it: not certain; "none": nothing
  const char* left = nullptr;   // the result if an axis without a counterpart joins its left neighbour
  const char* parts = nullptr;  // the factors of the first axis: "[16, B]"
};

TEST(ReshapeAlignmentTest, Align_EachCase_HasExpectedSizes) {
  const Reshaping cases[] = {
      {"[B, 16, 768]", "[1, 16, 12, 64]", "[B, 16, 12, 64]"},
      {"[B, 16, 12, 64]", "[1, 16, 768]", "[B, 16, 768]"},
      {"[B, S, 768]", "[1, 16, 12, 64]", "[B, S, 12, 64]"},
      {"[B, S, 768]", "[16, 768]", "[B*S, 768]"},
      {"[B, 512, 1, 1]", "[1, 512]", "[B, 512]"},
      {"[B, 512, H, W]", "[1, 25088]", "[B, 512*H*W]"},
      {"[B, 16, 768]", "[1, 1, 16, 768]", "[B, 1, 16, 768]"},
      {"[5, 1, B, 8]", "[5, 1, 8]", "[5, B, 8]"},
      {"[1, B, 8]", "[1, 8]", "[B, 8]"},
      {"[B, 1, E, 8]", "[1, 1, 8]", "[B, E, 8]"},
      {"[16, B]", "[16]", "[16*B]"},
      {"[16, B, 64]", "[16, 64]", "[16*B, 64] ?"},
      {"[16, B, 768]", "[16, 12, 64]", "[16, 12*B, 64] ?", "[16*B, 12, 64] ?"},
      {"[16, B, 12, 64]", "[16, 768]", "[16*B, 768] ?"},
      {"[B, 768]", "[12, 64]", "[12*B, 64]"},
      {"[D, 6, 4]", "[12, 4]", "[6*D, 4]"},
      {"[D, 16]", "[4, 8]", "[2*D, 8]"},
      {"[3, 2*H, 5]", "[3, 7, 2, 5]", "[3, H, 2, 5]"},
      {"[3, 4*H, 5]", "[3, 14, 2, 5]", "[3, 2*H, 2, 5]"},
      {"[16, D, 768]", "[16, 24, 64]", "[16, 12*D, 64]"},
      {"[1, N, 4]", "[1, 4*N]", "[1, 4*N]"},
      {"[B, N, 4]", "[1, 4*N]", "[B, 4*N]"},
      {"[B, N, 4]", "[N, 4]", "[N*B, 4]"},
      {"[0, B]", "[0, 1]", "[0, B]"},
      {"[]", "[1, 1]", "[1, 1]"},
      // A merged axis that is split again.
      {"[16*B]", "[1, 16]", "[B, 16]"},
      {"[16*B]", "[16, 1]", "[16*B, 1]"},
      {"[16*B, 768]", "[1, 16, 12, 64]", "[B, 16, 12, 64]"},
      {"[B*S, 768]", "[1, 16, 768]", "[B, S, 768]"},
      {"[6*D, 8]", "[2, 6, 8]", "[D, 6, 8]"},
      {"[6*D, 8]", "[6, 2, 8]", "none"},
      {"[16*B, 64]", "[16, 1, 64]", "[16*B, 1, 64]"},
      {"[16*B, 64]", "[16, 1, 64]", "[16, B, 64]", nullptr, "[16, B]"},
      {"[16*B, 1, 64]", "[16, 1, 64]", "[16*B, 1, 64]", nullptr, "[16, B]"},
      {"[16*B]", "[16, 1]", "[16*B, 1]", nullptr, "[16, B]"},
      {"[16*B, 64]", "[16, 1, 64]", "[16*B, 1, 64]", nullptr, "[B, 16]"},
      {"[B*S, 64]", "[16, 1, 64]", "[S, B, 64]", nullptr, "[S, B]"},
      {"[6*D, 8]", "[6, 2, 8]", "[6, D, 8]", nullptr, "[6, D]"},
      {"[4*H*W]", "[14, 14]", "[2*H, 2*W]", nullptr, "[2*H, 2*W]"},
      {"[12*B, 16, 64]", "[1, 12, 16, 64]", "[B, 12, 16, 64]"},
      // Reshapes that would reorder elements.
      {"[2, B, 3]", "[3, 2]", "none"},
      {"[2, B, 2]", "[1, 4]", "[1, 4*B]"},
      {"[2, B, 6]", "[4, 1, 3]", "none"},
      {"[B, B]", "[]", "none"},
      {"[B]", "[]", "none"},
  };
  for (const Reshaping& c : cases) {
    DimTable dims;
    ShapeTable shapes;
    const auto sizes = [&](const char* text) { return *ParseShape(dims, shapes, text); };
    const auto parts = [&](Dim) -> std::optional<Merge> {
      if (c.parts == nullptr) return std::nullopt;
      return Merge{sizes(c.parts)[0], sizes(c.parts)[1]};
    };
    for (const Joining joining : {Joining::kSplit, Joining::kLeft}) {
      const std::optional<Alignment> found =
          AlignReshape(dims, {[&](Dim size) { return Old(dims, size); }, parts, joining}, sizes(c.in).dims(),
                       sizes(c.old_out).dims());
      const std::string shown =
          found ? ToString(dims, shapes.Make(found->sizes)) + (found->certain ? "" : " ?") : "none";
      EXPECT_EQ(shown, joining == Joining::kLeft && c.left != nullptr ? c.left : c.out)
          << c.in << " to what was " << c.old_out;
    }
  }
}

// Returns the elements of one sample of a tensor whose elements are numbered row by row.
std::vector<int64_t> ElementsOfSample(const std::vector<int64_t>& sizes, size_t axis, int64_t sample) {
  const int64_t count = std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies());
  int64_t inner = 1;
  for (size_t a = axis + 1; a < sizes.size(); ++a) inner *= sizes[a];
  std::vector<int64_t> elements;
  for (int64_t e = 0; e < count; ++e) {
    if (e / inner % sizes[axis] == sample) elements.push_back(e);
  }
  return elements;
}

// If one axis of the result takes the symbol, its samples must be those of the operand.
TEST(ReshapeAlignmentTest, Samples_RandomReshape_StayTogether) {
  std::mt19937 random(3);
  const auto some = [&](int count) { return static_cast<int64_t>(random() % static_cast<unsigned>(count)); };
  int seen = 0;
  for (int round = 0; round < 20'000; ++round) {
    // Two random groupings of the same factors into axes, with a symbol in place of a 1.
    std::vector<int64_t> factors;
    for (int64_t i = some(4); i >= 0; --i) factors.push_back(2 + some(3));
    const auto grouped = [&] {
      std::vector<int64_t> sizes = {1};
      for (const int64_t f : factors) some(2) == 0 ? sizes.push_back(f) : void(sizes.back() *= f);
      if (some(2) == 0) sizes.insert(sizes.begin() + some(static_cast<int>(sizes.size())), 1);
      return sizes;
    };
    const std::vector<int64_t> old_in = grouped(), old_out = grouped();
    const auto axis = static_cast<size_t>(some(static_cast<int>(old_in.size())));
    if (old_in[axis] != 1) continue;
    DimTable dims;
    const Dim symbol = dims.Symbol("B");
    std::vector<Dim> in(old_in.begin(), old_in.end());
    const std::vector<Dim> after(old_out.begin(), old_out.end());
    in[axis] = symbol;
    const std::optional<Alignment> found = AlignReshape(
        dims, {[&](Dim size) { return Old(dims, size); }, [](Dim) { return std::optional<Merge>(); }}, in,
        after);
    if (!found) continue;
    std::vector<int64_t> real_in = old_in, real_out;
    real_in[axis] = 3;
    std::optional<size_t> there;
    for (size_t j = 0; j < found->sizes.size(); ++j) {
      real_out.push_back(*dims.Evaluate(found->sizes[j], [](Dim) { return 3; }));
      EXPECT_EQ(*dims.Evaluate(found->sizes[j], [](Dim) { return 1; }), old_out[j]);
      if (found->sizes[j] == symbol) there = j;
    }
    EXPECT_EQ(std::accumulate(real_in.begin(), real_in.end(), int64_t{1}, std::multiplies()),
              std::accumulate(real_out.begin(), real_out.end(), int64_t{1}, std::multiplies()));
    if (!there || !found->certain) continue;
    ++seen;
    for (const int64_t sample : {0, 1, 2}) {
      EXPECT_EQ(ElementsOfSample(real_in, axis, sample), ElementsOfSample(real_out, *there, sample));
    }
  }
  EXPECT_GT(seen, 1000);
}

}  // namespace
}  // namespace dimwise
