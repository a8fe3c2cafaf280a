#include "infer/context/shape_fn_testing.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "core/base/text_pieces.h"
#include "infer/error.h"

namespace dimwise {
namespace {

// Splits a text at separators outside brackets; an empty text has no parts.
std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  if (Trimmed(text).empty()) return parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '(' || text[i] == '[')) ++depth;
    if (i < text.size() && (text[i] == ')' || text[i] == ']')) --depth;
    if (i < text.size() && (text[i] != separator || depth > 0)) continue;
    parts.push_back(Trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parts;
}

// Returns the text inside the brackets of "[a,b]".
std::optional<std::string_view> ListIn(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  return text.substr(1, text.size() - 2);
}

// Parses the whole text as a prefix and a number.
std::optional<int> NumberAfter(std::string_view prefix, std::string_view text) {
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Result<std::vector<Shape>> ReadInputs(ShapeFnTestOp& op, std::string_view text) {
  std::vector<Shape> shapes;
  for (const std::string_view part : Split(text, ';')) {
    if (part == "?") {
      shapes.push_back(op.analysis->shapes().Unknown());
    } else if (part == "-") {
      shapes.emplace_back();
    } else if (const std::optional<std::string_view> list = ListIn(part)) {
      std::vector<Dim> dims;
      for (const std::string_view size : Split(*list, ',')) {
        if (size == "?") {
          dims.push_back(op.analysis->dims().Fresh());
        } else {
          DIMWISE_ASSIGN_OR_RETURN(const Dim dim, op.analysis->dims().Parse(size));
          dims.push_back(dim);
        }
      }
      shapes.push_back(op.analysis->shapes().Make(dims));
    } else {
      return Error(Code::kBadExpression, "'{}' is no shape", part);
    }
  }
  return shapes;
}

// Compares an output with its expected notation.
class OutputComparison {
 public:
  OutputComparison(const InferenceContext& c, int output)
      : c_(c), output_(output), shape_(c.output(output)) {}

  std::string Compare(std::string_view expected) const {
    if (shape_.is_none()) return fmt::format("output {} is not set", output_);
    if (expected == "?") return CompareUnknown();
    if (expected.starts_with("in")) return CompareInputs(expected);
    const std::optional<std::string_view> list = ListIn(expected);
    if (!list) return fmt::format("output {}: '{}' is no notation of a shape", output_, expected);
    if (!shape_.has_rank())
      return fmt::format("output {}: {} is expected; its rank is unknown", output_, expected);
    const std::vector<std::string_view> sizes = Split(*list, ',');
    if (static_cast<int>(sizes.size()) != shape_.rank()) {
      return fmt::format("output {}: rank {} is expected; it is {}", output_, sizes.size(),
                         c_.DebugString(shape_));
    }
    for (int axis = 0; axis < shape_.rank(); ++axis) {
      std::string wrong = CompareSize(axis, sizes[static_cast<size_t>(axis)]);
      if (!wrong.empty()) return wrong;
    }
    return "";
  }

 private:
  std::string CompareUnknown() const {
    if (shape_.has_rank()) {
      return fmt::format("output {}: an unknown rank is expected; it is {}", output_, c_.DebugString(shape_));
    }
    for (int i = 0; i < c_.num_inputs(); ++i) {
      if (c_.input(i) == shape_) {
        return fmt::format("output {}: an unknown rank of its own is expected; it is that of in{}", output_,
                           i);
      }
    }
    return "";
  }

  std::string CompareInputs(std::string_view expected) const {
    for (const std::string_view choice : Split(expected, '|')) {
      const std::optional<int> input = NumberAfter("in", choice);
      if (!input || *input >= c_.num_inputs())
        return fmt::format("output {}: '{}' names no input", output_, choice);
      if (c_.input(*input) == shape_) return "";
    }
    return fmt::format("output {}: the shape of {} is expected; it is {}", output_, expected,
                       c_.DebugString(shape_));
  }

  std::string CompareSize(int axis, std::string_view expected) const {
    const Dim size = shape_[axis];
    const auto wrong = [&](std::string_view words) {
      return fmt::format("output {}, axis {}: {} is expected; it is {}", output_, axis, words,
                         c_.DebugString(size));
    };
    if (expected == "?") {
      if (size.is_constant()) return wrong("an unknown size");
      const std::string input = InputSize(size);
      return input.empty() ? "" : wrong("an unknown size of its own") + ", which is " + input;
    }
    if (expected.size() > 1 && expected[0] == 'd' && expected[1] >= '0' && expected[1] <= '9') {
      for (const std::string_view choice : Split(expected, '|')) {
        const size_t underscore = choice.find('_');
        if (underscore == std::string_view::npos) return NoSuchSize(axis, choice);
        const std::optional<int> input = NumberAfter("d", choice.substr(0, underscore));
        const std::optional<int> at = NumberAfter("_", choice.substr(underscore));
        if (!input || !at || *at < 0 || *at >= InferenceContext::Rank(c_.input(*input)))
          return NoSuchSize(axis, choice);
        if (c_.input(*input)[*at] == size) return "";
      }
      return wrong(fmt::format("the size {}", expected));
    }
    const Result<Dim> number = c_.dims().Parse(expected);
    if (!number)
      return fmt::format("output {}, axis {}: '{}' is no notation of a size", output_, axis, expected);
    return *number == size ? "" : wrong(expected);
  }

  std::string NoSuchSize(int axis, std::string_view choice) const {
    return fmt::format("output {}, axis {}: '{}' names no size of an input", output_, axis, choice);
  }

  // Returns "d0_1" if the size is that of an input.
  std::string InputSize(Dim size) const {
    for (int i = 0; i < c_.num_inputs(); ++i) {
      for (int axis = 0; axis < InferenceContext::Rank(c_.input(i)); ++axis) {
        if (c_.input(i)[axis] == size) return fmt::format("d{}_{}", i, axis);
      }
    }
    return "";
  }

  const InferenceContext& c_;
  const int output_;
  const Shape shape_;
};

// Runs a case and passes the context and the status to `judge`. Returns an error in the notation of the
// inputs, or the result of `judge`.
template <typename F>
std::string RunCase(ShapeFnTestOp& op, std::string_view inputs, F judge) {
  const Result<std::vector<Shape>> shapes = ReadInputs(op, inputs);
  if (!shapes) return fmt::format("the inputs cannot be read: {}", shapes.error().message);
  Facts& facts = op.analysis->facts();
  NodeDescription node;
  node.name = "test";
  node.op = &op.op.def;
  node.attrs = &op.attrs;
  node.graph_def_version = op.graph_def_version;
  node.scope = facts.NewScope(ScopeId::kRoot);
  std::string wrong;
  {
    InferenceContext c(*op.analysis, node, *shapes, op.input_tensors, op.input_tensors_as_shapes);
    for (size_t i = 0; i < op.input_handles.size(); ++i) {
      if (!op.input_handles[i].empty())
        c.set_input_handle_shapes_and_types(static_cast<int64_t>(i), op.input_handles[i]);
    }
    const Status status = c.Run(op.op.shape_fn);
    op.guards.clear();
    for (const Guard& guard : c.guards()) op.guards.push_back(ToString(op.analysis->dims(), guard.condition));
    wrong = judge(c, status);
  }
  facts.DropScope(node.scope);
  return wrong;
}

}  // namespace

