// Compiles and runs programs written as C and Python, and compares them with the program in this process.
#include "dimwise/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "report/text/identifiers.h"

namespace dimwise {
namespace {

ShapeProgram Compile(std::string_view text, std::string_view assume = {}) {
  Analysis analysis;
  const auto graph = ParseGraph(analysis, text).value();
  Inference inference(*graph, BuiltinRegistry());
  if (!assume.empty()) inference.Assume(ParseCondition(analysis.dims(), assume).value());
  inference.Run();
  return ShapeProgram(inference);
}

std::string ReadFile(const std::string& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

bool IsInstalled(const std::string& program) {
  return std::system(("command -v " + program + " > /dev/null 2>&1").c_str()) == 0;
}

// Runs a command. Returns its output, including its errors.
std::string RunCommand(const std::string& command, int* exit_code) {
  std::string text;
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer;
  while (const size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), n);
  *exit_code = pclose(pipe);
  return text;
}

// Runs all stages for each line of numbers, which are the symbols of a run. Returns a line per run and stage
// with the code and the whole table, up to the first failing stage.
using Symbols = std::vector<int64_t>;

std::string RunHere(const ShapeProgram& program, const std::vector<Symbols>& runs) {
  std::string text;
  for (const Symbols& run : runs) {
    std::vector<int64_t> table = program.NewTable();
    for (size_t i = 0; i < run.size(); ++i) table[program.symbols()[i].index] = run[i];
    int code = 0;
    for (size_t k = 0; k < program.stages().size() && code == 0; ++k) {
      code = program.Run(k, table);
      if (code == 0) code = program.RunMemory(k, table);
    }
    text += fmt::format("{}", code);
    if (code == 0) {
      for (const ShapeProgram::Value& value : program.values()) {
        if (value.constant) continue;
        text += fmt::format(" {}", value.rank);
        for (const uint32_t index : program.ShapeOf(value)) text += fmt::format(" {}", table[index]);
        if (value.bytes) text += fmt::format(" {}", table[*value.bytes]);
      }
      if (program.peak().index) text += fmt::format(" {}", table[*program.peak().index]);
    }
    text += " " + program.Message(code) + "\n";
  }
  return text;
}

class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("dimwise_writer_{}_{}", getpid(), counter_++)) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  static inline int counter_ = 0;
  std::filesystem::path path_;
};

std::string PrefixIn(const std::string& c) {
  const size_t at = c.find("_init(int64_t *t);");
  const size_t begin = c.rfind(' ', at) + 1;
  return c.substr(begin, at - begin);
}

