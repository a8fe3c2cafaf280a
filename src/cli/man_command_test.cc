#include "cli/man_command.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/usage_formatter.h"

namespace dimwise {
namespace {

TEST(ManCommand, Page_CommandWithOptions_DescribesThemInMacros) {
  CLI::App app{"Does things.", "dimwise"};
  CLI::App* cut = app.add_subcommand("cut", "cut a thing");
  cut->formatter(std::make_shared<UsageFormatter>("dimwise cut THING\n       dimwise cut --all"));
  std::string thing, size;
  bool all = false;
  cut->add_option("THING", thing, "the thing, or -");
  cut->add_option("-s,--size", size, "as in 'N=8' or C:\\n")->type_name("SIZE");
  cut->add_flag("--all", all, ".hidden ones too");
  cut->footer("Example:\n  dimwise cut x\n'quoted'");
  const std::string page = ManPage(app);
  EXPECT_NE(page.find(".SS cut\ncut a thing\n.PP\n.nf\ndimwise cut THING\ndimwise cut \\-\\-all\n.fi\n"
                      ".TP\n\\fBTHING\\fR\nthe thing, or \\-\n"
                      ".TP\n\\fB\\-s\\fR, \\fB\\-\\-size\\fR \\fISIZE\\fR\nas in \\(aqN=8\\(aq or C:\\en\n"
                      ".TP\n\\fB\\-\\-all\\fR\n\\&.hidden ones too\n"
                      ".PP\n.nf\nExample:\n  dimwise cut x\n\\(aqquoted\\(aq\n.fi\n"
                      ".SH EXIT STATUS\n"),
            std::string::npos)
      << page;
  EXPECT_EQ(page.find("help"), std::string::npos) << page;
}

}  // namespace
}  // namespace dimwise
