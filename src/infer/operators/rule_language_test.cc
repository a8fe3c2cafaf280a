// Tests the rule language with text files that contain rules, calls and expected answers. In
// src/infer/testdata/*.rules a case is
//
//   === title
//   op Double(X: T[n]) -> (Y: T[2*n])
//   ---
//   Double(f32[N])
//     f32[2*N]
//
// The expected output is below a call or, for rules that do not load, below the line of dashes.
// DIMWISE_UPDATE=1 writes the current output into the files: read the difference before committing it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "infer/operators/rule_examples.h"

namespace dimwise {
namespace {

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string Indented(const std::string& text) {
  std::string out;
  std::stringstream lines(text);
  for (std::string line; std::getline(lines, line);) out += line.empty() ? "\n" : "  " + line + "\n";
  return out;
}

// Returns the case with the current answers.
std::string Answer(const std::string& title, const std::string& rules,
                   const std::vector<std::string>& calls) {
  std::string out = "=== " + title + "\n" + rules + "---\n";
  rules::RuleLibrary library;
  const std::vector<Diagnostic> mistakes = library.Load("set t\n" + rules, "case.shape");
  for (const Diagnostic& d : mistakes) out += Indented(ToString(d));
  if (!mistakes.empty()) return out + "\n";
  for (const std::string& call : calls) {
    const size_t open = call.find('(');
    const rules::Rule* rule = nullptr;
    for (const rules::Rule& r : library.rules()) {
      if (r.name == call.substr(0, open)) rule = &r;
    }
    out +=
        call + "\n" +
        Indented(rule == nullptr
                     ? "there is no such rule"
                     : AnswerExample(*rule, std::string_view(call).substr(open + 1, call.size() - open - 2)));
  }
  return out + "\n";
}

std::string AnswerFile(const std::string& text) {
  std::string out, title, rules;
  std::vector<std::string> calls;
  bool answers = false, any = false;
  std::stringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("=== ")) {
      if (any) out += Answer(title, rules, calls);
      title = line.substr(4);
      rules.clear();
      calls.clear();
      answers = false;
      any = true;
    } else if (!any) {
      out += line + "\n";  // the head of the file
    } else if (line == "---") {
      answers = true;
    } else if (!answers) {
      rules += line + "\n";
    } else if (!line.empty() && line[0] != ' ') {
      calls.push_back(line);
    }
  }
  if (any) out += Answer(title, rules, calls);
  return out;
}

TEST(RuleLanguageTest, Rules_CasesInFiles_GiveExpectedOutput) {
  const std::filesystem::path folder = std::filesystem::path(DIMWISE_SOURCE_DIR) / "src/infer/testdata";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".rules") continue;
    ++files;
    const std::string expected = ReadFile(entry.path()), found = AnswerFile(expected);
    if (std::getenv("DIMWISE_UPDATE") != nullptr && found != expected) {
      std::ofstream(entry.path()) << found;
      continue;
    }
    EXPECT_EQ(found, expected) << entry.path();
  }
  EXPECT_GE(files, 2);
}

}  // namespace
}  // namespace dimwise
