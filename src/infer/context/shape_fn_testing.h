// Tests of shape functions in the notation of TensorFlow's own tests, with symbols added.
//
//   INFER_OK(op, "[1,?];?", "[d0_1|d1_0,?,4];in0");
//   INFER_ERROR("rank 2", op, "[1]");
//
// Inputs: a shape each, separated by `;`. `?` is an unknown rank; in a list `?` is a fresh unknown size,
// anything else an expression (`3`, `N`, `N + 1`; a name is the same size in all inputs); `-` is an input
// that is not given; the empty text is no inputs. Outputs: `in0|in2` the same shape as one of those inputs;
// `?` an unknown rank that is none of the inputs'; in a list `?` an unknown size that is none of the inputs',
// `d0_1|d1_2` the same size as axis 1 of input 0 or axis 2 of input 1, anything else exactly that expression.
// Identity counts, not what facts say.
#ifndef DIMWISE_INFER_CONTEXT_SHAPE_FN_TESTING_H_
#define DIMWISE_INFER_CONTEXT_SHAPE_FN_TESTING_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dimwise/inference_context.h"
#include "dimwise/op_registry.h"

namespace dimwise {

// An operator with what does not change from case to case. Each case runs in a scope of its own, so that what
// one learns does not reach the next.
struct ShapeFnTestOp {
  explicit ShapeFnTestOp(OpRegistrationData registration);

  // Contents of an input, row by row.
  void SetIntegers(size_t input, std::vector<int64_t> dims, std::vector<Dim> elements,
                   ElementType type = ElementType::kI64);

  std::unique_ptr<Analysis> analysis;
  OpRegistrationData op;
  AttrMap attrs;
  int graph_def_version = 0;
  std::vector<Value> input_tensors;
  std::vector<Shape> input_tensors_as_shapes;
  std::vector<std::vector<Type>> input_handles;  // what lies behind each input; empty: nothing known

  std::vector<std::string> checks;  // of the last case, as conditions
};

// Empty where the outputs are as expected; else what is wrong, of the first thing that is.
std::string InferShapes(ShapeFnTestOp& op, std::string_view inputs, std::string_view expected);
// Empty where the function fails with a message that contains `part`.
std::string InferError(ShapeFnTestOp& op, std::string_view inputs, std::string_view part);

}  // namespace dimwise

#define INFER_OK(op, inputs, expected) EXPECT_EQ("", ::dimwise::InferShapes(op, inputs, expected))
#define INFER_ERROR(part, op, inputs) EXPECT_EQ("", ::dimwise::InferError(op, inputs, part))

#endif  // DIMWISE_INFER_CONTEXT_SHAPE_FN_TESTING_H_
