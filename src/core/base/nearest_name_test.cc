#include "core/base/nearest_name.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace dimwise {
namespace {

TEST(EditDistanceTest, EditDistance_TableOfPairs_GivesDistance) {
  EXPECT_EQ(EditDistance("", "", 3), 0u);
  EXPECT_EQ(EditDistance("Conv", "Conv", 3), 0u);
  EXPECT_EQ(EditDistance("Conv", "conv", 3), 0u);
  EXPECT_EQ(EditDistance("Cnv", "Conv", 3), 1u);
  EXPECT_EQ(EditDistance("Covn", "Conv", 3), 1u);
  EXPECT_EQ(EditDistance("Conv2D", "Conv", 3), 2u);
  EXPECT_EQ(EditDistance("", "abc", 3), 3u);
  EXPECT_EQ(EditDistance("abc", "xyz", 2), 3u);
  EXPECT_EQ(EditDistance("abc", "", 1), 2u);
  EXPECT_EQ(EditDistance(std::string(1000000, 'a'), "Conv", 3), 4u);
  EXPECT_EQ(EditDistance(std::string(1000, 'a'), std::string(1000, 'a'), 3), 4u);
}

// A direct implementation of the definition, as a reference.
size_t SlowDistance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

TEST(EditDistanceTest, EditDistance_RandomWords_AgreesWithDefinition) {
  std::mt19937 random(3);
  const auto word = [&random] {
    std::string text(random() % 8, 'a');
    for (char& c : text) c = static_cast<char>('a' + random() % 3);
    return text;
  };
  for (int round = 0; round < 5000; ++round) {
    const std::string a = word();
    const std::string b = word();
    for (size_t limit = 0; limit < 6; ++limit) {
      EXPECT_EQ(EditDistance(a, b, limit), std::min(SlowDistance(a, b), limit + 1))
          << a << " " << b << " " << limit;
    }
  }
}

TEST(NearestNameTest, NearestName_TableOfMisspellings_GivesNearest) {
  const std::vector<std::string_view> names = {"Add",    "And",  "Conv", "ConvTranspose",
                                               "MatMul", "Relu", "conv"};
  EXPECT_EQ(NearestName("Cnv", names), "Conv");
  EXPECT_EQ(NearestName("CONV", names), "Conv");
  EXPECT_EQ(NearestName("covn", names), "conv");
  EXPECT_EQ(NearestName("Conv2D", names), "Conv");
  EXPECT_EQ(NearestName("matmul", names), "MatMul");
  EXPECT_EQ(NearestName("Adn", names), "Add");
  EXPECT_EQ(NearestName("nad", names), "And");
  EXPECT_EQ(NearestName("ConvTranpsoe", names), "ConvTranspose");
  EXPECT_EQ(NearestName("Softmax", names), "");
  EXPECT_EQ(NearestName("", names), "");
  EXPECT_EQ(NearestName("Relu", {}), "");
}

}  // namespace
}  // namespace dimwise
