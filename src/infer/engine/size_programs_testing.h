// Random programs that compute with the sizes of their input, and a test of the answers about them.
#ifndef DIMWISE_INFER_ENGINE_SIZE_PROGRAMS_TESTING_H_
#define DIMWISE_INFER_ENGINE_SIZE_PROGRAMS_TESTING_H_

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dimwise/builtin.h"
#include "dimwise/graph_text.h"
#include "dimwise/inference.h"

namespace dimwise {

// Returns a number from 0 to n - 1.
using Choose = std::function<uint32_t(uint32_t n)>;

// Writes a program whose values are numbers i64[1], computed from the sizes of `x: f32[N, M]`.
class SizeProgramWriter {
 public:
  explicit SizeProgramWriter(Choose choose) : choose_(std::move(choose)) {}

  std::string Write(int steps) {
    for (int axis = 0; axis < 2; ++axis) Node("Shape(x; start={}, end={})", axis, axis + 1);
    for (int i = 0; i < steps; ++i) AddStep();
    const std::string last = Node("Max({}, {})", Number(), Constant(1));
    Node("ConstantOfShape({}; value=f32[1]{{0}})", last);
    return fmt::format("opset onnx 21\ngraph g(x: f32[N, M]) {{\n{}  return {}\n}}\n", text_, last);
  }

 private:
  template <typename... Args>
  std::string Node(fmt::format_string<Args...> call, Args&&... args) {
    const std::string name = fmt::format("t{}", count_++);
    text_ += fmt::format("  {} = onnx.{}\n", name, fmt::format(call, std::forward<Args>(args)...));
    numbers_.push_back(name);
    return name;
  }
  std::string Constant(int n) {
    const std::string name = fmt::format("c{}", count_++);
    text_ += fmt::format("  const {}: i64[1] = {{{}}}\n", name, n);
    return name;
  }
  // A recent number, so that expressions become deep, or a constant.
  std::string Number() {
    if (choose_(4) == 0) return Constant(1 + static_cast<int>(choose_(9)));
    const uint32_t recent = std::min<uint32_t>(8, static_cast<uint32_t>(numbers_.size()));
    return numbers_[numbers_.size() - 1 - choose_(recent)];
  }
  // Adds nodes whose last result is a number. Results that are none are taken from the list again.
  void AddStep() {
    const std::string a = Number(), b = Number();
    const std::string divisor = Constant(2 + static_cast<int>(choose_(6)));
    switch (choose_(11)) {
      case 0:
        return void(Node("Sub({}, {})", a, b));
      case 1:
        return void(Node("Mul({}, {})", a, divisor));
      case 2:
        return void(Node("Mul({}, {})", a, b));
      case 3:
        return void(Node("Div({}, {})", a, divisor));
      case 4:
        return void(Node("Mod({}, {})", a, divisor));
      case 5:
        return void(Node("Max({}, {})", a, b));
      case 6:
        return void(Node("Min({}, {})", a, b));
      case 7: {
        const std::string is_greater = Node("Greater({}, {})", a, b);
        numbers_.pop_back();
        return void(Node("Where({}, {}, {})", is_greater, b, a));
      }
      case 8: {
        const std::string part = Node("Slice(x, {}, {}, {})", a, b, Constant(static_cast<int>(choose_(2))));
        numbers_.pop_back();
        return void(Node("Shape({}; start=0, end=1)", part));
      }
      case 9: {
        const std::string both = Node("Concat({}, {}; axis=0)", a, b);
        numbers_.pop_back();
        return void(Node("ReduceMax({}; keepdims=1)", both));
      }
      default:
        return void(Node("Add({}, {})", a, b));
    }
  }

  const Choose choose_;
  std::string text_;
  std::vector<std::string> numbers_;
  int count_ = 0;
};

// Infers a size program with symbols, and compares each number with inference for given sizes.
class SizeProgramCheck {
 public:
  explicit SizeProgramCheck(const std::string& program) : program_(program), symbolic_(program) {}

  uint64_t steps_per_node() {
    return symbolic_.analysis.facts().query_steps() / symbolic_.graph->node_count();
  }
  // Returns what is wrong for these sizes, or "".
  std::string Compare(int64_t n, int64_t m) {
    std::string text = program_;
    text.replace(text.find("f32[N, M]"), 9, fmt::format("f32[{}, {}]", n, m));
    Inferred numbers(text);
    if (!numbers.inference->findings().empty()) return "";  // the program fails for these sizes
    const Graph& graph = *symbolic_.graph;
    DimTable& dims = symbolic_.analysis.dims();
    const auto size_of = [&](Dim symbol) -> std::optional<int64_t> {
      const SymbolInfo info = dims.GetSymbol(symbol);
      if (!info.of_user) return std::nullopt;
      return info.name == "N" ? n : m;
    };
    for (const NodeId node : graph.Order(graph.body())) {
      const ValueId value = graph.results(node)[0];
      const Value symbolic = symbolic_.inference->contents(value),
                  number = numbers.inference->contents(value);
      if (symbolic.is_none() || number.is_none()) continue;
      const Dim element = symbolic.Integer(0);
      const std::optional<int64_t> found = element.is_none() ? std::nullopt : dims.Evaluate(element, size_of);
      const std::optional<int64_t> expected = number.ConstantInteger(0);
      if (found && expected && *found != *expected) {
        return fmt::format("{} is {} for N={}, M={}, not {} = {}", graph.name(value), *expected, n, m, *found,
                           dims.ToString(element));
      }
    }
    return "";
  }

 private:
  struct Inferred {
    explicit Inferred(const std::string& program) : graph(*ParseGraph(analysis, program)) {
      inference = std::make_unique<Inference>(*graph, BuiltinRegistry());
      inference->Run();
      (void)inference->guards();
    }
    Analysis analysis;
    std::unique_ptr<Graph> graph;
    std::unique_ptr<Inference> inference;
  };

  const std::string program_;
  Inferred symbolic_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_ENGINE_SIZE_PROGRAMS_TESTING_H_
