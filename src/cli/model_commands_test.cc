// The commands that take a model, as users type them.
#include <gtest/gtest.h>

#include "cli/session_testing.h"

namespace dimwise {
namespace {

TEST(ModelCommands, Infer) { RunSession("src/cli/testdata/infer.txt"); }
TEST(ModelCommands, ShowAndExplain) { RunSession("src/cli/testdata/show.txt"); }
TEST(ModelCommands, Explain) { RunSession("src/cli/testdata/explain.txt"); }
TEST(ModelCommands, Check) { RunSession("src/cli/testdata/check.txt"); }
TEST(ModelCommands, Compile) { RunSession("src/cli/testdata/compile.txt"); }
TEST(ModelCommands, Sizes) { RunSession("src/cli/testdata/sizes.txt"); }
TEST(ModelCommands, WhatCannotBeDone) { RunSession("src/cli/testdata/mistakes.txt"); }

}  // namespace
}  // namespace dimwise
