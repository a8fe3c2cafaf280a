#include "cli/config_file.h"

#include <gtest/gtest.h>

namespace dimwise {
namespace {

std::string Words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + ";";
  return text;
}

std::string Read(std::string_view text) {
  const Result<CheckConfig> config = ParseConfig(text, "dimwise.toml");
  if (!config) return ToString(config.error());
  return Words(config->select) + " " + Words(config->ignore) + " " + Words(config->require);
}

TEST(ConfigFile, Text_WithAllKeys_IsParsed) {
  EXPECT_EQ(Read(""), "  ");
  EXPECT_EQ(Read("# nothing\n[check]\n"), "  ");
  EXPECT_EQ(Read("[check]\nselect = [\"DW01\", 'DW0502',]  # two\nignore=[\n  \"declared-type\"\n]\nrequire "
                 "= \"complete\""),
            "DW01;DW0502; declared-type; complete;");
  EXPECT_EQ(Read("[check]\nrequire = [\"complete\", \"declarations\"]"), "  complete;declarations;");
  EXPECT_EQ(Read("[check]\nrequire = \"declaration\""),
            "error[DW0001]: \"declaration\" cannot be required\n"
            "  --> dimwise.toml:2:11\n"
            "   |  require = \"declaration\"\n"
            "   |            ^\n"
            "  help: \"complete\" makes an unknown rank an error, \"declarations\" a wrong declaration");
}

TEST(ConfigFile, Rules_Files_AreListed) {
  const Result<CheckConfig> config = ParseConfig("[rules]\nfiles = ['a.shape', 'b/c.shape']", "dimwise.toml");
  ASSERT_TRUE(config);
  EXPECT_EQ(Words(config->rule_files), "a.shape;b/c.shape;");
  EXPECT_EQ(Read("[rules]\nfile = []"),
            "error[DW0001]: [rules] has no key file\n"
            "  --> dimwise.toml:2:1\n"
            "   |  file = []\n"
            "   |  ^\n"
            "  help: its key is files");
}

TEST(ConfigFile, Value_IsListOfContents) {
  const Result<CheckConfig> config = ParseConfig("[check]\nvalue = [\"hw=[2, 3]\", 'n=8']\n", "dimwise.toml");
  ASSERT_TRUE(config);
  EXPECT_EQ(Words(config->value), "hw=[2, 3];n=8;");
  EXPECT_EQ(Read("[check]\nvalue = [\"hw\"]\n"),
            "error[DW0001]: \"hw\" gives no contents\n"
            "  --> dimwise.toml:2:9\n"
            "   |  value = [\"hw\"]\n"
            "   |          ^\n"
            "  help: value = [\"hw=[224, 224]\"]");
}

TEST(ConfigFile, Text_WithMistake_PointsAtIt) {
  EXPECT_EQ(Read("[check]\nselct = [\"DW01\"]\n"),
            "error[DW0001]: [check] has no key selct\n"
            "  --> dimwise.toml:2:1\n"
            "   |  selct = [\"DW01\"]\n"
            "   |  ^\n"
            "  help: did you mean select?");
  EXPECT_EQ(Read("[check]\nignore = [\"size-mismach\"]\n"),
            "error[DW0001]: ignore: there is no code size-mismach\n"
            "  --> dimwise.toml:2:10\n"
            "   |  ignore = [\"size-mismach\"]\n"
            "   |           ^\n"
            "  help: did you mean size-mismatch?");
  EXPECT_EQ(Read("[chek]\n"),
            "error[DW0001]: there is no table [chek]\n"
            "  --> dimwise.toml:1:1\n"
            "   |  [chek]\n"
            "   |  ^\n"
            "  help: the tables are [check] and [rules]");
  EXPECT_EQ(Read("select = []"),
            "error[DW0001]: select is outside a table\n"
            "  --> dimwise.toml:1:1\n"
            "   |  select = []\n"
            "   |  ^\n"
            "  help: add [check] before it");
  EXPECT_EQ(Read("[check]\nrequire = complete"),
            "error[DW0001]: a string in quotes is missing here\n"
            "  --> dimwise.toml:2:11\n"
            "   |  require = complete\n"
            "   |            ^");
  EXPECT_EQ(Read("[check]\nselect = [\"DW01\""),
            "error[DW0001]: `,` or `]` is missing here\n"
            "  --> dimwise.toml:2:17\n"
            "   |  select = [\"DW01\"\n"
            "   |                  ^");
  EXPECT_EQ(Read("[check]\nselect = [\"DW01\" # one\nignore = []"),
            "error[DW0001]: `,` or `]` is missing here\n"
            "  --> dimwise.toml:2:17\n"
            "   |  select = [\"DW01\" # one\n"
            "   |                  ^");
  EXPECT_EQ(Read("[check\nselect = []"),
            "error[DW0001]: `]` is missing here\n"
            "  --> dimwise.toml:1:7\n"
            "   |  [check\n"
            "   |        ^");
  EXPECT_EQ(Read("[\ncheck]"),
            "error[DW0001]: `]` is missing here\n"
            "  --> dimwise.toml:1:2\n"
            "   |  [\n"
            "   |   ^");
}

}  // namespace
}  // namespace dimwise