ShapeFnTestOp::ShapeFnTestOp(OpRegistrationData registration)
    : analysis(std::make_unique<Analysis>()), op(std::move(registration)) {}

void ShapeFnTestOp::SetIntegers(size_t input, std::vector<int64_t> dims, std::vector<Dim> elements,
                                ElementType type) {
  if (input_tensors.size() <= input) input_tensors.resize(input + 1);
  input_tensors[input] = analysis->values().Integers(type, dims, elements);
}

std::string InferShapes(ShapeFnTestOp& op, std::string_view inputs, std::string_view expected) {
  return RunCase(op, inputs, [&](const InferenceContext& c, const Status& status) -> std::string {
    if (!status) return fmt::format("the shape function fails: {}", status.error().message);
    const std::vector<std::string_view> outputs = Split(expected, ';');
    if (static_cast<int>(outputs.size()) != c.num_outputs()) {
      return fmt::format("{} outputs are expected; there are {}", outputs.size(), c.num_outputs());
    }
    for (int i = 0; i < c.num_outputs(); ++i) {
      std::string wrong = OutputComparison(c, i).Compare(outputs[static_cast<size_t>(i)]);
      if (!wrong.empty()) return wrong;
    }
    return "";
  });
}

std::string InferError(ShapeFnTestOp& op, std::string_view inputs, std::string_view part) {
  return RunCase(op, inputs, [&](const InferenceContext& c, const Status& status) -> std::string {
    if (status) return fmt::format("an error is expected ({}); the answer is {}", part, c.DebugString());
    if (status.error().message.find(part) != std::string::npos) return "";
    return fmt::format("an error with '{}' is expected; it is: {}", part, status.error().message);
  });
}

}  // namespace dimwise
