// The operators that come with the library.
//
// Thread safety: the registry is made when first asked for, once, and shared by all threads.
#ifndef DIMWISE_BUILTIN_H_
#define DIMWISE_BUILTIN_H_

#include "dimwise/export.h"
#include "dimwise/op_registry.h"

namespace dimwise {

// All of them.
DIMWISE_API const OpRegistry& BuiltinRegistry();

// Adds those of the set onnx that are C++ functions because a rule cannot say them, for a registry of one's
// own.
DIMWISE_API void RegisterOnnxFunctions(OpRegistryBuilder& registry);

// The shape function that a definition's traits imply, for an OpRegistryBuilder.
DIMWISE_API ShapeFn FunctionOfTraits(const OpDef& def);

class RuleSet;
// Adds the operators of a rule set, in the place of those with the same name and version. The set outlives
// the registry.
DIMWISE_API void RegisterRules(OpRegistryBuilder& registry, const RuleSet& rules);

}  // namespace dimwise

#endif  // DIMWISE_BUILTIN_H_
