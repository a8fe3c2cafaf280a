// Operators of the set `onnx` with C++ shape functions. One line declares an operator:
//
//   ops.Add(13, "Squeeze(data: T, axes?: i64) -> (squeezed: T)", "Removes axes of size 1.", Squeeze);
//
// The signature has the form that ToString prints for a definition. A type variable that is not an attribute
// may be any type. A line applies to all versions until the next line of the same operator. Versions of ONNX
// that only allow more element types need no line.
//
// Each file adds its operators with a function below.
#ifndef DIMWISE_NATIVE_OPS_ONNX_ONNX_OPS_H_
#define DIMWISE_NATIVE_OPS_ONNX_ONNX_OPS_H_

#include <string_view>

#include "dimwise/op_registry.h"

namespace dimwise {

class OnnxOps {
 public:
  using Function = Status(InferenceContext*);

  explicit OnnxOps(OpRegistryBuilder& registry) : registry_(registry) {}
  // Adds an operator with its description. CheckOperands runs before its function.
  void Add(int since, std::string_view signature, std::string_view doc, Function* function);

 private:
  OpRegistryBuilder& registry_;
};

void AddEinsum(OnnxOps& ops);

}  // namespace dimwise

#endif  // DIMWISE_NATIVE_OPS_ONNX_ONNX_OPS_H_
