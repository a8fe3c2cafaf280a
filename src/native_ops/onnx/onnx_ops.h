// Operators of the set `onnx`, each written in one line:
//
//   ops.Add(13, "Squeeze(data: T, axes?: i64) -> (squeezed: T)", Squeeze);
//
// The line is what ToString prints of a definition. A type variable that is not among the attributes may be
// any type. One line serves all versions of the set until the next line of the same operator: versions of
// ONNX that only take more element types are not told apart.
//
// Each file of a family adds its operators with one of the functions below.
#ifndef DIMWISE_NATIVE_OPS_ONNX_ONNX_OPS_H_
#define DIMWISE_NATIVE_OPS_ONNX_ONNX_OPS_H_

#include <string_view>

#include "dimwise/op_registry.h"

namespace dimwise {

class OnnxOps {
 public:
  using Function = Status(InferenceContext*);

  explicit OnnxOps(OpRegistryBuilder& registry) : registry_(registry) {}
  // The function runs after CheckOperands.
  void Add(int since, std::string_view signature, Function* function);

 private:
  OpRegistryBuilder& registry_;
};

void AddEinsum(OnnxOps& ops);

}  // namespace dimwise

#endif  // DIMWISE_NATIVE_OPS_ONNX_ONNX_OPS_H_
