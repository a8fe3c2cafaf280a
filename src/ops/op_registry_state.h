// What a registry holds. Its builder fills it, then it is constant, but for definitions that are made when
// they are first handed out: of those, set, name, since and until are there from the beginning and never
// written again.
#ifndef DIMWISE_OPS_OP_REGISTRY_STATE_H_
#define DIMWISE_OPS_OP_REGISTRY_STATE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/function_ref.h"
#include "dimwise/op_registry.h"
#include "tsl/robin_map.h"

namespace dimwise {

inline bool SameOperator(const OpDef& a, const OpDef& b) { return a.set == b.set && a.name == b.name; }

struct OpRegistry::State {
  // The definitions of one operator in `entries`.
  struct Range {
    uint32_t first = 0;
    uint32_t count = 0;
  };

  mutable std::vector<OpRegistrationData> entries;  // by set, name and version; hand out what Complete gives
  std::vector<LazyRegistration> makers;             // by entry; empty where it is complete
  mutable std::unique_ptr<std::once_flag[]> made;
  std::vector<std::string> names;                   // full names, each once, in the same order
  tsl::robin_map<std::string_view, Range> by_name;  // views into `names`

  const OpRegistrationData* Complete(size_t entry) const;
  std::span<const OpRegistrationData> Complete(Range range) const;
  // The newest definition of each operator that is wanted by its set and name.
  std::vector<const OpRegistrationData*> Newest(FunctionRef<bool(const OpDef&)> wanted) const;

  Diagnostic Unknown(std::string_view full_name) const;
  Diagnostic WrongVersion(std::span<const OpRegistrationData> versions, int version) const;
};

}  // namespace dimwise

#endif  // DIMWISE_OPS_OP_REGISTRY_STATE_H_
