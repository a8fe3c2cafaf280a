// Types with their sizes as simple as the facts allow.
#ifndef DIMWISE_INFER_CONTEXT_SIMPLIFIED_TYPE_H_
#define DIMWISE_INFER_CONTEXT_SIMPLIFIED_TYPE_H_

#include "core/base/function_ref.h"
#include "dimwise/analysis.h"

namespace dimwise {

Type SimplifiedType(Analysis& analysis, Type type, ScopeId scope);
// With another look at each size first.
Type SimplifiedType(Analysis& analysis, Type type, ScopeId scope, FunctionRef<Dim(Dim)> first);

}  // namespace dimwise

#endif  // DIMWISE_INFER_CONTEXT_SIMPLIFIED_TYPE_H_
