// Shape functions that the library derives from traits and from rules.
//
// Thread safety: the functions have no state. A registry builder belongs to one thread.
#ifndef DIMWISE_SHAPE_FUNCTIONS_H_
#define DIMWISE_SHAPE_FUNCTIONS_H_

#include "dimwise/export.h"
#include "dimwise/op_registry.h"

namespace dimwise {

// Returns the shape function that the traits of a definition imply. Pass it to an OpRegistryBuilder.
DIMWISE_API ShapeFn FunctionOfTraits(const OpDef& def);

class RuleSet;
// Adds the operators of a rule set and replaces operators with the same name and version. The set must
// outlive the registry.
DIMWISE_API void RegisterRules(OpRegistryBuilder& registry, const RuleSet& rules);

}  // namespace dimwise

#endif  // DIMWISE_SHAPE_FUNCTIONS_H_
