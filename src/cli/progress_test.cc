#include "cli/progress.h"

#include <gtest/gtest.h>

namespace dimwise {
namespace {

TEST(ProgressTest, Bar_SomeModelsDone_ShowsShareAndNextModel) {
  EXPECT_EQ(ProgressBar(0, 8, "a.onnx", 80), "[--------------------]  0 of 8  a.onnx");
  EXPECT_EQ(ProgressBar(5, 10, "b.onnx", 80), "[##########----------]   5 of 10  b.onnx");
  EXPECT_EQ(ProgressBar(10, 10, "", 80), "[####################]  10 of 10  ");
}

TEST(ProgressTest, Bar_NarrowTerminal_IsShortened) {
  EXPECT_EQ(ProgressBar(1, 2, "a/very/long/name.onnx", 45), "[##########----------]  1 of 2  a/v..me.onnx");
  EXPECT_EQ(ProgressBar(1, 2, "a/very/long/name.onnx", 40), "[##########----------]  1 of 2");
  EXPECT_EQ(ProgressBar(1, 2, "a", 20), "");
}

TEST(ProgressTest, Show_WithoutTerminal_PrintsNothing) {
  std::FILE* file = std::tmpfile();
  {
    Progress progress(3, file);
    progress.Show(1, "a");
  }
  EXPECT_EQ(std::ftell(file), 0);
  std::fclose(file);
}

}  // namespace
}  // namespace dimwise
