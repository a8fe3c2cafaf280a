// Runs the built program as a process and communicates with it through pipes.
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/transcript_testing.h"
#include "dimwise/diagnostic.h"

namespace dimwise {
namespace {

std::string Program() {
  const char* path = std::getenv("DIMWISE_PROGRAM");
  return path == nullptr ? "build/dev/dimwise" : path;
}

// A running program with its three standard streams.
class Process {
 public:
  explicit Process(std::vector<std::string> arguments) {
    int in[2], out[2], err[2];
    EXPECT_EQ(::pipe(in), 0);
    EXPECT_EQ(::pipe(out), 0);
    EXPECT_EQ(::pipe(err), 0);
    id_ = ::fork();
    if (id_ == 0) {
      ::dup2(in[0], 0);
      ::dup2(out[1], 1);
      ::dup2(err[1], 2);
      for (const int* ends : {in, out, err}) {
        ::close(ends[0]);
        ::close(ends[1]);
      }
      const std::string program = Program();
      std::vector<char*> argv = {const_cast<char*>(program.c_str())};
      for (std::string& argument : arguments) argv.push_back(argument.data());
      argv.push_back(nullptr);
      ::execv(program.c_str(), argv.data());
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    ::close(err[1]);
    in_ = in[1];
    out_ = out[0];
    err_ = err[0];
  }
  ~Process() {
    CloseInput();
    ::close(out_);
    ::close(err_);
    if (id_ > 0) Wait();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void Write(const std::string& text) {
    for (size_t at = 0; at < text.size();) {
      const ssize_t count = ::write(in_, text.data() + at, text.size() - at);
      ASSERT_GT(count, 0);
      at += static_cast<size_t>(count);
    }
  }
  void CloseInput() {
    if (in_ >= 0) ::close(in_);
    in_ = -1;
  }
  // Reads a whole line; returns "" after ten seconds.
  std::string ReadLine() {
    std::string line;
    while (true) {
      pollfd waiting{out_, POLLIN, 0};
      if (::poll(&waiting, 1, 10000) <= 0) return "";
      char c = 0;
      if (::read(out_, &c, 1) != 1) return "";
      if (c == '\n') return line;
      line += c;
    }
  }
  std::string ReadAll(bool errors = false) {
    std::string text;
    char chunk[4096];
    for (ssize_t count = 0; (count = ::read(errors ? err_ : out_, chunk, sizeof chunk)) > 0;) {
      text.append(chunk, static_cast<size_t>(count));
    }
    return text;
  }
  int Wait() {
    int status = 0;
    ::waitpid(id_, &status, 0);
    id_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t id_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
};

struct Finished {
  std::string out, err;
  int code;
};

Finished RunProgram(std::vector<std::string> arguments, const std::string& input = "") {
  Process process(std::move(arguments));
  process.Write(input);
  process.CloseInput();
  Finished finished;
  finished.out = process.ReadAll();
  finished.err = process.ReadAll(/*errors=*/true);
  finished.code = process.Wait();
  return finished;
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

const std::string kRelu = R"({"id": 1, "op": "onnx.Relu", "inputs": [{"dtype": "f32", "shape": ["N", 3]}]})";
const std::string kReluAnswer =
    R"({"id": 1, "ok": true, "inputs": [{"dtype": "f32", "shape": ["N", 3]}], "outputs": [{"dtype": "f32", "shape": ["N", 3]}], )"
    R"("symbols": {"N": {"min": 0, "max": null, "multiple_of": 1, "origin": "input X, axis 0"}}, "checks": []})";

std::vector<std::string> AnswersOf(const std::vector<std::string>& requests) {
  std::string input;
  for (const std::string& request : requests) input += request + "\n";
  const Finished finished = RunProgram({"op", "--batch", "-"}, input);
  EXPECT_EQ(finished.err, "");
  EXPECT_EQ(finished.code, 0);
  return LinesOf(finished.out);
}

TEST(Program, Batch_ForwardRequests_MatchTranscript) {
  RunTranscript("src/cli/testdata/batch_onnx.txt", AnswersOf);
}
TEST(Program, Batch_RequestsInBothDirections_MatchTranscript) {
  RunTranscript("src/cli/testdata/batch_both.txt", AnswersOf);
}

TEST(Program, RulesOption_WithFile_AddsOperators) {
  const std::string rules = testing::TempDir() + "/my.shape";
  const auto write = [&](const std::string& text) { std::ofstream(rules) << text; };
  write("set onnx\nop Relu(X: T[n]) -> (Y: T[2*n])\nop Mine(X: T[n]) -> (Y: T[n, n])\n");
  const Finished replaced = RunProgram({"op", "onnx.Relu", "f32[N]", "--rules", rules});
  EXPECT_EQ(replaced.out, "onnx.Relu\n  in     X  f32[N]\n  out    Y  f32[2*N]\n");
  EXPECT_EQ(replaced.err, "note: " + rules + " replaces onnx.Relu\n");
  EXPECT_EQ(replaced.code, 0);
  const Finished batch = RunProgram({"op", "--rules", rules, "--batch", "-"},
                                    R"({"op": "onnx.Mine", "inputs": [{"shape": [3]}]})");
  EXPECT_NE(batch.out.find(R"("outputs": [{"dtype": null, "shape": [3, 3]}])"), std::string::npos)
      << batch.out;
  EXPECT_EQ(batch.code, 0);
  EXPECT_EQ(RunProgram({"op", "onnx.Abs", "f32[N]", "--rules", rules}).code, 0);

  write("set onnx\nop Relu(X: T[n]) -> (Y: T[m])\n");
  const Finished mistake = RunProgram({"op", "onnx.Relu", "f32[N]", "--rules", rules});
  EXPECT_EQ(mistake.out, "");
  EXPECT_EQ(mistake.err, "error[DW0402]: there is no name 'm' here\n  --> " + rules +
                             ":2:27\n   |  op Relu(X: T[n]) -> (Y: T[m])\n   |                            ^\n"
                             "  help: did you mean 'n'?\n");
  EXPECT_EQ(mistake.code, 2);
  const Finished missing = RunProgram({"op", "onnx.Relu", "f32[N]", "--rules", "no/such.shape"});
  EXPECT_EQ(missing.out, "");
  EXPECT_EQ(missing.err, "error[DW0501]: cannot read 'no/such.shape': No such file or directory\n");
  EXPECT_EQ(missing.code, 2);
}

TEST(Program, ResultOption_WithType_InfersOperands) {
  const Finished finished = RunProgram({"op", "onnx.Sigmoid", "?[*]", "--result", "f32[N, 3]"});
  EXPECT_EQ(finished.out,
            "onnx.Sigmoid\n"
            "  in     X  f32[N, 3]\n"
            "  out    Y  f32[N, 3]\n"
            "  guard  X_d0 == N   Y has X_d0 on axis 0, but N was given\n"
            "         X_d1 == 3   Y has X_d1 on axis 1, but 3 was given\n");
  EXPECT_EQ(finished.code, 0);
}

TEST(Program, ExampleRequests_AsBatch_HaveNoErrors) {
  const Finished finished = RunProgram({"op", "--batch", "examples/operators.jsonl"});
  EXPECT_EQ(finished.code, 0);
  EXPECT_GE(LinesOf(finished.out).size(), 12u);
}

// A peer that waits for an answer before its next request must get the answer.
TEST(Program, Batch_InputPauses_AnswersAreSent) {
  Process process({"op", "--batch", "-"});
  for (int round = 0; round < 3; ++round) {
    process.Write(kRelu + "\n");
    ASSERT_EQ(process.ReadLine(), kReluAnswer);
  }
  // The pause may also come in the middle of the next line.
  process.Write(kRelu + "\n" + kRelu.substr(0, 20));
  ASSERT_EQ(process.ReadLine(), kReluAnswer);
  process.Write(kRelu.substr(20));
  process.CloseInput();
  EXPECT_EQ(process.ReadLine(), kReluAnswer);
  EXPECT_EQ(process.Wait(), 0);
}

TEST(Program, Batch_EveryLineAnswered_ExitsWith0) {
  const Finished finished = RunProgram({"op", "--batch", "-"}, "what\n" + kRelu);
  EXPECT_EQ(finished.code, 0);
  ASSERT_EQ(LinesOf(finished.out).size(), 2u);
  EXPECT_TRUE(finished.out.starts_with("{\"id\": null, \"line\": 1, \"ok\": false, "));
  EXPECT_EQ(LinesOf(finished.out)[1], kReluAnswer);
  EXPECT_EQ(RunProgram({"op", "--batch", "-"}, "").code, 0);
}

TEST(Program, Batch_ManyLines_AreAnsweredInOrder) {
  std::string input;
  for (int i = 0; i < 5000; ++i) input += "{\"id\": " + std::to_string(i) + kRelu.substr(8) + "\n";
  // A separate process writes the input, because both pipes may fill up.
  Process process({"op", "--batch", "-"});
  const pid_t writer = ::fork();
  if (writer == 0) {
    process.Write(input);
    ::_exit(0);
  }
  process.CloseInput();
  const std::vector<std::string> lines = LinesOf(process.ReadAll());
  ::waitpid(writer, nullptr, 0);
  EXPECT_EQ(process.Wait(), 0);
  ASSERT_EQ(lines.size(), 5000u);
  for (int i = 0; i < 5000; ++i)
    EXPECT_EQ(lines[static_cast<size_t>(i)], "{\"id\": " + std::to_string(i) + kReluAnswer.substr(8));
}

TEST(Program, Help_OfEachCommand_ContainsExample) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"}, {"op", "--help"}}) {
    const Finished finished = RunProgram(arguments);
    EXPECT_EQ(finished.code, 0);
    EXPECT_EQ(finished.err, "");
    EXPECT_TRUE(finished.out.find("Usage: dimwise") != std::string::npos) << finished.out;
    EXPECT_TRUE(finished.out.find("dimwise op onnx.") != std::string::npos) << finished.out;
  }
}

TEST(Program, CommandLine_BadUsage_ExitsWith2) {
  EXPECT_EQ(RunProgram({}).code, 2);
  EXPECT_EQ(RunProgram({}).out, "");
  EXPECT_EQ(RunProgram({"opp"}).code, 2);
  const Finished option = RunProgram({"op", "--formt", "json"});
  EXPECT_EQ(option.code, 2);
  EXPECT_EQ(option.out, "");
  EXPECT_TRUE(option.err.starts_with("error[DW0001]: ")) << option.err;
  EXPECT_TRUE(option.err.find("--formt") != std::string::npos) << option.err;
  EXPECT_EQ(RunProgram({"op", "--format", "yaml", "onnx.Relu", "f32[2]"}).code, 2);
  EXPECT_EQ(RunProgram({"op", "--batch", "no/such/file"}).code, 2);
  EXPECT_EQ(RunProgram({"op", "onnx.Relu", "f32[2]", "--opset", "-3"}).code, 2);
}

TEST(Program, Operand_WithCommas_IsOneWord) {
  const Finished finished = RunProgram({"op", "onnx.Relu", "[N,3]"});
  EXPECT_EQ(finished.err, "");
  EXPECT_EQ(finished.out, "onnx.Relu\n  in     X  ?[N, 3]\n  out    Y  ?[N, 3]\n");
}

// The page of codes, `dimwise explain CODE` and SARIF show these commands as examples.
TEST(Program, ExampleOfCode_WhenRun_ReportsThatCode) {
  int run = 0;
  for (const CodeInfo& code : AllCodes()) {
    if (!code.example.starts_with("dimwise op ") || code.code == Code::kAssumption) continue;
    const std::string command = Program() + std::string(code.example.substr(7)) + " 2>&1";
    FILE* pipe = ::popen(command.c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    std::string text(100'000, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), pipe));
    ::pclose(pipe);
    EXPECT_NE(text.find("error[" + CodeName(code.code) + "]"), std::string::npos) << code.example << text;
    ++run;
  }
  EXPECT_GT(run, 8);
}

}  // namespace
}  // namespace dimwise
