#include "report/text/diagnostics_page_testing.h"

#include <gtest/gtest.h>

#include "core/base/golden_testing.h"

namespace dimwise {
namespace {

TEST(DiagnosticsPage, PageInDocs_EqualsGeneratedPage) {
  ExpectGolden("docs/diagnostics.md", DiagnosticsPage());
}

}  // namespace
}  // namespace dimwise
