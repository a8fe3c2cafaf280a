#include "core/values/contents_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dimwise {
namespace {

struct ContentsLine {
  const char* type;
  const char* text;
  const char* printed;  // or the error's message
};

TEST(ContentsText, ParseContents_TableOfTexts_PrintsBack) {
  constexpr ContentsLine kCases[] = {
      {"i64[2]", "{0, -1}", "{0, -1}"},
      {"i64[3]", "[N, N + 1, (H + 1)//2]", "{N, N + 1, (H + 1)//2}"},
      {"i64[]", "3", "{3}"},
      {"i64[2]", "{?, 4}", "{?, 4}"},
      {"i64[2]", "{?, ?}", ""},
      {"i64[0]", "{}", "{}"},
      {"i64[2]", "{`inf`, `true`}", "{`inf`, `true`}"},
      {"i64[1]", "{broadcast(N, M)}", "{broadcast(N, M)}"},
      {"f32[5]", "{0.1, 2, 1e30, inf, -0.0}", "{0.1, 2.0, 1e+30, inf, -0.0}"},
      {"f16[2]", "{0.5, nan}", "{0.5, nan}"},
      {"bool[3]", "{true, False, 1}", "{true, false, true}"},
      {"?[2]", "{0.5, 1}", "{0.5, 1.0}"},
      {"string[2]", "{\"a, b\", \"}\"}", ""},
      {"i64[2]", "{0.5, 1}", "element 0 of the contents is 0.5, which is no i64"},
      {"i64[2]", "{1}", "1 elements are given as contents of the shape [2], which has 2"},
      {"i64[N]", "{1}", "contents require a constant shape, and [N] is not constant"},
      {"i64[1]", "{,}", "an element of the contents is empty"},
      {"i64[1]", "{", "expected a number, a name or '(' instead of '{' at column 1 of '{'"},
      {"i64[]", " ", "contents are missing after '='"},
  };
  for (const ContentsLine& c : kCases) {
    Analysis analysis;
    std::vector<std::byte> bytes;
    const Result<Value> value = ParseContents(analysis, c.text, ParseType(analysis, c.type).value(), &bytes);
    EXPECT_EQ(value ? ContentsToString(analysis.dims(), *value) : value.error().message, c.printed)
        << c.type << " = " << c.text;
  }
}

TEST(ContentsText, ContentsToString_Bytes_PrintsNumbers) {
  Analysis analysis;
  const int64_t sizes[] = {70};
  const std::vector<std::byte> bytes(70, std::byte{255});
  EXPECT_EQ(ContentsToString(analysis.dims(), analysis.values().Bytes(ElementType::kI8, sizes, bytes))
                .substr(0, 12),
            "{-1, -1, -1,");
  const int64_t few[] = {2};
  EXPECT_EQ(ContentsToString(analysis.dims(), analysis.values().Bytes(ElementType::kBool, few, bytes)),
            "{true, true}");
  EXPECT_EQ(ContentsToString(analysis.dims(), analysis.values().Bytes(ElementType::kC64, few, bytes)), "");
}

}  // namespace
}  // namespace dimwise
