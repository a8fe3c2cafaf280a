// Tests the cost and the answers of programs that compute with sizes. Cost is counted in steps of queries
// (Facts::query_steps), so the tests do not depend on the machine.
#include "infer/engine/size_programs_testing.h"

#include <gtest/gtest.h>

#include <random>

#include "core/base/rounds_testing.h"

namespace dimwise {
namespace {

// The most steps for each node. A query takes at most Facts::kDefaultQuerySteps.
constexpr uint64_t kMaxStepsPerNode = 20000;

// `step` is repeated with s and t, the last two numbers, and gives the next two.
struct SeriesRow {
  const char* name;
  const char* s;
  const char* t;
};

std::string SeriesProgram(const SeriesRow& row, int repetitions) {
  std::string text =
      "opset onnx 21\ngraph g(x: f32[N, M]) {\n"
      "  s0 = onnx.Shape(x; start=0, end=1)\n  t0 = onnx.Shape(x; start=1, end=2)\n";
  for (int k = 2; k <= 5; ++k) text += fmt::format("  const c{}: i64[1] = {{{}}}\n", k, k);
  for (int i = 0; i < repetitions; ++i) {
    const std::string s = fmt::format("s{}", i), t = fmt::format("t{}", i);
    const std::string next_s = fmt::format("s{}", i + 1), next_t = fmt::format("t{}", i + 1);
    for (const auto& [name, calls] : {std::pair(next_s, row.s), std::pair(next_t, row.t)}) {
      // The calls of a row are separated by ';'. Each one may use p, the result of the one before it.
      const std::string_view all = calls;
      std::string previous;
      for (size_t begin = 0, part = 0; begin < all.size(); ++part) {
        const size_t end = std::min(all.find(';', begin), all.size());
        const std::string result = end == all.size() ? name : fmt::format("{}_{}", name, part);
        text += fmt::format("  {} = onnx.{}\n", result,
                            fmt::format(fmt::runtime(all.substr(begin, end - begin)), fmt::arg("s", s),
                                        fmt::arg("t", t), fmt::arg("p", previous)));
        previous = result;
        begin = end + 1;
      }
    }
  }
  return text + fmt::format("  y = onnx.Add(s{}, t{})\n  return y\n}}\n", repetitions, repetitions);
}

TEST(SizeProgramsTest, RepeatedArithmetic_OfSharedNumbers_CostsLinearSteps) {
  const SeriesRow rows[] = {
      {"divisions", "Mul({s}, c3);Div({p}, c2);Add({p}, {t})", "Mul({t}, c5);Div({p}, c3);Add({p}, {s})"},
      {"one division", "Add({t}, c2)", "Mul({s}, c3);Div({p}, c2);Add({p}, {t})"},
      {"remainders", "Mul({s}, c3);Mod({p}, c5);Add({p}, {t})", "Div({t}, c2);Add({p}, {s})"},
      {"minima", "Mul({s}, c2);Sub({p}, {t});Max({p}, c4)", "Add({s}, {t});Min({p}, c5);Mul({p}, {t})"},
      {"symbolic divisors", "Add({s}, c3);Mul({p}, {t});Div({p}, {s})", "Add({t}, {s})"},
      {"choices", "Greater({s}, {t});Where({p}, {s}, {t});Add({p}, {t})",
       "Greater({t}, {s});Where({p}, {t}, c3)"},
  };
  for (const SeriesRow& row : rows) {
    for (const int repetitions : {8, 16, 32, 64}) {
      SizeProgramCheck check(SeriesProgram(row, repetitions));
      EXPECT_LE(check.steps_per_node(), kMaxStepsPerNode) << row.name << ", " << repetitions << " times";
      EXPECT_EQ(check.Compare(5, 8), "") << row.name;
    }
  }
}

TEST(SizeProgramsTest, RandomPrograms_AtRandomSizes_HaveTheNumbersOfConstantInference) {
  for (unsigned seed = 0; seed < Rounds(60u); ++seed) {
    std::mt19937 random(seed);
    const Choose choose = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    const std::string program = SizeProgramWriter(choose).Write(40);
    SizeProgramCheck check(program);
    EXPECT_LE(check.steps_per_node(), kMaxStepsPerNode) << "seed " << seed;
    for (int sample = 0; sample < 4; ++sample)
      ASSERT_EQ(check.Compare(1 + choose(40), 1 + choose(40)), "") << "seed " << seed << "\n" << program;
  }
}

TEST(SizeProgramsTest, Query_ThatExceedsTheLimit_GivesAWarning) {
  const SeriesRow row{"", "Mul({s}, c3);Div({p}, c2);Add({p}, {t})",
                      "Mul({t}, c5);Div({p}, c3);Add({p}, {s})"};
  std::string program = SeriesProgram(row, 8);
  program.replace(program.find("  return"), std::string::npos,
                  "  z = onnx.ConstantOfShape(y)\n  return z\n}\n");
  for (const uint64_t max_steps : {uint64_t{4}, 16 * Facts::kDefaultQuerySteps}) {
    Analysis analysis;
    const std::unique_ptr<Graph> graph = *ParseGraph(analysis, program);
    Inference inference(*graph, BuiltinRegistry(), {.max_query_steps = max_steps});
    inference.Run();
    const bool is_given_up = std::ranges::any_of(inference.findings(), [](const Diagnostic& d) {
      return d.code == Code::kEffort && d.severity == Severity::kWarning && !d.op.empty();
    });
    EXPECT_EQ(is_given_up, max_steps == 4);
  }
}

}  // namespace
}  // namespace dimwise
