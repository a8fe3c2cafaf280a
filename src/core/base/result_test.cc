#include "dimwise/result.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace dimwise {
namespace {

Diagnostic Problem(std::string message) {
  Diagnostic d;
  d.code = Code::kOutOfRange;
  d.message = std::move(message);
  return d;
}

Result<int> Half(int n) {
  if (n % 2 != 0) return Unexpected(Problem(std::to_string(n) + " is odd"));
  return n / 2;
}

TEST(ResultTest, Result_OfValue_HoldsValue) {
  Result<int> r = Half(8);
  ASSERT_TRUE(r.has_value());
  EXPECT_TRUE(static_cast<bool>(r));
  EXPECT_EQ(*r, 4);
  EXPECT_EQ(r.value(), 4);
  EXPECT_EQ(r.value_or(7), 4);
  *r = 5;
  EXPECT_EQ(std::as_const(r).value(), 5);
}

TEST(ResultTest, Result_OfError_HoldsError) {
  const Result<int> r = Half(3);
  ASSERT_FALSE(r.has_value());
  EXPECT_FALSE(r);
  EXPECT_EQ(r.error().message, "3 is odd");
  EXPECT_EQ(r.error().code, Code::kOutOfRange);
  EXPECT_EQ(r.value_or(7), 7);
}

TEST(ResultTest, Result_Default_HoldsDefaultValue) {
  const Result<std::string> r;
  ASSERT_TRUE(r);
  EXPECT_EQ(*r, "");
}

TEST(ResultTest, Result_ConvertibleArgument_ConstructsValue) {
  const Result<std::string> r = "abc";
  EXPECT_EQ(r->size(), 3u);
}

TEST(ResultTest, Result_MoveOnlyValue_IsMoved) {
  Result<std::unique_ptr<int>> r = std::make_unique<int>(3);
  ASSERT_TRUE(r);
  std::unique_ptr<int> out = *std::move(r);
  EXPECT_EQ(*out, 3);
  Result<std::unique_ptr<int>> again = std::move(out);
  EXPECT_EQ(*std::move(again).value(), 3);
}

TEST(ResultTest, AndThen_FirstError_IsKept) {
  EXPECT_EQ(Half(8).and_then(Half).and_then(Half).value(), 1);
  EXPECT_EQ(Half(6).and_then(Half).and_then(Half).error().message, "3 is odd") << "the first error stays";
}

TEST(ResultTest, Transform_ValueOrError_MapsValueOnly) {
  const auto text = [](int n) { return std::to_string(n); };
  EXPECT_EQ(Half(8).transform(text).value(), "4");
  EXPECT_EQ(Half(7).transform(text).error().message, "7 is odd");
}

TEST(ResultTest, TakeError_ToOtherResult_DoesNotCopy) {
  Result<int> r = Half(3);
  const Diagnostic* box = &r.error();
  const Result<std::string> other = std::move(r).TakeError();
  ASSERT_FALSE(other);
  EXPECT_EQ(&other.error(), box);
}

TEST(ResultDeathTest, Result_AccessOfWrongAlternative_EndsProgram) {
  EXPECT_DEATH((void)Half(3).value(), "");
  EXPECT_DEATH((void)Half(4).error(), "");
  EXPECT_DEATH((void)Status().error(), "");
}

TEST(ResultTest, Result_SmallValue_TakesTwoWords) { EXPECT_LE(sizeof(Result<int64_t>), 2 * sizeof(int64_t)); }

TEST(ResultTest, ResultHeader_LineCount_IsBelow100) {
  const auto root = std::filesystem::path(DIMWISE_SOURCE_DIR);
  std::ifstream header(root / "include/dimwise/result.h");
  ASSERT_TRUE(header);
  int lines = 0;
  for (std::string line; std::getline(header, line);) ++lines;
  EXPECT_GT(lines, 0);
  EXPECT_LT(lines, 100);
}

TEST(StatusTest, Status_OkOrError_ReportsState) {
  const Status ok;
  EXPECT_TRUE(ok);
  EXPECT_TRUE(ok.has_value());
  Status bad = Unexpected(Problem("no"));
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().message, "no");
  const Result<int> passed_on = std::move(bad).TakeError();
  EXPECT_EQ(passed_on.error().message, "no");
}

}  // namespace
}  // namespace dimwise
