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

// Returns the shape function that the traits of a definition imply. Pass it to an OpRegistryBuilder.
DIMWISE_API ShapeFn FunctionOfTraits(const OpDef& def);

class RuleSet;
// Adds the operators of a rule set and replaces operators with the same name and version. The set must
// outlive the registry.
DIMWISE_API void RegisterRules(OpRegistryBuilder& registry, const RuleSet& rules);

}  // namespace dimwise

#endif  // DIMWISE_BUILTIN_H_
