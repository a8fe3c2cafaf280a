#include "cli/rules_command.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "core/base/rounds_testing.h"

namespace dimwise {
namespace {

TEST(RulesCommand, List_AllOrUnknownSet_PrintsOperatorsOrSets) {
  std::string out, err;
  EXPECT_EQ(ListRules("onnx", &out, &err), 0);
  EXPECT_NE(out.find("onnx.Conv\n"), std::string::npos);
  EXPECT_NE(out.find("onnx.LSTM\n"), std::string::npos);
  for (const char* with_sub_graphs : {"onnx.If\n", "onnx.Loop\n", "onnx.Scan\n", "onnx.SequenceMap\n"}) {
    EXPECT_NE(out.find(with_sub_graphs), std::string::npos) << with_sub_graphs;
  }
  out.clear();
  EXPECT_EQ(ListRules("onxx", &out, &err), 2);
  EXPECT_NE(err.find("there is no operator set 'onxx'"), std::string::npos) << err;
  EXPECT_TRUE(out.empty());
}

TEST(RulesCommand, Test_WrongExample_IsReported) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / "dimwise_rules_command_test.shape";
  std::ofstream(file) << "set my\nop Twice(X: T[n]) -> (Y: T[2*n])\n  example \"f32[N] -> f32[2*N]\"\n  "
                         "example \"f32[3] -> f32[5]\"\n";
  std::string out, err;
  TestOptions options;
  options.files = {file.string()};
  options.driver.samples = 50;
  EXPECT_EQ(TestRules(options, &out, &err), 1);
  EXPECT_EQ(out,
            "my.Twice: an example does not hold\n"
            "  example  f32[3] -> f32[5]\n"
            "  found    f32[6]\n"
            "\n"
            "rule      examples  samples  accepted  refused  disagree\n"
            "my.Twice         2       50        49        1         0\n"
            "1 rule, 2 examples, 50 samples: 1 is wrong\n");
  std::filesystem::remove(file);
  EXPECT_EQ(TestRules(options, &out, &err), 2);
}

TEST(RulesCommand, Test_EachShippedFileAlone_Passes) {
  TestOptions options;
  options.driver.samples = Rounds(10);
  options.quiet = true;
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(DIMWISE_SOURCE_DIR "/src/ops")) {
    // Generated definitions have unknown shapes only.
    if (entry.path().extension() != ".shape" || entry.path().filename() == "definitions.shape") continue;
    ++files;
    std::string out, err;
    options.files = {entry.path().string()};
    EXPECT_EQ(TestRules(options, &out, &err), 0) << entry.path() << "\n" << out << err;
  }
  EXPECT_GE(files, 40);
}

}  // namespace
}  // namespace dimwise
