// Tests the exported text, the rejected constructs, and that MLIR parses the text.
#include "report/mlir/rule_mlir.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

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
  EXPECT_EQ(Exported("set my\n"
                     "## Pairs up rows.\n"
                     "op Pair(X: T[2*n, k], Y: T[m, k]) -> (Z: T[n + m, k])\n"
                     "  require n < 100 else \"{n} are too many\"\n"),
            R"(// my.Pair: Pairs up rows.
func.func @my.Pair(%X: tensor<?xindex>, %Y: tensor<?xindex>) -> (tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c100 = arith.constant 100 : index
  %0 = tensor.dim %X, %c0 : tensor<?xindex>
  %1 = arith.cmpi eq, %c2, %0 : index
  cf.assert %1, "X of Pair needs rank 2"
  %2 = tensor.extract %X[%c0] : tensor<?xindex>
  %3 = arith.floordivsi %2, %c2 : index
  %4 = arith.muli %3, %c2 : index
  %5 = arith.subi %2, %4 : index
  %6 = arith.cmpi eq, %5, %c0 : index
  cf.assert %6, "X of Pair has a size that is not 2 times a number"
  %7 = arith.floordivsi %2, %c2 : index
  %8 = tensor.extract %X[%c1] : tensor<?xindex>
  %9 = tensor.dim %Y, %c0 : tensor<?xindex>
  %10 = arith.cmpi eq, %c2, %9 : index
  cf.assert %10, "Y of Pair needs rank 2"
  %11 = tensor.extract %Y[%c0] : tensor<?xindex>
  %12 = tensor.extract %Y[%c1] : tensor<?xindex>
  %13 = arith.cmpi eq, %8, %12 : index
  cf.assert %13, "Y of Pair has another k than the other operands"
  %14 = arith.cmpi slt, %7, %c100 : index
  cf.assert %14, "{n} are too many"
  %15 = arith.addi %7, %11 : index
  %16 = tensor.from_elements %15, %8 : tensor<2xindex>
  %17 = tensor.cast %16 : tensor<2xindex> to tensor<?xindex>
  %18 = func.call @dimwise.sizes(%17) : (tensor<?xindex>) -> i1
  cf.assert %18, "Z of Pair would have a size that is negative"
  return %17 : tensor<?xindex>
}

func.func private @dimwise.sizes(%list: tensor<?xindex>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %n = tensor.dim %list, %c0 : tensor<?xindex>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %true) -> (i1) {
    %e = tensor.extract %list[%i] : tensor<?xindex>
    %size = arith.cmpi sge, %e, %c0 : index
    %next = arith.andi %acc, %size : i1
    scf.yield %next : i1
  }
  return %r : i1
}
)");
}

TEST(RuleMlirTest, Export_AttributesStringsAndLoops_AreWritten) {
  EXPECT_EQ(Exported("set my\n"
                     "op Grow(X: T[...s]; by: ints = s, mode: string = \"add\" in [\"add\", \"same\"])\n"
                     "  -> (Y: T[...(if mode == \"add\" then [a + b for a, b in zip(s, by)] else s)])\n",
                     Functions::kWithout),
            R"(// my.Grow
// by is s where it is not written
// mode is "add" where it is not written
// strings: 0 "add", 1 "same", -1 any other
func.func @my.Grow(%X: tensor<?xindex>, %by: tensor<?xindex>, %by_given: i1, %mode: index) -> (tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %0 = arith.cmpi eq, %mode, %c0 : index
  %10 = scf.if %0 -> (tensor<?xindex>) {
    %1 = scf.if %by_given -> (tensor<?xindex>) {
      scf.yield %by : tensor<?xindex>
    } else {
      scf.yield %X : tensor<?xindex>
    }
    %2 = tensor.dim %X, %c0 : tensor<?xindex>
    %3 = tensor.dim %1, %c0 : tensor<?xindex>
    %4 = arith.minsi %2, %3 : index
    %9 = tensor.generate %4 {
    ^bb0(%5: index):
      %6 = tensor.extract %X[%5] : tensor<?xindex>
      %7 = tensor.extract %1[%5] : tensor<?xindex>
      %8 = arith.addi %6, %7 : index
      tensor.yield %8 : index
    } : tensor<?xindex>
    scf.yield %9 : tensor<?xindex>
  } else {
    scf.yield %X : tensor<?xindex>
  }
  %11 = func.call @dimwise.sizes(%10) : (tensor<?xindex>) -> i1
  cf.assert %11, "Y of Grow would have a size that is negative"
  return %10 : tensor<?xindex>
}
)");
}

