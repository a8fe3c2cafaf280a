// Errors for null shapes and sizes passed to a context.
#ifndef DIMWISE_INFER_CONTEXT_MISSING_HANDLE_H_
#define DIMWISE_INFER_CONTEXT_MISSING_HANDLE_H_

#include "infer/error.h"

namespace dimwise {

inline Unexpected NoShape() {
  return Error(Code::kBadHandle, "a shape is missing (is an operand not given?)");
}

inline Unexpected NoDim() { return Error(Code::kBadHandle, "a size is missing (is an operand not given?)"); }

}  // namespace dimwise

#endif  // DIMWISE_INFER_CONTEXT_MISSING_HANDLE_H_
