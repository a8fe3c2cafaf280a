// Tests the exported text, the rejected constructs, and that MLIR parses the text.
#include "report/mlir/rule_mlir.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/base/golden_testing.h"
#include "infer/operators/builtin_rules_library.h"

namespace dimwise {
namespace {

enum class Functions { kWith, kWithout };

std::string Exported(std::string_view rule, Functions functions = Functions::kWith) {
  rules::RuleLibrary library;
  for (const Diagnostic& d : library.Load(rule, "my.shape")) ADD_FAILURE() << ToString(d);
  const Result<std::string> text = RuleMlir(library.rules().back(), {.version = 1});
  if (!text) return ToString(text.error()) + "\n";
  return functions == Functions::kWith ? *text : text->substr(0, text->find("\nfunc.func private"));
}

TEST(RuleMlirTest, Export_Sizes_AreBoundComparedAndComputed) {
  ExpectGolden("src/report/mlir/testdata/sizes.mlir",
               Exported("set my\n"
                        "## Pairs up rows.\n"
                        "op Pair(X: T[2*n, k], Y: T[m, k]) -> (Z: T[n + m, k])\n"
                        "  require n < 100 else \"{n} are too many\"\n"));
}

TEST(RuleMlirTest, Export_AttributesStringsAndLoops_AreWritten) {
  ExpectGolden("src/report/mlir/testdata/attributes.mlir",
               Exported("set my\n"
                        "op Grow(X: T[...s]; by: ints = s, mode: string = \"add\" in [\"add\", \"same\"])\n"
                        "  -> (Y: T[...(if mode == \"add\" then [a + b for a, b in zip(s, by)] else s)])\n",
                        Functions::kWithout));
}

// The whole message for each construct without a counterpart.
TEST(RuleMlirTest, Export_UnsupportedConstruct_IsRejectedByName) {
  const auto refused = [](std::string_view op) { return Exported(fmt::format("set my\nop Some{}\n", op)); };
  EXPECT_EQ(refused("(X: T[n]) -> (Y: T[unknown(0, n)])"),
            R"(error[DW0005]: my.Some: unknown(0, n) has no counterpart in MLIR
  --> my.shape:2:27
   |  op Some(X: T[n]) -> (Y: T[unknown(0, n)])
   |                            ^^^^^^^^^^^^^
  help: its value depends on data; `dimwise op my.Some` infers it
)");
  EXPECT_EQ(refused("(X: T[n]) -> (Y: T[*])"),
            R"(error[DW0005]: my.Some: the result Y of unknown shape has no counterpart in MLIR
  help: it is known only at run time; `dimwise op my.Some` infers it
)");
  EXPECT_EQ(
      refused("(X: T[n]) -> (Y: T[_])"),
      R"(error[DW0005]: my.Some: a size of the result Y that the rule does not determine has no counterpart in MLIR
  help: it is known only at run time; `dimwise op my.Some` infers it
)");
  EXPECT_EQ(refused("(X: seq(T[n])) -> (Y: T[n])"),
            R"(error[DW0005]: my.Some: X of type seq(...) has no counterpart in MLIR
)");
  EXPECT_EQ(refused("(X: T[n]; body: region(T[]) -> (U[])) -> (Y: U[n])"),
            R"(error[DW0005]: my.Some: the region body has no counterpart in MLIR
)");
  EXPECT_EQ(
      refused("(X{n}: T[]; n: int) -> (Y: T[n])"),
      R"(error[DW0005]: my.Some: the number of operands X that an attribute defines has no counterpart in MLIR
)");
  EXPECT_EQ(refused("(X: T[n]; f: float) -> (Y: T[floor_scale(n, f)])"),
            R"(error[DW0005]: my.Some: floor_scale(n, f) has no counterpart in MLIR
  --> my.shape:2:37
   |  op Some(X: T[n]; f: float) -> (Y: T[floor_scale(n, f)])
   |                                      ^^^^^^^^^^^^^^^^^
  help: it takes floats; `dimwise op my.Some` infers it
)");
  EXPECT_EQ(refused("(X: T[n]) -> (Y: T[bits(T)])"),
            R"(error[DW0005]: my.Some: bits(T) has no counterpart in MLIR
  --> my.shape:2:27
   |  op Some(X: T[n]) -> (Y: T[bits(T)])
   |                            ^^^^^^^
  help: it depends on element types, or on contents that may be no integers; `dimwise op my.Some` infers it
)");
  EXPECT_EQ(refused("(X: T[n]) -> (Y: T[...X])"), R"(error[DW0005]: my.Some: X has no counterpart in MLIR
  --> my.shape:2:30
   |  op Some(X: T[n]) -> (Y: T[...X])
   |                               ^
  help: it depends on element types, or on contents that may be no integers; `dimwise op my.Some` infers it
)");
  EXPECT_EQ(refused("(X: T[n]; names: strings) -> (Y: T[len(names)])"),
            R"(error[DW0005]: my.Some: names has no counterpart in MLIR
  --> my.shape:2:43
   |  op Some(X: T[n]; names: strings) -> (Y: T[len(names)])
   |                                            ^^^^^^^^^^
  help: it is an attribute of neither integers nor a string; `dimwise op my.Some` infers it
)");
}

TEST(RuleMlirTest, Export_UnknownSizeInBranch_BecomesAssertion) {
  ExpectGolden(
      "src/report/mlir/testdata/unknown_size.mlir",
      Exported("set my\nop Some(X: T[n]; all: int) -> (Y: T[if all != 0 then n else unknown(0, n)])\n",
               Functions::kWithout));
}

// A name that only an absent operand would bind still has a value, which is never used.
TEST(RuleMlirTest, Export_OptionalOperand_IsMatchedIfPresent) {
  ExpectGolden("src/report/mlir/testdata/optional_operand.mlir",
               Exported("set my\nop Some(X: T[n], B?: T[n, k]) -> (Y: T[if given(B) then k else n])\n",
                        Functions::kWithout));
}

TEST(RuleMlirTest, Export_WholeType_BecomesSizes) {
  EXPECT_EQ(Exported("set my\nop Same(A: V, other: _) -> (B: V)\n", Functions::kWithout), R"(// my.Same
func.func @my.Same(%A: tensor<?xindex>, %other: tensor<?xindex>) -> (tensor<?xindex>) {
  return %A : tensor<?xindex>
}
)");
}

// ---- MLIR itself ----

std::string MlirOpt() {
  if (const char* set = std::getenv("MLIR_OPT")) return set;
  for (const char* name : {"mlir-opt", "mlir-opt-22", "mlir-opt-21", "mlir-opt-20", "mlir-opt-19",
                           "mlir-opt-18", "mlir-opt-17", "mlir-opt-16"}) {
    if (std::system(("command -v " + std::string(name) + " > /dev/null 2>&1").c_str()) == 0) return name;
  }
  return "";
}

TEST(RuleMlirTest, Export_AllRules_AreParsedByMlir) {
  const std::string program = MlirOpt();
  if (program.empty())
    GTEST_SKIP() << "mlir-opt (16 or newer) is not installed; Debian has it in mlir-19-tools";
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "dimwise_rule_mlir_test.mlir";
  int exported = 0;
  {
    std::ofstream out(file);
    for (const rules::RuleIndex::Entry& entry : BuiltinRules().entries()) {
      const rules::Rule& rule = BuiltinRules().Load(entry);
      for (const int repeated : {1, 3}) {
        const Result<std::string> text =
            RuleMlir(rule, {.version = rule.until == 0 ? 1000 : rule.until - 1, .repeated = repeated});
        if (!text) continue;
        out << *text << "// -----\n";
        ++exported;
      }
    }
  }
  EXPECT_GT(exported, 500);
  const std::string command =
      program + " --verify-each --split-input-file " + file.string() + " 2>&1 > /dev/null";
  std::string errors;
  FILE* pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::array<char, 4096> buffer;
  while (const size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) errors.append(buffer.data(), n);
  EXPECT_EQ(pclose(pipe), 0);
  EXPECT_EQ(errors, "");
  std::filesystem::remove(file);
}

// The operators that a compiler needs most.
TEST(RuleMlirTest, Export_CommonOperators_Works) {
  for (const std::string_view name : {"onnx.Relu",
                                      "onnx.Add",
                                      "onnx.Where",
                                      "onnx.MatMul",
                                      "onnx.Gemm",
                                      "onnx.Conv",
                                      "onnx.ConvTranspose",
                                      "onnx.MaxPool",
                                      "onnx.AveragePool",
                                      "onnx.GlobalAveragePool",
                                      "onnx.Transpose",
                                      "onnx.Concat",
                                      "onnx.Split",
                                      "onnx.Flatten",
                                      "onnx.Reshape",
                                      "onnx.Squeeze",
                                      "onnx.Unsqueeze",
                                      "onnx.Expand",
                                      "onnx.Slice",
                                      "onnx.Gather",
                                      "onnx.Pad",
                                      "onnx.Tile",
                                      "onnx.ReduceSum",
                                      "onnx.ReduceMean",
                                      "onnx.ArgMax",
                                      "onnx.Softmax",
                                      "onnx.LayerNormalization",
                                      "onnx.BatchNormalization",
                                      "onnx.LSTM",
                                      "onnx.Shape",
                                      "onnx.Cast",
                                      "onnx.Dropout",
                                      "onnx.TopK"}) {
    const rules::Rule* rule = BuiltinRules().Find(name, 1000);
    ASSERT_NE(rule, nullptr) << name;
    const Result<std::string> text = RuleMlir(*rule, {.version = 1000});
    EXPECT_TRUE(text.has_value()) << ToString(text.error());
  }
}

}  // namespace
}  // namespace dimwise
