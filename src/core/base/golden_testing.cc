#include "core/base/golden_testing.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace dimwise {

bool RewritesGoldenFiles() {
  const char* rewrite = std::getenv("DIMWISE_REWRITE");
  return rewrite != nullptr && *rewrite != '\0';
}

void ExpectGolden(const std::string& path, std::string_view actual) {
  if (RewritesGoldenFiles()) {
    std::ofstream file(path, std::ios::binary);
    file << actual;
    EXPECT_TRUE(file.flush()) << "cannot write " << path;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << "cannot read " << path;
  std::stringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(expected.str(), actual) << path << " differs; `make golden` rewrites it";
}

}  // namespace dimwise
