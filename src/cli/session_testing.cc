#include "cli/session_testing.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "core/base/golden_testing.h"

namespace dimwise {
namespace {

std::vector<std::string> LinesOf(std::istream&& stream) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Runs a command and returns its output as the lines of a session.
std::string Transcribed(const std::string& command) {
  const char* named = std::getenv("DIMWISE_PROGRAM");
  const std::string program = named == nullptr ? "build/dev/dimwise" : named;
  const std::string errors =
      (std::filesystem::temp_directory_path() / ("dimwise_session_" + std::to_string(::getpid()))).string();
  const std::string line = "dimwise() { '" + program + "' \"$@\"; }\n{ " + command + "\n} 2>'" + errors + "'";
  std::FILE* pipe = ::popen(line.c_str(), "r");
  std::string out;
  char chunk[4096];
  for (size_t count = 0; (count = std::fread(chunk, 1, sizeof chunk, pipe)) > 0;) out.append(chunk, count);
  const int status = ::pclose(pipe);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;

  std::string text;
  for (const std::string& l : LinesOf(std::istringstream(out))) text += l.empty() ? "|\n" : "| " + l + "\n";
  for (const std::string& l : LinesOf(std::ifstream(errors))) text += l.empty() ? "!\n" : "! " + l + "\n";
  std::filesystem::remove(errors);
  return code == 0 ? text : text + "= " + std::to_string(code) + "\n";
}

bool IsCommand(const std::string& line) { return line.starts_with("$ "); }
bool IsPrinted(const std::string& line) {
  return line.starts_with('|') || line.starts_with('!') || line.starts_with("= ");
}

}  // namespace

void RunSession(const std::string& path) {
  const std::vector<std::string> lines = LinesOf(std::ifstream(path));
  std::string written;
  size_t commands = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (IsPrinted(lines[i])) continue;
    written += lines[i] + "\n";
    if (!IsCommand(lines[i])) continue;
    ++commands;
    std::string expected;
    for (size_t k = i + 1; k < lines.size() && IsPrinted(lines[k]); ++k) expected += lines[k] + "\n";
    const std::string printed = Transcribed(lines[i].substr(2));
    written += printed;
    if (!RewritesGoldenFiles()) {
      EXPECT_EQ(printed, expected) << path << ":" << i + 1 << ": " << lines[i];
    }
  }
  ASSERT_GT(commands, 0u) << path << " holds no command, or cannot be read";
  if (RewritesGoldenFiles()) std::ofstream(path) << written;
}

}  // namespace dimwise
