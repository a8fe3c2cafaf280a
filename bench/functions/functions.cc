#include "bench/functions/functions.h"

namespace dimwise {

void RegisterBaseline(OpRegistryBuilder& registry) {
  OnnxOps ops(registry);
  AddConcat(ops);
  AddConvolution(ops);
  AddElementwise(ops);
  AddMatMul(ops);
  AddReshape(ops);
  AddTranspose(ops);
}

}  // namespace dimwise
