// Lowers exported rules to machine code with MLIR and runs them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "infer/operators/builtin_rules_library.h"
#include "report/mlir/rule_mlir.h"

namespace dimwise {
namespace {

// The passes of LLVM 19.
constexpr std::string_view kOpt = "mlir-opt-19", kRunner = "mlir-cpu-runner-19";
constexpr std::string_view kPasses =
    "-convert-shape-to-std -one-shot-bufferize=bufferize-function-boundaries -convert-linalg-to-loops "
    "-convert-scf-to-cf "
    "-arith-expand -expand-strided-metadata -lower-affine -convert-arith-to-llvm -finalize-memref-to-llvm "
    "-convert-func-to-llvm -convert-cf-to-llvm -reconcile-unrealized-casts";

std::vector<std::string> Split(std::string_view text, std::string_view separator) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const size_t end = text.find(separator);
    pieces.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + separator.size());
  }
  return pieces;
}

// Parses "X=1,3,8 W_given=1". Missing arguments are 0, false or empty.
std::map<std::string, std::vector<std::string>> ArgumentsOf(std::string_view words) {
  std::map<std::string, std::vector<std::string>> values;
  for (const std::string& word : Split(words, " ")) {
    const size_t at = word.find('=');
    values[word.substr(0, at)] = Split(std::string_view(word).substr(at + 1), ",");
  }
  return values;
}

// Returns a module whose main calls the rule. It prints the sizes of the first result as a number: a 1, then
// three decimal digits per size. [2, 30] is 1002030.
std::string ProgramFor(const std::string& rule, const std::string& text, std::string_view words) {
  const std::string head = "func.func @" + rule + "(";
  const size_t begin = text.find(head) + head.size(), end = text.find(") -> (", begin);
  const size_t results = Split(text.substr(end + 6, text.find(") {", end) - end - 6), ", ").size();
  std::map<std::string, std::vector<std::string>> values = ArgumentsOf(words);
  std::string body, names, types;
  for (const std::string& argument : Split(text.substr(begin, end - begin), ", ")) {
    const std::string name = argument.substr(1, argument.find(':') - 1),
                      type = argument.substr(argument.find(": ") + 2);
    const std::vector<std::string>& given = values[name];
    if (type == "i1") {
      body += fmt::format("  %{} = arith.constant {}\n", name, !given.empty() && given[0] == "1");
    } else if (type == "index") {
      body += fmt::format("  %{} = arith.constant {} : index\n", name, given.empty() ? "0" : given[0]);
    } else {
      std::string elements;
      for (size_t i = 0; i < given.size(); ++i) {
        body += fmt::format("  %{}.{} = arith.constant {} : index\n", name, i, given[i]);
        elements += fmt::format("{}%{}.{}", i > 0 ? ", " : "", name, i);
      }
      body += fmt::format("  %{}.exact = tensor.from_elements {} : tensor<{}xindex>\n", name, elements,
                          given.size());
      body += fmt::format("  %{0} = tensor.cast %{0}.exact : tensor<{1}xindex> to tensor<?xindex>\n", name,
                          given.size());
    }
    names += fmt::format("{}%{}", names.empty() ? "" : ", ", name);
    types += fmt::format("{}{}", types.empty() ? "" : ", ", type);
  }
  std::string lists = "tensor<?xindex>";
  for (size_t i = 1; i < results; ++i) lists += ", tensor<?xindex>";
  return text + "func.func @main() -> i64 {\n" + body +
         fmt::format("  %all{} = func.call @{}({}) : ({}) -> ({})\n",
                     results > 1 ? fmt::format(":{}", results) : "", rule, names, types, lists) +
         fmt::format("  %list = tensor.cast %all{} : tensor<?xindex> to tensor<?xindex>\n",
                     results > 1 ? "#0" : "") +
         R"(  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %base = arith.constant 1000 : index
  %n = tensor.dim %list, %zero : tensor<?xindex>
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %one) -> (index) {
    %size = tensor.extract %list[%i] : tensor<?xindex>
    %shifted = arith.muli %acc, %base : index
    %next = arith.addi %shifted, %size : index
    scf.yield %next : index
  }
  %answer = arith.index_cast %sum : index to i64
  return %answer : i64
}
)";
}

std::string OutputOf(const std::string& command) {
  std::string output;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return "cannot run it";
  std::array<char, 4096> buffer;
  while (const size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), n);
  pclose(pipe);
  return output;
}

TEST(RuleMlirRunTest, ExportedRule_WhenRun_ComputesSizesOfExamples) {
  for (const std::string_view program : {kOpt, kRunner}) {
    if (std::system(fmt::format("command -v {} > /dev/null 2>&1", program).c_str()) != 0) {
      GTEST_SKIP() << program << " is not installed; Debian has it in mlir-19-tools";
    }
  }
  const struct {
    std::string rule;
    std::string_view arguments, answer;
  } kCases[] = {
      {"onnx.Relu", "X=2,30", "1002030"},
      {"onnx.Add", "A=4,1,3 B=5,3", "1004005003"},
      {"onnx.Add", "A=0 B=1", "1000"},
      {"onnx.MatMul", "A=7,1,3,4 B=2,4,5", "1007002003005"},
      {"onnx.MatMul", "A=4 B=4", "1"},
      {"onnx.Gemm", "A=3,8 B=4,3 transA=1 transB=1", "1008004"},
      {"onnx.Transpose", "data=2,3,4 perm=2,0,1 perm_given=1", "1004002003"},
      {"onnx.Transpose", "data=2,3,4", "1004003002"},
      {"onnx.Concat", "inputs0=2,3 inputs1=2,5 axis=-1", "1002008"},
      {"onnx.Conv", "X=1,3,224,224 W=64,3,7,7 group=1 strides=2,2 strides_given=1 pads=3,3,3,3 pads_given=1",
       "1001064112112"},
      {"onnx.Conv", "X=2,6,10 W=8,3,3 group=2 auto_pad=3 dilations=2 dilations_given=1", "1002008006"},
      {"onnx.MaxPool", "X=1,8,32,32 kernel_shape=3,3 strides=2,2 pads=1,1,1,1 strides_given=1 pads_given=1",
       "1001008016016"},
      {"onnx.Flatten", "input=2,3,4 axis=-1", "1006004"},
      {"onnx.Reshape", "data=2,3,4 shape=2 shape_value=6,-1", "1006004"},
      {"onnx.ReduceSum", "data=2,3,4 axes_given=1 axes=1 axes_value=-1 keepdims=1", "1002003001"},
      {"onnx.ReduceSum", "data=2,3,4 axes_given=1 axes=2 axes_value=0,2", "1003"},
      {"onnx.Squeeze", "data=1,3,1", "1003"},
      {"onnx.LSTM", "X=5,2,16 W=1,128,16 R=1,128,32", "1005001002032"},
  };
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / "dimwise_rule_mlir_run_test.mlir";
  for (const auto& c : kCases) {
    const rules::Rule* rule = BuiltinRules().Find(c.rule, 1000);
    ASSERT_NE(rule, nullptr) << c.rule;
    const Result<std::string> text = RuleMlir(*rule, {.version = 1000});
    ASSERT_TRUE(text.has_value()) << ToString(text.error());
    std::ofstream(file) << ProgramFor(c.rule, *text, c.arguments);
    const std::string command =
        fmt::format("{} {} {} | {} -e main -entry-point-result=i64", kOpt, kPasses, file.string(), kRunner);
    EXPECT_EQ(OutputOf(command), std::string(c.answer) + "\n") << c.rule << " " << c.arguments;
  }
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace dimwise
