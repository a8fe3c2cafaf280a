// The operators that are part of the library.
//
// Thread safety: the registry is created once, on first use, and shared by all threads.
#ifndef DIMWISE_BUILTIN_H_
#define DIMWISE_BUILTIN_H_

#include "dimwise/export.h"
#include "dimwise/op_registry.h"

namespace dimwise {

// Returns the registry of all built-in operators.
DIMWISE_API const OpRegistry& BuiltinRegistry();

// Adds the ONNX operators that are C++ functions because the rule language cannot express them. Use it to
// build a custom registry.
DIMWISE_API void RegisterOnnxFunctions(OpRegistryBuilder& registry);

}  // namespace dimwise

#endif  // DIMWISE_BUILTIN_H_
