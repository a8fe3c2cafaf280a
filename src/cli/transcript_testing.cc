#include "cli/transcript_testing.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/base/golden_testing.h"

namespace dimwise {
namespace {

std::vector<std::string> LinesOf(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

bool IsRequest(const std::string& line) { return line.starts_with("> ") || line == ">"; }
bool IsAnswer(const std::string& line) { return line.starts_with("< "); }
std::string Rest(const std::string& line) { return line.size() > 2 ? line.substr(2) : std::string(); }

}  // namespace

void RunTranscript(const std::string& path, const AnswerAll& answer) {
  const std::vector<std::string> lines = LinesOf(path);
  std::vector<std::string> requests;
  for (const std::string& line : lines) {
    if (IsRequest(line)) requests.push_back(Rest(line));
  }
  ASSERT_FALSE(requests.empty()) << path << " contains no request, or cannot be read";
  const std::vector<std::string> answers = answer(requests);
  ASSERT_EQ(answers.size(), requests.size()) << "of " << path;

  if (RewritesGoldenFiles()) {
    std::ofstream file(path);
    size_t next = 0;
    for (const std::string& line : lines) {
      if (IsAnswer(line)) continue;
      file << line << '\n';
      if (IsRequest(line)) file << "< " << answers[next++] << '\n';
    }
    return;
  }
  size_t next = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!IsRequest(lines[i])) continue;
    const std::string expected = i + 1 < lines.size() && IsAnswer(lines[i + 1]) ? Rest(lines[i + 1]) : "";
    EXPECT_EQ(answers[next], expected) << path << ":" << i + 2 << ", to " << lines[i];
    ++next;
  }
}

}  // namespace dimwise
