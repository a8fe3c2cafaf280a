#include "dimwise/version.h"

#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace dimwise {
namespace {

TEST(VersionTest, Version_Text_IsThreeNumbers) {
  int dots = 0;
  char last = '.';
  for (char c : Version()) {
    if (c == '.') {
      EXPECT_NE(last, '.') << Version();
      ++dots;
    } else {
      EXPECT_TRUE(c >= '0' && c <= '9') << Version();
    }
    last = c;
  }
  EXPECT_EQ(dots, 2) << Version();
  EXPECT_NE(last, '.') << Version();
}

// A release without a changelog entry, or an entry for a release that the code does not have, is an error.
TEST(VersionTest, Changelog_NewestEntry_IsUnreleasedOrThisVersion) {
  std::ifstream changelog(DIMWISE_SOURCE_DIR "/CHANGELOG.md");
  ASSERT_TRUE(changelog.is_open());
  std::string line;
  while (std::getline(changelog, line) && line.rfind("## [", 0) != 0) {
  }
  const std::string newest = line.substr(0, line.find(']') + 1);
  EXPECT_TRUE(newest == "## [Unreleased]" || newest == "## [" + std::string(Version()) + "]") << line;
}

}  // namespace
}  // namespace dimwise
