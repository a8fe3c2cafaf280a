#include "core/base/golden_testing.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace dimwise {
namespace {

TEST(GoldenTest, ExpectGolden_TextDiffersFromFile_Fails) {
  if (RewritesGoldenFiles()) GTEST_SKIP() << "the file would be rewritten";
  static const std::string path = testing::TempDir() + "dimwise_golden.txt";
  std::ofstream(path) << "one\n";
  ExpectGolden(path, "one\n");
  EXPECT_NONFATAL_FAILURE(ExpectGolden(path, "two\n"), "`make golden` rewrites it");
  std::filesystem::remove(path);
  EXPECT_NONFATAL_FAILURE(ExpectGolden(path, ""), "cannot read");
}

}  // namespace
}  // namespace dimwise
