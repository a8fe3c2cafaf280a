// Checks that docs/rules.md lists every built-in function with the description in builtins.cc.
#include "rules/language/builtins.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace dimwise::rules {
namespace {

std::string SignatureText(const BuiltinInfo& b) {
  std::string text = fmt::format("`{}(", b.name);
  for (size_t i = 0; i < b.parameters.size(); ++i)
    text += fmt::format("{}{}", i > 0 ? ", " : "", NameOf(b.parameters[i]));
  return text + fmt::format("{}) -> {}`", b.repeats ? ", ..." : "", NameOf(b.result));
}

// Returns the table with a row per name, in order of first occurrence.
std::string Table() {
  struct Row {
    std::string_view name;
    std::string signatures, doc;
  };
  std::vector<Row> rows;
  for (const BuiltinInfo& b : Builtins()) {
    auto it = std::ranges::find(rows, b.name, &Row::name);
    if (it == rows.end()) it = rows.insert(it, Row{b.name, "", ""});
    it->signatures += (it->signatures.empty() ? "" : ", ") + SignatureText(b);
    if (!b.doc.empty()) it->doc += (it->doc.empty() ? "" : "; ") + std::string(b.doc);
  }
  std::string table = "| Function | Result |\n|---|---|\n";
  for (const Row& row : rows) table += fmt::format("| {} | {} |\n", row.signatures, row.doc);
  return table;
}

TEST(BuiltinsTest, TableInDocs_ComparedWithBuiltins_IsComplete) {
  const std::string path = DIMWISE_SOURCE_DIR "/docs/rules.md";
  std::ifstream page(path);
  std::stringstream text;
  text << page.rdbuf();
  const std::string all = text.str();
  const size_t begin = all.find("| Function |");
  ASSERT_NE(begin, std::string::npos) << path << " has no table of functions; it is\n" << Table();
  EXPECT_EQ(all.substr(begin, all.find("\n\n", begin) + 1 - begin), Table())
      << "the right side belongs into " << path;
}

TEST(BuiltinsTest, Builtins_All_HaveDescription) {
  EXPECT_EQ(Table().find("|  |"), std::string::npos) << Table();
}

}  // namespace
}  // namespace dimwise::rules
