// Simplifies the sizes in a type by facts.
#ifndef DIMWISE_INFER_CONTEXT_SIMPLIFIED_TYPE_H_
#define DIMWISE_INFER_CONTEXT_SIMPLIFIED_TYPE_H_

#include "core/base/function_ref.h"
#include "dimwise/analysis.h"

namespace dimwise {

Type SimplifiedType(Analysis& analysis, Type type, ScopeId scope);
// Applies `first` to each size before simplifying it.
Type SimplifiedType(Analysis& analysis, Type type, ScopeId scope, FunctionRef<Dim(Dim)> first);

}  // namespace dimwise

#endif  // DIMWISE_INFER_CONTEXT_SIMPLIFIED_TYPE_H_