// The whole message for each construct without a counterpart.
TEST(RuleMlirTest, Export_UnsupportedConstruct_IsRejectedByName) {
  const auto refused = [](std::string_view op) { return Exported(fmt::format("set my\nop Some{}\n", op)); };
  EXPECT_EQ(refused("(X: T[n]) -> (Y: T[unknown(0, n)])"),
            R"(error[DW0005]: my.Some: unknown(0, n) has no counterpart in MLIR
  --> my.shape:2:27
   |  op Some(X: T[n]) -> (Y: T[unknown(0, n)])
   |                            ^^^^^^^^^^^^^
  help: what it is depends on data; `dimwise op my.Some` infers it
)");
  EXPECT_EQ(refused("(X: T[n]) -> (Y: T[*])"),
            R"(error[DW0005]: my.Some: the result Y of unknown shape has no counterpart in MLIR
  help: it is known only at run time; `dimwise op my.Some` infers it
)");
  EXPECT_EQ(
      refused("(X: T[n]) -> (Y: T[_])"),
      R"(error[DW0005]: my.Some: a size of the result Y that the rule does not say has no counterpart in MLIR
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
      R"(error[DW0005]: my.Some: the number of operands X that an attribute says has no counterpart in MLIR
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
  EXPECT_EQ(Exported("set my\nop Some(X: T[n]; all: int) -> (Y: T[if all != 0 then n else unknown(0, n)])\n",
                     Functions::kWithout),
            R"mlir(// my.Some
func.func @my.Some(%X: tensor<?xindex>, %all: index) -> (tensor<?xindex>) {
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.dim %X, %c0 : tensor<?xindex>
  %1 = arith.cmpi eq, %c1, %0 : index
  cf.assert %1, "X of Some needs rank 1"
  %2 = tensor.extract %X[%c0] : tensor<?xindex>
  %3 = arith.cmpi ne, %all, %c0 : index
  %4 = scf.if %3 -> (index) {
    scf.yield %2 : index
  } else {
    cf.assert %false, "not known here: unknown(0, n)"
    scf.yield %c0 : index
  }
  %5 = tensor.from_elements %4 : tensor<1xindex>
  %6 = tensor.cast %5 : tensor<1xindex> to tensor<?xindex>
  %7 = func.call @dimwise.sizes(%6) : (tensor<?xindex>) -> i1
  cf.assert %7, "Y of Some would have a size that is negative"
  return %6 : tensor<?xindex>
}
)mlir");
}

// A name that only an absent operand would bind still has a value, which is never used.
TEST(RuleMlirTest, Export_OptionalOperand_IsMatchedIfPresent) {
  EXPECT_EQ(Exported("set my\nop Some(X: T[n], B?: T[n, k]) -> (Y: T[if given(B) then k else n])\n",
                     Functions::kWithout),
            R"(// my.Some
func.func @my.Some(%X: tensor<?xindex>, %B: tensor<?xindex>, %B_given: i1) -> (tensor<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.dim %X, %c0 : tensor<?xindex>
  %1 = arith.cmpi eq, %c1, %0 : index
  cf.assert %1, "X of Some needs rank 1"
  %2 = tensor.extract %X[%c0] : tensor<?xindex>
  %3 = tensor.dim %B, %c0 : tensor<?xindex>
  scf.if %B_given {
    %4 = arith.cmpi eq, %c2, %3 : index
    cf.assert %4, "B of Some needs rank 2"
  }
  scf.if %B_given {
    %5 = tensor.extract %B[%c0] : tensor<?xindex>
    %6 = arith.cmpi eq, %2, %5 : index
    cf.assert %6, "B of Some has another n than the other operands"
  }
  %8 = scf.if %B_given -> (index) {
    %7 = tensor.extract %B[%c1] : tensor<?xindex>
    scf.yield %7 : index
  } else {
    scf.yield %c0 : index
  }
  %9 = arith.select %B_given, %8, %2 : index
  %10 = tensor.from_elements %9 : tensor<1xindex>
  %11 = tensor.cast %10 : tensor<1xindex> to tensor<?xindex>
  return %11 : tensor<?xindex>
}
)");
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
