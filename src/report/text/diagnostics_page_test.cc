#include "report/text/diagnostics_page.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace dimwise {
namespace {

TEST(DiagnosticsPage, PageInDocs_EqualsGeneratedPage) {
  const std::string path = "docs/diagnostics.md";
  const char* rewrite = std::getenv("DIMWISE_REWRITE");
  if (rewrite != nullptr && *rewrite != '\0') std::ofstream(path) << DiagnosticsPage();
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), DiagnosticsPage()) << "write it anew: DIMWISE_REWRITE=1";
}

}  // namespace
}  // namespace dimwise