std::string RunAsC(const ShapeProgram& program, const std::vector<Symbols>& runs) {
  const std::string c = ProgramAsC(program), p = PrefixIn(c);
  std::string main = fmt::format(
      "#include <stdio.h>\n#include \"shapes.c\"\nint main(void) {{\n  static int64_t t[{}];\n  int64_t "
      "sizes[256];\n",
      std::max<size_t>(program.table_size(), 1));
  main += "  int code, rank, v, i;\n  (void)sizes; (void)rank; (void)v; (void)i;\n";
  std::string macro = p;
  for (char& ch : macro) ch = static_cast<char>(std::toupper(static_cast<unsigned char>(ch)));
  size_t values = 0;
  for (const ShapeProgram::Value& value : program.values()) values += value.constant ? 0 : 1;
  for (const Symbols& run : runs) {
    main += fmt::format("  {}_init(t);\n", p);
    for (size_t i = 0; i < run.size(); ++i) {
      main += run[i] == INT64_MIN
                  ? fmt::format("  t[{}] = INT64_MIN;\n", program.symbols()[i].index)
                  : fmt::format("  t[{}] = INT64_C({});\n", program.symbols()[i].index, run[i]);
    }
    main += "  code = 0;\n";
    for (size_t k = 0; k < program.stages().size(); ++k) {
      main += fmt::format(
          "  if (code == 0) code = {0}_stage_{1}(t);\n  if (code == 0) code = {0}_memory_{1}(t);\n", p, k);
    }
    main += "  printf(\"%d\", code);\n  if (code == 0) {\n";
    main += fmt::format(
        "    for (v = 0; v < {}; ++v) {{\n      rank = {}_shape(v, t, sizes);\n      printf(\" %d\", "
        "rank);\n",
        values, p);
    main += "      for (i = 0; i < rank; ++i) printf(\" %lld\", (long long)sizes[i]);\n";
    main += fmt::format(
        "      if ({0}_values[v].bytes >= 0) printf(\" %lld\", (long long)t[{0}_values[v].bytes]);\n    }}\n",
        p);
    if (program.peak().index)
      main += fmt::format("    printf(\" %lld\", (long long)t[{}_PEAK_BYTES]);\n", macro);
    main += fmt::format("  }}\n  printf(\" %s\\n\", {}_message(code));\n", p);
  }
  main += "  return 0;\n}\n";
  const Folder folder;
  folder.Write("shapes.c", c);
  const std::string main_path = folder.Write("main.c", main);
  int exit_code = 0;
  const std::string flags =
      "-std=c99 -Wall -Wextra -Werror -pedantic -Wmissing-prototypes -fsanitize=undefined "
      "-fno-sanitize-recover";
  // The file must compile by itself too.
  std::string text = RunCommand(
      fmt::format("gcc {} -c -o {} {}", flags, folder.path("alone.o"), folder.path("shapes.c")), &exit_code);
  if (exit_code == 0)
    text = RunCommand(fmt::format("gcc {} -o {} {}", flags, folder.path("run"), main_path), &exit_code);
  if (exit_code != 0) return "gcc: " + text + "\n" + c;
  return RunCommand(folder.path("run"), &exit_code);
}

std::string RunAsPython(const ShapeProgram& program, const std::vector<Symbols>& runs) {
  std::string main = "import shapes as s\nnames = list(s.SYMBOLS)\nfor run in [\n";
  for (const Symbols& run : runs) main += fmt::format("    [{}],\n", fmt::join(run, ", "));
  main += R"(]:
    t = s.new_table(**dict(zip(names, run)))
    code = 0
    for stage in s.STAGES:
        code = code or stage["run"](t) or stage["memory"](t)
    out = [str(code)]
    if code == 0:
        for v in s.VALUES:
            sizes = s.shape(v, t)
            out += ["-1"] if sizes is None else [str(n) for n in [len(sizes)] + sizes]
            if s.nbytes(v, t) is not None: out.append(str(s.nbytes(v, t)))
        if s.PEAK_BYTES is not None: out.append(str(t[s.PEAK_BYTES]))
    print(" ".join(out), s.message(code))
)";
  const Folder folder;
  folder.Write("shapes.py", ProgramAsPython(program));
  const std::string path = folder.Write("main.py", main);
  int exit_code = 0;
  return RunCommand("PYTHONDONTWRITEBYTECODE=1 PYTHONUTF8=1 python3 " + path, &exit_code);
}

std::vector<Symbols> RandomRuns(const ShapeProgram& program, uint32_t seed, int count) {
  std::mt19937_64 random(seed);
  std::vector<Symbols> runs(static_cast<size_t>(count));
  for (Symbols& run : runs) {
    for (size_t i = 0; i < program.symbols().size(); ++i) {
      const uint64_t r = random();
      const int64_t extremes[] = {INT64_MAX, INT64_MIN, -1, 0, int64_t{1} << 40};
      run.push_back(r % 12 == 0 ? extremes[(r >> 8) % 5] : static_cast<int64_t>((r >> 8) % 9) + 1);
    }
  }
  return runs;
}

