// The facts that count for what is left to check: those that are given or assumed, and the checks that were
// kept so far, each in the scope of its region.
#ifndef DIMWISE_INFER_KEPT_FACTS_H_
#define DIMWISE_INFER_KEPT_FACTS_H_

#include <tsl/robin_map.h>

#include "infer/engine.h"

namespace dimwise {

class KeptFacts {
 public:
  explicit KeptFacts(const Engine& engine);

  // Whether a condition adds something to what holds in a scope of the engine; it then counts.
  bool Keep(const Clause& clause, ScopeId scope);
  // d as simple as these facts allow in a scope of the engine.
  Dim Simplify(Dim d, ScopeId scope) { return facts_.Simplify(d, Scope(scope)); }

 private:
  ScopeId Scope(ScopeId there) const;

  Facts facts_;
  tsl::robin_map<uint32_t, ScopeId> scopes_;
};

}  // namespace dimwise

#endif  // DIMWISE_INFER_KEPT_FACTS_H_
