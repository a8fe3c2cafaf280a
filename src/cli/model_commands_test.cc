// Runs the commands on models as shell sessions.
#include <gtest/gtest.h>

#include "cli/session_testing.h"

namespace dimwise {
namespace {

TEST(ModelCommands, Infer_Session_MatchesExpectedOutput) { RunSession("src/cli/testdata/infer.txt"); }
TEST(ModelCommands, Show_Session_MatchesExpectedOutput) { RunSession("src/cli/testdata/show.txt"); }
TEST(ModelCommands, Explain_Session_MatchesExpectedOutput) { RunSession("src/cli/testdata/explain.txt"); }
TEST(ModelCommands, Json_Session_MatchesExpectedOutput) { RunSession("src/cli/testdata/json.txt"); }
TEST(ModelCommands, Check_Session_MatchesExpectedOutput) { RunSession("src/cli/testdata/check.txt"); }
TEST(ModelCommands, Compile_Session_MatchesExpectedOutput) { RunSession("src/cli/testdata/compile.txt"); }
TEST(ModelCommands, Sizes_Session_MatchesExpectedOutput) { RunSession("src/cli/testdata/sizes.txt"); }
TEST(ModelCommands, Commands_Session_MatchesExpectedOutput) { RunSession("src/cli/testdata/commands.txt"); }
TEST(ModelCommands, Contents_Session_MatchesExpectedOutput) { RunSession("src/cli/testdata/contents.txt"); }
TEST(ModelCommands, Names_Session_MatchesExpectedOutput) { RunSession("src/cli/testdata/names.txt"); }
TEST(ModelCommands, Errors_Session_MatchesExpectedOutput) { RunSession("src/cli/testdata/errors.txt"); }
TEST(ModelCommands, BadUsage_Session_MatchesExpectedOutput) { RunSession("src/cli/testdata/mistakes.txt"); }

}  // namespace
}  // namespace dimwise
