// A test fixture for InferenceContext: an analysis, and contexts with shapes given as text.
#ifndef DIMWISE_INFER_CONTEXT_INFERENCE_CONTEXT_TESTING_H_
#define DIMWISE_INFER_CONTEXT_INFERENCE_CONTEXT_TESTING_H_

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dimwise/inference_context.h"

namespace dimwise {

class ShapeInferenceTest : public testing::Test {
 protected:
  // Parses "[1, ?, N]" or "[*]"; "-" is a missing shape.
  Shape S(std::string_view text) {
    if (text == "-") return {};
    Result<Shape> shape = ParseShape(analysis_.dims(), analysis_.shapes(), text);
    EXPECT_TRUE(shape) << text;
    return shape ? *shape : Shape();
  }
  Dim D(std::string_view text) { return analysis_.dims().Parse(text).value_or(Dim()); }

  Value Integers(std::vector<int64_t> dims, std::vector<Dim> elements, ElementType type = ElementType::kI64) {
    return analysis_.values().Integers(type, dims, elements);
  }

  NodeDescription Node(int outputs) {
    NodeDescription node;
    node.name = "n";
    node.num_outputs = outputs;
    return node;
  }
  InferenceContext Context(std::vector<std::string_view> inputs, int outputs = 1,
                           std::vector<Value> tensors = {}, std::vector<Shape> as_shapes = {}) {
    std::vector<Shape> shapes;
    for (const std::string_view text : inputs) shapes.push_back(S(text));
    return InferenceContext(analysis_, Node(outputs), shapes, tensors, as_shapes);
  }

  template <typename T>
  static std::string ErrorOf(const Result<T>& result) {
    return result ? "no error" : result.error().message;
  }
  std::vector<std::string> GuardsOf(const InferenceContext& c) {
    std::vector<std::string> guards;
    for (const Guard& guard : c.guards()) guards.push_back(ToString(analysis_.dims(), guard.condition));
    return guards;
  }

  Analysis analysis_;
};

using Texts = std::vector<std::string>;

inline Status FailWith(std::string message) {
  Diagnostic diagnostic;
  diagnostic.message = std::move(message);
  return Unexpected(std::move(diagnostic));
}

}  // namespace dimwise

#endif  // DIMWISE_INFER_CONTEXT_INFERENCE_CONTEXT_TESTING_H_