const char* const kGraphs[] = {
    R"(opset onnx 17
graph mixed(x: f32[N, S, 8], y: f32[M, 1, 8], w: f16[2*K]) {
  const starts: i64[1] = {1}
  const ends: i64[1] = {-1}
  const axes: i64[1] = {1}
  const flat: i64[2] = {-1, 16}
  z = onnx.Add(x, y) @add
  s = onnx.Slice(x, starts, ends, axes) @slice
  r = onnx.Reshape(z, flat) @reshape
  nz = onnx.NonZero(r) @nz
  t = onnx.Transpose(nz) @t
  v = onnx.Relu(w) @relu
  return t, s, v
})",
    // Names that are not identifiers in either language.
    "opset onnx 17\ngraph int(`a\"b*/ */ \\\\ ?\?/`: f32[`for`, `größe`, `x-y`, `x y`], while: u4[`None`, "
    "`x_y`]) {\n"
    "  `int` = onnx.Relu(`a\"b*/ */ \\\\ ?\?/`) @`def`\n  `INT` = onnx.Relu(`int`)\n  `in t` = "
    "onnx.Relu(`INT`)\n"
    "  `in_t` = onnx.Identity(while)\n  return `in t`, in_t\n}",
    R"(opset onnx 17
graph branches(x: f32[N], y: f32[M], c: bool[]) {
  z = onnx.If(c) @if {
    then_branch: graph() {
      t = onnx.Add(x, y) @add
      return t
    }
    else_branch: graph() {
      e = onnx.Relu(x) @relu
      return e
    }
  }
  unused = onnx.Mul(x, y) @unused
  return z
})",
    // Sizes that must all broadcast: one guard for all of them.
    R"(opset onnx 17
graph sums(a: f32[N, 2], b: f32[M, 2], c: f32[K, 1], d: f32[P, 2]) {
  s = onnx.Sum(a, b, c) @sum
  t = onnx.Add(s, d) @add
  u = onnx.Relu(d) @relu
  return t, u
})",
    // Sizes scaled by factors that are rounded: all float steps.
    R"(opset onnx 17
graph floats(x: f32[H, W], s: f32[H]) {
  const shortest: f32[] = {800}
  const longest: f32[] = {1333}
  const double_size: f64[] = {1.7}
  const half: f32[] = {0.3}
  hw = onnx.Shape(x)
  low = onnx.ReduceMin(hw; keepdims=0)
  high = onnx.ReduceMax(hw; keepdims=0)
  below = onnx.Cast(low; to=f32)
  above = onnx.Cast(high; to=f32)
  a = onnx.Div(shortest, below)
  b = onnx.Div(longest, above)
  scale = onnx.Min(a, b)
  f = onnx.Cast(hw; to=f32)
  p = onnx.Mul(f, scale)
  g = onnx.Floor(p)
  size = onnx.Cast(g; to=i64)
  y = onnx.ConstantOfShape(size)
  d = onnx.Cast(hw; to=f64)
  e = onnx.Div(double_size, d)
  e2 = onnx.Mul(e, e)
  e3 = onnx.Add(e2, double_size)
  e4 = onnx.Mul(e3, d)
  up = onnx.Ceil(e4)
  up_size = onnx.Cast(up; to=i64)
  z = onnx.ConstantOfShape(up_size)
  back = onnx.Cast(e4; to=f32)
  wide = onnx.Add(back, p)
  wider = onnx.Max(wide, half)
  near = onnx.Round(wider)
  near_size = onnx.Cast(near; to=i64)
  n = onnx.ConstantOfShape(near_size)
  return y, z, n
})",
    R"(opset onnx 17
graph numbers(x: f32[2, 3]) {
  y = onnx.Relu(x)
  return y
})",
};

TEST(ProgramWriterTest, CAndPython_RandomRuns_AgreeWithProgram) {
  const bool has_c = IsInstalled("gcc"), has_python = IsInstalled("python3");
  if (!has_c && !has_python) GTEST_SKIP() << "neither gcc nor python3 is installed";
  std::vector<std::string> graphs(std::begin(kGraphs), std::end(kGraphs));
  graphs.push_back(ReadFile("examples/models/transformer.graph"));
  uint32_t seed = 1;
  for (const std::string& graph : graphs) {
    const ShapeProgram program = Compile(graph);
    const std::vector<Symbols> runs = RandomRuns(program, seed++, 60);
    const std::string here = RunHere(program, runs);
    if (has_c) {
      EXPECT_EQ(RunAsC(program, runs), here) << graph;
    }
    if (has_python) {
      EXPECT_EQ(RunAsPython(program, runs), here) << graph;
    }
  }
}

