// Tests of shape functions in the notation of TensorFlow's tests, extended by symbols.
//
//   INFER_OK(op, "[1,?];?", "[d0_1|d1_0,?,4];in0");
//   INFER_ERROR("rank 2", op, "[1]");
//
// Inputs are shapes separated by `;`. `?` is an unknown rank, and `-` an input that is not given; the empty
// text means no inputs. In a list, `?` is a fresh unknown size and anything else an expression (`3`, `N`, `N
// + 1`). A name is the same size in all inputs.
//
// Outputs: `in0|in2` is the same shape as one of these inputs. `?` is an unknown rank that no input has. In a
// list, `?` is an unknown size that no input has, and `d0_1|d1_2` is the size of axis 1 of input 0 or of axis
// 2 of input 1. Anything else is exactly that expression. Handles are compared by identity, without facts.
#ifndef DIMWISE_INFER_CONTEXT_SHAPE_FN_TESTING_H_
#define DIMWISE_INFER_CONTEXT_SHAPE_FN_TESTING_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/inference_context.h"
#include "dimwise/op_registry.h"

namespace dimwise {

// An operator and the setup shared by its cases. Each case runs in its own scope, so that facts of one case
// do not affect the next.
struct ShapeFnTestOp {
  explicit ShapeFnTestOp(OpRegistrationData registration);

  // Sets the contents of an input in row-major order.
  void SetIntegers(size_t input, std::vector<int64_t> dims, std::vector<Dim> elements,
                   ElementType type = ElementType::kI64);

  std::unique_ptr<Analysis> analysis;
  OpRegistrationData op;
  AttrMap attrs;
  int graph_def_version = 0;
  std::vector<Value> input_tensors;
  std::vector<Shape> input_tensors_as_shapes;
  std::vector<std::vector<Type>> input_handles;  // types behind each input; empty: unknown

  std::vector<std::string> guards;  // the guards of the last case, as text
};

// Returns empty if the outputs are as expected, else the first difference.
std::string InferShapes(ShapeFnTestOp& op, std::string_view inputs, std::string_view expected);
// Returns empty if the function fails with a message that contains `part`.
std::string InferError(ShapeFnTestOp& op, std::string_view inputs, std::string_view part);

}  // namespace dimwise

#define INFER_OK(op, inputs, expected) EXPECT_EQ("", ::dimwise::InferShapes(op, inputs, expected))
#define INFER_ERROR(part, op, inputs) EXPECT_EQ("", ::dimwise::InferError(op, inputs, part))

#endif  // DIMWISE_INFER_CONTEXT_SHAPE_FN_TESTING_H_