// The guard of a program, assumed in the text in which it is printed, is no guard any more.
TEST(ProgramWriterTest, BroadcastOfManySizes_InAllFormats_IsOneGuard) {
  const std::string text =
      "opset onnx 17\ngraph g(a: f32[N], b: f32[M], c: f32[K]) {\n"
      "  s = onnx.Sum(a, b, c)\n  return s\n}";
  const std::string guard = "broadcastable(N, M, K)";
  const ShapeProgram program = Compile(text);
  ASSERT_EQ(program.guards().size(), 4u);  // three assumptions and the guard
  EXPECT_EQ(program.guards()[3].require, guard);
  EXPECT_NE(ProgramAsJson(program).find("\"require\": \"" + guard + "\""), std::string::npos);
  EXPECT_NE(ProgramAsC(program).find("return 4;  /* " + guard + " */"), std::string::npos);
  EXPECT_NE(ProgramAsPython(program).find("return 4  # \"" + guard + "\""), std::string::npos);
  const ShapeProgram assumed = Compile(text, guard);
  EXPECT_EQ(std::ranges::count(assumed.guards(), ShapeProgram::GuardKind::kModel, &ShapeProgram::Guard::kind),
            0);
}

TEST(ProgramWriterTest, Identifiers_ForEqualNames_AreUnique) {
  Identifiers identifiers;
  identifiers.Reserve("X_b");
  EXPECT_EQ(identifiers.Unique("X_", "a.b"), "X_a_b");
  EXPECT_EQ(identifiers.Unique("X_", "a_b"), "X_a_b_2");
  EXPECT_EQ(identifiers.Unique("X_", "a_b_2"), "X_a_b_2_2");
  EXPECT_EQ(identifiers.Unique("X_", "b"), "X_b_2");
  EXPECT_EQ(identifiers.Unique("X_", "größe"), "X_gr____e");
  EXPECT_EQ(identifiers.Unique("X_", std::string(100, 'a')), "X_" + std::string(60, 'a'));
  EXPECT_EQ(identifiers.Unique("X_", std::string(101, 'a')), "X_" + std::string(60, 'a') + "_2");
  EXPECT_EQ(identifiers.Unique("X_", std::string(100, 'a') + "/b"), "X_" + std::string(58, 'a') + "_b")
      << "of a long name the end is kept";
}

TEST(ProgramWriterTest, Json_SimpleProgram_HasAllParts) {
  const ShapeProgram program = Compile(R"(opset onnx 17
graph g(x: f32[N, 2]) {
  z = onnx.Add(x, x) @add
  return z
})");
  EXPECT_EQ(
      ProgramAsJson(program),
      R"({"dimwise": 1, "model": "g", "table_size": 10, "symbols": [{"name": "N", "place": 0, "origin": "", "of_inputs": true, "stage": 0, "value": "x", "axis": 0}])"
      R"(, "input_sizes": [{"value": "x", "axis": 0, "expression": "N", "place": 1}, {"value": "x", "axis": 1, "expression": "2", "place": 2}])"
      R"(, "stages": [{"needs": ["N"]}])"
      R"(, "expressions": [{"place": 0, "expression": "N"}, {"place": 3, "expression": 2}, {"place": 4, "expression": 1}, {"place": 5, "expression": 8}, {"place": 6, "expression": "8*N"}, {"place": 7, "expression": 0}, {"place": 8, "expression": 16}, {"place": 9, "expression": "16*N"}])"
      R"(, "definitions": {})"
      R"(, "checks": [{"require": "size of x along axis 1 == 2", "message": "input 'x' has another size than 2 along axis 1", "kind": "input", "stage": 0}, {"require": "N >= 1", "message": "sizes of the model's inputs are assumed to be at least 1", "kind": "assumption", "stage": 0}])"
      R"(, "values": {"x": {"dtype": "f32", "shape": [0, 3], "stage": 0, "bytes": 6}, "z": {"dtype": "f32", "shape": [0, 3], "stage": 0, "bytes": 6}})"
      R"(, "peak_bytes": {"place": 9, "expression": "16*N", "node": "add", "not_counted": 0}}
)");
}

}  // namespace
}  // namespace dimwise
